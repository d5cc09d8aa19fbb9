// SPDX-License-Identifier: MIT
//
// 04 unrolled loads: several packs in flight a thread.
//
// Idea          A turn of the loop loads LOADS packs before it adds the first of them, so a thread
//               waits once for LOADS packs, where the kernel of 04 waits for each.
// What it shows What more bytes in flight are worth: compare LOADS 1, 2 and 4. Each pack in flight
//               needs 4 registers, and an H200 fills its SMs while a thread has at most 32.
// Source        The unrolling of J. Cheng and others, Professional CUDA C Programming, as SunGeng
//               lists it; here the loads are unrolled.
#include "ops.cuh"
#include "step.h"

#define LOADS 2                               // packs that a thread has in flight
#define BLOCK_SIZE 256                        // a power of two: the tree halves it down to 1
#define BLOCK_BYTES (16 * LOADS * BLOCK_SIZE) // what a block has in flight

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// Launch: BLOCK_SIZE threads a block, any grid. Shared: BLOCK_SIZE elements.
// Reads each element once, writes one partial a block. d_in needs no alignment; n may be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_data[BLOCK_SIZE];
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

    // With LOADS 2 and 8 threads, thread 0 loads the packs 0 and 8, then 16 and 24, ...
    T value = Op::identity();
    size_t p = i;
    for (; p + (LOADS - 1) * threads < packs; p += LOADS * threads) {
        pack_t<T> pack[LOADS];
        for (unsigned l = 0; l < LOADS; l++) {
            pack[l] = d_packs[p + l * threads];
        }
        for (unsigned l = 0; l < LOADS; l++) {
            for (unsigned k = 0; k < pack_size; k++) {
                value = op(value, pack[l].elem[k]);
            }
        }
    }
    for (; p < packs; p += threads) { // fewer than LOADS packs are left for a thread
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
    s_data[tid] = value;
    __syncthreads(); // all values are in place

    // stride 128: thread 0 adds [0]+[128], thread 1 adds [1]+[129], thread 2 adds [2]+[130], ...
    // stride  64: thread 0 adds [0]+[64], thread 1 adds [1]+[65], ...
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] = op(s_data[tid], s_data[tid + stride]);
        }
        __syncthreads(); // this round's sums are in place
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

// Two passes: n elements to one partial a block, the partials to one with a single block.
// Scratch: one partial a block. The order of additions depends on n, the alignment of d_in and
// the GPU, on nothing else: same bits every run.
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
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(T);
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    if (blocks > 1) {
        reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_work, n);
        d_src = (const T *)d_work;
        n = blocks;
    }
    reduce_kernel<T, Op><<<1, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "grid-stride loop, several 16-byte loads in flight",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
