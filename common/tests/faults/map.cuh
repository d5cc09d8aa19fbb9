// SPDX-License-Identifier: MIT
//
// map.cuh - what the planted faults of elementwise steps share: a right launcher of a kernel with
// one input. If the fault is in the launcher, its file has its own.
#include "step.h"

#define BLOCK_SIZE 256
#define GRID_SIZE 8

template <typename In, typename Out, void (*kernel)(const In *, Out *, size_t)>
static cudaError_t launch_map(const void *const *d_in, void *d_out, size_t n, void *d_work,
                              size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const In *)d_in[0], (Out *)d_out, n);
    return cudaGetLastError();
}
