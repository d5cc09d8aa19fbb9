// SPDX-License-Identifier: MIT
//
// 05 atomic: each block adds its partial to the result. One launch, and no order.
//
// Idea          No scratch and no second pass: d_out is set to 0, and one thread of each block adds
//               the block's partial to it with atomicAdd.
// What is slow  Nothing, but the blocks finish in a different order each time, and a float sum
//               depends on the order, so two runs may differ in their bits. An i32 sum does not: it
//               wraps, and wrapping addition is associative.
// Shows         What the fixed order of kernel.cu costs: a second launch. `make accuracy` counts
//               how many results there are in 100 runs.
// Source        CUDA C++ Programming Guide, atomicAdd.
#include <algorithm>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define BLOCK_BYTES (16 * BLOCK_SIZE) // one load of every thread of a block

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// Reduces the values of a warp's 32 lanes; lane 0 gets the result. All 32 lanes must call it.
//   offset 16: lane 0 takes lane 16's value, lane 1 takes lane 17's, ...
//   offset  8: lane 0 takes lane 8's, which by now holds lanes 8 and 24; and so on down to 1.
template <typename T, typename Op>
__device__ T warp_reduce(T value)
{
    const Op op;
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_down_sync(0xffffffff, value, offset)); // mask: all 32 lanes
    }
    return value;
}

// Launch: BLOCK_SIZE threads a block, any grid. Shared: one element a warp.
// Reads each element once, one atomic a block. d_in needs no alignment; n may be 0. *d_out must
// already be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_warp[WARPS];
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    // Three parts: a head up to the first 16-byte boundary, whole packs, a tail.
    // f32 with d_in at address 4 and n = 12: 3 in the head, 2 packs of 4, 1 in the tail.
    const size_t pack_size = 16 / sizeof(T);
    const size_t to_boundary = (16 - (size_t)d_in % 16) % 16 / sizeof(T);
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / pack_size;
    const size_t tail = head + packs * pack_size; // index of the tail's first element
    const pack_t<T> *d_packs = (const pack_t<T> *)(d_in + head);

    T value = Op::identity();
    for (size_t p = i; p < packs; p += threads) {
        const pack_t<T> pack = d_packs[p];
        for (unsigned k = 0; k < pack_size; k++) {
            value = op(value, pack.elem[k]);
        }
    }
    if (i < head) {
        value = op(value, d_in[i]);
    }
    if (i < n - tail) {
        value = op(value, d_in[tail + i]);
    }

    const unsigned lane = tid % WARP_SIZE;
    const unsigned warp = tid / WARP_SIZE;
    value = warp_reduce<T, Op>(value);
    if (lane == 0) {
        s_warp[warp] = value;
    }
    __syncthreads(); // the results of all warps are in place

    if (warp == 0) {
        value = lane < WARPS ? s_warp[lane] : Op::identity();
        value = warp_reduce<T, Op>(value);
    }
    if (tid == 0) {
        atomicAdd(d_out, value); // blocks in any order
    }
}

// One pass, no scratch. For f32 the order of the last additions is not fixed: the bits may change
// from run to run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    int device = 0, sms = 0, sm_threads = 0; // if the queries fail, one block does the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);

    // The largest grid is as many threads as the SMs can hold; small inputs need fewer blocks.
    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 256 = 8
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t needed = (n * sizeof(T) + BLOCK_BYTES - 1) / BLOCK_BYTES;
    const size_t blocks = std::max(std::min(needed, most), (size_t)1);
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const cudaError_t error = cudaMemsetAsync(d_out, 0, sizeof(T), stream); // 0, the identity
    if (error != cudaSuccess) {
        return error;
    }
    reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "one launch: each block adds its partial by an atomic, in any order",
    .reduce = {{launch<float, sum_op<float>>}, {}, {launch<int, sum_op<int>>}},
};
