// SPDX-License-Identifier: MIT
// Hostile: calls the hooks itself, to leave a function that it has never entered.
// Expected: 0: '__tsan_func_exit' is not accepted
#include <cuda_runtime.h>
#include <string.h>

extern "C" void __tsan_func_exit();

__global__ void take_kernel(const float *h_in, unsigned long long *d_count)
{
    float value;
    __tsan_func_exit();
    memcpy(&value, h_in, sizeof value);
    *d_count = (unsigned long long)value;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    take_kernel<<<1, 1, 0, stream>>>((const float *)d_in, (unsigned long long *)d_out[0]);
    return cudaGetLastError();
}
