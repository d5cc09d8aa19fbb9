// SPDX-License-Identifier: MIT
//
// 07 scalar loop: the grid-stride loop without packs.
//
// Idea          07's grid and loop, one element a turn.
// What it shows What packs are worth, compared with 07's kernel, and what the loop is worth,
//               compared with naive, which starts a block for every 256 elements.
// Source        The loop of OneFlow's elementwise.cuh, with a pack of one.
#include <algorithm>
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 256
#define WAVES 32 // upper limit of the grid: this many times the threads that the GPU holds

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

// ---- the kernel: how memory is walked ----

// A pointer for each input. In a struct, they reach the kernel by value.
template <typename T, int INPUTS>
struct inputs_t {
    const T *at[INPUTS];
};

// Launch: BLOCK_SIZE threads a block, any grid. Reads each input once, writes the output once. No
// alignment is needed; n may be 0.
template <int INPUTS, typename F, typename Out, typename In>
__global__ void map_kernel(F f, size_t n, Out *d_out, inputs_t<In, INPUTS> d_in)
{
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    for (size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x; i < n; i += threads) {
        float x[INPUTS]; // element i of each input
        for (int j = 0; j < INPUTS; j++) {
            x[j] = d_in.at[j][i];
        }
        d_out[i] = f(x);
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
    map_kernel<INPUTS><<<grid_size(n), BLOCK_SIZE, 0, stream>>>(F(), n, (Out *)d_out, in);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "grid-stride loop, one element a turn",
    .map = {{map<1, relu, float>, map<1, gelu, float>, map<2, mul, float>, map<3, fma_op, float>,
             map<1, cast, half, float>},
            {}, // f64
            {}, // i32
            {map<1, relu, half>, map<1, gelu, half>, map<2, mul, half>, map<3, fma_op, half>,
             map<1, cast, float, half>}},
};
