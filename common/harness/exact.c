/* SPDX-License-Identifier: MIT */
#include "exact.h"

#include <math.h>

/* Knuth's TwoSum: a + b = high + low exactly, whichever of the two is larger. */
static exact_t two_sum(double a, double b)
{
    double high = a + b;
    double b_part = high - a;
    double a_part = high - b_part;
    return (exact_t){high, (a - a_part) + (b - b_part)};
}

/* Two renormalised sums: "accurate" double-double addition of Li et al. (2002). */
static exact_t add_pair(exact_t x, exact_t y)
{
    exact_t high = two_sum(x.high, y.high);
    exact_t low = two_sum(x.low, y.low);
    exact_t sum = two_sum(high.high, high.low + low.high);
    return two_sum(sum.high, sum.low + low.low);
}

exact_t exact_add(exact_t sum, double x)
{
    return add_pair(sum, (exact_t){x, 0});
}

exact_t exact_add_product(exact_t sum, double x, double y)
{
    double high = x * y;
    return add_pair(sum, (exact_t){high, fma(x, y, -high)}); /* fma gives what was rounded off */
}

double exact_distance(double got, exact_t sum)
{
    return (got - sum.high) - sum.low;
}
