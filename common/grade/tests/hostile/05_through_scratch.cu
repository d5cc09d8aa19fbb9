// SPDX-License-Identifier: MIT
// Hostile: lanes give each other their values through the scratch, not by shuffles.
// Expected: 60: registers only:
#include <cuda_runtime.h>
#include <math.h>

struct best_t {
    float value;
    int index;
};
__device__ bool better(best_t a, best_t b)
{
    if (a.index < 0 || b.index < 0)
        return b.index < 0;
    if (isnan(a.value) || isnan(b.value))
        return isnan(a.value) && (!isnan(b.value) || a.index < b.index);
    return a.value > b.value || (a.value == b.value && a.index < b.index);
}
__global__ void argmax_kernel(const float *d_in, int *d_out, volatile float *d_value,
                              volatile int *d_index, size_t rows, size_t cols)
{
    const size_t row = blockIdx.x, lane = threadIdx.x, mine = row * 32 + lane;
    best_t best = {0.0f, -1};
    for (size_t c = lane; c < cols; c += 32) {
        const best_t b = {d_in[row * cols + c], (int)c};
        if (better(b, best))
            best = b;
    }
    d_value[mine] = best.value;
    d_index[mine] = best.index;
    __syncwarp();
    if (lane == 0) {
        for (int k = 1; k < 32; k++) {
            const best_t b = {d_value[mine + k], d_index[mine + k]};
            if (better(b, best))
                best = b;
        }
        d_out[row] = best.index;
    }
    __shfl_sync(0xffffffffu, best.index, 0);
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = size[0] * 256;
    if (d_work == NULL || size[0] == 0)
        return cudaSuccess;
    argmax_kernel<<<size[0], 32, 0, stream>>>((const float *)d_in[0], (int *)d_out[0],
                                              (float *)d_work, (int *)d_work + size[0] * 32,
                                              size[0], size[1]);
    return cudaGetLastError();
}
