// SPDX-License-Identifier: MIT
// Fault: a cast to i32 by comparisons, all of which NaN fails, so it takes the last branch,
// INT_MAX.
#include <climits>

#include "map.cuh"

__global__ void map_kernel(const double *d_in, int *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        const double x = d_in[k];
        d_out[k] = x < -0x1p31 ? INT_MIN : x < 0x1p31 ? (int)x : INT_MAX;
    }
}

extern "C" const step_t step = {
    .summary = "fault: a cast of NaN to i32 is not 0",
    .map = {{}, {NULL, NULL, NULL, NULL, NULL, NULL, launch_map<double, int, map_kernel>}}};
