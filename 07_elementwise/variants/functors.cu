// SPDX-License-Identifier: MIT
//
// 07 functors: functors with run-time members, and factories that make them in the kernel.
//
// Idea          A functor may have members, such as a limit or a scale. The kernel takes a factory
//               and calls it once a thread. It hands out a functor that the host made, or makes one
//               from a number that is still in device memory.
// What it shows How far the template carries. The memory is walked as in 07's kernel.
// Source        The factories of OneFlow's elementwise.cuh.
#include <algorithm>
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 256
#define WAVES 32 // upper limit of the grid: this many times the threads that the GPU holds

// ---- functors: what happens to one element. They have members now, set at run time. ----

// x, but `value` for anything less than `limit`. relu is the threshold with 0 and 0.
struct threshold { // NaN stays NaN
    float limit, value;
    __device__ float operator()(const float *x) const { return x[0] < limit ? value : x[0]; }
};

// scale * x, as loss scaling in f16 does it. cast has scale 1.
struct scaled {
    float scale;
    __device__ float operator()(const float *x) const { return scale * x[0]; }
};

// ---- factories: how a thread gets its functor ----

// It was made on the host and is one of the kernel's arguments.
template <typename F>
struct from_host {
    F f;
    __device__ F operator()() const { return f; }
};

// Its member is in device memory. The host needn't know it, or wait for the kernel that computes
// it. Each thread reads it once, before its loop, and not once an element.
template <typename F>
struct from_device {
    const float *d_member;
    __device__ F operator()() const { return F{*d_member}; }
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
        float x[INPUTS]; // element k of each input
        for (int j = 0; j < INPUTS; j++) {
            x[j] = in[j].elem[k];
        }
        out.elem[k] = f(x); // f16 is rounded here
    }
    ((pack_t<Out, N> *)(d_out + first))[p] = out;
}

// Launch: BLOCK_SIZE threads a block, any grid. Reads each input once, writes the output once.
// `head` elements go one by one, then packs of N, then the rest one by one. At d_out + head and at
// each input + head a pack must be aligned; N = 1 always fits. n may be 0.
template <int INPUTS, int N, typename Factory, typename Out, typename In>
__global__ void map_kernel(Factory make, size_t n, size_t head, Out *d_out,
                           inputs_t<In, INPUTS> d_in)
{
    const auto f = make();
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

// Packs if every pointer allows it, one by one if one does not.
template <int INPUTS, typename Out, typename In, typename Factory>
static cudaError_t map(Factory make, const void *const *d_in, void *d_out, size_t n,
                       cudaStream_t stream)
{
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
            <<<grid_size(n / N), BLOCK_SIZE, 0, stream>>>(make, n, head, (Out *)d_out, in);
    } else {
        map_kernel<INPUTS, 1>
            <<<grid_size(n), BLOCK_SIZE, 0, stream>>>(make, n, 0, (Out *)d_out, in);
    }
    return cudaGetLastError();
}

template <typename T>
static cudaError_t relu(const void *const *d_in, void *d_out, size_t n, void *d_work,
                        size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const from_host<threshold> make = {{.limit = 0.0f, .value = 0.0f}};
    return map<1, T, T>(make, d_in, d_out, n, stream);
}

// A placeholder for a kernel that computes a scale, for example from the largest gradient.
__global__ void scale_kernel(float *d_scale)
{
    *d_scale = 1.0f;
}

// Scratch: the scale. The stream orders the two kernels, and the host does not wait between them.
template <typename Out, typename In>
static cudaError_t cast(const void *const *d_in, void *d_out, size_t n, void *d_work,
                        size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = sizeof(float);
        return cudaSuccess;
    }
    scale_kernel<<<1, 1, 0, stream>>>((float *)d_work);
    const from_device<scaled> make = {(const float *)d_work};
    return map<1, Out, In>(make, d_in, d_out, n, stream);
}

extern "C" const step_t step = {
    .summary = "functors with members, made on the host or in the kernel",
    .map = {{relu<float>, NULL, NULL, NULL, cast<half, float>},
            {}, // f64
            {}, // i32
            {relu<half>, NULL, NULL, NULL, cast<float, half>}},
};
