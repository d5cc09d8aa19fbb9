/* SPDX-License-Identifier: MIT */
/*
 * problem.h - what a step computes: the kind of launcher, the type, the operator, and what follows
 * from them (names, counts, bytes). The only place that knows the tables of step_t; anyone may call
 * it.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "dtype.h"

#include <stdio.h>

/* The tables of step_t. */
typedef enum { KIND_REDUCE, KIND_ROWS, KIND_COLUMNS, KIND_MAP, KIND_SOFTMAX, KIND_COUNT } kind_t;

enum { MAX_INPUTS = 3 };

/* One (type, operator) pair of one step. By `kind`, `op` is a reduce_op_t, a map_op_t, or 0. */
typedef struct {
    const step_t *step;
    kind_t kind;
    dtype_t type;
    int op;
} problem_t;

/* The extent of the input. Reductions of a vector and elementwise steps have rows = 1, cols = n. */
typedef struct {
    size_t rows, cols;
} shape_t;

/*
 * Find out which table of `lesson` is filled, and set step and kind of *problem; type and op become
 * the first pair that is offered. Returns NULL, or what is wrong with the step, as a sentence.
 * Keeps the pointer to `lesson`.
 */
const char *problem_open(problem_t *problem, const step_t *lesson);

/* How many operators the kind has, and their names: sum, ...; relu, ...; softmax. */
int problem_op_count(kind_t kind);
const char *problem_op_name(kind_t kind, int op);

/* Whether the kind takes a matrix, given as rows and cols. */
bool problem_has_rows(kind_t kind);

/* NULL if step.h defines this pair, else why it does not. */
const char *problem_undefined(const problem_t *problem);

/* What problem_why_not() returns for an entry that is NULL. */
#define PROBLEM_NOT_OFFERED "not offered by this step"

/* NULL if the step offers this pair, else why not, in a few words. */
const char *problem_why_not(const problem_t *problem);

/* Pair number i of the problem's step, type by type; problem_pairs() of them, offered or not. */
size_t problem_pairs(const problem_t *problem);
problem_t problem_pair(const problem_t *problem, size_t i);

/* Whether the step offers any of these types with any of these operators (bit i: number i). */
bool problem_offers(const problem_t *problem, unsigned types, unsigned ops);

/*
 * The types that the step offers with any operator, the operators that it offers for any of these
 * types, as "f32 f64" in `names` (PROBLEM_NAMES characters). Return `names`.
 */
enum { PROBLEM_NAMES = 200 };
const char *problem_type_names(const problem_t *problem, char *names);
const char *problem_op_names(const problem_t *problem, unsigned types, char *names);

/* Prints "NAME: SUMMARY", on two lines if one would have more than 80 columns. */
void problem_title(FILE *stream, const char *name, const char *summary);

/* Inputs of the operator: add and mul have 2, fma has 3, all others 1. */
size_t problem_inputs(const problem_t *problem);

/* Input i in a message: "the input", or "d_in[1]" if there are several. */
const char *problem_input_name(const problem_t *problem, size_t i);

/* The type of the output: that of the input, except for casts. */
dtype_t problem_out_type(const problem_t *problem);

/* Elements of one input. */
size_t problem_n(shape_t shape);

/* Elements of the output. */
size_t problem_out_n(const problem_t *problem, shape_t shape);

/*
 * The bytes that any kernel must move: each input element read once, each output element written
 * once. Reduce: n * size + size. Rows: rows * cols * size + rows * size; columns likewise, with
 * cols * size. Map: n * (inputs * in + out). Softmax: 2 * rows * cols * size. Assumes
 * problem_fits().
 */
size_t problem_bytes(const problem_t *problem, shape_t shape);

/* False if the bytes of all buffers, with a margin, do not fit a size_t. */
bool problem_fits(shape_t shape);

/* The result for no elements: 0, 1, or the value that loses every comparison. Reductions only. */
double problem_identity(const problem_t *problem);

/*
 * Call the step's launcher. d_in: problem_inputs() device arrays of problem_n() elements; d_out:
 * problem_out_n() elements; d_work, work_bytes and stream as in step.h. Assumes the pair is
 * offered.
 */
cudaError_t problem_launch(const problem_t *problem, const void *const *d_in, void *d_out,
                           shape_t shape, void *d_work, size_t *work_bytes, cudaStream_t stream);

#endif
