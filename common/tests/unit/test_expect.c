/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: expect - the references, and what their bounds accept.
 * Run: $BUILD/unit/test_expect
 */
#include "expect.h"
#include "test.h"
#include "tolerance.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const float INF = INFINITY;

/* The expected softmax of a row, in *y. */
static void reference(const float *x, size_t n, double *y)
{
    data_t data = {.type = DTYPE_F32, .n = n, .tile_n = n, .tile = (void *)(size_t)x};
    softmax_row_t row = softmax_row(&data, 0, n);
    for (size_t i = 0; i < n; i++)
        y[i] = softmax_element(&row, DTYPE_F32, (double)x[i]).value.high;
}

TEST(known_values)
{
    double y[3];
    reference((const float[]){0, 0}, 2, y);
    CHECK(y[0] == 0.5 && y[1] == 0.5);
    reference((const float[]){1000, 1000, -1000}, 3, y);
    CHECK(y[0] == 0.5 && y[1] == 0.5 && y[2] == 0);
    reference((const float[]){-1e38f}, 1, y);
    CHECK(y[0] == 1);
    reference((const float[]){0, 1}, 2, y);
    CHECK(fabs(y[0] - 0.26894142136999512) < 1e-15 && fabs(y[0] + y[1] - 1) < 1e-15);
}

/* As in step.h: NaN in the whole row, or a 0 for each -Inf. */
TEST(special_values)
{
    static const float rows[][3] = {{1, NAN, 2}, {1, INF, 2}, {INF, INF, 1}, {-INF, -INF, -INF}};
    double y[3];

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        reference(rows[r], 3, y);
        CHECK(isnan(y[0]) && isnan(y[1]) && isnan(y[2]));
    }
    reference((const float[]){-INF, 7, -INF}, 3, y);
    CHECK(y[0] == 0 && y[1] == 1 && y[2] == 0);
}

TEST(rows_add_up_to_one)
{
    static const set_t sets[] = {SET_SPREAD, SET_HIGH,  SET_LOW,    SET_HUGE,
                                 SET_RISING, SET_EQUAL, SET_ONE_HOT};
    const problem_t p = {.kind = KIND_SOFTMAX, .type = DTYPE_F32};

    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        data_t data;
        sets_make(&data, &p, 5003, sets[s], s, 0);
        softmax_row_t row = softmax_row(&data, 0, data.n);
        double sum = 0;
        for (size_t i = 0; i < data.n; i++)
            sum += softmax_element(&row, DTYPE_F32, data_at(&data, i)).value.high;
        CHECK(fabs(sum - 1) < 1e-12);
        data_free(&data);
    }
}

/* Elements that are out of their bound, of a softmax in f32 with one running sum: as it should be,
 * with each result `factor` as large, or with the sum rounded to `sum_type` after each addition. */
static size_t out_of_bound(set_t set, size_t n, float factor, dtype_t sum_type)
{
    const problem_t p = {.kind = KIND_SOFTMAX, .type = DTYPE_F32};
    data_t data;
    float sum = 0;
    size_t count = 0;

    sets_make(&data, &p, n, set, 1, 0);
    softmax_row_t row = softmax_row(&data, 0, n);
    for (size_t i = 0; i < n; i++) {
        sum += expf((float)data_at(&data, i) - (float)row.max);
        sum = (float)dtype_round(sum_type, (double)sum);
    }
    for (size_t i = 0; i < n; i++) {
        expect_t expect = softmax_element(&row, DTYPE_F32, data_at(&data, i));
        float y = factor * expf((float)data_at(&data, i) - (float)row.max) / sum;
        count += !expect_holds(&expect, DTYPE_F32, (double)y);
    }
    data_free(&data);
    return count;
}

TEST(the_bound_divides_right_from_wrong)
{
    for (int set = SET_SPREAD; set <= SET_ONE_HOT; set++) {
        CHECK(out_of_bound((set_t)set, 1000, 1, DTYPE_F32) == 0);
        CHECK(out_of_bound((set_t)set, 1000, 1.0001f, DTYPE_F32) > 0);
        CHECK(out_of_bound((set_t)set, 1000, 0.9999f, DTYPE_F32) > 0);
    }
    CHECK(out_of_bound(SET_SPREAD, 1000, 1, DTYPE_F16) > 900);
    CHECK(out_of_bound(SET_HIGH, 1000, 1, DTYPE_F16) > 900);
}

TEST(bounds)
{
    const double u = 0x1p-24, tiny = 3 * 0x1p-149;
    double r = (3 * 5 + 3 * log(10) + 6 * 40 + 10) * u;

    CHECK(tolerance_softmax(DTYPE_F32, 40, 10, 5, 0.25) == r / (1 - r) * 0.25 + tiny);
    CHECK(tolerance_softmax(DTYPE_F32, 40, 10, 1000, 0) == tiny);
    CHECK(tolerance_softmax(DTYPE_F32, 40, 10, INFINITY, 0) == tiny);
    CHECK(tolerance_softmax(DTYPE_F32, 40, 10, NAN, NAN) == 0);
    CHECK(isinf(tolerance_softmax(DTYPE_F32, 0x1p24, 10, 0, 1)));
    CHECK(tolerance_softmax(DTYPE_F16, 40, 10, 5, 0.25) > 0x1p-13);
    CHECK(tolerance_softmax(DTYPE_F16, 40, 10, 5, 0.25) < 0x1.3p-13);
}

/* -Inf comes in runs as long as short rows are, and finite elements stay. */
TEST(gaps)
{
    const problem_t p = {.kind = KIND_SOFTMAX, .type = DTYPE_F16};
    data_t data;
    size_t run = 0, longest = 0, finite = 0;

    sets_make(&data, &p, 65536, SET_GAPS, 1, 0);
    for (size_t i = 0; i < data.n; i++) {
        run = data_at(&data, i) == -(double)INFINITY ? run + 1 : 0;
        longest = run > longest ? run : longest;
        finite += run == 0;
    }
    CHECK(longest > 256 && finite > 10000);
    data_free(&data);
}

/* Rows of 16: both signs, maxima that occur twice, and maxima whose exponential is 0 or infinite if
 * the product with log2(e) comes first. */
TEST(huge_values_break_a_folded_maximum)
{
    const problem_t p = {.kind = KIND_SOFTMAX, .type = DTYPE_F32};
    const float log2_e = 1.44269504f;
    const size_t cols = 16, rows = 4096;
    size_t positive = 0, shared = 0, broken = 0;
    data_t data;

    sets_make(&data, &p, rows * cols, SET_HUGE, 1, 0);
    for (size_t r = 0; r < rows; r++) {
        softmax_row_t row = softmax_row(&data, r * cols, (r + 1) * cols);
        float max = (float)row.max, scaled = max * log2_e;
        float power = exp2f(fmaf(max, log2_e, -scaled)); /* should be 1 */
        positive += max > 0;
        shared += row.sum >= 2;
        broken += isinf(power) || power == 0;
        CHECK(fabsf(max) >= 2.9e9f && fabsf(max) < 5.9e9f);
    }
    CHECK(positive > rows / 4 && positive < rows / 4 * 3);
    CHECK(shared > rows / 2 && broken > rows / 8);
    data_free(&data);
}

/* ---- sums and elementwise steps ---- */

static problem_t map_of(dtype_t type, int op)
{
    return (problem_t){.kind = KIND_MAP, .type = type, .op = op};
}

TEST(depth)
{
    CHECK(tolerance_depth(0, 1000) == 32 && tolerance_depth(1, 1000) == 33);
    CHECK(tolerance_depth(1024, 1000) == 10 + 2 + 32);
    CHECK(tolerance_depth(1025, 33792) == 11 + 1 + 32);
    CHECK(tolerance_depth(0x1p31, 33792) == 31 + 63551 + 32);
}

TEST(sums)
{
    double u = 0x1p-24, d = 44;
    CHECK(tolerance_sum(DTYPE_F32, d, 100, 1) == d * u / (1 - d * u) * 100);
    CHECK(tolerance_sum(DTYPE_F64, d, 100, 1) < 1e-12 && tolerance_sum(DTYPE_I32, d, 100, 1) == 0);
    CHECK(tolerance_sum(DTYPE_F16, d, 0, 0) == 0x1p-25);
    CHECK(tolerance_sum(DTYPE_F16, d, 0, 1024) == 0.5);
    CHECK(isinf(tolerance_sum(DTYPE_F32, 0x1p24, 1, 1)));
    CHECK(isinf(tolerance_sum(DTYPE_F32, d, 1e39, 1)));
    CHECK(isfinite(tolerance_sum(DTYPE_F64, d, 1e39, 1)));
}

/* A sum in f32, one after the other, is within the bound of its depth, not in that of depth 1. */
TEST(a_serial_sum_is_within_the_bound_of_its_depth)
{
    float sum = 0;
    double exact = 0;
    const int n = 100000;
    for (int i = 0; i < n; i++) {
        float x = 1.0f / (float)(i + 1);
        sum += x;
        exact += (double)x;
    }
    CHECK(fabs((double)sum - exact) <= tolerance_sum(DTYPE_F32, n, exact, exact));
    CHECK(fabs((double)sum - exact) > tolerance_sum(DTYPE_F32, 1, exact, exact));
}

TEST(products)
{
    const double u = 0x1p-24, n = 1001, one = n * u / (1 - n * u);
    const double inf = INFINITY;
    CHECK(tolerance_product(DTYPE_F32, n, false, -60, 60, -2) == 2 * one);
    CHECK(tolerance_product(DTYPE_F32, n, true, -60, 60, -2) == 0);
    CHECK(tolerance_product(DTYPE_F64, n, false, -900, 900, 1) < 1e-12);
    CHECK(tolerance_product(DTYPE_F16, n, false, -60, 60, 1) > 0x1p-11);
    /* The order matters; on one side of 1 it does not. */
    CHECK(isinf(tolerance_product(DTYPE_F32, n, true, -60, 130, 1)));
    CHECK(isinf(tolerance_product(DTYPE_F32, n, true, -130, 60, 1)));
    CHECK(tolerance_product(DTYPE_F32, n, true, 0, 5000, inf) == 0);
    CHECK(tolerance_product(DTYPE_F32, n, true, -5000, 0, 0) == 0);
    CHECK(isinf(tolerance_product(DTYPE_F32, n, false, -130, 0, 0)));
    CHECK(isinf(tolerance_product(DTYPE_F32, 0x1p24, false, -1, 1, 1)));
}

/* The expected product of up to 4 factors. */
static expect_t product_of(dtype_t type, size_t n, double a, double b, double c, double d)
{
    problem_t p = {.kind = KIND_REDUCE, .type = type, .op = OP_PROD};
    const double factors[] = {a, b, c, d};
    double buffer[4];
    data_t data = {.type = type, .n = n, .tile_n = n, .tile = buffer};

    for (size_t i = 0; i < n; i++)
        dtype_store(type, buffer, i, factors[i]);
    return expect_reduce(&p, &data, SET_FILE, &(device_t){.resident_threads = 8192}, 0, n);
}

TEST(product_values)
{
    expect_t e = product_of(DTYPE_F32, 0, 0, 0, 0, 0);
    CHECK(e.value.high == 1 && e.allowed == 0);
    e = product_of(DTYPE_I32, 3, 65537, -65539, 65541, 0); /* -281530811842583 * 65541 mod 2^32 */
    CHECK(e.value.high == (int32_t)(65537u * (uint32_t)-65539 * 65541u) && e.allowed == 0);
    e = product_of(DTYPE_F32, 3, -3, 5, 7, 0);
    CHECK(e.value.high == -105 && e.allowed > 1e-5 && e.allowed < 1e-4);
    e = product_of(DTYPE_F64, 2, 1 + 0x1p-52, 1 + 0x1p-52, 0, 0);
    CHECK(e.value.high == 1 + 0x1p-51 && e.value.low == 0x1p-104);
    e = product_of(DTYPE_F32, 4, 0x1p100, -0x1p100, 4, 1);
    CHECK(e.value.high == -(double)INF && e.allowed == 0);
    e = product_of(DTYPE_F32, 4, 0x1p-100, 0x1p-49, 1, 1);
    CHECK(e.value.high == 0x1p-149 && e.allowed == 0);
    e = product_of(DTYPE_F32, 4, 0x1p-100, 0x1p-49, 0.5, 1);
    CHECK(e.value.high == 0 && e.allowed == 0);
    CHECK(isinf(product_of(DTYPE_F32, 4, 0x1p100, 0x1p-100, 0x1p100, 1).allowed));
    e = product_of(DTYPE_F64, 4, 3, (double)INF, -2, 5);
    CHECK(e.value.high == -(double)INF && e.allowed == 0);
    e = product_of(DTYPE_F32, 4, 3, (double)INF, 0, 5);
    CHECK(isnan(e.value.high) && expect_holds(&e, DTYPE_F32, NAN) &&
          !expect_holds(&e, DTYPE_F32, 0));
    e = product_of(DTYPE_F32, 4, 3, -0.0, NAN, 5);
    CHECK(isnan(e.value.high) && e.allowed == 0);
    e = product_of(DTYPE_F32, 4, 3, 0, 2, 5);
    CHECK(e.value.high == 0 && e.allowed == 0);
    e = product_of(DTYPE_F32, 4, 1e30, 1e30, 0, 1); /* Inf * 0 in one order, 0 in another */
    CHECK(expect_holds(&e, DTYPE_F32, 0) && expect_holds(&e, DTYPE_F32, NAN));
}

/* If the input repeats, a column is computed from one period of it, and its patches. */
TEST(columns_of_repeated_data)
{
    static const shape_t shapes[] = {{5000, 1024}, {700001, 3}, {2300001, 1}, {2, 1500001}, {9, 4}};
    problem_t p = {.kind = KIND_COLUMNS, .type = DTYPE_F32};

    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const size_t rows = shapes[s].rows, cols = shapes[s].cols;
        data_t data;
        sets_make(&data, &p, rows * cols, SET_UNIFORM, s, 0);
        /* The last columns, whose last elements are patches, and others; each once. */
        for (size_t i = 0; i < (cols < 10 ? cols : 20); i++) {
            size_t c = i < 10 ? cols - 1 - i : i * 7919 % cols;
            exact_t sum = {0, 0};
            double most = -INFINITY;
            for (size_t r = 0; r < rows; r++) {
                double x = data_at(&data, r * cols + c);
                sum = exact_add(sum, x);
                most = x > most ? x : most;
            }
            p.op = OP_SUM;
            expect_t e = expect_column(&p, &data, SET_UNIFORM, shapes[s], c);
            CHECK(fabs(exact_distance(sum.high, e.value) + sum.low) < 1e-20);
            p.op = OP_MAX;
            CHECK(expect_column(&p, &data, SET_UNIFORM, shapes[s], c).value.high == most);
        }
        data_free(&data);
    }
}

TEST(holds)
{
    expect_t e = {{1, 0}, 0.25};
    CHECK(expect_holds(&e, DTYPE_F32, 1.25) && !expect_holds(&e, DTYPE_F32, 1.2500001));
    CHECK(!expect_holds(&e, DTYPE_F32, NAN) && !expect_holds(&e, DTYPE_F32, INFINITY));
    e = (expect_t){{NAN, 0}, 0};
    CHECK(expect_holds(&e, DTYPE_F32, NAN) && !expect_holds(&e, DTYPE_F32, 0));
    e = (expect_t){{INFINITY, 0}, 0};
    CHECK(expect_holds(&e, DTYPE_F32, INFINITY) && !expect_holds(&e, DTYPE_F32, -INFINITY));
    CHECK(!expect_holds(&e, DTYPE_F32, 1e38) && !expect_holds(&e, DTYPE_F32, NAN));
    e = (expect_t){{0.0, 0}, 0};
    CHECK(expect_holds(&e, DTYPE_F32, -0.0) && !expect_holds(&e, DTYPE_F32, 0x1p-149));
    e = (expect_t){{65510, 0}, 20}; /* 65530 rounds to infinity in f16, and not in f32 */
    CHECK(expect_holds(&e, DTYPE_F16, INFINITY) && !expect_holds(&e, DTYPE_F32, INFINITY));
    CHECK(!expect_holds(&e, DTYPE_F16, -INFINITY));
}

static double map_value(dtype_t type, int op, double x, double y, double z)
{
    problem_t p = map_of(type, op);
    const double inputs[MAX_INPUTS] = {x, y, z};
    return expect_map(&p, inputs).value.high;
}

TEST(elementwise_values)
{
    CHECK(map_value(DTYPE_F32, MAP_RELU, -1, 0, 0) == 0 &&
          isnan(map_value(DTYPE_F32, MAP_RELU, NAN, 0, 0)));
    CHECK(map_value(DTYPE_F32, MAP_RELU, 3, 0, 0) == 3);
    CHECK(map_value(DTYPE_F32, MAP_MUL, 1 + 0x1p-23, 1 + 0x1p-23, 0) == 1 + 0x1p-22);
    CHECK(map_value(DTYPE_F32, MAP_FMA, 1 + 0x1p-23, 1 + 0x1p-23, -1 - 0x1p-22) == 0x1p-46);
    CHECK(map_value(DTYPE_I32, MAP_MUL, 65536, 65536, 0) == 0);
    CHECK(map_value(DTYPE_F32, MAP_ADD, 1, 0x1p-24 + 0x1p-40, 0) == 1 + 0x1p-23);
    CHECK(map_value(DTYPE_F16, MAP_ADD, 1, 0x1p-11 + 0x1p-20, 0) == 1 + 0x1p-10);
    CHECK(map_value(DTYPE_I32, MAP_ADD, INT_MAX, 1, 0) == INT_MIN);
    CHECK(map_value(DTYPE_F32, MAP_CAST, 65520, 0, 0) == INFINITY);
    CHECK(map_value(DTYPE_F16, MAP_CAST, 0x1p-24, 0, 0) == 0x1p-24);
    CHECK(map_value(DTYPE_F16, MAP_MUL, 300, 300, 0) == INFINITY);
}

TEST(casts)
{
    problem_t p = map_of(DTYPE_F64, MAP_TO_F16);
    CHECK(problem_out_type(&p) == DTYPE_F16 && tolerance_map(&p, 1, 1) == 0);
    CHECK(map_value(DTYPE_F64, MAP_TO_F16, 1 + 0x1p-11 + 0x1p-40, 0, 0) == 1 + 0x1p-10);
    CHECK(map_value(DTYPE_F64, MAP_TO_F32, 1e300, 0, 0) == (double)INF);
    CHECK(map_value(DTYPE_F32, MAP_TO_U8, 300, 0, 0) == 255);
    CHECK(map_value(DTYPE_I32, MAP_TO_U8, -5, 0, 0) == 0);
    CHECK(map_value(DTYPE_F16, MAP_TO_I32, (double)-INF, 0, 0) == INT_MIN);
    CHECK(map_value(DTYPE_I32, MAP_TO_F32, 0x1p24 + 1, 0, 0) == 0x1p24);
    CHECK(map_value(DTYPE_U8, MAP_RELU, 200, 0, 0) == 200);
    CHECK(map_value(DTYPE_I32, MAP_MUL, 65536, 65537, 0) == 65536);
    p = map_of(DTYPE_U8, MAP_MUL);
    CHECK(problem_undefined(&p) != NULL);
    p = map_of(DTYPE_U8, MAP_ADD);
    CHECK(problem_undefined(&p) != NULL);
    p = map_of(DTYPE_I32, MAP_GELU);
    CHECK(problem_undefined(&p) != NULL);
    p = (problem_t){.kind = KIND_REDUCE, .type = DTYPE_U8};
    CHECK(problem_undefined(&p) != NULL);
}

TEST(gelu_values)
{
    CHECK(map_value(DTYPE_F32, MAP_GELU, 0, 0, 0) == 0);
    CHECK(fabs(map_value(DTYPE_F32, MAP_GELU, 1, 0, 0) - 0.84134474606854293) < 1e-15);
    CHECK(fabs(map_value(DTYPE_F64, MAP_GELU, -1, 0, 0) + 0.15865525393145707) < 1e-16);
    CHECK(isnan(map_value(DTYPE_F32, MAP_GELU, -INFINITY, 0, 0)));
    CHECK(map_value(DTYPE_F32, MAP_GELU, INFINITY, 0, 0) == INFINITY);
    problem_t p = map_of(DTYPE_F32, MAP_GELU);
    CHECK(tolerance_map(&p, -5, -1.4e-6) < 2e-6 && tolerance_map(&p, -5, -1.4e-6) > 1e-6);
    p = map_of(DTYPE_F32, MAP_FMA);
    CHECK(tolerance_map(&p, 1, 1) == 0);
    p = map_of(DTYPE_F16, MAP_FMA);
    CHECK(tolerance_map(&p, 1, 1) == 0x1p-10);
}

int main(void)
{
    return test_all();
}
