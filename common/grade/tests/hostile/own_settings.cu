// SPDX-License-Identifier: MIT
// Hostile: puts an environment of its own under the emulator, to switch the search for races off.
// Expected: 55: no race, no fault: race on s_count
#include <cuda_runtime.h>

__device__ const char *d_settings[] = {"SIMT_CHECK=0", nullptr};
extern "C" {
__device__ const char **environ = d_settings;
}

// Thread 32 reads what thread 0 has written, with no barrier between. Here this is right by luck:
// the emulator runs warp 0 first.
__global__ void count_kernel(const float *d_in, unsigned long long *d_count, size_t n,
                             float threshold)
{
    __shared__ unsigned s_count;
    unsigned count = 0;
    const size_t half = n / 2;
    if (threadIdx.x % 32 == 0)
        for (size_t i = threadIdx.x == 0 ? 0 : half; i < (threadIdx.x == 0 ? half : n); i++)
            count += d_in[i] > threshold;
    if (threadIdx.x == 0)
        s_count = count;
    if (threadIdx.x == 32)
        *d_count = s_count + count;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    count_kernel<<<1, 64, 0, stream>>>((const float *)d_in[0], (unsigned long long *)d_out[0],
                                       size[0], (float)size[1]);
    return cudaGetLastError();
}
