// SPDX-License-Identifier: MIT
//
// 07 naive: one element a thread.
//
// Idea          The shortest kernel that is right: thread i computes element i.
// What is slow  4 bytes (f16: 2) in flight a thread, and a new block for every 256 elements.
// Source        The notes on OneFlow, their first kernel, with the bounds check that it needs.
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 256

// ---- functors: what happens to one element. x[j] is that of input j. All compute in f32. ----

struct relu { // NaN stays NaN
    __device__ float operator()(const float *x) const { return x[0] < 0.0f ? 0.0f : x[0]; }
};

struct gelu {
    __device__ float operator()(const float *x) const
    {
        return 0.5f * x[0] * (1.0f + erff(0.70710678f * x[0])); // 1 / sqrt(2)
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

// ---- the kernel and its launcher ----

// A pointer for each input. In a struct, they reach the kernel by value.
template <typename T, int INPUTS>
struct inputs_t {
    const T *at[INPUTS];
};

// Launch: BLOCK_SIZE threads a block, one thread an element. No alignment is needed. The article's
// version lacks the test `i < n`, so its last block would write past the end.
template <int INPUTS, typename F, typename Out, typename In>
__global__ void map_kernel(F f, size_t n, Out *d_out, inputs_t<In, INPUTS> d_in)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n) {
        float x[INPUTS]; // element i of each input
        for (int j = 0; j < INPUTS; j++) {
            x[j] = d_in.at[j][i];
        }
        d_out[i] = f(x);
    }
}

// The contract's launcher.
template <int INPUTS, typename F, typename Out, typename In = Out>
static cudaError_t map(const void *const *d_in, void *d_out, size_t n, void *d_work,
                       size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    inputs_t<In, INPUTS> in;
    for (int j = 0; j < INPUTS; j++) {
        in.at[j] = (const In *)d_in[j];
    }
    const size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (blocks > 0) {
        map_kernel<INPUTS><<<blocks, BLOCK_SIZE, 0, stream>>>(F(), n, (Out *)d_out, in);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "one element a thread",
    .map = {{map<1, relu, float>, map<1, gelu, float>, map<2, mul, float>, map<3, fma_op, float>,
             map<1, cast, half, float>},
            {}, // f64
            {}, // i32
            {map<1, relu, half>, map<1, gelu, half>, map<2, mul, half>, map<3, fma_op, half>,
             map<1, cast, float, half>}},
};
