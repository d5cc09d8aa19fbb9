// SPDX-License-Identifier: MIT
//
// Exercise open-scan: the running sums of n floats.
//
// d_out[i] = d_in[0] + d_in[1] + ... + d_in[i], in any order of the additions. The floats are
// finite, and n may be 0. The arrays are aligned to one float, no more. Write kernels and launcher:
// this file is only the contract.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
// >>> solution

// One launch: each block takes a tile, adds it up, and asks the blocks before it for the sum of
// theirs ("Single-pass Parallel Prefix Scan with Decoupled Look-back", Merrill and Garland, 2016).
// So each element is read once and written once. The order in which the sums before a tile are
// added depends on which block is ready first: the last bits may differ from run to run.
#define WARP_SIZE 32
#define BLOCK_SIZE 256
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define ITEMS 16                        // of a thread, WARP_SIZE apart
#define WARP_TILE (WARP_SIZE * ITEMS)   // elements of a warp, next to each other
#define BLOCK_TILE (BLOCK_SIZE * ITEMS) // elements of a block
#define FULL_MASK 0xffffffffu

// What a block reports to the others: one word, so that the state and the sum arrive together.
typedef unsigned long long mail_t;
#define SUM_OF_TILE (1ull << 32) // the sum of this tile
#define SUM_SO_FAR (2ull << 32)  // the sum of this tile and of all before it
#define STATE (3ull << 32)       // 0: nothing yet

struct scratch_t {
    unsigned next_tile;
    mail_t mail[]; // one for each tile
};

__device__ float sum_of(mail_t mail)
{
    return __uint_as_float((unsigned)mail);
}

__device__ void post(mail_t *d_mail, mail_t state, float sum)
{
    atomicExch(d_mail, state | __float_as_uint(sum));
}

// All lanes get the sum of the values of all lanes.
__device__ float warp_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(FULL_MASK, value, offset);
    }
    return value;
}

// Lane l gets the sum of the values of lanes 0 to l.
__device__ float warp_scan(float value)
{
    const unsigned lane = threadIdx.x % WARP_SIZE;
    for (unsigned offset = 1; offset < WARP_SIZE; offset *= 2) {
        const float left = __shfl_up_sync(FULL_MASK, value, offset);
        value += lane >= offset ? left : 0.0f;
    }
    return value;
}

// The sum of all tiles before this one; a whole warp calls it. Lane l reads the report of the l-th
// tile before, up to the first that has the sum of all before it. If there is none, it looks 32
// tiles further back.
__device__ float sum_before(scratch_t *d_scratch, unsigned tile)
{
    float sum = 0.0f;
    unsigned left = tile; // so many tiles are not in the sum
    while (left > 0) {
        const unsigned lane = threadIdx.x % WARP_SIZE;
        mail_t mail = SUM_SO_FAR; // before the first tile: nothing
        if (lane < left) {
            do {
                mail = atomicOr(&d_scratch->mail[left - 1 - lane], 0ull); // reads it
            } while ((mail & STATE) == 0);
        }
        const unsigned complete = __ballot_sync(FULL_MASK, (mail & STATE) == SUM_SO_FAR);
        const unsigned last = complete == 0 ? WARP_SIZE - 1 : __ffs(complete) - 1;
        sum += warp_sum(lane <= last ? sum_of(mail) : 0.0f);
        left = complete == 0 ? left - WARP_SIZE : 0;
    }
    return sum;
}

// Launch: BLOCK_SIZE threads a block, a block for each tile.
__global__ void __launch_bounds__(BLOCK_SIZE)
    scan_kernel(const float *d_in, float *d_out, scratch_t *d_scratch, size_t n)
{
    __shared__ unsigned s_tile;
    __shared__ float s_warp[WARPS]; // sums of the warps, then what comes before each of them
    const unsigned lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;

    // Tiles are given out in order, so if a block waits for a tile, that one's block runs already.
    if (threadIdx.x == 0) {
        s_tile = atomicAdd(&d_scratch->next_tile, 1);
    }
    __syncthreads(); // the number of the tile is in place
    const unsigned tile = s_tile;
    const size_t first = (size_t)tile * BLOCK_TILE + warp * WARP_TILE + lane;

    float value[ITEMS];
    for (unsigned k = 0; k < ITEMS; k++) {
        const size_t i = first + k * WARP_SIZE;
        value[k] = i < n ? d_in[i] : 0.0f;
    }
    float before = 0.0f; // of this warp
    for (unsigned k = 0; k < ITEMS; k++) {
        value[k] = warp_scan(value[k]) + before;
        before = __shfl_sync(FULL_MASK, value[k], WARP_SIZE - 1);
    }
    if (lane == 0) {
        s_warp[warp] = before;
    }
    __syncthreads(); // the sums of all warps are in place

    if (warp == 0) {
        const float mine = lane < WARPS ? s_warp[lane] : 0.0f;
        const float up_to = warp_scan(mine);
        const float sum = __shfl_sync(FULL_MASK, up_to, WARP_SIZE - 1);
        if (lane == 0) {
            post(&d_scratch->mail[tile], tile == 0 ? SUM_SO_FAR : SUM_OF_TILE, sum);
        }
        const float all_before = sum_before(d_scratch, tile);
        if (lane == 0 && tile > 0) {
            post(&d_scratch->mail[tile], SUM_SO_FAR, all_before + sum);
        }
        if (lane < WARPS) {
            s_warp[lane] = all_before + (up_to - mine);
        }
    }
    __syncthreads(); // what comes before each warp is in place

    for (unsigned k = 0; k < ITEMS; k++) {
        const size_t i = first + k * WARP_SIZE;
        if (i < n) {
            d_out[i] = s_warp[warp] + value[k];
        }
    }
}

static cudaError_t launch(const float *d_in, float *d_out, size_t n, scratch_t *d_scratch,
                          size_t *work_bytes, cudaStream_t stream)
{
    const size_t tiles = (n + BLOCK_TILE - 1) / BLOCK_TILE;
    const size_t bytes = sizeof(scratch_t) + tiles * sizeof(mail_t);
    if (d_scratch == NULL) {
        *work_bytes = bytes;
        return cudaSuccess;
    }
    if (tiles > 0) {
        cudaMemsetAsync(d_scratch, 0, bytes, stream);
        scan_kernel<<<tiles, BLOCK_SIZE, 0, stream>>>(d_in, d_out, d_scratch, n);
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
    return launch((const float *)d_in[0], (float *)d_out[0], size[0], (scratch_t *)d_work,
                  work_bytes, stream);
    // --- exercise
    // if (d_work == NULL) {
    //     *work_bytes = 0;
    //     return cudaSuccess;
    // }
    // return cudaGetLastError();
    // <<<
}
