/* SPDX-License-Identifier: MIT */
/*
 * many.h - one reduction over several GPUs: the command line, the slices, the checks and the times.
 * sum.cu and peer.cu are programs built on it: each defines how the GPUs' partials are joined.
 */
#ifndef MANY_H
#define MANY_H

#include "step.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MANY_GPUS = 16 }; /* at most */

/* What one GPU holds. All pointers are to its own memory. */
typedef struct {
    size_t n;            /* elements of its slice; two slices differ by one at most */
    unsigned char *d_in; /* copies of the slice, `stride` bytes apart */
    void *d_part;        /* one element: the slice's result */
    void *d_out;         /* one element: the result of all, the same on every GPU */
    void *d_work;        /* the launcher's scratch */
    size_t work_bytes;
    cudaStream_t stream;
} gpu_t;

typedef struct {
    int gpus;              /* device g is gpu[g] */
    dtype_t type;          /* f32, f64 or i32 */
    reduce_op_t op;        /* sum, max or min */
    size_t stride, copies; /* launch i reads copy i % copies */
    gpu_t gpu[MANY_GPUS];
} many_t;

/* How the partials are joined. Functions queue work on the GPUs' streams and do not wait. */
typedef struct {
    const char *name, *summary;
    const char *(*open)(int gpus);                /* NULL, or why these GPUs cannot do it */
    void (*sum)(const many_t *many, size_t copy); /* slices to d_part, and `join` */
    void (*join)(const many_t *many);             /* d_part of all GPUs to d_out of all GPUs */
    void (*close)(int gpus);
} way_t;

/* Queue the launcher of `step` on GPU g's slice; the result goes to `d_to`, g's d_part or d_out. */
void many_reduce(const many_t *many, int g, size_t copy, void *d_to);

/* The whole program. Returns its exit code. */
int many_main(int argc, char **argv, const way_t *way);

#ifdef __cplusplus
}
#endif
#endif
