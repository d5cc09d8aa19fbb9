// SPDX-License-Identifier: MIT
//
// 07 scalar loop: the grid-stride loop without packs.
//
// Idea          07's grid and loop, one element a turn.
// What it shows What packs are worth, by comparing with 07's kernel; and what the loop is worth, by
//               comparing with naive, which starts a block for each 256 elements.
// Source        the loop of OneFlow's elementwise.cuh, with a pack of one.
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 256
#define WAVES 32 // upper limit of the grid: this many times the threads that the GPU holds

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

// ---- the kernel: how memory is walked ----

// Launch: BLOCK_SIZE threads a block, any grid. Reads each input once, writes the output once. No
// alignment is needed; n may be 0.
template <typename F, typename Out, typename... In>
__global__ void map_kernel(F f, size_t n, Out *d_out, const In *...d_in)
{
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    for (size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x; i < n; i += threads) {
        d_out[i] = f(d_in[i]...);
    }
}

// ---- the launcher ----

// Blocks for `work` items: enough for all, at most WAVES times what the GPU holds, at least one.
static unsigned grid_size(size_t work)
{
    int device = 0, sms = 0, sm_threads = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    const size_t most = (size_t)sms * (sm_threads / BLOCK_SIZE) * WAVES;
    const size_t needed = (work + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const size_t blocks = needed < most ? needed : most;
    return blocks > 0 ? (unsigned)blocks : 1;
}

// Runs f over n elements.
template <typename F, typename Out, typename... In>
static cudaError_t map(void *d_work, size_t *work_bytes, cudaStream_t stream, size_t n, Out *d_out,
                       const In *...d_in)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    map_kernel<<<grid_size(n), BLOCK_SIZE, 0, stream>>>(F(), n, d_out, d_in...);
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
    .summary = "grid-stride loop, one element a turn",
    .map = {{unary<relu<float>, float>, unary<gelu<float>, float>, binary<mul<float>, float>,
             ternary<fma_op<float>, float>, unary<cast<half, float>, half, float>},
            {}, // f64
            {}, // i32
            {unary<relu<half>, half>, unary<gelu<half>, half>, binary<mul<half>, half>,
             ternary<fma_op<half>, half>, unary<cast<float, half>, float, half>}},
};
