// SPDX-License-Identifier: MIT
// Hostile: stores by a function of mathematics that writes through a pointer, which has no hook.
// Expected: 50: busy lanes:
#include <cuda_runtime.h>
#include <math.h>

// As a large double any 32 bits are a whole number.
__device__ void put(double *at, float value)
{
    modf(__longlong_as_double(0x4340000000000000 | __float_as_uint(value)), at);
}

__device__ float get(const double *at)
{
    return __uint_as_float((unsigned)__double_as_longlong(*at));
}

__global__ void kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ double s_mean[512], s_out[512];
    const unsigned t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * 512;
    for (unsigned k = t; k < 512; k += 256) {
        s_mean[k] = s_out[k] = 0;
        put(&s_mean[k], first + k < n ? d_in[first + k] : 0.0f);
    }
    __syncthreads();
    for (unsigned pairs = 256, stride = 1; t == 0 && pairs > 0; pairs /= 2, stride *= 2)
        for (unsigned p = 0; p < pairs; p++) {
            const float a = get(&s_mean[2 * stride * p]), b = get(&s_mean[2 * stride * p + stride]);
            put(&s_mean[2 * stride * p], 0.5f * (a + b));
            put(&s_out[pairs + p], 0.5f * (a - b));
        }
    if (t == 0)
        put(&s_out[0], get(&s_mean[0]));
    __syncthreads();
    for (unsigned k = t; k < 512; k += 256)
        d_out[first + k] = get(&s_out[k]);
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL || size[0] == 0)
        return cudaSuccess;
    kernel<<<(size[0] + 511) / 512, 256, 0, stream>>>((const float *)d_in[0], (float *)d_out[0],
                                                      size[0]);
    return cudaGetLastError();
}
