// SPDX-License-Identifier: MIT
// Fault: each block takes one element too many, the first of its neighbour. Shows for n > 1 where
// that element is not 0.
// Cause: elements 5, 10, 15, ... are counted twice
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    // Block b takes the elements from b * share up to and, wrongly, including (b + 1) * share.
    const size_t share = (n + gridDim.x - 1) / gridDim.x;
    const size_t first = blockIdx.x * share;
    const size_t last = first + share + 1 < n ? first + share + 1 : n;

    float value = 0.0f;
    for (size_t k = first + threadIdx.x; k < last; k += BLOCK_SIZE) {
        value += d_in[k];
    }

    value = block_warps(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: neighbouring blocks share an element",
                                .reduce = {{launch_grid<reduce_kernel>}}};
