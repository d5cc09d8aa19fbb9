// SPDX-License-Identifier: MIT
// Hostile: copies the input to the host and counts there.
// Expected: 0: it calls 'cudaMemcpy'
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    float x[1000];
    unsigned long long count = 0;
    cudaMemcpy(x, d_in[0], sizeof x, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < 1000; i++)
        count += x[i] > (float)size[1];
    cudaMemcpy(d_out[0], &count, sizeof count, cudaMemcpyHostToDevice);
    return cudaSuccess;
}
