// SPDX-License-Identifier: MIT
//
// Exercise open-histogram: how often each value occurs among n bytes.
//
// d_in has n bytes (unsigned char), and d_out[v] is how many of them are v, for v = 0 to 255, as
// int. n may be 0, and is below 2^31. d_in is aligned to one byte, no more. Write kernels and
// launcher: this file is only the contract.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
// >>> solution

// Each warp counts in shared memory, in its own bins, so that warps do not wait for each other if
// all bytes have one value. Then the block adds its bins to those of the output: 256 atomics for
// each block, and not one for each byte. Bytes come in packs of 16.
#define WARP_SIZE 32
#define BLOCK_SIZE 256
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define BINS 256
#define PACK 16         // bytes
#define LOADS 4         // packs that a thread has in flight
#define MAX_BLOCKS 1056 // 8 for each SM of an H200

__device__ void count_word(int *s_bins, unsigned word)
{
    for (unsigned k = 0; k < 4; k++) {
        atomicAdd(&s_bins[word >> 8 * k & 0xff], 1);
    }
}

// Launch: BLOCK_SIZE threads a block, any grid. d_out is 0 before.
__global__ void __launch_bounds__(BLOCK_SIZE)
    histogram_kernel(const unsigned char *d_in, int *d_out, size_t n)
{
    __shared__ int s_bins[WARPS][BINS];
    const size_t tid = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    int *s_mine = s_bins[threadIdx.x / WARP_SIZE];

    for (unsigned b = threadIdx.x; b < WARPS * BINS; b += BLOCK_SIZE) {
        s_bins[b / BINS][b % BINS] = 0;
    }
    __syncthreads(); // all bins are 0

    // Bytes up to the first boundary of 16, packs, and what is left.
    const size_t to_boundary = (PACK - (uintptr_t)d_in % PACK) % PACK;
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / PACK, tail = head + packs * PACK;
    const uint4 *d_packs = reinterpret_cast<const uint4 *>(d_in + head);
    for (size_t p = tid; p < packs; p += LOADS * threads) {
        uint4 pack[LOADS];
        for (unsigned k = 0; k < LOADS; k++) {
            if (p + k * threads < packs) {
                pack[k] = d_packs[p + k * threads];
            }
        }
        for (unsigned k = 0; k < LOADS; k++) {
            if (p + k * threads < packs) {
                count_word(s_mine, pack[k].x);
                count_word(s_mine, pack[k].y);
                count_word(s_mine, pack[k].z);
                count_word(s_mine, pack[k].w);
            }
        }
    }
    if (tid < head) {
        atomicAdd(&s_mine[d_in[tid]], 1);
    }
    if (tid < n - tail) {
        atomicAdd(&s_mine[d_in[tail + tid]], 1);
    }
    __syncthreads(); // all bytes of the block are counted

    for (unsigned b = threadIdx.x; b < BINS; b += BLOCK_SIZE) {
        int count = 0;
        for (unsigned w = 0; w < WARPS; w++) {
            count += s_bins[w][b];
        }
        if (count > 0) {
            atomicAdd(&d_out[b], count);
        }
    }
}

static cudaError_t launch(const unsigned char *d_in, int *d_out, size_t n, cudaStream_t stream)
{
    const size_t tile = BLOCK_SIZE * LOADS * PACK;
    const size_t tiles = (n + tile - 1) / tile;
    cudaMemsetAsync(d_out, 0, BINS * sizeof(int), stream);
    if (tiles > 0) {
        const unsigned blocks = tiles < MAX_BLOCKS ? tiles : MAX_BLOCKS;
        histogram_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_in, d_out, n);
    }
    return cudaGetLastError();
}
// --- exercise
// <<<

// The entry that the grader calls. With d_work == NULL it asks how many bytes of scratch you need.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    // >>> solution
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    return launch((const unsigned char *)d_in[0], (int *)d_out[0], size[0], stream);
    // --- exercise
    // if (d_work == NULL) {
    //     *work_bytes = 0;
    //     return cudaSuccess;
    // }
    // return cudaGetLastError();
    // <<<
}
