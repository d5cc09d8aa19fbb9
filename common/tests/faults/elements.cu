// SPDX-License-Identifier: MIT
//
// elements.cu - sums over the wrong elements: some are left out, counted often, or none of ours.
//
// Group: fault
// Run: FAULT=$CASE $BUILD/faults/elements --check --quick
// Run: FAULT=$CASE $BUILD/faults/elements --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: control - no fault: a tree in shared memory, as in lesson 03
// Run: $BUILD/faults/elements --check --quick
// Full: $BUILD/faults/elements --check
// Exit: 0
// Matches: check ok
#include "plants.cuh"
#include "reduce.cuh"

// Case: tail_dropped - a thread takes four elements at a time, and none takes the last n % 4
// Says: the last 3 elements are missing
__global__ void tail_dropped(const float *d_in, float *d_out, size_t n)
{
    float value = 0.0f;
    for (size_t k = 4 * index_in_grid(); k + 3 < n; k += 4 * threads_in_grid()) {
        value += d_in[k] + d_in[k + 1] + d_in[k + 2] + d_in[k + 3];
    }
    store_warps(value, d_out);
}

// Case: last_element_counts - assigns where it should add. Shows for n > 2048, the grid's size
__global__ void last_element_counts(const float *d_in, float *d_out, size_t n)
{
    float value = 0.0f;
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        value = d_in[k];
    }
    store_warps(value, d_out);
}

// Case: first_counted_often - every thread starts from d_in[0], which is right for a maximum only
// Says: element 0 is counted 67841 times
__global__ void first_counted_often(const float *d_in, float *d_out, size_t n)
{
    store_warps((n > 0 ? d_in[0] : 0.0f) + share_sum(d_in, n), d_out);
}

// Case: partial_overlap - each block takes one element too many, the first of its neighbour
// Says: elements 5, 10, 15, ... are counted twice
__global__ void partial_overlap(const float *d_in, float *d_out, size_t n)
{
    // Block b takes the elements from b * share up to and, wrongly, including (b + 1) * share.
    const size_t share = (n + gridDim.x - 1) / gridDim.x;
    const size_t first = blockIdx.x * share;
    const size_t last = first + share + 1 < n ? first + share + 1 : n;

    float value = 0.0f;
    for (size_t k = first + threadIdx.x; k < last; k += BLOCK_SIZE) {
        value += d_in[k];
    }
    store_warps(value, d_out);
}

// Case: no_bounds_check - every thread loads. Shows if the last block of a pass is not full
__global__ void no_bounds_check(const float *d_in, float *d_out, size_t)
{
    store_tree(d_in[index_in_grid()], d_out);
}

// Case: reads_past_end - i <= n reads the element after the last one
__global__ void reads_past_end(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree(i <= n ? d_in[i] : 0.0f, d_out);
}

// Case: index_16_bits - the number of elements passes through 16 bits. Shows for n > 65535
// Run: FAULT=$CASE $BUILD/faults/elements --check -n 65537 -t f32 -o sum
__global__ void index_16_bits(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    const unsigned short count = (unsigned short)n;
    store_tree(i < count ? d_in[i] : 0.0f, d_out);
}

// Case: index_32_bits - the index is an int, which ends at 2^31; too many for the emulator
// Where: gpu
__global__ void index_32_bits(const float *d_in, float *d_out, size_t n)
{
    const int i = (int)(blockIdx.x * BLOCK_SIZE + threadIdx.x);
    store_tree(i < (int)n ? d_in[i] : 0.0f, d_out);
}

// Case: misaligned_float4 - reads float4 from wherever the input begins
__global__ void misaligned_float4(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    const float4 *d_packs = (const float4 *)d_in;

    float value = 0.0f;
    for (size_t p = i; p < n / 4; p += threads_in_grid()) {
        const float4 pack = d_packs[p];
        value += pack.x + pack.y + pack.z + pack.w;
    }
    if (i < n % 4) {
        value += d_in[n / 4 * 4 + i];
    }
    store_warps(value, d_out);
}

// Case: input_modified - the first round of the tree is done in place, in the input
__global__ void input_modified(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    const bool lower = threadIdx.x < BLOCK_SIZE / 2;

    if (lower && i + BLOCK_SIZE / 2 < n) {
        ((float *)d_in)[i] += d_in[i + BLOCK_SIZE / 2];
    }
    store_tree(lower && i < n ? d_in[i] : 0.0f, d_out);
}

// Case: input_modified_far - changes an element after the part that is read back and compared
// Full: FAULT=$CASE $BUILD/faults/elements --check -n 8388611 -t f32 -o sum
// Says: changed its input
__global__ void input_modified_far(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    const float x = i < n ? d_in[i] : 0.0f;

    if (n > 8000000 && i == n - n / 3) {
        ((float *)d_in)[i] = x + 1.0f;
    }
    store_tree(x, d_out);
}

static const fault_t faults[] = {
    {"control", {.reduce = {{launch_passes<float, tree_kernel>}}}},
    {"tail_dropped", {.reduce = {{launch_grid<tail_dropped>}}}},
    {"last_element_counts", {.reduce = {{launch_grid<last_element_counts>}}}},
    {"first_counted_often", {.reduce = {{launch_grid<first_counted_often>}}}},
    {"partial_overlap", {.reduce = {{launch_grid<partial_overlap>}}}},
    {"no_bounds_check", {.reduce = {{launch_passes<float, no_bounds_check>}}}},
    {"reads_past_end", {.reduce = {{launch_passes<float, reads_past_end>}}}},
    {"index_16_bits", {.reduce = {{launch_passes<float, index_16_bits>}}}},
    {"index_32_bits", {.reduce = {{launch_passes<float, index_32_bits>}}}},
    {"misaligned_float4", {.reduce = {{launch_grid<misaligned_float4>}}}},
    {"input_modified", {.reduce = {{launch_passes<float, input_modified>}}}},
    {"input_modified_far", {.reduce = {{launch_passes<float, input_modified_far>}}}},
};

extern "C" const step_t step = planted(faults);
