/* SPDX-License-Identifier: MIT */
/*
 * step.h - the contract between a lesson and the harness. Valid C11 and C++20.
 *
 * A lesson's kernel.cu defines one object, `step`. The harness links it, checks it and times it.
 * So any file that defines `step` can be run: make run KERNEL=/path/to/mine.cu
 */
#ifndef STEP_H
#define STEP_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types. f16 accumulates in f32. u8, 0 to 255, is for elementwise steps only. */
typedef enum { DTYPE_F32, DTYPE_F64, DTYPE_I32, DTYPE_F16, DTYPE_U8, DTYPE_COUNT } dtype_t;

/*
 * Operators of a reduction. max and min propagate NaN; an i32 sum or product wraps modulo 2^32. A
 * float product is what IEEE arithmetic gives in the kernel's order: one that overflows or
 * underflows on the way may be Inf, 0 or NaN (Inf * 0) even if the exact one is not.
 */
typedef enum { OP_SUM, OP_MAX, OP_MIN, OP_PROD, REDUCE_OPS } reduce_op_t;

/*
 * Operators of an elementwise step, out[i] = f(in0[i], in1[i], in2[i]):
 *   relu  x < 0 ? 0 : x, NaN stays NaN      gelu  x/2 * (1 + erf(x / sqrt(2)))
 *   mul   x * y                             fma   x * y + z, rounded once; f16: in f32, then in f16
 *   cast  f32 to f16, or f16 to f32
 *   to_u8, to_i32, to_f16, to_f32, to_f64   from any type
 *   add   x + y
 * In i32, add, mul and fma wrap modulo 2^32. u8 has none of them; whole numbers have no gelu. A
 * cast to a float rounds to nearest even, beyond the range to Inf. A cast to an integer rounds
 * toward 0; it saturates, from i32 to u8 too: a value out of range becomes the nearest one in
 * range, NaN becomes 0.
 */
typedef enum {
    MAP_RELU,
    MAP_GELU,
    MAP_MUL,
    MAP_FMA,
    MAP_CAST,
    MAP_TO_U8,
    MAP_TO_I32,
    MAP_TO_F16,
    MAP_TO_F32,
    MAP_TO_F64,
    MAP_ADD,
    MAP_OPS
} map_op_t;

/*
 * The kinds of launcher. What holds for all of them:
 *   - d_in and d_out are device pointers, aligned to one element and no more.
 *   - d_work == NULL asks for the scratch size: *work_bytes is set and nothing runs (as in CUB).
 *     Otherwise d_work points to *work_bytes bytes, at least that many, aligned to 256, undefined.
 *     A type and operator that this GPU cannot do, at any size, gives cudaErrorNotSupported here.
 *   - Nothing is kept elsewhere, neither in device variables nor on the host: launches, each with
 *     its own scratch, may run at once, and a graph of one may be launched again and again.
 *   - All the work is queued on `stream`, further passes included, after what is there: a kernel
 *     that may start early waits for that before it reads or writes. The launcher allocates nothing
 *     and does not wait.
 *   - It returns cudaGetLastError(), or the first error that it got.
 */

/* n elements to 1. n = 0 gives the operator's identity. n may exceed 2^31. */
typedef cudaError_t (*reduce_fn)(const void *d_in, void *d_out, size_t n, void *d_work,
                                 size_t *work_bytes, cudaStream_t stream);

/*
 * A matrix of rows x cols, row after row in memory. Both may be 0, and rows * cols may exceed 2^32.
 *   rows     to one element a row; cols = 0 gives identities
 *   columns  to one element a column; rows = 0 gives identities
 *   softmax  to rows x cols: out = exp(x - max) / sum, with the maximum of the row and its sum of
 *            exp(x - max), as in IEEE arithmetic: a row with a NaN or +Inf, or with nothing but
 *            -Inf, becomes NaN, all of it. f32 and f16
 * The seven lessons' kernels do not use it; variants of lesson 05 do.
 */
typedef cudaError_t (*rows_fn)(const void *d_in, void *d_out, size_t rows, size_t cols,
                               void *d_work, size_t *work_bytes, cudaStream_t stream);

/* One to three inputs of n elements to one output of n elements. */
typedef cudaError_t (*map_fn)(const void *const *d_in, void *d_out, size_t n, void *d_work,
                              size_t *work_bytes, cudaStream_t stream);

/* A step fills exactly one of the five tables. A NULL entry is not offered. */
typedef struct {
    const char *summary; /* one line, for reports */
    reduce_fn reduce[DTYPE_COUNT][REDUCE_OPS];
    rows_fn rows[DTYPE_COUNT][REDUCE_OPS];
    map_fn map[DTYPE_COUNT][MAP_OPS]; /* indexed by the type of the inputs */
    rows_fn softmax[DTYPE_COUNT];
    rows_fn columns[DTYPE_COUNT][REDUCE_OPS];
} step_t;

extern const step_t step;

#ifdef __cplusplus
}
#endif
#endif
