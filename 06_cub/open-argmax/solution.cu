// SPDX-License-Identifier: MIT
//
// Exercise open-argmax: the largest of n floats and its index, in one launch.
//
// d_out[0] is one float, the largest of d_in, and d_out[1] one uint64_t, the index at which it
// is first found; zeros of both signs are equal. A NaN, of either sign, counts as larger than all
// numbers, and the first one is the largest. For n = 0 they are minus infinity and 0. The arrays
// are aligned to one element, no more. Write the kernel and its launcher: this file has the
// contract and nothing else.
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
// >>> solution

// Each block leaves its best in the scratch and takes a ticket. The block with the last ticket
// knows that all are there, and takes the best of them.
#define WARP_SIZE 32
#define BLOCK_SIZE 256
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define LOADS 4         // elements that a thread has in flight
#define MAX_BLOCKS 1056 // 8 for each SM of an H200
#define FULL_MASK 0xffffffffu

struct best_t {
    float value;
    unsigned long long index;
};

struct scratch_t {
    best_t best[MAX_BLOCKS]; // of each block
    unsigned tickets;
};

// What changes nothing: it is below all numbers, and its index is after that of any element.
__device__ best_t nothing()
{
    return {-INFINITY, ~0ull};
}

// NaN first, then the larger value, then the lower index.
__device__ best_t better(best_t a, best_t b)
{
    const bool a_nan = isnan(a.value), b_nan = isnan(b.value);
    const bool same = a_nan ? b_nan : a.value == b.value;
    const bool b_wins = same ? b.index < a.index : b_nan || (!a_nan && b.value > a.value);
    return b_wins ? b : a;
}

// Lane 0 gets the best of its warp.
__device__ best_t warp_best(best_t best)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        const float value = __shfl_down_sync(FULL_MASK, best.value, offset);
        const unsigned long long index = __shfl_down_sync(FULL_MASK, best.index, offset);
        best = better(best, {value, index});
    }
    return best;
}

// Thread 0 gets the best of its block. Between two calls there must be a barrier.
__device__ best_t block_best(best_t best)
{
    __shared__ float s_value[WARPS];
    __shared__ unsigned long long s_index[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;

    best = warp_best(best);
    if (lane == 0) {
        s_value[warp] = best.value;
        s_index[warp] = best.index;
    }
    __syncthreads(); // the best of all warps are there
    if (warp == 0) {
        best = nothing();
        if (lane < WARPS) {
            best = {s_value[lane], s_index[lane]};
        }
        best = warp_best(best);
    }
    return best;
}

// Launch: BLOCK_SIZE threads a block, MAX_BLOCKS of them at most. No ticket is taken before.
__global__ void __launch_bounds__(BLOCK_SIZE)
    argmax_kernel(const float *d_in, float *d_value, unsigned long long *d_index,
                  scratch_t *d_scratch, size_t n)
{
    __shared__ bool s_last;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    best_t best = nothing();
    for (size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x; i < n; i += LOADS * threads) {
        float value[LOADS];
        for (unsigned k = 0; k < LOADS; k++) {
            value[k] = i + k * threads < n ? d_in[i + k * threads] : -INFINITY;
        }
        for (unsigned k = 0; k < LOADS; k++) {
            best = better(best, {value[k], i + k * threads});
        }
    }
    best = block_best(best);
    if (threadIdx.x == 0) {
        d_scratch->best[blockIdx.x] = best;
        __threadfence(); // all blocks see it before they see the ticket taken
        s_last = atomicAdd(&d_scratch->tickets, 1) == gridDim.x - 1;
    }
    __syncthreads(); // the verdict is in place
    if (!s_last) {
        return;
    }
    __threadfence(); // what the other blocks left is read from here on
    best = nothing();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += BLOCK_SIZE) {
        best = better(best, {__ldcg(&d_scratch->best[b].value), __ldcg(&d_scratch->best[b].index)});
    }
    best = block_best(best);
    if (threadIdx.x == 0) {
        *d_value = best.value;
        *d_index = n > 0 ? best.index : 0;
    }
}

static cudaError_t launch(const float *d_in, float *d_value, unsigned long long *d_index, size_t n,
                          scratch_t *d_scratch, size_t *work_bytes, cudaStream_t stream)
{
    if (d_scratch == NULL) {
        *work_bytes = sizeof(scratch_t);
        return cudaSuccess;
    }
    const size_t tiles = n / (BLOCK_SIZE * LOADS) + 1;
    const unsigned blocks = tiles < MAX_BLOCKS ? tiles : MAX_BLOCKS;
    cudaMemsetAsync(&d_scratch->tickets, 0, sizeof(unsigned), stream);
    argmax_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_in, d_value, d_index, d_scratch, n);
    return cudaGetLastError();
}
// --- exercise
// <<<

// The entry that the grader calls. With d_work == NULL it asks how many bytes of scratch you need.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    // >>> solution
    return launch((const float *)d_in[0], (float *)d_out[0], (unsigned long long *)d_out[1],
                  size[0], (scratch_t *)d_work, work_bytes, stream);
    // --- exercise
    // if (d_work == NULL) {
    //     *work_bytes = 0;
    //     return cudaSuccess;
    // }
    // return cudaGetLastError();
    // <<<
}
