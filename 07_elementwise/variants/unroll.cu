// SPDX-License-Identifier: MIT
//
// 07 unroll: several packs in flight a thread.
//
// Idea          A turn of the loop loads PACKS packs of each input before it stores one.
// What it shows What more bytes in flight are worth, by comparing PACKS 1, 2 and 4. The grid is
//               smaller in the same measure, so a small n has as many bytes in flight as before.
// Source        The `#pragma unroll` of OneFlow's elementwise.cuh. It unrolls the loop over a pack,
//               which nvcc does by itself; here it is the grid-stride loop.
#include <algorithm>
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 256
#define PACKS 2  // packs of each input that a thread has in flight
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

// N elements that are loaded and stored at once.
template <typename T, int N>
struct alignas(N * sizeof(T)) pack_t {
    T elem[N];
};

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

    pack_t<Out, N> *d_packs = (pack_t<Out, N> *)(d_out + head);
    // `in...` stands for one pack of each input: x, or x and y, or x, y and z.
    const auto apply = [&](pack_t<In, N>... in) {
        pack_t<Out, N> out;
        for (int k = 0; k < N; k++) {
            out.elem[k] = f(in.elem[k]...);
        }
        return out;
    };

    // All loads of a turn come before its first store. The compiler could not move a load above a
    // store by itself: for all it knows, d_out and d_in overlap.
    size_t p = i;
    for (; p + (PACKS - 1) * threads < packs; p += PACKS * threads) {
        pack_t<Out, N> out[PACKS];
        for (int l = 0; l < PACKS; l++) {
            out[l] = apply(((const pack_t<In, N> *)(d_in + head))[p + l * threads]...);
        }
        for (int l = 0; l < PACKS; l++) {
            d_packs[p + l * threads] = out[l];
        }
    }
    for (; p < packs; p += threads) { // fewer than PACKS are left to a thread
        d_packs[p] = apply(((const pack_t<In, N> *)(d_in + head))[p]...);
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
        map_kernel<N>
            <<<grid_size(n / (N * PACKS)), BLOCK_SIZE, 0, stream>>>(F(), n, head, d_out, d_in...);
    } else {
        map_kernel<1>
            <<<grid_size(n / PACKS), BLOCK_SIZE, 0, stream>>>(F(), n, (size_t)0, d_out, d_in...);
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
    .summary = "packs, several in flight a thread",
    .map = {{unary<relu<float>, float>, unary<gelu<float>, float>, binary<mul<float>, float>,
             ternary<fma_op<float>, float>, unary<cast<half, float>, half, float>},
            {}, // f64
            {}, // i32
            {unary<relu<half>, half>, unary<gelu<half>, half>, binary<mul<half>, half>,
             ternary<fma_op<half>, half>, unary<cast<float, half>, float, half>}},
};
