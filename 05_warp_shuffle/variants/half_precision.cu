// SPDX-License-Identifier: MIT
//
// 05 half precision: f16 input, added in f32.
//
// Idea          A load of 16 bytes fetches 8 halves, as 4 pairs. Each pair becomes two floats; all
//               values are kept in f32, the partials too. Only the result is rounded to f16.
// What was slow Nothing: 05 has no f16. A sum kept in f16 would stop at 2048: 2048 + 1 = 2048.
// What is slow  Each element is converted, so there are more instructions a byte than in f32.
// Source        The packs of the article on row reductions; the pairs of OneFlow's elementwise.cuh.
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define BLOCK_BYTES (16 * BLOCK_SIZE) // one load of every thread of a block
#define PACK 8

// 16 bytes, the widest load up to compute capability 9.0. Not `half2 pair[4]`: half2 has its own
// copy constructor, so nvcc copies such a struct pair by pair, in four loads of 4 bytes.
struct alignas(16) pack_t {
    half elem[PACK];
};

// Reduces the values of a warp's 32 lanes; lane 0 gets the result. All 32 lanes must call it.
template <typename Op>
__device__ float warp_reduce(float value)
{
    const Op op;
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_down_sync(0xffffffff, value, offset)); // mask: all 32 lanes
    }
    return value;
}

// Reduces the values of a block; thread 0 gets the result. All threads must call it, once.
template <typename Op>
__device__ float block_reduce(float value)
{
    __shared__ float s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const unsigned warp = threadIdx.x / WARP_SIZE;

    value = warp_reduce<Op>(value);
    if (lane == 0) {
        s_warp[warp] = value;
    }
    __syncthreads(); // the results of all warps are in place
    if (warp == 0) {
        value = lane < WARPS ? s_warp[lane] : Op::identity();
        value = warp_reduce<Op>(value);
    }
    return value;
}

// Launch: BLOCK_SIZE threads a block, any grid. Shared: one float a warp.
// Reads each element once, writes one partial a block: in f32, or the result of one block in f16.
// d_in needs only the alignment of a half; n may be 0.
template <typename Op, typename Out>
__global__ void reduce_kernel(const half *d_in, Out *d_out, size_t n)
{
    const Op op;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    // A head up to the first 16-byte boundary, whole packs, a tail: as in 05.
    const size_t to_boundary = (16 - (size_t)d_in % 16) % 16 / sizeof(half);
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / PACK;
    const size_t tail = head + packs * PACK; // index of the tail's first element
    const pack_t *d_packs = (const pack_t *)(d_in + head);

    float value = Op::identity();
    for (size_t p = i; p < packs; p += threads) {
        const pack_t pack = d_packs[p];
        for (unsigned k = 0; k < PACK; k += 2) {
            const float2 two = __half22float2(half2(pack.elem[k], pack.elem[k + 1])); // exact
            value = op(op(value, two.x), two.y);
        }
    }
    if (i < head) {
        value = op(value, d_in[i]);
    }
    if (i < n - tail) {
        value = op(value, d_in[tail + i]);
    }
    value = block_reduce<Op>(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value; // f16: the one rounding, to nearest even
    }
}

// The second pass: `count` partials to the result. Launch: one block.
template <typename Op>
__global__ void partials_kernel(const float *d_partials, half *d_out, size_t count)
{
    const Op op;
    float value = Op::identity();
    for (size_t b = threadIdx.x; b < count; b += BLOCK_SIZE) {
        value = op(value, d_partials[b]);
    }
    value = block_reduce<Op>(value);
    if (threadIdx.x == 0) {
        d_out[0] = value;
    }
}

// Two passes, as in 05. Scratch: one float a block. Same bits every run.
template <typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    int device = 0, sms = 0, sm_threads = 0; // if the queries fail, one block does the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);

    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 256 = 8
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t needed = (n * sizeof(half) + BLOCK_BYTES - 1) / BLOCK_BYTES;
    const size_t blocks = needed < most ? needed : most;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(float);
        return cudaSuccess;
    }

    const half *d_src = (const half *)d_in;
    if (blocks > 1) {
        float *d_partials = (float *)d_work;
        reduce_kernel<Op><<<(unsigned)blocks, BLOCK_SIZE, 0, stream>>>(d_src, d_partials, n);
        partials_kernel<Op><<<1, BLOCK_SIZE, 0, stream>>>(d_partials, (half *)d_out, blocks);
    } else {
        reduce_kernel<Op><<<1, BLOCK_SIZE, 0, stream>>>(d_src, (half *)d_out, n);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "f16, two halves at a time, kept in f32",
    .reduce = {{}, // f32
               {}, // f64
               {}, // i32
               {launch<sum_op<float>>, launch<max_op<float>>, launch<min_op<float>>}},
};
