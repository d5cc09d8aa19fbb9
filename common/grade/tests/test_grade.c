/* SPDX-License-Identifier: MIT */
/*
 * test_grade.c - unit tests of the grader: comparisons, tables, conditions.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "grade/tasks/tasks.h"
#include "tests/unit/test.h"

/* ---- comparisons ---- */

static size_t wrong(double got, double expected, double allowed)
{
    struct comparison c = {0};
    compare(&c, "out", 0, got, expected, allowed);
    return c.wrong;
}

static void nan_is_right_where_nan_is_expected(void)
{
    CHECK(wrong(NAN, 1, 1e30) == 1);
    CHECK(wrong(1, NAN, 1e30) == 1);
    CHECK(wrong(NAN, NAN, 0) == 0);
    CHECK(wrong(NAN, INFINITY, INFINITY) == 1);
}

static void infinity_and_bounds(void)
{
    CHECK(wrong(INFINITY, INFINITY, 0) == 0);
    CHECK(wrong(-INFINITY, INFINITY, INFINITY) == 1);
    CHECK(wrong(INFINITY, 1, INFINITY) == 1);
    CHECK(wrong(1.5, 1, 0.5) == 0);
    CHECK(wrong(1.6, 1, 0.5) == 1);
    CHECK(wrong(1, 1, 0) == 0);
}

/* ---- tables ---- */

static const struct task *first_task(void)
{
    return task_find("01");
}

/* Reads a table of one line. */
static bool reads(const char *line, struct tests *table, char *why, size_t bytes)
{
    char path[] = "/tmp/grade_table.XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "# a comment\n\n%s\n", line);
    fclose(file);
    const bool fine = tests_read(path, first_task(), table, why, bytes);
    unlink(path);
    return fine;
}

static void table_takes_shapes(void)
{
    struct tests t;
    char why[256];
    CHECK(reads("a b | 15 | 1..255x3, 7x0..9@0..3 | uniform | launches >= 1 | why", &t, why, 256));
    CHECK(t.count == 1 && t.points == 15 && t.test[0].shapes == 2);
    CHECK(strcmp(t.test[0].name, "a b") == 0 && t.test[0].hints == 1);
    CHECK(!t.test[0].hint[0].when[0] && strcmp(t.test[0].hint[0].text, "why") == 0);
    CHECK(t.test[0].shape[0].size[0].low == 1 && t.test[0].shape[0].size[0].high == 255);
    CHECK(t.test[0].shape[1].offset.high == 3 && t.test[0].shape[0].offset.high == 0);
}

static void table_refuses(void)
{
    static const char *const lines[][2] = {
        {"a | 15 | 1x1 | uniform | ", "6 columns"},
        {"a | 0 | 1x1 | uniform | | h", "points"},
        {"a | 5 points | 1x1 | uniform | | h", "points"},
        {"a | 5 | 1 | uniform | | h", "sizes"},
        {"a | 5 | 9..1x1 | uniform | | h", "sizes"},
        {"a | 5 | 1x1x1 | uniform | | h", "sizes"},
        {"a | 5 | 1x1@ | uniform | | h", "sizes"},
        {"a | 5 | 1x1 | unifor | | h", "data"},
        {"a | 5 | 1x1 | uniform | bank_conflicts == 0 | h", "requires"},
        {"a | 5 | 1x1 | uniform | launches = 1 | h", "requires"},
        {"a | 5 | 1x1 | uniform | launches == 1 x | h", "cannot read 'x'"},
        {"a | 5 | 1x1 | uniform | (launches + 1 > 2 | h", "requires"},
        {"a | 5 | 1x1, | uniform | | h", "sizes"},
        {"a | 5 | 1x1,1x1,1x1,1x1,1x1,1x1,1x1,1x1,1x1 | uniform | | h", "up to 8 shapes"},
        {"a | 5 | 1x1 | uniform | | rase: h", "accepted are counters and blocks store race "},
        {"a | 5 | 1x1 | uniform | | h | h | h | h | h", "4 hints"},
        {"", "no test"},
    };
    struct tests t;
    char why[512] = "";
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        CHECK(!reads(lines[i][0], &t, why, sizeof why));
        CHECK(strstr(why, lines[i][1]));
    }
}

/* Of a test with a condition, and of one without. */
static bool hints(enum cause cause, const char *fault, const char *condition, const char *expected)
{
    struct tests t;
    char why[256];
    CHECK(reads("a | 5 | 1x1 | uniform | launches >= 1 | the test's | race: of a race "
                "| launches: of launches",
                &t, why, sizeof why));
    return strstr(hint_choose(&t.test[0], cause, fault, condition), expected);
}

static void hints_fit_what_went_wrong(void)
{
    static const char race[] = "race on s[1] in k", outside[] = "out-of-bounds read of 4 bytes";
    struct tests t;
    char why[256];
    CHECK(hints(CAUSE_FINDING, race, "", "of a race"));
    CHECK(hints(CAUSE_FINDING, outside, "", "compare the index"));
    CHECK(hints(CAUSE_FINDING, "race on 4-byte element 0, blocks run in any order", "", "second"));
    CHECK(hints(CAUSE_FINDING, "something new", "", "begin with this message"));
    CHECK(hints(CAUSE_CONDITION, "", "launches >= 1", "of launches"));
    CHECK(hints(CAUSE_CONDITION, race, "barriers == 0", "the test's"));
    CHECK(hints(CAUSE_RESULT, "", "out[0] = 1", "nothing was counted"));
    CHECK(hints(CAUSE_ENDLESS, "", "", "which loop does not end"));
    CHECK(hints(CAUSE_ERROR, "", "", "number of threads"));
    CHECK(hints(CAUSE_SCRATCH, "", "", "and no more"));
    CHECK(hints(CAUSE_NOT_DONE, "", "", "read all of the input"));
    CHECK(reads("a | 5 | 1x1 | uniform | | the test's", &t, why, sizeof why));
    CHECK(strcmp(hint_choose(&t.test[0], CAUSE_RESULT, "", ""), "the test's") == 0);
    CHECK(strstr(hint_choose(&t.test[0], CAUSE_FINDING, race, ""), "barrier"));
}

static void ranges_reach_both_ends(void)
{
    const struct range r = {3, 5};
    rng_t rng = {1};
    bool seen[6] = {false};
    for (int i = 0; i < 200; i++) {
        const size_t x = range_draw(&r, &rng);
        CHECK(x >= 3 && x <= 5);
        seen[x < 6 ? x : 0] = true;
    }
    CHECK(seen[3] && seen[4] && seen[5]);
}

/* ---- conditions ---- */

static bool met(const char *condition, bool faults)
{
    static const size_t size[TASK_SIZES] = {1000, 7};
    static const struct reply reply = {.work_bytes = 64, .count = {2, 30, 40}};
    const struct facts facts = facts_of(first_task(), size, &reply, faults);
    struct parser p = {.at = condition, .facts = &facts};
    struct condition c;
    bool holds = true;
    while (condition_next(&p, &c))
        holds = holds && c.holds;
    CHECK(!p.wrong);
    return holds;
}

static void conditions(void)
{
    CHECK(met("", true));
    CHECK(met("no faults", false) && !met("no faults", true));
    CHECK(met("launches == 2; shared_ld_requests < 31", true));
    CHECK(!met("launches == 2; shared_ld_requests > 31", false));
    CHECK(met("shared_ld_wavefronts <= 1.25 * in_bytes / (n / 10) - 10", false));
    CHECK(!met("shared_ld_wavefronts <= 1.25 * in_bytes / (n / 10) - 10.1", false));
    CHECK(met("work_bytes != threshold", false) && met("out_bytes >= 2 + 2 * 3", false));
    CHECK(!met("launches > 2", false) && !met("launches < 2", false));
}

int main(void)
{
    RUN(nan_is_right_where_nan_is_expected);
    RUN(infinity_and_bounds);
    RUN(table_takes_shapes);
    RUN(table_refuses);
    RUN(hints_fit_what_went_wrong);
    RUN(ranges_reach_both_ends);
    RUN(conditions);
    return test_wrong > 0;
}
