/* SPDX-License-Identifier: MIT */
#include "expect.h"

#include "tolerance.h"

#include <math.h>
#include <stdlib.h>

enum { WARP_SIZE = 32 }; /* a row may be the work of a single warp */

/* ---- double-double ---- */

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
    return add_pair(sum, (exact_t){high, fma(x, y, -high)}); /* fma gives the rounding error */
}

double exact_distance(double got, exact_t sum)
{
    return (got - sum.high) - sum.low;
}

/* ---- a product of any length: mantissa * 2^exponent, 0.5 <= |mantissa| < 1 ---- */

typedef struct {
    exact_t mantissa;
    double exponent;
} scaled_t;

static const scaled_t ONE = {{0.5, 0}, 1};

/* Relative error below 2^-100. */
static scaled_t scaled_multiply(scaled_t a, scaled_t b)
{
    double high = a.mantissa.high * b.mantissa.high;
    double low = fma(a.mantissa.high, b.mantissa.high, -high) + a.mantissa.high * b.mantissa.low +
                 a.mantissa.low * b.mantissa.high;
    exact_t product = two_sum(high, low);
    int shift;

    frexp(product.high, &shift);
    return (scaled_t){{ldexp(product.high, -shift), ldexp(product.low, -shift)},
                      a.exponent + b.exponent + shift};
}

/* x^count, by squares. x is finite and not 0. */
static scaled_t scaled_power(double x, size_t count)
{
    int exponent;
    double mantissa = frexp(x, &exponent);
    scaled_t square = {{mantissa, 0}, exponent}, power = ONE;

    for (; count > 0; count /= 2) {
        if (count % 2 == 1)
            power = scaled_multiply(power, square);
        if (count > 1)
            square = scaled_multiply(square, square);
    }
    return power;
}

/* Inf or 0 beyond the range of a double. */
static exact_t scaled_value(scaled_t x)
{
    const int exponent = (int)fmax(fmin(x.exponent, 4000), -4000);
    return (exact_t){ldexp(x.mantissa.high, exponent), ldexp(x.mantissa.low, exponent)};
}

/* ---- reductions ---- */

static double wrap_i32(uint32_t bits)
{
    return bits >= 0x80000000u ? (double)bits - 0x1p32 : (double)bits;
}

/* What is accumulated over the elements. Only the fields of the operator are used. */
typedef struct {
    const problem_t *problem;
    exact_t sum;
    double sum_abs;
    double plain; /* a plain sum: right if NaN or infinities are among the terms */
    uint32_t wrapped;
    double best;
    scaled_t product;  /* of the factors that are neither 0, Inf nor NaN */
    double low, high;  /* their negative log2 |x|, and the positive ones */
    double not_powers; /* factors that are not powers of two */
    double others;     /* the product of 0, Inf and NaN, and 1 */
} gather_t;

static gather_t gather_nothing(const problem_t *problem)
{
    return (gather_t){.problem = problem,
                      .wrapped = problem->op == OP_PROD,
                      .best = problem_identity(problem),
                      .product = ONE,
                      .others = 1};
}

/* Multiply by `count` factors of value x. */
static void gather_factors(gather_t *g, double x, size_t count)
{
    if (g->problem->type == DTYPE_I32) { /* modulo 2^32, by squares */
        for (uint32_t square = (uint32_t)(int32_t)x; count > 0; count /= 2, square *= square)
            g->wrapped *= count % 2 == 1 ? square : 1;
        return;
    }
    if (x == 0 || !isfinite(x)) {
        g->others *= count % 2 == 1 ? x : x * x;
        return;
    }
    const double log = log2(fabs(x)) * (double)count;
    int exponent;
    g->low += fmin(log, 0);
    g->high += fmax(log, 0);
    g->not_powers += fabs(frexp(x, &exponent)) != 0.5 ? (double)count : 0;
    g->product = scaled_multiply(g->product, scaled_power(x, count));
}

static void gather_sum(gather_t *g, double x, size_t count)
{
    if (g->problem->type == DTYPE_I32) { /* modulo 2^32 */
        g->wrapped += (uint32_t)(int32_t)x * (uint32_t)count;
        return;
    }
    g->plain += x * (double)count;
    g->sum = exact_add_product(g->sum, x, (double)count);
    g->sum_abs += fabs(x) * (double)count;
}

/* Take `count` elements of value x. */
static void gather(gather_t *g, double x, size_t count)
{
    const double best = g->best;

    if (count == 0)
        return;
    switch ((reduce_op_t)g->problem->op) {
    case OP_SUM:
        gather_sum(g, x, count);
        return;
    case OP_PROD:
        gather_factors(g, x, count);
        return;
    case OP_MAX:
        g->best = isnan(best) || isnan(x) ? NAN : best > x ? best : x;
        return;
    case OP_MIN:
        g->best = isnan(best) || isnan(x) ? NAN : best > x ? x : best;
        return;
    case REDUCE_OPS:
        abort();
    }
}

static int by_place(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* All elements: each position of the tile as often as it occurs, without patches; then the
 * patches. */
static void gather_all(gather_t *g, const data_t *data)
{
    size_t places[DATA_PATCHES]; /* of the patches, within the tile, sorted */
    size_t next = 0;

    for (size_t p = 0; p < data->patch_count; p++)
        places[p] = data->patches[p].index % data->tile_n;
    qsort(places, data->patch_count, sizeof places[0], by_place);

    for (size_t i = 0; i < data->tile_n; i++) {
        size_t count = data->n / data->tile_n + (i < data->n % data->tile_n);
        for (; next < data->patch_count && places[next] == i; next++)
            count--;
        gather(g, dtype_load(data->type, data->tile, i), count);
    }
    for (size_t p = 0; p < data->patch_count; p++)
        gather(g, data->patches[p].value, 1);
}

/* The threads that share one result: see tolerance_depth(). */
static double sharing_threads(const problem_t *problem, const device_t *device)
{
    /* A vector must occupy an eighth of the GPU. */
    return problem->kind == KIND_ROWS ? WARP_SIZE : (double)device->resident_threads / 8;
}

static expect_t expect_sum(const gather_t *g, set_t set, double n, double threads)
{
    dtype_t type = g->problem->type;

    if (!isfinite(g->plain))
        return (expect_t){{g->plain, 0}, 0};
    if (set == SET_INTEGERS) /* every order is exact; an f16 result is rounded once */
        return (expect_t){{dtype_round(type, g->sum.high), 0}, 0};
    double depth = tolerance_depth(n, threads);
    return (expect_t){g->sum, tolerance_sum(type, depth, g->sum_abs, g->sum.high)};
}

/*
 * A 0 or Inf among the factors decides, unless a partial product may be the other one. A single
 * factor that is not a power of two keeps its bits in every order, far from the subnormal numbers.
 */
static expect_t expect_product(const gather_t *g, double n)
{
    const dtype_t type = g->problem->type;
    exact_t value = scaled_value(g->product);
    const bool exact = g->not_powers == 0 || (g->not_powers == 1 && g->low > -100);
    double allowed = tolerance_product(type, n, exact, g->low, g->high, value.high);

    if (isnan(g->others))
        return (expect_t){{g->others, 0}, 0};
    if (g->others != 1) {
        value = (exact_t){g->others * copysign(1, value.high), 0};
        allowed = isinf(allowed) || g->high > 100 || g->low < -100 ? INFINITY : 0;
    } else if (allowed == 0) {
        value = (exact_t){dtype_round(type, value.high), 0};
    }
    return (expect_t){value, allowed};
}

/* The result of n elements, which `threads` threads may share. */
static expect_t expect_gathered(const gather_t *g, set_t set, double n, double threads)
{
    const bool wraps = g->problem->type == DTYPE_I32;

    switch ((reduce_op_t)g->problem->op) {
    case OP_SUM:
        return wraps ? (expect_t){{wrap_i32(g->wrapped), 0}, 0} : expect_sum(g, set, n, threads);
    case OP_PROD:
        return wraps ? (expect_t){{wrap_i32(g->wrapped), 0}, 0} : expect_product(g, n);
    case OP_MAX:
    case OP_MIN:
        return (expect_t){{g->best, 0}, 0};
    case REDUCE_OPS:
        break;
    }
    abort();
}

expect_t expect_reduce(const problem_t *problem, const data_t *data, set_t set,
                       const device_t *device, size_t begin, size_t end)
{
    gather_t g = gather_nothing(problem);

    if (begin == 0 && end == data->n) {
        gather_all(&g, data);
    } else {
        for (size_t i = begin; i < end; i++)
            gather(&g, data_at(data, i), 1);
    }
    return expect_gathered(&g, set, (double)(end - begin), sharing_threads(problem, device));
}

/* The rows after which the elements of a column repeat, except for patches; at most all rows. */
static size_t column_period(const data_t *data, shape_t shape)
{
    size_t period = data->tile_n;

    if (data->n == data->tile_n)
        return shape.rows;
    while (period % 2 == 0 && period / 2 * shape.cols % data->tile_n == 0)
        period /= 2;
    return period < shape.rows ? period : shape.rows;
}

expect_t expect_column(const problem_t *problem, const data_t *data, set_t set, shape_t shape,
                       size_t c)
{
    gather_t g = gather_nothing(problem);
    const size_t period = column_period(data, shape);
    patch_t own[DATA_PATCHES]; /* the patches of this column */
    size_t owned = 0;

    for (size_t p = 0; p < data->patch_count; p++) {
        if (data->patches[p].index % shape.cols == c)
            own[owned++] = data->patches[p];
    }
    for (size_t row = 0; row < period; row++) {
        size_t place = (row * shape.cols + c) % data->tile_n;
        size_t count = shape.rows / period + (row < shape.rows % period);
        for (size_t p = 0; p < owned; p++)
            count -= own[p].index / shape.cols % period == row;
        gather(&g, dtype_load(data->type, data->tile, place), count);
    }
    for (size_t p = 0; p < owned; p++)
        gather(&g, own[p].value, 1);
    return expect_gathered(&g, set, (double)shape.rows, 1);
}

/* ---- softmax ---- */

softmax_row_t softmax_row(const data_t *data, size_t begin, size_t end)
{
    softmax_row_t row = {-(double)INFINITY, 0, (double)(end - begin)};

    for (size_t i = begin; i < end; i++) {
        double x = data_at(data, i);
        row.max = isnan(x) || x > row.max ? x : row.max; /* nothing is above a NaN */
    }
    for (size_t i = begin; i < end; i++)
        row.sum += exp(data_at(data, i) - row.max);
    return row;
}

expect_t softmax_element(const softmax_row_t *row, dtype_t type, double x)
{
    double value = exp(x - row->max) / row->sum;
    double depth = tolerance_depth(row->cols, WARP_SIZE);

    return (expect_t){{value, 0}, tolerance_softmax(type, depth, row->cols, row->max - x, value)};
}

/* ---- elementwise ---- */

static double multiply_add(dtype_t type, double x, double y, double z)
{
    if (type == DTYPE_I32)
        return wrap_i32((uint32_t)(int32_t)x * (uint32_t)(int32_t)y + (uint32_t)(int32_t)z);
    if (type == DTYPE_F32)
        return fmaf((float)x, (float)y, (float)z);
    return dtype_round(type, fma(x, y, z));
}

/* x/2 * (1 + erf(x / sqrt 2)), with erfc so that nothing cancels. gelu(-Inf) = -Inf * 0 = NaN. */
static exact_t gelu(dtype_t type, double x)
{
    if (type != DTYPE_F64)
        return (exact_t){x / 2 * erfc(-x * 0x1.6a09e667f3bcdp-1), 0};
    long double exact = (long double)x / 2 * erfcl(-(long double)x * 0.70710678118654752440084L);
    double high = (double)exact;
    return (exact_t){high, isfinite(high) ? (double)(exact - high) : 0};
}

expect_t expect_map(const problem_t *problem, const double x[MAX_INPUTS])
{
    dtype_t type = problem->type;
    exact_t value = {0, 0};

    switch ((map_op_t)problem->op) {
    case MAP_RELU:
        value.high = x[0] < 0 ? 0 : x[0];
        break;
    case MAP_GELU:
        value = gelu(type, x[0]);
        break;
    case MAP_MUL: /* f32 and f16: the product of two is exact in double; f64: rounded once here */
        value.high =
            type == DTYPE_I32 ? multiply_add(type, x[0], x[1], 0) : dtype_round(type, x[0] * x[1]);
        break;
    case MAP_ADD:
        value.high = multiply_add(type, x[0], 1, x[1]);
        break;
    case MAP_FMA:
        value.high = multiply_add(type, x[0], x[1], x[2]);
        break;
    case MAP_CAST:
    case MAP_TO_U8:
    case MAP_TO_I32:
    case MAP_TO_F16:
    case MAP_TO_F32:
    case MAP_TO_F64:
        value.high = dtype_round(problem_out_type(problem), x[0]);
        break;
    case MAP_OPS:
        abort();
    }
    return (expect_t){value, tolerance_map(problem, x[0], value.high)};
}

/* ---- comparison ---- */

double expect_error(const expect_t *expect, double got)
{
    double ref = expect->value.high;

    if ((isnan(ref) && isnan(got)) || ref == got)
        return fabs(expect->value.low);
    return fabs(exact_distance(got, expect->value));
}

bool expect_holds(const expect_t *expect, dtype_t out, double got)
{
    double ref = expect->value.high;

    if (isinf(expect->allowed)) /* anything goes: Inf - Inf and Inf * 0 on the way are NaN */
        return true;
    if (isnan(ref) || isnan(got))
        return isnan(ref) && isnan(got);
    if (got == ref)
        return true;
    if (isinf(got)) /* right if a value within the bound rounds to this infinity */
        return isinf(dtype_round(out, ref + copysign(expect->allowed, got))) && ref * got > 0;
    return expect_error(expect, got) <= expect->allowed;
}
