// SPDX-License-Identifier: MIT
//
// 07 types: the elementwise template for u8, i32 and f64, and the casts among all five types.
//
// Idea          All that the kernel knows of a type is its size. What differs is arithmetic, one
//               overload a type, and how many elements a pack has: the rule of pack_n.
// What it shows A pack follows the wider type: u8 to f32 takes 4 elements, 16 bytes of floats and 4
//               of u8. u8 to u8 would fit 16 but takes 8, the rule's second limit.
// Careful       C++ leaves a float that does not fit an integer undefined, and PTX's cvt gives
//               INT_MIN for a NaN in f64. So casts to integers compare before they convert.
// Source        OneFlow's PackSize; PTX ISA, cvt.
#include <algorithm>
#include <climits>
#include <cuda_fp16.h>
#include <type_traits>

#include "step.h"

#define BLOCK_SIZE 256
#define WAVES 32 // upper limit of the grid: this many times the threads that the GPU holds

typedef unsigned char u8;

// ---- functors: what happens to one element, in each type that has it. x[j]: that of input j ----

struct relu { // NaN stays NaN; u8 has nothing below 0
    __device__ u8 operator()(const u8 *x) const { return x[0]; }
    __device__ int operator()(const int *x) const { return x[0] < 0 ? 0 : x[0]; }
    __device__ double operator()(const double *x) const { return x[0] < 0.0 ? 0.0 : x[0]; }
};

struct gelu {
    __device__ double operator()(const double *x) const
    {
        return 0.5 * x[0] * (1.0 + erf(0.70710678118654752 * x[0])); // 1 / sqrt(2)
    }
};

struct mul { // i32 wraps modulo 2^32: signed overflow is undefined, unsigned wraps
    __device__ int operator()(const int *x) const { return (unsigned)x[0] * (unsigned)x[1]; }
    __device__ double operator()(const double *x) const { return x[0] * x[1]; }
};

struct fma_op {
    __device__ int operator()(const int *x) const
    {
        return (unsigned)x[0] * (unsigned)x[1] + (unsigned)x[2];
    }
    __device__ double operator()(const double *x) const { return fma(x[0], x[1], x[2]); }
};

// ---- casts: to integers toward 0, NaN to 0, the nearest one where x does not fit ----

template <typename In>
__device__ int to_int(In x)
{
    if constexpr (std::is_integral_v<In>) {
        return x;
    } else { // 2^31 is exact in f32 and f64; NaN passes none of the first two
        return x >= In(0x1p31) ? INT_MAX : x < In(-0x1p31) ? INT_MIN : x == x ? (int)x : 0;
    }
}

template <>
__device__ int to_int(half x)
{
    return to_int((float)x);
}

template <typename Out> // f16, f32, f64: C++'s own conversions round to nearest, ties to even
struct cast {
    template <typename In>
    __device__ Out operator()(const In *x) const
    {
        return x[0];
    }
};

template <>
struct cast<int> {
    template <typename In>
    __device__ int operator()(const In *x) const
    {
        return to_int(x[0]);
    }
};

template <>
struct cast<u8> {
    template <typename In>
    __device__ u8 operator()(const In *x) const
    {
        return max(0, min(to_int(x[0]), 255));
    }
};

// ---- the kernel: how memory is walked ----

// N elements that are loaded and stored at once.
template <typename T, int N>
struct alignas(N * sizeof(T)) pack_t {
    T elem[N];
};

// Elements of a pack: at most 8, and at most 16 bytes. The least over all types of a call counts.
template <typename Out, typename In>
constexpr int pack_n = std::min<int>(8, 16 / std::max(sizeof(Out), sizeof(In)));
static_assert(pack_n<float, float> == 4 && pack_n<half, half> == 8 && pack_n<half, float> == 4);
static_assert(pack_n<u8, u8> == 8 && pack_n<float, u8> == 4 && pack_n<u8, float> == 4);
static_assert(pack_n<half, u8> == 8 && pack_n<double, double> == 2 && pack_n<double, u8> == 2);

// A pointer for each input. In a struct, they reach the kernel by value.
template <typename T, int INPUTS>
struct inputs_t {
    const T *at[INPUTS];
};

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
    for (int k = 0; k < N; k++) {
        In x[INPUTS]; // element k of each input
        for (int j = 0; j < INPUTS; j++) {
            x[j] = in[j].elem[k];
        }
        out.elem[k] = f(x);
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
    return std::max<size_t>(1, std::min((work + BLOCK_SIZE - 1) / BLOCK_SIZE, most));
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
    constexpr int N = pack_n<Out, In>;
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

// A row of the table of casts, for inputs of type In, after relu, gelu, mul, fma and cast.
#define CASTS(In)                                                                                  \
    map<1, cast<u8>, u8, In>, map<1, cast<int>, int, In>, map<1, cast<half>, half, In>,            \
        map<1, cast<float>, float, In>, map<1, cast<double>, double, In>

extern "C" const step_t step = {
    .summary = "u8, i32 and f64, and casts among all types",
    .map = {{NULL, NULL, NULL, NULL, NULL, CASTS(float)},
            {map<1, relu, double>, map<1, gelu, double>, map<2, mul, double>,
             map<3, fma_op, double>, NULL, CASTS(double)},
            {map<1, relu, int>, NULL, map<2, mul, int>, map<3, fma_op, int>, NULL, CASTS(int)},
            {NULL, NULL, NULL, NULL, NULL, CASTS(half)},
            {map<1, relu, u8>, NULL, NULL, NULL, NULL, CASTS(u8)}},
};
