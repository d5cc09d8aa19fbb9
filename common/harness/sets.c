/* SPDX-License-Identifier: MIT */
#include "sets.h"

#include "rng.h"
#include "size.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The magnitude of SET_INTEGERS: exact in f16 too, with room for a winner above it. */
enum { LARGEST_INTEGER = 1000 };

/* In the order of set_t. */
static const char *const NAMES[] = {
    "integers",     "negative", "positive",  "cancelling", "uniform",   "NaN first", "NaN last",
    "NaN middle",   "NaN",      "+Inf",      "-Inf",       "+Inf -Inf", "all Inf",   "minus zero",
    "subnormal",    "zero",     "0 and Inf", "overflow",   "underflow", "mixed",     "all patterns",
    "spread",       "high",     "low",       "huge",       "rising",    "equal",     "one hot",
    "runs of -Inf", "digits",   "file"};
_Static_assert(sizeof NAMES / sizeof NAMES[0] == SET_COUNT, "a name for each set_t");

const char *sets_name(set_t set)
{
    return NAMES[set];
}

double sets_budget(dtype_t type)
{
    return type == DTYPE_F64 ? 0x1p53 : 0x1p24;
}

/* ---- one value at a time ---- */

static double sign(rng_t *rng)
{
    return rng_bits(rng) & 1 ? -1.0 : 1.0;
}

static double i32_bits_value(set_t set, size_t i, rng_t *rng)
{
    int32_t bits = (int32_t)(rng_bits(rng) >> 33); /* 31 bits, never negative */

    switch (set) {
    case SET_NEGATIVE:
        return -1000.0 - bits / 4;
    case SET_POSITIVE:
        return 1000.0 + bits / 4;
    case SET_CANCEL: /* close to the ends of the range: sums wrap at once */
        return i % 2 == 0 ? INT_MAX - bits % 1000 : INT_MIN + bits % 1000;
    default:
        return rng_bits(rng) & 1 ? -1.0 - bits : bits;
    }
}

static bool is_product(const problem_t *problem)
{
    return problem->kind != KIND_MAP && problem->kind != KIND_SOFTMAX && problem->op == OP_PROD;
}

/* Factors are odd: a factor of 2 more than 31 times would make every product 0. */
static double i32_value(const problem_t *problem, set_t set, size_t i, rng_t *rng)
{
    double x = i32_bits_value(set, i, rng);
    return is_product(problem) && fmod(x, 2) == 0 ? x + 1 : x;
}

/*
 * Values of [1, 2], for f16 scaled down so that the sum of n of them stays below 65504: times 2^-k
 * with n * 2^-k <= 2^14.
 */
static double one_to_two(const data_t *data, const problem_t *problem, rng_t *rng)
{
    double scale = 1;
    if (data->type == DTYPE_F16 && problem->op == OP_SUM) {
        for (size_t n = data->n; n > 0x4000; n /= 2)
            scale /= 2;
    }
    return scale * (1 + rng_unit(rng));
}

/* Large +L and -L in turn; what remains after they cancel is as small as 1 / L of the terms. */
static double cancelling(dtype_t type, size_t i, rng_t *rng, double *last)
{
    const double large = type == DTYPE_F16 ? 512 : type == DTYPE_F64 ? 0x1p60 : 0x1p30;

    if (i % 2 == 1)
        return 2 * rng_unit(rng) - 1;
    if (i % 4 == 2)
        return -*last;
    return *last = dtype_round(type, large * (1 + rng_unit(rng)));
}

/* ---- whole tiles ---- */

/*
 * Whole numbers with sum |x| within the budget: each element is +-1 to +-k if the budget allows k
 * >= 1 for each of the n, else +-1 in a few places. The signs keep the running sum near 0: an f16
 * result is then small enough to be exact as well. All times `unit`, a power of two.
 */
static void fill_integers(data_t *data, double unit, rng_t *rng)
{
    double copies = ceil((double)data->n / (double)data->tile_n);
    double budget = sets_budget(data->type) / 2; /* the other half is for the patches */
    double each = floor(budget / (copies * (double)data->tile_n));
    double largest = each < LARGEST_INTEGER ? each : LARGEST_INTEGER;
    double density = budget / (2 * copies * (double)data->tile_n); /* if largest is 0 */
    double limit = ceil(1000 / copies);
    double running = 0;

    for (size_t i = 0; i < data->tile_n; i++) {
        double x = largest >= 1 ? 1 + (double)rng_below(rng, (size_t)largest)
                                : (double)(rng_unit(rng) < density);
        x *= fabs(running) < limit ? sign(rng) : running > 0 ? -1.0 : 1.0;
        running += x;
        dtype_store(data->type, data->tile, i, unit * x);
    }
}

/*
 * Values at which operators go wrong: the ends of a type's range and one beyond, what gets
 * truncated, what overflows f16, ties, and what becomes a tie when it is rounded to f32 before f16.
 */
static double special_value(dtype_t type, rng_t *rng)
{
    static const double ends[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  -0.75,
                                  254.75,
                                  255,
                                  256,
                                  -256,
                                  65519,
                                  65520,
                                  1e300,
                                  0x1p31,
                                  0x1p31 - 1,
                                  -0x1p31,
                                  -0x1p31 - 1,
                                  0x1p24 + 1,
                                  1 + 0x1p-11,
                                  1 + 0x1p-11 + 0x1p-40};
    const double smallest = dtype_ulp(type, 0), inf = INFINITY;
    const double floats[] = {inf,      -inf,           NAN, dtype_largest(type),
                             smallest, smallest * 100, NAN, -2 * smallest};

    if (dtype_is_float(type) && rng_bits(rng) % 2)
        return floats[rng_below(rng, sizeof floats / sizeof floats[0])];
    return ends[rng_below(rng, sizeof ends / sizeof ends[0])];
}

/*
 * For elementwise steps: a quarter each of any bit pattern, special values, values near 0, and of
 * all sizes from 2^-8 to 2^33, so that some are in an integer's range and some beyond.
 */
static void fill_mixed(data_t *data, set_t set, rng_t *rng)
{
    size_t first = (size_t)rng_bits(rng), stride = (size_t)rng_bits(rng) | 1; /* odd: hits all */

    for (size_t i = 0; i < data->tile_n; i++) {
        uint64_t choice = rng_bits(rng) % 4;
        if (set == SET_BITS)
            dtype_store_bits(data->type, data->tile, i, first + i * stride);
        else if (choice == 0)
            dtype_store_bits(data->type, data->tile, i, rng_bits(rng));
        else if (choice == 1)
            dtype_store(data->type, data->tile, i, special_value(data->type, rng));
        else if (choice == 2)
            dtype_store(data->type, data->tile, i, 16 * rng_unit(rng) - 8);
        else {
            const int exponent = (int)rng_below(rng, 42) - 8;
            dtype_store(data->type, data->tile, i, ldexp(2 * rng_unit(rng) - 1, exponent));
        }
    }
}

/*
 * The start value of a run of SET_HUGE. Its elements are up to 1000 above: in f32 a few neighbours,
 * 256 or 512 apart. So those equal to the maximum share the row's 1, and all others are 0.
 *
 * There max * log2(e) is rounded by up to 256. A kernel that subtracts the maximum after the
 * product, exp2(fma(x, log2(e), -(max * log2(e)))), has this error in the exponent, and gets up to
 * 2^256 instead of 1. Below 2^128 the quotient hides it: all terms of the row have the same factor.
 * In f16 the values end at 65504, and the error at 2^-8.
 */
static double huge_start(dtype_t type, rng_t *rng)
{
    const double size = (type == DTYPE_F16 ? 3e4 : 2.9e9) * (1 + rng_unit(rng));
    return size * sign(rng);
}

static double softmax_value(const data_t *data, set_t set, size_t i, rng_t *rng)
{
    double unit = rng_unit(rng);

    switch (set) {
    case SET_HIGH:
        return 1000 + 16 * unit;
    case SET_LOW:
        return -1016 + 16 * unit;
    case SET_HUGE: /* above the start of the run */
        return 1000 * unit;
    case SET_RISING: /* within a type's steps: in f16 some neighbours are equal */
        return 64 * (double)i / (double)data->tile_n - 32;
    case SET_EQUAL:
        return 3.5;
    case SET_ONE_HOT:
        return unit < 1.0 / 64 ? 40 : 0;
    default:
        return 32 * unit - 16;
    }
}

/*
 * For a softmax. The runs of SET_GAPS and SET_HUGE are up to 4096 long: short rows are -Inf, or
 * large and of one sign, from end to end.
 */
static void fill_softmax(data_t *data, set_t set, rng_t *rng)
{
    bool gap = false;
    size_t left = 0; /* of the run */
    double start = 0;

    for (size_t i = 0; i < data->tile_n; i++) {
        double x = softmax_value(data, set, i, rng);
        if (left == 0) {
            gap = !gap;
            left = 1 + rng_below(rng, (size_t)1 << rng_below(rng, 13));
            start = huge_start(data->type, rng);
        }
        left--;
        if (set == SET_HUGE)
            x += start;
        dtype_store(data->type, data->tile, i, set == SET_GAPS && gap ? -(double)INFINITY : x);
    }
}

/* +2^k or -2^k, 0 <= k <= the type's largest exponent: many of them overflow. */
static double large_power(dtype_t type, rng_t *rng)
{
    return ldexp(sign(rng), (int)rng_below(rng, (size_t)ilogb(dtype_largest(type)) + 1));
}

/*
 * Factors whose product is known in any order. A partial product is that of a subset: with the sum
 * of |log2 x| within BUDGET, none overflows or underflows.
 *
 *   SET_INTEGERS   +-1, and as many +-2 and +-1/2 as the budget allows: all products are exact.
 *                  Large n too, in every other set: at n * u = 1/16 rounding has no useful bound
 *   SET_CANCEL     x and nearly 1 / x in turn, at the ends of the budget
 *   SET_OVERFLOW, SET_UNDERFLOW   powers of two that are all on one side of 1
 *   other sets     near +-1, each with an equal share of the budget
 */
static void fill_product(data_t *data, set_t set, rng_t *rng)
{
    enum { BUDGET = 64 };
    const double n = (double)data->n, share = BUDGET / n < 1 ? BUDGET / n : 1;
    const bool powers = set == SET_INTEGERS || n * dtype_roundoff(data->type) > 1.0 / 16;
    double left = floor(BUDGET * (double)data->tile_n / n); /* powers other than 1 */

    for (size_t i = 0; i < data->tile_n; i++) {
        double x = 1 + share * (rng_unit(rng) - 0.5);
        if (set == SET_CANCEL)
            x = 1 + share * (i % 2 ? -0.5 : 0.5) * (1 - rng_unit(rng) / 8);
        if (set == SET_OVERFLOW || set == SET_UNDERFLOW)
            x = set == SET_OVERFLOW ? large_power(data->type, rng)
                                    : 1 / large_power(data->type, rng);
        else if (powers)
            x = rng_unit(rng) < 2 * share && left-- > 0 ? ldexp(1, (int)sign(rng)) : 1;
        x = set == SET_NEGATIVE ? -x : set == SET_POSITIVE ? x : x * sign(rng);
        x = set == SET_ALL_INF ? -(double)INFINITY : set == SET_MINUS_ZERO ? -0.0 : x;
        dtype_store(data->type, data->tile, i, x);
    }
}

static void fill_values(data_t *data, const problem_t *problem, set_t set, rng_t *rng)
{
    double last = 0;
    for (size_t i = 0; i < data->tile_n; i++) {
        double x;
        if (data->type == DTYPE_I32)
            x = i32_value(problem, set, i, rng);
        else if (set == SET_NEGATIVE)
            x = -one_to_two(data, problem, rng);
        else if (set == SET_POSITIVE)
            x = one_to_two(data, problem, rng);
        else if (set == SET_CANCEL)
            x = cancelling(data->type, i, rng, &last);
        else if (set == SET_MINUS_ZERO)
            x = -0.0;
        else if (set == SET_ALL_INF)
            x = problem->op == OP_MIN && problem->kind != KIND_SOFTMAX ? INFINITY : -INFINITY;
        else
            x = 2 * rng_unit(rng) - 1;
        dtype_store(data->type, data->tile, i, x);
    }
}

static void fill_digits(data_t *data, rng_t *rng)
{
    for (size_t i = 0; i < data->tile_n; i++)
        dtype_store(data->type, data->tile, i, (double)rng_below(rng, 19) - 9);
}

/* Fill data->tile[0 .. tile_n) with values of `set`. */
static void fill(data_t *data, const problem_t *problem, set_t set, rng_t *rng)
{
    if (set == SET_MIXED || set == SET_BITS)
        fill_mixed(data, set, rng);
    else if (set >= SET_SPREAD && set <= SET_GAPS)
        fill_softmax(data, set, rng);
    else if (is_product(problem) && data->type != DTYPE_I32)
        fill_product(data, set, rng);
    else if (set == SET_DIGITS)
        fill_digits(data, rng);
    else if ((set == SET_INTEGERS || set == SET_SUBNORMAL) && data->type != DTYPE_I32)
        fill_integers(data, set == SET_SUBNORMAL ? dtype_ulp(data->type, 0) : 1, rng);
    else
        fill_values(data, problem, set, rng);
}

/* ---- single values on top of a tile ---- */

/*
 * An odd whole number of 20 bits (f64: of 49): a kernel that passes its input through fewer bits,
 * those of a half say, changes it. Six of them fit the half of the budget that fill_integers()
 * leaves. A sum of f16 has none: its elements have 11 bits.
 */
enum { ODD_INTEGERS = 6 };

static double odd_integer(dtype_t type, rng_t *rng)
{
    const size_t half = (size_t)1 << (type == DTYPE_F64 ? 47 : 18);
    const double direction = sign(rng); /* first: the order of calls in a product is undefined */
    return direction * (double)(2 * (half + rng_below(rng, half)) + 1);
}

static double i32_winner(const problem_t *problem, set_t set)
{
    const bool max = problem->op == OP_MAX;

    if (is_product(problem))
        return 0x5a3c96e1;
    if (set == SET_NEGATIVE && max)
        return -1; /* still below 0 */
    if (set == SET_POSITIVE && !max)
        return 1;
    return max ? INT_MAX : INT_MIN;
}

static double float_winner(const data_t *data, const problem_t *problem, set_t set)
{
    const bool max = problem->op == OP_MAX;

    if (is_product(problem))
        return -32;
    switch (set) {
    case SET_INTEGERS:
        return max ? LARGEST_INTEGER + 1 : -LARGEST_INTEGER - 1;
    case SET_NEGATIVE:
        return max ? -0.5 : -3;
    case SET_POSITIVE:
        return max ? 3 : 0.5;
    case SET_CANCEL:
        return (max ? 1 : -1) * (data->type == DTYPE_F16 ? 0x1p12 : 0x1p70);
    default:
        return max ? 1.5 : -1.5;
    }
}

/*
 * A value that wins: above (max) or below (min) all others of the set; a factor like no other. A
 * float uses all bits of its type: it wins only if the kernel keeps them all.
 */
static double winner(const data_t *data, const problem_t *problem, set_t set)
{
    if (data->type == DTYPE_I32)
        return i32_winner(problem, set);
    const double x = float_winner(data, problem, set);
    return x + copysign(dtype_ulp(data->type, x), x);
}

static void put(data_t *data, size_t i, double x)
{
    if (data->tile_n > 0)
        dtype_store(data->type, data->tile, i % data->tile_n, x);
}

/* NaN and infinities where the set wants them. */
static void place_special(data_t *data, set_t set, rng_t *rng)
{
    size_t n = data->tile_n;
    size_t somewhere = n > 0 ? rng_below(rng, n) : 0;

    if (set == SET_NAN_FIRST)
        put(data, 0, NAN);
    if (set == SET_NAN_LAST && n > 0)
        put(data, n - 1, NAN);
    if (set == SET_NAN_MIDDLE)
        put(data, n / 2, NAN);
    if (set == SET_NAN_RANDOM)
        put(data, somewhere, NAN);
    if (set == SET_PLUS_INF || set == SET_BOTH_INF)
        put(data, somewhere, INFINITY);
    if (set == SET_MINUS_INF)
        put(data, somewhere, -(double)INFINITY);
    if (set == SET_BOTH_INF)
        put(data, somewhere + 1, -(double)INFINITY);
    if (set == SET_ZERO || set == SET_ZERO_INF)
        put(data, somewhere, 0);
    if (set == SET_ZERO_INF)
        put(data, n / 2, INFINITY);
}

static bool is_special(set_t set)
{
    return set >= SET_NAN_FIRST && set <= SET_UNDERFLOW;
}

/* A sum has none, and an elementwise step has none. */
static bool has_winner(const problem_t *problem)
{
    if (problem->kind == KIND_MAP)
        return false;
    switch ((reduce_op_t)problem->op) {
    case OP_SUM:
        return false;
    case OP_MAX:
    case OP_MIN:
    case OP_PROD:
        return true;
    case REDUCE_OPS:
        break;
    }
    abort();
}

/* Whether SET_INTEGERS has odd ones of 20 bits. */
static bool has_odd_integers(const data_t *data, const problem_t *problem, set_t set)
{
    return set == SET_INTEGERS && problem->kind != KIND_MAP && problem->op == OP_SUM &&
           (data->type == DTYPE_F32 || data->type == DTYPE_F64);
}

static void place_odd_integers(data_t *data, rng_t *rng)
{
    for (size_t i = 0; i < ODD_INTEGERS; i++) {
        const double x = odd_integer(data->type, rng);
        put(data, rng_below(rng, data->n), x);
    }
}

/*
 * Place the single values of `set` in a filled tile: NaN and infinities; odd integers; for max and
 * min a winner, so that a kernel that drops a single element is caught. Its position is random,
 * sometimes the last.
 */
static void place(data_t *data, const problem_t *problem, set_t set, rng_t *rng)
{
    if (is_special(set))
        place_special(data, set, rng);
    else if (data->tile_n < data->n || data->n == 0)
        return; /* see patch_values() */
    else if (has_odd_integers(data, problem, set))
        place_odd_integers(data, rng);
    else if (has_winner(problem) && set != SET_DIGITS)
        put(data, rng_bits(rng) % 4 == 0 ? data->n - 1 : rng_below(rng, data->n),
            winner(data, problem, set));
}

/*
 * Give the patches values that no other element of the set has: different whole numbers, which add
 * up exactly in any set; every second one has 20 bits if the set has such numbers. For max and min
 * the first or the last patch wins. Factors are -2 and -1/2.
 */
static void patch_values(data_t *data, const problem_t *problem, set_t set, rng_t *rng)
{
    bool extreme = has_winner(problem);
    double scale = set == SET_NEGATIVE ? -1 : 1;

    for (size_t p = 0; p < data->patch_count; p++) {
        double x = scale * (double)(p + 2);
        if (has_odd_integers(data, problem, set) && p % 2 == 0)
            x = odd_integer(data->type, rng);
        if (extreme || set == SET_UNIFORM || set == SET_SUBNORMAL || set >= SET_SPREAD)
            x = dtype_load(data->type, data->tile, rng_below(rng, data->tile_n));
        if (is_product(problem) && dtype_is_float(data->type) && !is_special(set))
            x = p % 2 ? -2 : -0.5;
        data->patches[p].value = x;
    }
    if (extreme && !is_special(set)) /* the winner is unique: one in the tile would repeat */
        data->patches[rng_bits(rng) % 2 ? data->patch_count - 1 : 0].value =
            winner(data, problem, set);
}

/* ---- whole inputs ---- */

static int by_index(const void *a, const void *b)
{
    size_t x = ((const patch_t *)a)->index, y = ((const patch_t *)b)->index;
    return (x > y) - (x < y);
}

/*
 * Where the patches go: the last three elements, then random positions. They depend only on n, so
 * that the inputs of one problem have them at the same positions.
 */
static void place_patches(data_t *data)
{
    rng_t rng = {data->n};
    data->patch_count = DATA_PATCHES;
    for (size_t p = 0; p < DATA_PATCHES; p++) {
        size_t index, q;
        do { /* each position once */
            index = p < 3 ? data->n - 1 - p : rng_below(&rng, data->n);
            for (q = 0; q < p && data->patches[q].index != index;)
                q++;
        } while (q < p);
        data->patches[p].index = index;
    }
    qsort(data->patches, DATA_PATCHES, sizeof data->patches[0], by_index);
}

void sets_make(data_t *data, const problem_t *problem, size_t n, set_t set, uint64_t seed,
               unsigned stream)
{
    size_t tile_n = n < DATA_TILE ? n : DATA_TILE;
    *data = (data_t){.type = problem->type, .n = n, .tile_n = tile_n};
    data->tile = alloc_array(tile_n, dtype_size(data->type));

    rng_t rng = {seed + ((uint64_t)stream << 32)};
    rng.state = rng_bits(&rng) + n; /* nearby seeds and sizes must not give shifted copies */
    fill(data, problem, set, &rng);
    place(data, problem, set, &rng);
    if (n > tile_n) {
        place_patches(data);
        patch_values(data, problem, set, &rng);
    }
}

void input_make(input_t *input, const problem_t *problem, shape_t shape, set_t set, uint64_t seed)
{
    *input = (input_t){.problem = *problem, .shape = shape, .set = set};
    for (unsigned i = 0; i < problem_inputs(problem); i++)
        sets_make(&input->data[i], problem, problem_n(shape), set, seed, i);
}

void input_free(input_t *input)
{
    for (size_t i = 0; i < problem_inputs(&input->problem); i++)
        data_free(&input->data[i]);
}
