/* SPDX-License-Identifier: MIT */
#include "tolerance.h"

#include <math.h>

enum { CONSTANT_DEPTH = 32 };

double tolerance_depth(double n, double threads)
{
    double tree = n > 1 ? ceil(log2(n)) : 0;
    return tree + ceil(n / threads) + CONSTANT_DEPTH;
}

/* `allowed` for a result in f32, and what rounding it to f16 adds. */
static double and_rounding(dtype_t type, double ref, double allowed)
{
    double rounding = 0x1p-11 * (fabs(ref) + allowed);

    if (type != DTYPE_F16)
        return allowed;
    return allowed + (rounding > 0x1p-25 ? rounding : 0x1p-25);
}

double tolerance_sum(dtype_t type, double depth, double sum_abs, double ref)
{
    double du = depth * dtype_roundoff(type);
    double largest = dtype_largest(type == DTYPE_F16 ? DTYPE_F32 : type);

    if (!dtype_is_float(type))
        return 0;
    if (du >= 1 || !(sum_abs * (1 + 2 * du) <= largest))
        return INFINITY;
    return and_rounding(type, ref, du / (1 - du) * sum_abs);
}

double tolerance_product(dtype_t type, double n, bool powers, double low, double high, double ref)
{
    const double nu = n * dtype_roundoff(type);
    const dtype_t inner = type == DTYPE_F16 ? DTYPE_F32 : type;
    const bool overflows = high >= ilogb(dtype_largest(inner));
    const bool underflows = low <= -ilogb(dtype_largest(inner)) + 1;

    if ((overflows && low < 0) || (underflows && (high > 0 || !powers)))
        return INFINITY;
    if (powers)
        return 0;
    return nu >= 1 || isinf(ref) ? INFINITY : and_rounding(type, ref, nu / (1 - nu) * fabs(ref));
}

double tolerance_map(const problem_t *problem, double x, double ref)
{
    bool half = problem->type == DTYPE_F16;

    if (!isfinite(ref))
        return 0;
    if (problem->op == MAP_FMA)
        return half ? dtype_ulp(DTYPE_F16, ref) : 0;
    if (problem->op != MAP_GELU)
        return 0;
    dtype_t inner = half ? DTYPE_F32 : problem->type;
    double allowed = 4 * dtype_roundoff(inner) * fabs(x) + 2 * dtype_ulp(inner, ref);
    return half ? allowed + dtype_ulp(DTYPE_F16, ref) : allowed;
}

double tolerance_softmax(dtype_t type, double depth, double cols, double gap, double ref)
{
    double r = (3 * gap + 3 * log(cols) + 6 * depth + 10) * 0x1p-24;

    if (!isfinite(ref))
        return 0;
    if (ref == 0) /* gap may be infinite */
        r = 0;
    if (r >= 1)
        return INFINITY;
    return and_rounding(type, ref, r / (1 - r) * ref + 3 * 0x1p-149);
}
