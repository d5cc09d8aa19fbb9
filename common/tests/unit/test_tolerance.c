/* SPDX-License-Identifier: MIT */
#include "dtype.h"
#include "expect.h"
#include "test.h"
#include "tolerance.h"

#include <math.h>

static problem_t map_of(dtype_t type, int op)
{
    return (problem_t){.kind = KIND_MAP, .type = type, .op = op};
}

static void depth(void)
{
    CHECK(tolerance_depth(0, 1000) == 32 && tolerance_depth(1, 1000) == 33);
    CHECK(tolerance_depth(1024, 1000) == 10 + 2 + 32);
    CHECK(tolerance_depth(1025, 33792) == 11 + 1 + 32);
    CHECK(tolerance_depth(0x1p31, 33792) == 31 + 63551 + 32);
}

static void sums(void)
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
static void a_serial_sum_is_within_the_bound_of_its_depth(void)
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

static void holds(void)
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

static void elementwise_values(void)
{
    CHECK(map_value(DTYPE_F32, MAP_RELU, -1, 0, 0) == 0 &&
          isnan(map_value(DTYPE_F32, MAP_RELU, NAN, 0, 0)));
    CHECK(map_value(DTYPE_F32, MAP_RELU, 3, 0, 0) == 3);
    CHECK(map_value(DTYPE_F32, MAP_MUL, 1 + 0x1p-23, 1 + 0x1p-23, 0) == 1 + 0x1p-22);
    CHECK(map_value(DTYPE_F32, MAP_FMA, 1 + 0x1p-23, 1 + 0x1p-23, -1 - 0x1p-22) == 0x1p-46);
    CHECK(map_value(DTYPE_I32, MAP_MUL, 65536, 65536, 0) == 0);
    CHECK(map_value(DTYPE_F32, MAP_CAST, 65520, 0, 0) == INFINITY);
    CHECK(map_value(DTYPE_F16, MAP_CAST, 0x1p-24, 0, 0) == 0x1p-24);
    CHECK(map_value(DTYPE_F16, MAP_MUL, 300, 300, 0) == INFINITY);
}

static void gelu_values(void)
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
    RUN(depth);
    RUN(sums);
    RUN(a_serial_sum_is_within_the_bound_of_its_depth);
    RUN(holds);
    RUN(elementwise_values);
    RUN(gelu_values);
    return test_wrong != 0;
}
