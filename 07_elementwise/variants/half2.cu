// SPDX-License-Identifier: MIT
//
// 07 half2: two halves at once, where the functor offers it.
//
// Idea          A half2 holds two halves in one register, and one instruction works on both. A
//               functor may have a member apply2 for pairs; the kernel sees at compile time whether
//               it has, and takes it. GELU still computes in f32, and only converts in pairs.
// What it shows Whether fewer instructions help where the memory is the limit: compare with 07's
//               kernel, -t f16. fma rounds once here; there it rounds in f32, then in f16.
// Source        HasApply2 of OneFlow's elementwise.cuh; C++20's `requires` does it in one line.
#include <algorithm>
#include <cuda_fp16.h>
#include <type_traits>

#include "step.h"

#define BLOCK_SIZE 256
#define WAVES 32 // upper limit of the grid: this many times the threads that the GPU holds

// ---- functors: what happens to one element, and to two halves at once where that is offered ----

template <typename T>
struct relu {
    __device__ T operator()(T x) const { return (float)x < 0.0f ? T(0.0f) : x; } // NaN stays NaN
    __device__ half2 apply2(half2 x) const { return __hmax2_nan(x, half2(0.0f, 0.0f)); }
};

template <typename T>
struct gelu {
    __device__ T operator()(T x) const { return in_f32(x); }
    __device__ half2 apply2(half2 x) const
    {
        const float2 v = __half22float2(x);
        return __floats2half2_rn(in_f32(v.x), in_f32(v.y));
    }
    static __device__ float in_f32(float v)
    {
        return 0.5f * v * (1.0f + erff(0.70710678f * v)); // 1 / sqrt(2)
    }
};

template <typename T>
struct mul {
    __device__ T operator()(T x, T y) const { return (float)x * (float)y; }
    __device__ half2 apply2(half2 x, half2 y) const { return __hmul2(x, y); }
};

template <typename T>
struct fma_op {
    __device__ T operator()(T x, T y, T z) const { return fmaf(x, y, z); }
    __device__ half2 apply2(half2 x, half2 y, half2 z) const { return __hfma2(x, y, z); }
};

template <typename To, typename From>
struct cast {
    __device__ To operator()(From x) const { return (float)x; }
    __device__ half2 apply2(float2 x) const { return __float22half2_rn(x); }
    __device__ float2 apply2(half2 x) const { return __half22float2(x); }
};

// ---- the kernel: how memory is walked ----

// N elements that are loaded and stored at once.
template <typename T, int N>
struct alignas(N * sizeof(T)) pack_t {
    T elem[N];
};

// Two elements as one value: half2 of two halves, float2 of two floats.
template <typename T>
using pair_t = std::conditional_t<sizeof(T) == sizeof(half), half2, float2>;

// Element i of the output and of every input goes through f.
// Launch: BLOCK_SIZE threads a block, any grid. Reads each input once, writes the output once.
// `head` elements go one by one, then packs of N, then the rest one by one. At d_out + head and at
// each d_in + head a pack must be aligned; N = 1 fits always. n may be 0.
template <int N, typename F, typename Out, typename... In>
__global__ void map_kernel(F f, size_t n, size_t head, Out *d_out, const In *...d_in)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    const size_t packs = (n - head) / N;
    const size_t tail = head + packs * N; // index of the tail's first element

    for (size_t p = i; p < packs; p += threads) {
        pack_t<Out, N> out;
        // `in...` stands for one pack of each input: x, or x and y, or x, y and z.
        const auto apply = [&](pack_t<In, N>... in) {
            // relu<float> has an apply2 as well, but none that takes a float2: not offered then.
            if constexpr (N > 1 && requires { f.apply2(pair_t<In>()...); }) {
                for (int k = 0; k < N; k += 2) {
                    const auto two = f.apply2(pair_t<In>{in.elem[k], in.elem[k + 1]}...);
                    out.elem[k] = two.x;
                    out.elem[k + 1] = two.y;
                }
            } else {
                for (int k = 0; k < N; k++) {
                    out.elem[k] = f(in.elem[k]...);
                }
            }
        };
        apply(((const pack_t<In, N> *)(d_in + head))[p]...);
        ((pack_t<Out, N> *)(d_out + head))[p] = out;
    }
    if (i < head) {
        d_out[i] = f(d_in[i]...);
    }
    if (i < n - tail) {
        d_out[tail + i] = f(d_in[tail + i]...);
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

// Runs f over n elements: in packs where every pointer allows it, one by one where it does not.
template <typename F, typename Out, typename... In>
static cudaError_t map(void *d_work, size_t *work_bytes, cudaStream_t stream, size_t n, Out *d_out,
                       const In *...d_in)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    // The widest type fills 16 bytes: packs of 4 for f32, 8 for f16, 4 where f16 meets f32.
    constexpr int N = 16 / std::max({sizeof(Out), sizeof(In)...});
    constexpr size_t align = N * sizeof(Out);
    const size_t to_boundary = (align - (size_t)d_out % align) % align / sizeof(Out);
    const size_t head = to_boundary < n ? to_boundary : n;

    // The head brings the output to a boundary. It must bring every input to one as well.
    if (((((size_t)(d_in + head) % (N * sizeof(In))) == 0) && ...)) {
        map_kernel<N><<<grid_size(n / N), BLOCK_SIZE, 0, stream>>>(F(), n, head, d_out, d_in...);
    } else {
        map_kernel<1><<<grid_size(n), BLOCK_SIZE, 0, stream>>>(F(), n, (size_t)0, d_out, d_in...);
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
    .summary = "packs, two halves at once where the functor offers it",
    .map = {{unary<relu<float>, float>, unary<gelu<float>, float>, binary<mul<float>, float>,
             ternary<fma_op<float>, float>, unary<cast<half, float>, half, float>},
            {}, // f64
            {}, // i32
            {unary<relu<half>, half>, unary<gelu<half>, half>, binary<mul<half>, half>,
             ternary<fma_op<half>, half>, unary<cast<float, half>, float, half>}},
};
