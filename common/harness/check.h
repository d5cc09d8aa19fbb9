/* SPDX-License-Identifier: MIT */
/*
 * check.h - run a step once, between guard zones, and find out whether it keeps the contract. Used
 * by cases.c and main.c.
 */
#ifndef CHECK_H
#define CHECK_H

#include "compare.h"
#include "mismatch.h"
#include "probe.h"

typedef enum {
    CHECK_RIGHT,
    CHECK_WRONG,
    CHECK_UNSUPPORTED /* asked for the scratch size, it returned cudaErrorNotSupported */
} verdict_t;

/*
 * Run one case: fresh buffers between guard zones, output and scratch poisoned, scratch of exactly
 * the size that the step asks for plus what the case adds. Then look for: CUDA errors of the launch
 * and of the run, an output that was never written or is wrong, writes outside the output or the
 * scratch, a changed input; work on another stream, and a launcher that allocates or waits. In the
 * emulator each launch and copy is then made to fail, to see whether the error is returned. A step
 * that asks for scratch then runs again as test->again says, in the emulator with the last block
 * first. Each mistake is one mismatch on log->stream. *outcome (may be NULL) gets the result;
 * `known` (may be NULL) is compare_output()'s, for cases of the same input.
 * An error of the run itself, after which the device is unusable, ends the program with 1.
 */
verdict_t check_case(const case_t *test, mismatches_t *log, known_t *known, outcome_t *outcome);

/*
 * Have the step launch its kernels for a shape that is too large to run, without data, and check
 * that CUDA would accept each launch. In the emulator only: no kernel runs.
 */
verdict_t check_launches(const problem_t *problem, shape_t shape, mismatches_t *log);

/* Bytes of device memory that a case of this shape needs, without the scratch. */
size_t check_bytes(const problem_t *problem, shape_t shape);

#endif
