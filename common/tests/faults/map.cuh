// SPDX-License-Identifier: MIT
//
// map.cuh - what the planted faults of elementwise steps share: a right launcher of a kernel with
// one input.
#include "step.h"

#define BLOCK_SIZE 256
#define GRID_SIZE 8

__device__ size_t index_in_grid()
{
    return (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
}

__device__ size_t threads_in_grid()
{
    return (size_t)gridDim.x * BLOCK_SIZE;
}

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
