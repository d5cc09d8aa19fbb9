// SPDX-License-Identifier: MIT
//
// 07 best: two loads a thread, small blocks, no loop; bulk copies; and GELU without erff.
//
// Idea          If each element is touched only once, a loop in the thread has nothing to keep. A
//               thread takes one pack of each input, or two packs of a single input, so that it has
//               two loads or more under way. Blocks have 128 threads, and launches of a stream
//               overlap, as in best of 05. Two or three large inputs come by bulk copies if the GPU
//               has them, without overlap (see bulk_copy). GELU is that of gelu_fast.
// What was slow The grid-stride loop waits for its load before it asks for the next one. In f16,
//               erff costs more than the memory.
// Source        Our own sweep of block sizes and packs a thread.
#include <algorithm>
#include <cuda_fp16.h>

#include "bulk_copy.cuh"
#include "step.h"

#define BLOCK_SIZE 128
#define BULK_FROM ((size_t)64 << 20) // bytes of the output

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

struct add {
    __device__ float operator()(const float *x) const { return x[0] + x[1]; }
};

struct fma_op {
    __device__ float operator()(const float *x) const { return fmaf(x[0], x[1], x[2]); }
};

struct cast { // the kernel's conversions do it
    __device__ float operator()(const float *x) const { return x[0]; }
};

// ---- launches of a stream that overlap: see best of 05 ----

// When all blocks have called this, the next launch may start. Only speed depends on where it is.
// After the loads it can be slower, because the compiler may put arithmetic before it, which waits
// for them.
static __device__ void let_next()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// Waits until the launch before this one has ended and what it wrote can be read.
static __device__ void await_last()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

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

// Packs of a thread: two where one of each input is 16 bytes at most in all; otherwise one.
template <typename In, int INPUTS, int N>
constexpr int PACKS = INPUTS *N * sizeof(In) <= 16 ? 2 : 1;

// Element or pack i of the output: f of those of the inputs.
template <int INPUTS, int N, typename F, typename Out, typename In>
__device__ void store(F f, const pack_t<In, N> (&in)[INPUTS], pack_t<Out, N> *d_out, size_t i)
{
    pack_t<Out, N> out;
    for (int k = 0; k < N; k++) {
        float x[INPUTS]; // element k of each input
        for (int j = 0; j < INPUTS; j++) {
            x[j] = in[j].elem[k];
        }
        out.elem[k] = f(x); // f16 is rounded here
    }
    d_out[i] = out;
}

// Launch: BLOCK_SIZE threads a block, a thread for each PACKS packs. `head` elements go one by one,
// then packs of N, then the rest one by one. At d_out + head and at each input + head a pack must
// be aligned; N = 1 always fits. n may be 0. The kernel may start while the launch before it in the
// stream still runs. The loops are unrolled, the arrays are registers.
template <int INPUTS, int N, typename F, typename Out, typename In>
__global__ void __launch_bounds__(BLOCK_SIZE)
    map_kernel(F f, size_t n, size_t head, Out *d_out, inputs_t<In, INPUTS> d_in)
{
    constexpr int K = PACKS<In, INPUTS, N>;
    const size_t packs = (n - head) / N;
    const size_t tail = head + packs * N; // index of the tail's first element
    const size_t p = (size_t)blockIdx.x * BLOCK_SIZE * K + threadIdx.x;
    pack_t<In, N> in[K][INPUTS];

    await_last();
    let_next();
    for (int k = 0; k < K; k++) { // all loads before the first use
        for (int j = 0; j < INPUTS; j++) {
            if (p + k * BLOCK_SIZE < packs) {
                in[k][j] = ((const pack_t<In, N> *)(d_in.at[j] + head))[p + k * BLOCK_SIZE];
            }
        }
    }
    for (int k = 0; k < K; k++) {
        if (p + k * BLOCK_SIZE < packs) {
            store(f, in[k], (pack_t<Out, N> *)(d_out + head), p + k * BLOCK_SIZE);
        }
    }
    if (blockIdx.x == 0 && threadIdx.x < head + n - tail) { // elements that are in no pack
        const size_t i = threadIdx.x < head ? threadIdx.x : tail + threadIdx.x - head;
        pack_t<In, 1> one[INPUTS];
        for (int j = 0; j < INPUTS; j++) {
            one[j].elem[0] = d_in.at[j][i];
        }
        store(f, one, (pack_t<Out, 1> *)d_out, i);
    }
}

// ---- the launcher ----

// One launch. See map_kernel.
template <int N, int INPUTS, typename F, typename Out, typename In>
static cudaError_t queue(size_t n, size_t head, Out *d_out, const inputs_t<In, INPUTS> &in,
                         cudaStream_t stream)
{
    constexpr int TILE = BLOCK_SIZE * PACKS<In, INPUTS, N>; // packs of a block
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = (unsigned)(n / N / TILE + 1); // at least one, for head and tail
    config.blockDim = BLOCK_SIZE;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = bulk::available(); // so are early launches: both came with 9.0
    return cudaLaunchKernelEx(&config, map_kernel<INPUTS, N, F, Out, In>, F(), n, head, d_out, in);
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
    // A store is 16 bytes wide: packs of 4 for f32, 8 for f16. Where f32 becomes f16, a pack is two
    // loads; with one load, and a store of 8 bytes, large arrays are slower.
    constexpr int N = 16 / sizeof(Out);
    if constexpr (INPUTS > 1) {
        if (n * sizeof(Out) > BULK_FROM && bulk::available()) {
            return bulk::launch<INPUTS, F, Out>(d_in, d_out, n, stream);
        }
    }
    const size_t past = (size_t)d_out / sizeof(Out) % N; // elements after the last boundary
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
        return queue<1, INPUTS, F>(n, 0, out, in, stream);
    }
    return queue<N, INPUTS, F>(n, head, out, in, stream);
}

// In the order of step.h: between cast and add are the casts that best does not have.
extern "C" const step_t step = {
    .summary = "elementwise: two loads a thread, small blocks, bulk copies, GELU without erff",
    .map = {{map<1, relu, float>, map<1, gelu_f32, float>, map<2, mul, float>,
             map<3, fma_op, float>, map<1, cast, half, float>, NULL, NULL, NULL, NULL, NULL,
             map<2, add, float>},
            {}, // f64
            {}, // i32
            {map<1, relu, half>, map<1, gelu_f16, half>, map<2, mul, half>, map<3, fma_op, half>,
             map<1, cast, float, half>, NULL, NULL, NULL, NULL, NULL, map<2, add, half>}},
};
