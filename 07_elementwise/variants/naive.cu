// SPDX-License-Identifier: MIT
//
// 07 naive: one element a thread.
//
// Idea          The shortest kernel that is right: thread i computes element i.
// What is slow  4 bytes (f16: 2) in flight a thread; one block start for 256 elements.
// Source        the notes on OneFlow, their first kernel, with the bounds check that it needs.
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 256

// ---- functors: what happens to one element. f16 is computed in f32 and rounded once. ----

template <typename T>
struct relu {
    __device__ T operator()(T x) const { return (float)x < 0.0f ? T(0.0f) : x; } // NaN stays NaN
};

template <typename T>
struct gelu {
    __device__ T operator()(T x) const
    {
        const float v = x;
        return 0.5f * v * (1.0f + erff(0.70710678f * v)); // 1 / sqrt(2)
    }
};

template <typename T>
struct mul {
    __device__ T operator()(T x, T y) const { return (float)x * (float)y; }
};

template <typename T>
struct fma_op {
    __device__ T operator()(T x, T y, T z) const { return fmaf(x, y, z); }
};

template <typename To, typename From>
struct cast {
    __device__ To operator()(From x) const { return (float)x; }
};

// ---- the kernel and its launcher ----

// Launch: BLOCK_SIZE threads a block, one thread an element. No alignment is needed. The test
// `i < n` is what the article's version lacks: the last block would write past the end.
template <typename F, typename Out, typename... In>
__global__ void map_kernel(F f, size_t n, Out *d_out, const In *...d_in)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n) {
        d_out[i] = f(d_in[i]...);
    }
}

template <typename F, typename Out, typename... In>
static cudaError_t map(void *d_work, size_t *work_bytes, cudaStream_t stream, size_t n, Out *d_out,
                       const In *...d_in)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (blocks > 0) {
        map_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(F(), n, d_out, d_in...);
    }
    return cudaGetLastError();
}

// The contract's launchers: one, two or three inputs.
template <typename F, typename Out, typename In = Out>
static cudaError_t unary(const void *const *d_in, void *d_out, size_t n, void *d_work,
                         size_t *work_bytes, cudaStream_t stream)
{
    return map<F>(d_work, work_bytes, stream, n, (Out *)d_out, (const In *)d_in[0]);
}

template <typename F, typename T>
static cudaError_t binary(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    return map<F>(d_work, work_bytes, stream, n, (T *)d_out, (const T *)d_in[0],
                  (const T *)d_in[1]);
}

template <typename F, typename T>
static cudaError_t ternary(const void *const *d_in, void *d_out, size_t n, void *d_work,
                           size_t *work_bytes, cudaStream_t stream)
{
    return map<F>(d_work, work_bytes, stream, n, (T *)d_out, (const T *)d_in[0], (const T *)d_in[1],
                  (const T *)d_in[2]);
}

extern "C" const step_t step = {
    .summary = "one element a thread",
    .map = {{unary<relu<float>, float>, unary<gelu<float>, float>, binary<mul<float>, float>,
             ternary<fma_op<float>, float>, unary<cast<half, float>, half, float>},
            {}, // f64
            {}, // i32
            {unary<relu<half>, half>, unary<gelu<half>, half>, binary<mul<half>, half>,
             ternary<fma_op<half>, half>, unary<cast<float, half>, float, half>}},
};
