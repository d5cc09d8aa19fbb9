// SPDX-License-Identifier: MIT
//
// 04 packed: a pack type of N elements, N chosen at launch.
//
// Idea          N is a template parameter: the kernel is compiled for packs of 4, 2 and 1 floats.
//               The launcher looks at the address and takes the widest pack that is aligned there.
// What it shows What is lost without a head: three addresses out of four get 4 or 8 bytes a load,
//               where the kernel of 04 always gets 16. Compare with --offset 1 and --offset 2.
// Source        The pack of OneFlow's elementwise.cuh and of the article on rows. Both have one
//               width and single elements; the widths between are ours.
#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256                // a power of two: the tree halves it down to 1
#define BLOCK_BYTES (16 * BLOCK_SIZE) // one load of every thread of a block

// N elements that are loaded at once. The type carries the alignment that the load needs.
template <typename T, unsigned N>
struct alignas(N * sizeof(T)) pack_t {
    T elem[N];
};

// Launch: BLOCK_SIZE threads a block, any grid. Shared: BLOCK_SIZE elements.
// Reads each element once, writes one partial a block. d_in is aligned to a pack; n may be 0.
template <unsigned N, typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_data[BLOCK_SIZE];
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    // Two parts: whole packs, and a tail of n mod N elements.
    const size_t packs = n / N;
    const size_t tail = packs * N; // index of the tail's first element
    const pack_t<T, N> *d_packs = (const pack_t<T, N> *)d_in;

    T value = Op::identity();
    for (size_t p = i; p < packs; p += threads) {
        const pack_t<T, N> pack = d_packs[p];
        for (unsigned k = 0; k < N; k++) {
            value = op(value, pack.elem[k]);
        }
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

// One pass, with the widest pack that fits the address: 16, 8 or 4 bytes. For f64 the last two are
// packs of one element.
template <typename T, typename Op>
static void reduce(const T *d_in, T *d_out, size_t n, size_t blocks, cudaStream_t stream)
{
    const size_t address = (size_t)d_in;
    if (address % 16 == 0) {
        reduce_kernel<16 / sizeof(T), T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>(d_in, d_out, n);
    } else if (address % 8 == 0) {
        reduce_kernel<8 / sizeof(T), T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>(d_in, d_out, n);
    } else {
        reduce_kernel<1, T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>(d_in, d_out, n);
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
        reduce<T, Op>(d_src, (T *)d_work, n, blocks, stream);
        d_src = (const T *)d_work;
        n = blocks;
    }
    reduce<T, Op>(d_src, (T *)d_out, n, 1, stream);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "grid-stride loop, pack size chosen by alignment",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
