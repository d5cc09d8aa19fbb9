// SPDX-License-Identifier: MIT
// Hostile: the output is NaN, in the hope that no < or > with it is true.
// Expected: 0: nan
#include <cuda_runtime.h>
#include <math.h>

__global__ void nan_kernel(float *d_out)
{
    *d_out = NAN;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL) {
        return cudaSuccess;
    }
    nan_kernel<<<1, 1, 0, stream>>>((float *)d_out[0]);
    return cudaGetLastError();
}
