// SPDX-License-Identifier: MIT
//
// 07 half2: two halves at once, if the functor offers it.
//
// Idea          A half2 holds two halves in one register, and one instruction works on both. A
//               functor may have a member apply2 for pairs. The kernel sees at compile time whether
//               it does, and uses it. GELU still computes in f32 and only converts in pairs.
// What it shows Whether fewer instructions help where the memory is the limit: compare with 07's
//               kernel, -t f16. Here fma rounds once, there in f32 and then in f16.
// Source        HasApply2 of OneFlow's elementwise.cuh; C++20's `requires` does it in one line.
#include <algorithm>
#include <cuda_fp16.h>
#include <type_traits>

#include "step.h"

#define BLOCK_SIZE 256
#define WAVES 32 // upper limit of the grid: this many times the threads that the GPU holds

// ---- functors: what happens to one element, and to two halves at once if that is offered ----

struct relu { // NaN stays NaN
    __device__ float operator()(const float *x) const { return x[0] < 0.0f ? 0.0f : x[0]; }
    __device__ half2 apply2(const half2 *x) const { return __hmax2_nan(x[0], half2(0.0f, 0.0f)); }
};

struct gelu {
    __device__ float operator()(const float *x) const
    {
        return 0.5f * x[0] * (1.0f + erff(0.70710678f * x[0])); // 1 / sqrt(2)
    }
    __device__ half2 apply2(const half2 *x) const
    {
        const float2 v = __half22float2(x[0]);
        return __floats2half2_rn((*this)(&v.x), (*this)(&v.y));
    }
};

struct mul {
    __device__ float operator()(const float *x) const { return x[0] * x[1]; }
    __device__ half2 apply2(const half2 *x) const { return __hmul2(x[0], x[1]); }
};

struct fma_op {
    __device__ float operator()(const float *x) const { return fmaf(x[0], x[1], x[2]); }
    __device__ half2 apply2(const half2 *x) const { return __hfma2(x[0], x[1], x[2]); }
};

struct cast {
    __device__ float operator()(const float *x) const { return x[0]; }
    __device__ half2 apply2(const float2 *x) const { return __float22half2_rn(x[0]); }
    __device__ float2 apply2(const half2 *x) const { return __half22float2(x[0]); }
};

// ---- the kernel: how memory is walked ----

// N elements that are loaded and stored at once.
template <typename T, int N>
struct alignas(N * sizeof(T)) pack_t {
    T elem[N];
};

// A pointer for each input. In a struct, they reach the kernel by value.
template <typename T, int INPUTS>
struct inputs_t {
    const T *at[INPUTS];
};

// Two elements as one value: half2 of two halves, float2 of two floats.
template <typename T>
using pair_t = std::conditional_t<sizeof(T) == sizeof(half), half2, float2>;

// Pack p of those that begin at element `first`. The loops are unrolled, the arrays are registers.
// Indexed by [p], because nvcc 13 cuts a store to *(pack_t *)&d_out[first + p * N] into N stores.
template <int INPUTS, int N, typename F, typename Out, typename In>
__device__ void map_pack(F f, size_t first, size_t p, Out *d_out, inputs_t<In, INPUTS> d_in)
{
    pack_t<In, N> in[INPUTS];
    pack_t<Out, N> out;
    for (int j = 0; j < INPUTS; j++) { // all loads before the first use
        in[j] = ((const pack_t<In, N> *)(d_in.at[j] + first))[p];
    }
    // relu has no apply2 that takes float2: in f32 it is not offered.
    if constexpr (N > 1 && requires(const pair_t<In> *x) { f.apply2(x); }) {
        for (int k = 0; k < N; k += 2) {
            pair_t<In> x[INPUTS]; // elements k and k + 1 of each input
            for (int j = 0; j < INPUTS; j++) {
                x[j] = pair_t<In>{in[j].elem[k], in[j].elem[k + 1]};
            }
            const auto two = f.apply2(x);
            out.elem[k] = two.x;
            out.elem[k + 1] = two.y;
        }
    } else {
        for (int k = 0; k < N; k++) {
            float x[INPUTS]; // element k of each input
            for (int j = 0; j < INPUTS; j++) {
                x[j] = in[j].elem[k];
            }
            out.elem[k] = f(x); // f16 is rounded here
        }
    }
    ((pack_t<Out, N> *)(d_out + first))[p] = out;
}

// Launch: BLOCK_SIZE threads a block, any grid. Reads each input once, writes the output once.
// `head` elements go one by one, then packs of N, then the rest one by one. At d_out + head and at
// each input + head a pack must be aligned; N = 1 always fits. n may be 0.
template <int INPUTS, int N, typename F, typename Out, typename In>
__global__ void map_kernel(F f, size_t n, size_t head, Out *d_out, inputs_t<In, INPUTS> d_in)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t packs = (n - head) / N;
    const size_t tail = head + packs * N; // index of the tail's first element

    for (size_t p = i; p < packs; p += (size_t)gridDim.x * BLOCK_SIZE) {
        map_pack<INPUTS, N>(f, head, p, d_out, d_in);
    }
    if (i < head) {
        map_pack<INPUTS, 1>(f, 0, i, d_out, d_in);
    }
    if (i < n - tail) {
        map_pack<INPUTS, 1>(f, tail, i, d_out, d_in);
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
    const size_t blocks = std::min((work + BLOCK_SIZE - 1) / BLOCK_SIZE, most);
    return blocks > 0 ? (unsigned)blocks : 1;
}

// The contract's launcher: packs if every pointer allows it, one by one if one does not.
template <int INPUTS, typename F, typename Out, typename In = Out>
static cudaError_t map(const void *const *d_in, void *d_out, size_t n, void *d_work,
                       size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    // The wider type fills 16 bytes: packs of 4 for f32, 8 for f16, 4 where f16 meets f32.
    constexpr int N = 16 / std::max(sizeof(Out), sizeof(In));
    const size_t past = (size_t)d_out / sizeof(Out) % N; // elements after the last boundary
    const size_t head = std::min((N - past) % N, n);

    // The head brings the output to a boundary. It must bring every input to one as well.
    inputs_t<In, INPUTS> in;
    bool aligned = true;
    for (int j = 0; j < INPUTS; j++) {
        in.at[j] = (const In *)d_in[j];
        aligned = aligned && (size_t)(in.at[j] + head) % (N * sizeof(In)) == 0;
    }
    if (aligned) {
        map_kernel<INPUTS, N>
            <<<grid_size(n / N), BLOCK_SIZE, 0, stream>>>(F(), n, head, (Out *)d_out, in);
    } else {
        map_kernel<INPUTS, 1><<<grid_size(n), BLOCK_SIZE, 0, stream>>>(F(), n, 0, (Out *)d_out, in);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "packs, two halves at once where the functor offers it",
    .map = {{map<1, relu, float>, map<1, gelu, float>, map<2, mul, float>, map<3, fma_op, float>,
             map<1, cast, half, float>},
            {}, // f64
            {}, // i32
            {map<1, relu, half>, map<1, gelu, half>, map<2, mul, half>, map<3, fma_op, half>,
             map<1, cast, float, half>}},
};
