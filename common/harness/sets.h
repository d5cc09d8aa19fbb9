/* SPDX-License-Identifier: MIT */
/*
 * sets.h - the inputs of a test: data sets, generated on the host from a seed. It owns which values
 * an input has. Used by all that run a step, and by expect.h.
 */
#ifndef SETS_H
#define SETS_H

#include "data.h"
#include "problem.h"

/*
 * What the elements are like. The first four are for every type, all others for floats. A softmax
 * gets SET_SPREAD to SET_GAPS and those from SET_NAN_FIRST to SET_ALL_INF. For a product the values
 * differ, under the same names: see fill_product().
 */
typedef enum {
    SET_INTEGERS, /* whole numbers whose sum is exact in any order; i32: all 32 bits random */
    SET_NEGATIVE, /* [-2, -1]: an identity of 0 would win a maximum */
    SET_POSITIVE, /* [1, 2]: an identity of 0 would win a minimum */
    SET_CANCEL,   /* ill-conditioned: large values that cancel, small ones between them */
    SET_UNIFORM,  /* [-1, 1) */
    SET_NAN_FIRST,
    SET_NAN_LAST,
    SET_NAN_MIDDLE,
    SET_NAN_RANDOM,
    SET_PLUS_INF,
    SET_MINUS_INF,
    SET_BOTH_INF,
    SET_ALL_INF, /* nothing but -Inf (a minimum: +Inf), which is the identity of max and min */
    SET_MINUS_ZERO,
    SET_SUBNORMAL, /* SET_INTEGERS times the smallest subnormal number; all exact too */
    SET_ZERO,      /* products, those from here to SET_UNDERFLOW: 0 somewhere */
    SET_ZERO_INF,  /* 0 and +Inf */
    SET_OVERFLOW,  /* powers of two, all |x| >= 1: in every order the same product */
    SET_UNDERFLOW, /* all |x| <= 1 */
    SET_MIXED,     /* elementwise steps: of all sizes, any bits, special values */
    SET_BITS,      /* elementwise steps: every bit pattern of f16, or u8, in turn */
    SET_SPREAD,    /* [-16, 16): some elements of a row matter, some do not */
    SET_HIGH,      /* [1000, 1016): exp(x) overflows */
    SET_LOW,       /* [-1016, -1000): exp(x) is 0 */
    SET_HUGE,      /* runs near +-3e9 to +-6e9: exp2(x * log2(e) - max * log2(e)) is noise */
    SET_RISING,    /* each element is above the last: a running maximum always changes */
    SET_EQUAL,     /* all the same */
    SET_ONE_HOT,   /* 40 in some places, 0 elsewhere */
    SET_GAPS,      /* long and short runs of -Inf between elements of SET_SPREAD */
    SET_DIGITS,    /* -9 to 9: values that a reader of a trace can add up */
    SET_FILE,      /* from --input */
    SET_COUNT
} set_t;

/* "integers", "uniform", ... for messages. */
const char *sets_name(set_t set);

/*
 * Fill *data with n elements of the problem's type. The same arguments give the same data on every
 * machine. `stream` distinguishes the inputs of one problem (0, 1, 2). Free with data_free().
 */
void sets_make(data_t *data, const problem_t *problem, size_t n, set_t set, uint64_t seed,
               unsigned stream);

/* What was run: enough to derive the expected result. */
typedef struct {
    problem_t problem;
    shape_t shape;
    set_t set;
    data_t data[MAX_INPUTS]; /* problem_inputs() of them */
} input_t;

/* Make all the inputs of a problem. Free with input_free(). */
void input_make(input_t *input, const problem_t *problem, shape_t shape, set_t set, uint64_t seed);
void input_free(input_t *input);

/*
 * The largest sum of |x| that SET_INTEGERS may have, so that every partial sum of every order is
 * exact: 2^24 (f32, and f16, which accumulates in f32), 2^53 (f64).
 */
double sets_budget(dtype_t type);

#endif
