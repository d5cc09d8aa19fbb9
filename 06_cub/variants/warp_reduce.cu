// SPDX-License-Identifier: MIT
//
// 06 warp reduce: the levels of CUB, each doing its part.
//
// Idea          cub::WarpReduce reduces the lanes of a warp, and once more the results of a block's
//               warps, which are lanes of one warp by then. cub::DeviceReduce reduces the partials
//               of the blocks. For the level of a block see variants/block_reduce.
// What changes  From 05 everything but the loop over the input.
// What is slow  As in 05, two launches for small n.
// Source        "Reduce 0 to 3 and inside CUB", its list of levels.
#include <cub/cub.cuh>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps; their number is a power of two
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define BLOCK_BYTES (16 * BLOCK_SIZE) // one load of every thread of a block

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// Reduces the values of a block; thread 0 gets the result. All threads must call it.
template <typename T, typename Op>
__device__ T block_reduce(T value)
{
    using lanes_t = cub::WarpReduce<T>;        // 32 lanes
    using warps_t = cub::WarpReduce<T, WARPS>; // as many lanes as the block has warps
    __shared__ typename lanes_t::TempStorage s_lanes[WARPS];
    __shared__ typename warps_t::TempStorage s_warps;
    __shared__ T s_partial[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const unsigned warp = threadIdx.x / WARP_SIZE;

    value = lanes_t(s_lanes[warp]).Reduce(value, Op()); // valid in lane 0
    if (lane == 0) {
        s_partial[warp] = value;
    }
    __syncthreads(); // the results of all warps are in place
    if (threadIdx.x < WARPS) {
        value = warps_t(s_warps).Reduce(s_partial[lane], Op());
    }
    return value;
}

// Launch: BLOCK_SIZE threads a block, any grid. Shared: CUB's storage and one element a warp.
// Reads each element once, writes one partial a block. d_in needs no alignment; n may be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    // A head up to the first 16-byte boundary, whole packs, a tail: see 04.
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

    value = block_reduce<T, Op>(value);
    if (tid == 0) {
        d_out[blockIdx.x] = value;
    }
}

// The partials to one, by CUB. Called with d_work = NULL it sets *work_bytes.
template <typename T, typename Op>
static cudaError_t reduce_partials(const T *d_partials, T *d_out, size_t blocks, void *d_work,
                                   size_t *work_bytes, cudaStream_t stream)
{
    return cub::DeviceReduce::Reduce(d_work, *work_bytes, d_partials, d_out, blocks, Op(),
                                     Op::identity(), stream);
}

// Two passes: n elements to one partial a block, the partials to one.
// Scratch: the partials, and after them, at a multiple of 256 bytes, what CUB asks for.
// The order of additions depends on the alignment of d_in, on the GPU and on the version of CUB:
// same bits every run.
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
    const size_t blocks = needed < most ? needed : most;
    const size_t partial_bytes = (blocks * sizeof(T) + 255) / 256 * 256;
    T *d_partials = (T *)d_work;
    size_t cub_bytes = 0;
    cudaError_t error = reduce_partials<T, Op>(d_partials, NULL, blocks, NULL, &cub_bytes, stream);
    if (d_work == NULL || error != cudaSuccess) {
        *work_bytes = partial_bytes + cub_bytes;
        return error;
    }
    if (blocks <= 1) {
        reduce_kernel<T, Op><<<1, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, n);
        return cudaGetLastError();
    }
    reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, d_partials, n);
    return reduce_partials<T, Op>(d_partials, (T *)d_out, blocks, (char *)d_work + partial_bytes,
                                  &cub_bytes, stream);
}

extern "C" const step_t step = {
    .summary = "cub::WarpReduce twice in each block, cub::DeviceReduce for the partials",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
