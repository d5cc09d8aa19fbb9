/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: sets - the sets of inputs that the checker uses
 * Run: $BUILD/unit/test_sets
 */
#include "expect.h"
#include "size.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static const size_t LARGE = 2 * (size_t)DATA_TILE + 34567;
static const device_t DEVICE = {.resident_threads = 8192};

static problem_t problem_of(dtype_t type, int op)
{
    return (problem_t){.kind = KIND_REDUCE, .type = type, .op = op};
}

/* Data that are there until the next ones are made. */
static data_t make_for(problem_t p, size_t n, set_t set, uint64_t seed)
{
    static data_t data;
    data_free(&data);
    sets_make(&data, &p, n, set, seed, 0);
    return data;
}

static data_t make(dtype_t type, int op, size_t n, set_t set, uint64_t seed)
{
    return make_for(problem_of(type, op), n, set, seed);
}

TEST(seeds_give_the_same_and_other_data)
{
    float first[100];
    memcpy(first, make(DTYPE_F32, OP_SUM, 100, SET_UNIFORM, 1).tile, sizeof first);
    data_t again = make(DTYPE_F32, OP_SUM, 100, SET_UNIFORM, 1);
    CHECK(memcmp(first, again.tile, sizeof first) == 0);
    data_t other = make(DTYPE_F32, OP_SUM, 100, SET_UNIFORM, 2);
    CHECK(memcmp(first, other.tile, sizeof first) != 0);
}

/* Sum |x| stays below the budget, and the whole sum is exact in the type itself. */
TEST(integers_are_exact)
{
    static const size_t sizes[] = {1, 2, 1000, 5003, 1000003, DATA_TILE, LARGE};
    static const dtype_t types[] = {DTYPE_F32, DTYPE_F64, DTYPE_F16};

    for (size_t t = 0; t < 3; t++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            data_t data = make(types[t], OP_SUM, sizes[s], SET_INTEGERS, s);
            double sum = 0, sum_abs = 0, nonzero = 0;
            for (size_t i = 0; i < data.n; i++) {
                double x = i < data.tile_n && data.patch_count == 0
                               ? dtype_load(data.type, data.tile, i)
                               : data_at(&data, i);
                CHECK(x == rint(x));
                sum += x;
                sum_abs += fabs(x);
                nonzero += x != 0;
            }
            CHECK(sum_abs < sets_budget(types[t]) && dtype_round(types[t], sum) == sum);
            CHECK(nonzero == (double)data.n || data.n > DATA_TILE);
        }
    }
}

TEST(a_budget_too_small_for_all_is_spread)
{
    data_t data = make(DTYPE_F32, OP_SUM, ((size_t)1 << 31) + 3, SET_INTEGERS, 1);
    double sum_abs = 0;
    for (size_t i = 0; i < data.tile_n; i++)
        sum_abs += 513 * fabs(dtype_load(data.type, data.tile, i));
    CHECK(sum_abs > 1e6 && sum_abs < 0x1p23);
    CHECK(data.patch_count == DATA_PATCHES);
    for (size_t i = 1; i <= 3; i++)
        CHECK(data.patches[DATA_PATCHES - i].index == data.n - i);
}

/* Every element one by one, the slow and simple way. */
static void brute(const data_t *data, double *sum, double *max, uint32_t *wrapped)
{
    exact_t exact = {0, 0};
    *max = -INFINITY;
    *wrapped = 0;
    for (size_t i = 0; i < data->n; i++) {
        double x = data_at(data, i);
        exact = exact_add(exact, x);
        *max = x > *max ? x : *max;
        *wrapped += data->type == DTYPE_I32 ? (uint32_t)(int32_t)x : 0;
    }
    *sum = exact.high;
}

TEST(tiles_and_patches_add_up)
{
    static const set_t sets[] = {SET_INTEGERS, SET_UNIFORM, SET_CANCEL};
    problem_t sum_f32 = problem_of(DTYPE_F32, OP_SUM), max_f32 = problem_of(DTYPE_F32, OP_MAX);
    problem_t sum_i32 = problem_of(DTYPE_I32, OP_SUM);
    double sum, max;
    uint32_t wrapped;

    for (size_t s = 0; s < 3; s++) {
        data_t data = make(DTYPE_F32, OP_MAX, LARGE, sets[s], 5);
        brute(&data, &sum, &max, &wrapped);
        expect_t e = expect_reduce(&sum_f32, &data, SET_UNIFORM, &DEVICE, 0, data.n);
        CHECK(e.value.high == sum);
        e = expect_reduce(&max_f32, &data, SET_UNIFORM, &DEVICE, 0, data.n);
        CHECK(e.value.high == max && e.allowed == 0);
    }
    data_t data = make(DTYPE_I32, OP_SUM, LARGE, SET_INTEGERS, 6);
    brute(&data, &sum, &max, &wrapped);
    expect_t e = expect_reduce(&sum_i32, &data, SET_INTEGERS, &DEVICE, 0, data.n);
    CHECK((uint32_t)(int64_t)e.value.high == wrapped && e.allowed == 0);
}

/* The maximum occurs once: a kernel that drops its element cannot be right. */
TEST(winners_are_unique)
{
    static const set_t sets[] = {SET_INTEGERS, SET_NEGATIVE, SET_POSITIVE, SET_CANCEL, SET_UNIFORM};
    static const size_t sizes[] = {1, 33, 5003, LARGE};

    for (size_t s = 0; s < 20; s++) {
        for (int op = OP_MAX; op <= OP_MIN; op++) {
            problem_t p = problem_of(s % 2 ? DTYPE_F32 : DTYPE_F16, op);
            data_t data = make(p.type, op, sizes[s / 5], sets[s % 5], s);
            expect_t e = expect_reduce(&p, &data, sets[s % 5], &DEVICE, 0, data.n);
            size_t count = 0;
            for (size_t i = 0; i < data.n; i++)
                count += data_at(&data, i) == e.value.high;
            CHECK(count == 1);
        }
    }
}

/* Whatever factors are multiplied, in any order: within 2^-110 and 2^110, none of them 0; i32:
 * odd. */
TEST(products_stay_in_range)
{
    static const set_t sets[] = {SET_INTEGERS, SET_NEGATIVE, SET_POSITIVE, SET_CANCEL, SET_UNIFORM};
    static const size_t sizes[] = {1, 33, 5003, LARGE};

    for (size_t s = 0; s < 20; s++) {
        const dtype_t type = s % 3 == 0 ? DTYPE_I32 : s % 3 == 1 ? DTYPE_F32 : DTYPE_F64;
        data_t data = make(type, OP_PROD, sizes[s / 5], sets[s % 5], s);
        double low = 0, high = 0;
        for (size_t i = 0; i < data.n; i++) {
            double x = data_at(&data, i);
            CHECK(type != DTYPE_I32 || fmod(x, 2) != 0);
            low += fmin(log2(fabs(x)), 0);
            high += fmax(log2(fabs(x)), 0);
        }
        CHECK(type == DTYPE_I32 || (low > -110 && high < 110 && low + high != 0));
    }
}

/* A kernel that drops one factor is found: off by more than the bound, or not exact. */
TEST(no_factor_may_be_dropped)
{
    problem_t p = problem_of(DTYPE_F32, OP_PROD);
    data_t data = make(DTYPE_F32, OP_PROD, 5003, SET_UNIFORM, 3);
    expect_t e = expect_reduce(&p, &data, SET_UNIFORM, &DEVICE, 0, data.n);
    size_t found = 0;
    for (size_t i = 0; i < data.n; i++)
        found += !expect_holds(&e, DTYPE_F32, e.value.high / data_at(&data, i));
    CHECK(found > data.n * 9 / 10);
    data = make(DTYPE_F32, OP_PROD, LARGE, SET_INTEGERS, 3);
    e = expect_reduce(&p, &data, SET_INTEGERS, &DEVICE, 0, data.n);
    for (size_t i = 0; i < DATA_PATCHES; i++)
        CHECK(!expect_holds(&e, DTYPE_F32, e.value.high / data.patches[i].value));
    CHECK(e.allowed == 0);
}

TEST(overflow_and_underflow_are_certain)
{
    problem_t p = problem_of(DTYPE_F32, OP_PROD);
    data_t data = make(DTYPE_F32, OP_PROD, 1000, SET_OVERFLOW, 3);
    expect_t e = expect_reduce(&p, &data, SET_OVERFLOW, &DEVICE, 0, data.n);
    CHECK(isinf(e.value.high) && e.allowed == 0);
    data = make(DTYPE_F32, OP_PROD, 1000, SET_UNDERFLOW, 3);
    e = expect_reduce(&p, &data, SET_UNDERFLOW, &DEVICE, 0, data.n);
    CHECK(e.value.high == 0 && e.allowed == 0);
    data = make(DTYPE_F32, OP_PROD, 1000, SET_ZERO_INF, 3);
    e = expect_reduce(&p, &data, SET_ZERO_INF, &DEVICE, 0, data.n);
    CHECK(isnan(e.value.high));
}

TEST(special_values_are_there)
{
    data_t data = make(DTYPE_F32, OP_SUM, 7, SET_NAN_LAST, 1);
    CHECK(isnan(data_at(&data, 6)) && !isnan(data_at(&data, 0)));
    data = make(DTYPE_F64, OP_SUM, 7, SET_NAN_FIRST, 1);
    CHECK(isnan(data_at(&data, 0)));
    data = make(DTYPE_F16, OP_SUM, 7, SET_BOTH_INF, 1);
    double sum = 0, largest = 0;
    for (size_t i = 0; i < 7; i++) {
        sum += data_at(&data, i);
        largest = fmax(largest, data_at(&data, i));
    }
    CHECK(isnan(sum) && isinf(largest));
    data = make(DTYPE_F32, OP_SUM, 0, SET_NAN_RANDOM, 1);
    CHECK(data.n == 0);
}

TEST(every_half_occurs)
{
    data_t data = make(DTYPE_F16, OP_SUM, 65536, SET_BITS, 3);
    unsigned char *seen = alloc_array(65536, 1);
    size_t count = 0;
    for (size_t i = 0; i < 65536; i++) {
        uint16_t bits;
        memcpy(&bits, (unsigned char *)data.tile + 2 * i, 2);
        count += !seen[bits];
        seen[bits] = 1;
    }
    CHECK(count == 65536);
    free(seen);
}

/* Every u8; and for casts to integers, values in the range of u8, beyond it, and beyond i32's. */
TEST(casts_meet_all_ranges)
{
    size_t seen[256] = {0}, none = 0, in_u8 = 0, in_i32 = 0, beyond = 0, nan = 0;
    problem_t p = {.kind = KIND_MAP, .type = DTYPE_U8, .op = MAP_TO_F32};
    data_t data = make_for(p, 256, SET_BITS, 5);
    for (size_t i = 0; i < data.n; i++)
        seen[(int)data_at(&data, i)]++;
    for (size_t i = 0; i < 256; i++)
        none += seen[i] != 1;
    CHECK(none == 0);
    p = (problem_t){.kind = KIND_MAP, .type = DTYPE_F32, .op = MAP_TO_U8};
    data = make_for(p, 1000, SET_MIXED, 5);
    for (size_t i = 0; i < data.n; i++) {
        double x = data_at(&data, i);
        nan += isnan(x);
        in_u8 += x >= 0 && x < 256;
        in_i32 += x < 0x1p31 && x >= 256;
        beyond += fabs(x) >= 0x1p31;
    }
    CHECK(nan > 20 && in_u8 > 100 && in_i32 > 50 && beyond > 50);
}

TEST(uploads_come_back)
{
    data_t data = make(DTYPE_F32, OP_SUM, LARGE, SET_UNIFORM, 1);
    float *d_copy = alloc_array(LARGE, sizeof *d_copy);
    size_t where = 0;

    data_upload(&data, d_copy, NULL);
    CHECK((double)d_copy[LARGE - 1] == data_at(&data, LARGE - 1));
    CHECK(data_unchanged(&data, d_copy, NULL, NULL, &where));
    d_copy[DATA_TILE + 77] = 5;
    CHECK(!data_unchanged(&data, d_copy, NULL, NULL, &where) && where == DATA_TILE + 77);
    free(d_copy);
}

/* Tiles without a patch are compared with one another: a change must show in each of them. */
TEST(changes_show_in_every_tile)
{
    const size_t tiles = 12, n = tiles * DATA_TILE + 5;
    data_t data = make(DTYPE_F16, OP_SUM, n, SET_UNIFORM, 1);
    uint16_t *d_copy = alloc_array(n, sizeof *d_copy);
    size_t where = 0, found = 0;

    data_upload(&data, d_copy, NULL);
    CHECK(data_unchanged(&data, d_copy, NULL, NULL, &where));
    for (size_t t = 0; t <= tiles; t++) {
        const size_t place = t * DATA_TILE + t % 5;
        d_copy[place] ^= 1;
        found += !data_unchanged(&data, d_copy, NULL, NULL, &where) && where == place;
        d_copy[place] ^= 1;
    }
    CHECK(found == tiles + 1);
    free(d_copy);
}

/* A slice that begins within a tile, and one that is shorter than a tile. */
TEST(parts_are_of_the_whole)
{
    static const size_t parts[][2] = {
        {0, LARGE}, {77, LARGE - 77}, {DATA_TILE - 3, DATA_TILE + 9}, {LARGE - 5, 5}, {5, 0}};
    data_t data = make(DTYPE_F32, OP_SUM, LARGE, SET_UNIFORM, 1);
    float *d_part = alloc_array(LARGE, sizeof *d_part);
    size_t wrong = 0;

    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        const size_t begin = parts[p][0], count = parts[p][1];
        memset(d_part, 0, LARGE * sizeof *d_part);
        data_upload_part(&data, begin, count, d_part, NULL);
        for (size_t i = 0; i < count; i++)
            wrong += (double)d_part[i] != data_at(&data, begin + i);
        for (size_t i = count; i < LARGE; i++)
            wrong += d_part[i] != 0;
    }
    CHECK(wrong == 0);
    free(d_part);
}

TEST(double_double_keeps_what_double_loses)
{
    exact_t sum = {0, 0};
    sum = exact_add(sum, 1);
    sum = exact_add(sum, 0x1p-80);
    sum = exact_add(sum, -1);
    CHECK(sum.high == 0x1p-80 && sum.low == 0);
    sum = exact_add_product((exact_t){0, 0}, 1 + 0x1p-30, 1 + 0x1p-30);
    CHECK(sum.high == 1 + 0x1p-29 && sum.low == 0x1p-60);
    CHECK(exact_distance(1 + 0x1p-29, sum) == -0x1p-60);
}

int main(void)
{
    return test_all();
}
