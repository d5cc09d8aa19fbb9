/* SPDX-License-Identifier: MIT */
/*
 * steps.h - steps for the tests whose "kernels" are host functions, right ones and wrong ones.
 */
#ifndef STEPS_H
#define STEPS_H

#include "step.h"

#include <stdbool.h>

/* What is wrong with the launchers of steps_reduce: set before a run, in the test alone. */
typedef enum {
    FAULT_NONE,
    FAULT_NOTHING_RUN,     /* the launch is forgotten */
    FAULT_LAST_MISSING,    /* the last element is left out */
    FAULT_ONE_TOO_MANY,    /* one element past the end is read */
    FAULT_ONE_BEFORE,      /* one element before the start is read */
    FAULT_OUTPUT_BEFORE,   /* a byte before the output is written */
    FAULT_OUTPUT_AFTER,    /* a byte after the output is written */
    FAULT_SCRATCH_AFTER,   /* a byte after the scratch is written */
    FAULT_INPUT_CHANGED,   /* a bit of the input is changed */
    FAULT_INPUT_BEFORE,    /* a byte before the input is written */
    FAULT_SCRATCH_HUGE,    /* more scratch than a device has */
    FAULT_RUNS_AT_QUERY,   /* the result is written when the scratch size is asked for */
    FAULT_NO_SCRATCH_SIZE, /* *work_bytes stays as it is */
    FAULT_LAUNCH_ERROR,
    FAULT_OF_SOME,       /* those above are of every operator, those below of some */
    FAULT_ZERO_IDENTITY, /* a maximum starts from 0 */
    FAULT_NAN_LOST,      /* NaN is passed over */
    FAULT_ROUNDED,       /* a sum is 0.01 % too large */
    FAULT_UNSUPPORTED
} fault_t;

extern fault_t steps_fault;

/* Set by cuda_stub.c: a launch is to do nothing, as its probe says. */
extern bool steps_idle;

/* f32 and i32, sum and max; what `steps_fault` says is wrong with them. */
extern const step_t steps_reduce;

/* f32 sum, a row at a time. */
extern const step_t steps_rows;

/* f32 sum, a column at a time. FAULT_LAST_MISSING leaves the last row out, FAULT_ROUNDED makes each
 * result 0.01 % too large. */
extern const step_t steps_columns;

/* f32 and f16, in f32, a row at a time. FAULT_LAST_MISSING leaves the last row out,
 * FAULT_NAN_LOST a NaN, FAULT_ROUNDED makes each result 0.01 % too large. */
extern const step_t steps_softmax;

/* f16 relu and cast; f32 gelu, add, mul and fma. FAULT_LAST_MISSING leaves the last element out,
 * FAULT_INPUT_CHANGED changes a bit of the last input. */
extern const step_t steps_map;

/* f32 to_u8, u8 to_f32. FAULT_LAST_MISSING as above. */
extern const step_t steps_cast;

#endif
