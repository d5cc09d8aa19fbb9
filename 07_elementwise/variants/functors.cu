// SPDX-License-Identifier: MIT
//
// 07 functors: functors with run-time members, and factories that make them in the kernel.
//
// Idea          A functor may have members, such as a limit or a scale. The kernel takes a factory
//               and calls it once a thread: it hands out a functor that the host made, or makes one
//               from a number that is still in device memory.
// What it shows How far the template carries. The memory is walked as in 07's kernel.
// Source        the factories of OneFlow's elementwise.cuh.
#include <algorithm>
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 256
#define WAVES 32 // upper limit of the grid: this many times the threads that the GPU holds

// ---- functors: what happens to one element. They have members now, set at run time. ----

// x, but `value` for all that is less than `limit`. relu is the threshold with 0 and 0.
template <typename T>
struct threshold {
    float limit, value;
    __device__ T operator()(T x) const { return (float)x < limit ? T(value) : x; } // NaN stays NaN
};

// scale * x, rounded once to another type, as loss scaling in f16 does it. cast has scale 1.
template <typename To, typename From>
struct scaled_cast {
    float scale;
    __device__ To operator()(From x) const { return scale * (float)x; }
};

// ---- factories: how a thread comes by its functor ----

// It was made on the host and lies among the kernel's arguments.
template <typename F>
struct from_host {
    F f;
    __device__ F operator()() const { return f; }
};

// Its member lies in device memory. The host need not know it, nor wait for the kernel that
// computes it. Each thread reads it once, before its loop, and not once an element.
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

// Element i of the output and of every input goes through the functor that `make` gives.
// Launch: BLOCK_SIZE threads a block, any grid. Reads each input once, writes the output once.
// `head` elements go one by one, then packs of N, then the rest one by one. At d_out + head and at
// each d_in + head a pack must be aligned; N = 1 fits always. n may be 0.
template <int N, typename Factory, typename Out, typename... In>
__global__ void map_kernel(Factory make, size_t n, size_t head, Out *d_out, const In *...d_in)
{
    const auto f = make();
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    const size_t packs = (n - head) / N;
    const size_t tail = head + packs * N; // index of the tail's first element

    for (size_t p = i; p < packs; p += threads) {
        pack_t<Out, N> out;
        // `in...` stands for one pack of each input: x, or x and y, or x, y and z.
        const auto apply = [&](pack_t<In, N>... in) {
            for (int k = 0; k < N; k++) {
                out.elem[k] = f(in.elem[k]...);
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

// Runs over n elements: in packs where every pointer allows it, one by one where it does not.
template <typename Factory, typename Out, typename... In>
static cudaError_t map(Factory make, cudaStream_t stream, size_t n, Out *d_out, const In *...d_in)
{
    // The widest type fills 16 bytes: packs of 4 for f32, 8 for f16, 4 where f16 meets f32.
    constexpr int N = 16 / std::max({sizeof(Out), sizeof(In)...});
    constexpr size_t align = N * sizeof(Out);
    const size_t to_boundary = (align - (size_t)d_out % align) % align / sizeof(Out);
    const size_t head = to_boundary < n ? to_boundary : n;

    // The head brings the output to a boundary. It must bring every input to one as well.
    if (((((size_t)(d_in + head) % (N * sizeof(In))) == 0) && ...)) {
        map_kernel<N><<<grid_size(n / N), BLOCK_SIZE, 0, stream>>>(make, n, head, d_out, d_in...);
    } else {
        map_kernel<1><<<grid_size(n), BLOCK_SIZE, 0, stream>>>(make, n, (size_t)0, d_out, d_in...);
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
    const from_host<threshold<T>> make = {{.limit = 0.0f, .value = 0.0f}};
    return map(make, stream, n, (T *)d_out, (const T *)d_in[0]);
}

// Stands for the kernel that computes a scale, from the largest gradient for example.
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
    const from_device<scaled_cast<Out, In>> make = {(const float *)d_work};
    return map(make, stream, n, (Out *)d_out, (const In *)d_in[0]);
}

extern "C" const step_t step = {
    .summary = "functors with members, made on the host or in the kernel",
    .map = {{relu<float>, NULL, NULL, NULL, cast<half, float>},
            {}, // f64
            {}, // i32
            {relu<half>, NULL, NULL, NULL, cast<float, half>}},
};
