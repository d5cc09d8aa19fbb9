/* SPDX-License-Identifier: MIT */
#include "stats.h"
#include "test.h"

static void odd_and_even(void)
{
    double odd[] = {5, 1, 3}, even[] = {4, 1, 2, 3};
    stats_t s = stats_of(odd, 3);
    CHECK(s.median == 3 && s.min == 1 && s.p90 == 5);
    s = stats_of(even, 4);
    CHECK(s.median == 2.5 && s.min == 1 && s.p90 == 4);
}

static void percentile_is_the_nearest_rank(void)
{
    double samples[100];
    for (size_t count = 1; count <= 100; count++) {
        for (size_t i = 0; i < count; i++)
            samples[i] = (double)(i * 37 % count); /* 37 is prime: some order of 0 .. count-1 */
        for (size_t i = 0; i < count && count % 37 == 0; i++)
            samples[i] = (double)i;
        stats_t s = stats_of(samples, count);
        size_t not_above = (size_t)s.p90 + 1; /* samples 0 .. p90 */
        CHECK(10 * not_above >= 9 * count && 10 * (not_above - 1) < 9 * count);
        CHECK(s.min == 0 && s.median == (double)(count - 1) / 2);
    }
}

static void one_and_none(void)
{
    double sample = 7;
    stats_t s = stats_of(&sample, 1);
    CHECK(s.median == 7 && s.min == 7 && s.p90 == 7 && stats_spread(&s) == 0);
    s = stats_of(NULL, 0);
    CHECK(s.median == 0 && stats_spread(&s) == 0);
}

static void spread(void)
{
    stats_t s = {.median = 10, .min = 9, .p90 = 12};
    CHECK(stats_spread(&s) > 0.2999 && stats_spread(&s) < 0.3001);
}

int main(void)
{
    RUN(odd_and_even);
    RUN(percentile_is_the_nearest_rank);
    RUN(one_and_none);
    RUN(spread);
    return test_wrong != 0;
}
