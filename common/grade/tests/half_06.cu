// SPDX-License-Identifier: MIT
// Half right: one pass, but sums of x and x^2, which lose the digits of the variance.
// Expected: 60 points
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

struct sums_t {
    double count, x, squares;

    sums_t() = default;
    __host__ __device__ sums_t(double c, double a, double b) : count(c), x(a), squares(b) {}
    __host__ __device__ sums_t(float v)
        : sums_t(!isnan(v), isnan(v) ? 0 : v, isnan(v) ? 0 : (double)v * v)
    {
    }
};

struct add_op {
    __host__ __device__ sums_t operator()(sums_t a, sums_t b) const
    {
        return sums_t(a.count + b.count, a.x + b.x, a.squares + b.squares);
    }
};

__global__ void finish_kernel(const sums_t *d_sums, float *d_out)
{
    const sums_t all = *d_sums;
    const double mean = all.count > 0 ? all.x / all.count : 0;
    d_out[0] = (float)mean;
    d_out[1] = all.count > 0 ? (float)(all.squares / all.count - mean * mean) : 0.0f;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const size_t own_bytes = 256;
    void *d_cub = d_work == NULL ? NULL : (char *)d_work + own_bytes;
    size_t cub_bytes = d_work == NULL ? 0 : *work_bytes - own_bytes;
    const cudaError_t error =
        cub::DeviceReduce::Reduce(d_cub, cub_bytes, (const float *)d_in[0], (sums_t *)d_work,
                                  size[0], add_op(), sums_t(0, 0, 0), stream);
    if (d_work == NULL || error != cudaSuccess) {
        *work_bytes = own_bytes + cub_bytes;
        return error;
    }
    finish_kernel<<<1, 1, 0, stream>>>((const sums_t *)d_work, (float *)d_out[0]);
    return cudaGetLastError();
}
