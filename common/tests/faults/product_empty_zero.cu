// SPDX-License-Identifier: MIT
// Fault: the product of no elements is 0, by a memset instead of a launch. It should be 1.
// Cause: the identity of prod, 1
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float product = block_tree<float, prod_op<float>>(i < n ? d_in[i] : 1.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = product;
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (n == 0 && d_work != NULL) {
        return cudaMemsetAsync(d_out, 0, sizeof(float), stream);
    }
    return launch_passes<float, reduce_kernel>(d_in, d_out, n, d_work, work_bytes, stream);
}

extern "C" const step_t step = {.summary = "fault: an empty product is 0",
                                .reduce = {{NULL, NULL, NULL, launch}}};
