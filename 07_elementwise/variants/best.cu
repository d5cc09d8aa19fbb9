// SPDX-License-Identifier: MIT
//
// 07 best: one pack a thread, small blocks, no loop, and GELU without erff.
//
// Idea          Where each element is touched once, a loop in the thread has nothing to keep. In
//               blocks of 256 that alone is slower than the loop; in blocks of 128 it is faster.
//               Perhaps because small blocks leave an SM in small pieces, so that the next one
//               starts sooner. GELU is that of gelu_fast.
// What was slow The grid-stride loop waits for its load before it asks for the next one. In f16,
//               erff costs more than the memory.
// Source        Our own sweep of block sizes and packs a thread.
#include <algorithm>
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 128

// ---- functors: what happens to one element. f16 is computed in f32 and rounded once. ----

template <typename T>
struct relu {
    __device__ T operator()(T x) const { return (float)x < 0.0f ? T(0.0f) : x; } // NaN stays NaN
};

// x * cdf(x), where `below` is cdf(-|x|). NaN stays NaN; -Inf gives -Inf * 0 = NaN, as with erff.
static __device__ float gelu_from(float x, float below)
{
    return x * (x > 0.0f ? 1.0f - below : below);
}

template <typename T>
struct gelu;

// Degree 5: before it is rounded, the result is off by at most 0.15 units in the last place of a
// half. q(0) = -1, as cdf(0) = 1/2. The first coefficient is negative: 2^q goes to 0 for large a.
template <>
struct gelu<half> {
    __device__ half operator()(half x) const
    {
        const float a = fabsf(x);
        float q = -0.0003366335f;
        q = fmaf(q, a, 0.005996595f);
        q = fmaf(q, a, -0.04888036f);
        q = fmaf(q, a, -0.4630508f);
        q = fmaf(q, a, -1.149906f);
        q = fmaf(q, a, -1.0f);
        return gelu_from(x, exp2f(q));
    }
};

// Degree 10: for |x| < 10 cdf is off by at most 1e-7, or by 1e-4 of itself where that is less.
template <>
struct gelu<float> {
    __device__ float operator()(float x) const
    {
        const float a = fabsf(x);
        float q = -2.9637905e-9f;
        q = fmaf(q, a, 1.3467277e-7f);
        q = fmaf(q, a, -2.4890855e-6f);
        q = fmaf(q, a, 2.2868910e-5f);
        q = fmaf(q, a, -8.2515406e-5f);
        q = fmaf(q, a, -4.2602228e-4f);
        q = fmaf(q, a, 7.4711842e-3f);
        q = fmaf(q, a, -5.2783296e-2f);
        q = fmaf(q, a, -0.45911852f);
        q = fmaf(q, a, -1.1511141f);
        q = fmaf(q, a, -1.0f);
        return gelu_from(x, exp2f(q));
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
// Launch: BLOCK_SIZE threads a block, a thread for each pack and for each element that is in none.
// `head` elements go one by one, then packs of N, then the rest one by one. At d_out + head and at
// each d_in + head a pack must be aligned; N = 1 fits always. n may be 0.
template <int N, typename F, typename Out, typename... In>
__global__ void __launch_bounds__(BLOCK_SIZE)
    map_kernel(F f, size_t n, size_t head, Out *d_out, const In *...d_in)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t packs = (n - head) / N;
    const size_t tail = head + packs * N; // index of the tail's first element

    if (i < packs) {
        pack_t<Out, N> out;
        // `in...` stands for one pack of each input: x, or x and y, or x, y and z.
        const auto apply = [&](pack_t<In, N>... in) {
            for (int k = 0; k < N; k++) {
                out.elem[k] = f(in.elem[k]...);
            }
        };
        apply(((const pack_t<In, N> *)(d_in + head))[i]...);
        ((pack_t<Out, N> *)(d_out + head))[i] = out;
    }
    if (i < head) {
        d_out[i] = f(d_in[i]...);
    }
    if (i < n - tail) {
        d_out[tail + i] = f(d_in[tail + i]...);
    }
}

// ---- the launcher ----

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
    // One block more than n / N needs: head and tail have fewer than 2 * N elements.
    if (((((size_t)(d_in + head) % (N * sizeof(In))) == 0) && ...)) {
        const unsigned blocks = (unsigned)(n / N / BLOCK_SIZE + 1);
        map_kernel<N><<<blocks, BLOCK_SIZE, 0, stream>>>(F(), n, head, d_out, d_in...);
    } else {
        const unsigned blocks = (unsigned)(n / BLOCK_SIZE + 1);
        map_kernel<1><<<blocks, BLOCK_SIZE, 0, stream>>>(F(), n, (size_t)0, d_out, d_in...);
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
    .summary = "elementwise: one pack a thread, small blocks, GELU without erff",
    .map = {{unary<relu<float>, float>, unary<gelu<float>, float>, binary<mul<float>, float>,
             ternary<fma_op<float>, float>, unary<cast<half, float>, half, float>},
            {}, // f64
            {}, // i32
            {unary<relu<half>, half>, unary<gelu<half>, half>, binary<mul<half>, half>,
             ternary<fma_op<half>, half>, unary<cast<float, half>, float, half>}},
};
