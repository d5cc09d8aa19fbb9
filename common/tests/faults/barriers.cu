// SPDX-License-Identifier: MIT
//
// barriers.cu - sums whose threads do not wait for each other, or take what no thread has left:
// barriers, shuffles and the partials of warps.
//
// Group: fault
// Run: FAULT=$CASE $BUILD/faults/barriers --check --quick
// Run: FAULT=$CASE $BUILD/faults/barriers --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: grid_control - no fault: a grid-stride loop, warp shuffles and two passes, as in lesson 05
// Run: $BUILD/faults/barriers --check --quick
// Full: $BUILD/faults/barriers --check
// Exit: 0
// Matches: check ok
#include "plants.cuh"
#include "reduce.cuh"

// Keeps a thread busy for some thousand cycles. The result is never 0, but no compiler knows that.
__device__ unsigned busy(unsigned state)
{
    for (int k = 0; k < 300; k++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    return state;
}

// True for all, but in the warps 1 to 7 it comes late.
__device__ bool ready()
{
    return threadIdx.x < WARP_SIZE || busy(threadIdx.x) != 0;
}

// Case: barrier_missing_store - none between the stores to shared memory and the tree
__global__ void barrier_missing_store(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = index_in_grid();

    if (ready()) {
        s_data[tid] = i < n ? d_in[i] : 0.0f;
    }
    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] += s_data[tid + stride];
        }
        __syncthreads(); // this round's sums are in place
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

// Case: barrier_missing_tree - none between the rounds of the tree. Shows for n > 64
__global__ void barrier_missing_tree(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = index_in_grid();

    s_data[tid] = i < n ? d_in[i] : 0.0f;
    __syncthreads(); // all elements are in place
    const bool is_ready = ready();
    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (is_ready && tid < stride) {
            s_data[tid] += s_data[tid + stride];
        }
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

// Case: barrier_missing_pairs - the same in the tree of lesson 01. Shows for n > 33
__global__ void barrier_missing_pairs(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = index_in_grid();

    s_data[tid] = i < n ? d_in[i] : 0.0f;
    __syncthreads(); // all elements are in place
    const bool is_ready = ready();
    for (unsigned stride = 1; stride < BLOCK_SIZE; stride *= 2) {
        if (is_ready && tid % (2 * stride) == 0) {
            s_data[tid] += s_data[tid + stride];
        }
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

// Case: barrier_in_branch - half of the threads skip the barrier of a round. A GPU may hang
// Where: cpu
// Says: barrier not reached by all threads
__global__ void barrier_in_branch(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = index_in_grid();

    s_data[tid] = i < n ? d_in[i] : 0.0f;
    __syncthreads(); // all elements are in place
    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] += s_data[tid + stride];
            __syncthreads();
        }
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

// Case: early_return - threads without an element return before the shuffles and the barrier
__global__ void early_return(const float *d_in, float *d_out, size_t n)
{
    if (index_in_grid() >= n) {
        return;
    }
    store_warps(share_sum(d_in, n), d_out);
}

// Case: calls_in_a_row - two calls: a warp that is ahead stores the second result while warp 0
// still reads the first ones. There is one block, so this is not about blocks. A GPU is right most
// of the time.
// Where: cpu
__global__ void calls_in_a_row(const float *d_in, float *d_out, size_t n)
{
    float lower = 0.0f, upper = 0.0f;
    for (size_t k = threadIdx.x; k < n; k += BLOCK_SIZE) {
        (k < n / 2 ? lower : upper) += d_in[k];
    }
    lower = block_warps(lower);
    upper = block_warps(upper); // right: after __syncthreads()
    if (threadIdx.x == 0) {
        *d_out = lower + upper;
    }
}

static cudaError_t launch_block(const void *d_in, void *d_out, size_t n, void *d_work,
                                size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    calls_in_a_row<<<1, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, n);
    return cudaGetLastError();
}

// Case: last_warp_only - every warp writes its sum to the place of the block, and the last one
// stays
__global__ void last_warp_only(const float *d_in, float *d_out, size_t n)
{
    const float value = warp_sum(share_sum(d_in, n));
    if (threadIdx.x % WARP_SIZE == 0) {
        d_out[blockIdx.x] = value;
    }
}

// Case: warp_counted_twice - 16 warps leave 16 sums, and the lanes 16 to 31 add them again
// Says: every element is counted 4 times
#define TWICE_SIZE 512
__global__ void warp_counted_twice(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_warp[TWICE_SIZE / WARP_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t threads = (size_t)gridDim.x * TWICE_SIZE;

    float value = 0.0f;
    for (size_t k = (size_t)blockIdx.x * TWICE_SIZE + tid; k < n; k += threads) {
        value += d_in[k];
    }
    store_sums(value, s_warp);
    if (tid < WARP_SIZE) {
        value = warp_sum(s_warp[tid % (TWICE_SIZE / WARP_SIZE)]);
    }
    if (tid == 0) {
        d_out[blockIdx.x] = value;
    }
}

// Case: partial_of_no_warp - every thread of a warp fetches a partial: a block of 8 warps has 8, a
// warp 32 lanes. On an H200 the words after the array were 0, and the sum was right.
// Where: cpu
__global__ void partial_of_no_warp(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;

    store_sums(share_sum(d_in, n), s_warp);
    const float sum =
        warp < WARPS ? s_warp[lane] : 0.0f; // true for all; right: threadIdx.x < WARPS
    const float value = warp_sum(sum);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

// Case: partials_of_32_threads - all 32 threads of warp 0 fetch one from an array of 32, and 8 were
// stored. On a GPU the others are what an earlier block left there, often 0.
// Where: cpu
__global__ void partials_of_32_threads(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_warp[WARP_SIZE];
    const unsigned lane = threadIdx.x % WARP_SIZE;

    store_sums(share_sum(d_in, n), s_warp);
    const float sum = threadIdx.x < WARP_SIZE ? s_warp[lane] : 0.0f; // right: threadIdx.x < WARPS
    const float value = warp_sum(sum);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

// Case: shuffle_mask - all 32 lanes call the shuffle, but its mask names 16: undefined
// Where: cpu
__device__ float half_mask_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0x0000ffff, value, offset); // mask: lanes 0 to 15
    }
    return value;
}

// Case: shuffle_starts_at_8 - the first offset is 8, so lanes 16 to 31 are lost. Shows for n > 16
__device__ float half_offset_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 4; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    return value;
}

// Case: shuffle_width - two halves of 16 lanes: lane 0 gets its own value, not that of lane 16
// Says: elements 16 to 31 are missing
__device__ float half_width_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset, 16); // two halves
    }
    return value;
}

template <float (*warp)(float)>
__global__ void shuffle_kernel(const float *d_in, float *d_out, size_t n)
{
    store_warps<warp>(share_sum(d_in, n), d_out);
}

static const fault_t faults[] = {
    {"grid_control", {.reduce = {{launch_grid<grid_kernel>}}}},
    {"barrier_missing_store", {.reduce = {{launch_passes<float, barrier_missing_store>}}}},
    {"barrier_missing_tree", {.reduce = {{launch_passes<float, barrier_missing_tree>}}}},
    {"barrier_missing_pairs", {.reduce = {{launch_passes<float, barrier_missing_pairs>}}}},
    {"barrier_in_branch", {.reduce = {{launch_passes<float, barrier_in_branch>}}}},
    {"early_return", {.reduce = {{launch_grid<early_return>}}}},
    {"calls_in_a_row", {.reduce = {{launch_block}}}},
    {"last_warp_only", {.reduce = {{launch_grid<last_warp_only>}}}},
    {"warp_counted_twice", {.reduce = {{launch_grid<warp_counted_twice, TWICE_SIZE>}}}},
    {"partial_of_no_warp", {.reduce = {{launch_grid<partial_of_no_warp>}}}},
    {"partials_of_32_threads", {.reduce = {{launch_grid<partials_of_32_threads>}}}},
    {"shuffle_mask", {.reduce = {{launch_grid<shuffle_kernel<half_mask_sum>>}}}},
    {"shuffle_starts_at_8", {.reduce = {{launch_grid<shuffle_kernel<half_offset_sum>>}}}},
    {"shuffle_width", {.reduce = {{launch_grid<shuffle_kernel<half_width_sum>>}}}},
};

extern "C" const step_t step = planted(faults);
