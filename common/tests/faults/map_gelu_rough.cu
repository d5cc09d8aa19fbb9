// SPDX-License-Identifier: MIT
// Fault: gelu by its tanh approximation, which is off by up to 0.0005. Shows for |x| around 2.
// make accuracy-07 tells how far off it is, in units in the last place.
#include <cuda_fp16.h>

#include "map.cuh"

template <typename T>
__global__ void map_kernel(const T *d_in, T *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        const float x = d_in[k];
        const float inner = 0.79788456f * (x + 0.044715f * x * x * x); // sqrt(2 / pi)
        d_out[k] = 0.5f * x * (1.0f + tanhf(inner));
    }
}

extern "C" const step_t step = {.summary = "fault: gelu by the tanh approximation",
                                .map = {{NULL, launch_map<float, float, map_kernel<float>>},
                                        {},
                                        {},
                                        {NULL, launch_map<half, half, map_kernel<half>>}}};
