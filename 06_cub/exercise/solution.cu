// SPDX-License-Identifier: MIT
//
// Exercise 06: mean and variance in one pass, by CUB with our own operator.
//
// out[0] is the mean of the elements, and out[1] their variance: the mean of (x - mean)^2. NaN is a
// missing value and does not count. If there are no values, both are 0. Do not use sum(x^2) / n -
// mean^2: if the mean is large, these are two large numbers that are nearly equal, and their
// difference has no correct digits left.
// Write the marked parts. Do not change the rest.
// Source: B. P. Welford, 1962; T. F. Chan, G. H. Golub and R. J. LeVeque, 1979.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

// What is known of a set of elements: how many, their mean, and m2, the sum of (x - mean)^2.
struct moments_t {
    double count, mean, m2;

    moments_t() = default;
    __host__ __device__ moments_t(double c, double m, double s) : count(c), mean(m), m2(s) {}
    // >>> solution
    // The set of one element, or the empty set if it is missing.
    __host__ __device__ moments_t(float x) : moments_t(!isnan(x), isnan(x) ? 0 : x, 0) {}
    // --- exercise
    // // The set of one element, x, or the empty set. CUB makes one of each element that it reads.
    // // (0 * x is there so that no compiler warns of an unused x.)
    // __host__ __device__ moments_t(float x) : moments_t(0, 0 * x, 0) {}
    // <<<
};

// The moments of two sets together. The empty set, {0, 0, 0}, changes nothing.
struct combine_op {
    __host__ __device__ moments_t operator()(moments_t a, moments_t b) const
    {
        // >>> solution
        const double count = a.count + b.count;
        if (count == 0) {
            return a; // both are empty
        }
        const double delta = b.mean - a.mean;
        const double share = b.count / count;
        return moments_t(count, a.mean + delta * share,
                         a.m2 + b.m2 + delta * delta * a.count * share);
        // --- exercise
        // // The new mean lies between the two means. Do not add up squares of x.
        // return b.count > a.count ? b : a;
        // <<<
    }
};

// Launch: one thread.
__global__ void finish_kernel(const moments_t *d_moments, float *d_out)
{
    const moments_t all = *d_moments;
    d_out[0] = (float)all.mean;
    d_out[1] = all.count > 0 ? (float)(all.m2 / all.count) : 0.0f;
}

// Scratch: the moments of all elements, then CUB's own, on a boundary of 256 bytes.
static cudaError_t launch(const float *d_in, float *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    const size_t own_bytes = 256;
    moments_t *d_moments = (moments_t *)d_work;
    // >>> solution
    // Called with NULL, CUB sets cub_bytes and does nothing else.
    void *d_cub = d_work == NULL ? NULL : (char *)d_work + own_bytes;
    size_t cub_bytes = d_work == NULL ? 0 : *work_bytes - own_bytes;
    const cudaError_t error = cub::DeviceReduce::Reduce(d_cub, cub_bytes, d_in, d_moments, n,
                                                        combine_op(), moments_t(0, 0, 0), stream);
    if (d_work == NULL || error != cudaSuccess) {
        *work_bytes = own_bytes + cub_bytes;
        return error;
    }
    // --- exercise
    // // Call cub::DeviceReduce::Reduce here: from d_in to d_moments.
    // if (d_work == NULL) {
    //     *work_bytes = own_bytes;
    //     return cudaSuccess;
    // }
    // <<<
    finish_kernel<<<1, 1, 0, stream>>>(d_moments, d_out);
    return cudaGetLastError();
}

// The entry that the grader calls. Do not change it.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return launch((const float *)d_in[0], (float *)d_out[0], size[0], d_work, work_bytes, stream);
}
