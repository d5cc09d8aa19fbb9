// SPDX-License-Identifier: MIT
//
// 05 block reduce: the reduction of a block as a function, for every block and every caller.
//
// Idea          The caller gives the shared memory, and says how its threads are counted: in a line
//               or in a plane. A barrier at the start lets two calls in a row use the same memory.
//               The last warp may be a partial one: only lanes that exist exchange values.
// What was slow Nothing: this is about correctness. 05 is correct for one call and for whole warps.
// What is slow  A second barrier a call, and a comparison for each shuffle.
// Source        PyTorch's BlockReduceSum, and the article on it. Both need whole warps.
#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_X 25
#define BLOCK_Y 10
#define BLOCK_SIZE (BLOCK_X * BLOCK_Y) // at most 1024; 250 threads: 7 warps and 26 lanes of an 8th
#define WARPS ((BLOCK_SIZE + WARP_SIZE - 1) / WARP_SIZE)
#define BLOCK_BYTES (16 * BLOCK_SIZE) // one load of every thread of a block

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// How the threads of a block are counted. The hardware fills warps in this order: x first, then y.
struct block_1d {
    static __device__ unsigned tid() { return threadIdx.x; }
};
struct block_2d {
    static __device__ unsigned tid() { return threadIdx.y * blockDim.x + threadIdx.x; }
};

// Reduces the values of the first `lanes` lanes of a warp; lane 0 gets the result. All of them must
// call it. lanes = 26, offset 16: lane 9 takes lane 25's value, lane 10 finds no lane 26.
template <typename Op, typename T>
__device__ T warp_reduce(T value, unsigned lane, unsigned lanes)
{
    const Op op;
    const unsigned mask = 0xffffffff >> (WARP_SIZE - lanes); // the lanes that exist
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        const T other = __shfl_down_sync(mask, value, offset);
        if (lane + offset < lanes) {
            value = op(value, other);
        }
    }
    return value;
}

// Reduces the values of a block; thread 0 gets the result. All threads must call it. Block counts
// them. s_warp: shared memory of the caller, one element a warp; calls in a row may share it.
template <typename Op, typename Block, typename T>
__device__ T block_reduce(T value, T *s_warp)
{
    const unsigned lane = Block::tid() % WARP_SIZE;
    const unsigned warp = Block::tid() / WARP_SIZE;
    const unsigned left = BLOCK_SIZE - warp * WARP_SIZE; // threads from this warp on
    const unsigned lanes = left < WARP_SIZE ? left : WARP_SIZE;

    value = warp_reduce<Op>(value, lane, lanes);
    __syncthreads(); // warp 0 has read what an earlier call left in s_warp
    if (lane == 0) {
        s_warp[warp] = value;
    }
    __syncthreads(); // the results of all warps are in place
    if (warp == 0) {
        value = lane < WARPS ? s_warp[lane] : Op::identity();
        value = warp_reduce<Op>(value, lane, lanes);
    }
    return value;
}

// Launch: BLOCK_SIZE threads a block, in the shape that Block counts, any grid. Shared: one element
// a warp. Reads each element once, writes one partial a block. Any alignment; n may be 0.
template <typename T, typename Op, typename Block>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_warp[WARPS];
    const Op op;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + Block::tid();
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    // A head up to the first 16-byte boundary, whole packs, a tail: as in 05.
    const size_t pack_size = 16 / sizeof(T);
    const size_t to_boundary = (16 - (size_t)d_in % 16) % 16 / sizeof(T);
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / pack_size;
    const size_t tail = head + packs * pack_size; // index of the tail's first element
    const pack_t<T> *d_packs = (const pack_t<T> *)(d_in + head);

    T inner = Op::identity();
    for (size_t p = i; p < packs; p += threads) {
        const pack_t<T> pack = d_packs[p];
        for (unsigned k = 0; k < pack_size; k++) {
            inner = op(inner, pack.elem[k]);
        }
    }
    T ends = i < head ? d_in[i] : Op::identity();
    if (i < n - tail) {
        ends = op(ends, d_in[tail + i]);
    }

    // Two calls in a row: for what the packs hold, and for what the two ends hold.
    inner = block_reduce<Op, Block>(inner, s_warp);
    ends = block_reduce<Op, Block>(ends, s_warp);
    if (Block::tid() == 0) {
        d_out[blockIdx.x] = op(inner, ends);
    }
}

// Two passes, the first with blocks in a plane, the second with one block in a line.
// Scratch: one partial a block. Same bits every run, as in 05.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    int device = 0, sms = 0, sm_threads = 0; // if the queries fail, one block does the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);

    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 250 = 8
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t needed = (n * sizeof(T) + BLOCK_BYTES - 1) / BLOCK_BYTES;
    const size_t blocks = needed < most ? needed : most;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(T);
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    if (blocks > 1) {
        const dim3 plane(BLOCK_X, BLOCK_Y);
        reduce_kernel<T, Op, block_2d>
            <<<(unsigned)blocks, plane, 0, stream>>>(d_src, (T *)d_work, n);
        d_src = (const T *)d_work;
        n = blocks;
    }
    reduce_kernel<T, Op, block_1d><<<1, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "a block reduction that can be called again, for any block",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
