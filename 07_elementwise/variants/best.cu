// SPDX-License-Identifier: MIT
//
// 07 best: one pack a thread, small blocks, no loop; bulk copies; and GELU without erff.
//
// Idea          Where each element is touched once, a loop in the thread has nothing to keep. In
//               blocks of 256 that alone is slower than the loop; in blocks of 128 it is faster.
//               Perhaps because small blocks leave an SM in small pieces, so that the next one
//               starts sooner. Two inputs or three, where they are large and the GPU has bulk
//               copies, come by these: see bulk_copy. GELU is that of gelu_fast. Short launches of
//               a stream overlap, as in best of 05.
// What was slow The grid-stride loop waits for its load before it asks for the next one. In f16,
//               erff costs more than the memory.
// Source        Our own sweep of block sizes and packs a thread.
#include <algorithm>
#include <cuda_fp16.h>

#include "bulk_copy.cuh"
#include "step.h"

#define BLOCK_SIZE 128
#define SHORT_PACKS ((size_t)512 << 10)  // threads of a launch that may overlap, at most
#define SHORT_ONE_LOAD (SHORT_PACKS / 4) // where a thread has a single load

// ---- functors: what happens to one element. x[j] is that of input j. All compute in f32. ----

struct relu { // NaN stays NaN
    __device__ float operator()(const float *x) const { return x[0] < 0.0f ? 0.0f : x[0]; }
};

// x * cdf(x), where `below` is cdf(-|x|). NaN stays NaN; -Inf gives -Inf * 0 = NaN, as with erff.
static __device__ float gelu_from(float x, float below)
{
    return x * (x > 0.0f ? 1.0f - below : below);
}

// Degree 5: before it is rounded, the result is off by at most 0.15 units in the last place of a
// half. q(0) = -1, as cdf(0) = 1/2. The first coefficient is negative: 2^q goes to 0 for large a.
struct gelu_f16 {
    __device__ float operator()(const float *x) const
    {
        const float a = fabsf(x[0]);
        float q = -0.0003366335f;
        q = fmaf(q, a, 0.005996595f);
        q = fmaf(q, a, -0.04888036f);
        q = fmaf(q, a, -0.4630508f);
        q = fmaf(q, a, -1.149906f);
        q = fmaf(q, a, -1.0f);
        return gelu_from(x[0], exp2f(q));
    }
};

// Degree 10: for |x| < 10 cdf is off by at most 1e-7, or by 1e-4 of itself where that is less.
struct gelu_f32 {
    __device__ float operator()(const float *x) const
    {
        const float a = fabsf(x[0]);
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
        return gelu_from(x[0], exp2f(q));
    }
};

struct mul {
    __device__ float operator()(const float *x) const { return x[0] * x[1]; }
};

struct fma_op {
    __device__ float operator()(const float *x) const { return fmaf(x[0], x[1], x[2]); }
};

struct cast { // the kernel's conversions do it
    __device__ float operator()(const float *x) const { return x[0]; }
};

// ---- the kernel: how memory is walked ----

// N elements that are loaded and stored at once, in steps of at most 16 bytes.
template <typename T, int N>
struct alignas(std::min(N * sizeof(T), (size_t)16)) pack_t {
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
        out.elem[k] = f(x); // f16 is rounded here, once
    }
    ((pack_t<Out, N> *)(d_out + first))[p] = out;
}

// Launch: BLOCK_SIZE threads a block, a thread for each pack and for each element that is in none.
// `head` elements go one by one, then packs of N, then the rest one by one. At d_out + head and at
// each input + head a pack must be aligned; N = 1 fits always. n may be 0. EARLY: it may be
// launched while the launch before it still runs. To wait for that takes time, even where it has
// ended: in blocks as short as these a fifth.
template <bool EARLY, int INPUTS, int N, typename F, typename Out, typename In>
__global__ void __launch_bounds__(BLOCK_SIZE)
    map_kernel(F f, size_t n, size_t head, Out *d_out, inputs_t<In, INPUTS> d_in)
{
#if __CUDA_ARCH__ >= 900
    if (EARLY) {
        cudaTriggerProgrammaticLaunchCompletion(); // the next launch may start, and waits here
        cudaGridDependencySynchronize();           // until this one has ended
    }
#endif
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t packs = (n - head) / N;
    const size_t tail = head + packs * N; // index of the tail's first element

    if (i < packs) {
        map_pack<INPUTS, N>(f, head, i, d_out, d_in);
    }
    if (i < head) {
        map_pack<INPUTS, 1>(f, 0, i, d_out, d_in);
    }
    if (i < n - tail) {
        map_pack<INPUTS, 1>(f, tail, i, d_out, d_in);
    }
}

// ---- the launcher ----

// One launch. See map_kernel.
template <bool EARLY, int N, int INPUTS, typename F, typename Out, typename In>
static cudaError_t queue(size_t n, size_t head, Out *d_out, const inputs_t<In, INPUTS> &in,
                         cudaStream_t stream)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    // One block more than n / N needs: head and tail have fewer than 2 * N elements.
    config.gridDim = (unsigned)(n / N / BLOCK_SIZE + 1);
    config.blockDim = BLOCK_SIZE;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = EARLY;
    return cudaLaunchKernelEx(&config, map_kernel<EARLY, INPUTS, N, F, Out, In>, F(), n, head,
                              d_out, in);
}

// The contract's launcher: packs where every pointer allows it, one by one where one does not.
template <int INPUTS, typename F, typename Out, typename In = Out>
static cudaError_t map(const void *const *d_in, void *d_out, size_t n, void *d_work,
                       size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    // A store is 16 bytes wide: packs of 4 for f32, 8 for f16. Where f32 becomes f16, a pack is two
    // loads; with one load, and a store of 8 bytes, large arrays are slower.
    constexpr int N = 16 / sizeof(Out);
    constexpr bool ONE_LOAD = INPUTS * N * sizeof(In) <= 16;
    const bool is_short = n / N <= (ONE_LOAD ? SHORT_ONE_LOAD : SHORT_PACKS);
    if constexpr (INPUTS > 1) {
        if (!is_short && bulk::available()) {
            return bulk::launch<INPUTS, F, Out>(d_in, d_out, n, stream);
        }
    }
    const size_t past = (size_t)d_out / sizeof(Out) % N; // elements behind the last boundary
    const size_t head = std::min((N - past) % N, n);

    // The head brings the output to a boundary. It must bring every input to one as well.
    inputs_t<In, INPUTS> in;
    bool aligned = true;
    for (int j = 0; j < INPUTS; j++) {
        in.at[j] = (const In *)d_in[j];
        aligned = aligned && (size_t)(in.at[j] + head) % alignof(pack_t<In, N>) == 0;
    }
    Out *out = (Out *)d_out;
    if (!aligned) {
        return queue<false, 1, INPUTS, F>(n, 0, out, in, stream);
    }
    if (is_short && bulk::available()) { // bulk copies and early launches both came with 9.0
        return queue<true, N, INPUTS, F>(n, head, out, in, stream);
    }
    return queue<false, N, INPUTS, F>(n, head, out, in, stream);
}

extern "C" const step_t step = {
    .summary = "elementwise: one pack a thread, small blocks, bulk copies, GELU without erff",
    .map = {{map<1, relu, float>, map<1, gelu_f32, float>, map<2, mul, float>,
             map<3, fma_op, float>, map<1, cast, half, float>},
            {}, // f64
            {}, // i32
            {map<1, relu, half>, map<1, gelu_f16, half>, map<2, mul, half>, map<3, fma_op, half>,
             map<1, cast, float, half>}},
};
