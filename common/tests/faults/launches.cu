// SPDX-License-Identifier: MIT
//
// launches.cu - right kernels, launched wrongly: grids, scratch, errors, streams. Those of
// launchers.cu are finer.
//
// Group: fault
// Run: FAULT=$CASE $BUILD/faults/launches --check --quick
// Run: FAULT=$CASE $BUILD/faults/launches --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: scratch_in_ints - no fault, but wasteful: treats the bytes that CUB asks for as a number of
// ints, and asks for four times as many
// Run: $BUILD/faults/launches --check --quick
// Full: $BUILD/faults/launches --check
// Exit: 0
// Matches: check ok
#include <cub/cub.cuh>

#include "plants.cuh"
#include "reduce.cuh"

#define TOO_MANY 2048 // more than the 1024 threads that a block can have

// The arguments of a launcher, with the types that the kernels here have.
struct call_t {
    const float *d_in;
    float *d_out;
    size_t n;
    void *d_work;
    size_t *work_bytes;
    cudaStream_t stream;
};

// A launcher as step.h has it, of a function with one argument.
template <cudaError_t (*launch)(call_t)>
static cudaError_t launcher(const void *d_in, void *d_out, size_t n, void *d_work,
                            size_t *work_bytes, cudaStream_t stream)
{
    return launch({(const float *)d_in, (float *)d_out, n, d_work, work_bytes, stream});
}

static cudaError_t launch_right(call_t c)
{
    return launch_passes<float, tree_kernel>(c.d_in, c.d_out, c.n, c.d_work, c.work_bytes,
                                             c.stream);
}

static size_t blocks_for(size_t n)
{
    return (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
}

static cudaError_t no_scratch(call_t c)
{
    *c.work_bytes = 0;
    return cudaSuccess;
}

static cudaError_t scratch_in_ints(call_t c)
{
    const cudaError_t error =
        cub::DeviceReduce::Sum(c.d_work, *c.work_bytes, c.d_in, c.d_out, c.n, c.stream);
    if (c.d_work == NULL) {
        *c.work_bytes *= sizeof(int);
    }
    return error;
}

// Case: nothing_launched - launches nothing and reports success
static cudaError_t nothing_launched(call_t c)
{
    return c.d_work == NULL ? no_scratch(c) : cudaSuccess;
}

// Case: first_element - no kernel at all: the first element is the result. Shows for n > 1
static cudaError_t first_element(call_t c)
{
    if (c.d_work == NULL) {
        return no_scratch(c);
    }
    if (c.n == 0) {
        return cudaMemsetAsync(c.d_out, 0, sizeof(float), c.stream);
    }
    return cudaMemcpyAsync(c.d_out, c.d_in, sizeof(float), cudaMemcpyDeviceToDevice, c.stream);
}

// Case: first_stage_only - every block writes its partial to the output, which has one element
static cudaError_t first_stage_only(call_t c)
{
    if (c.d_work == NULL) {
        return no_scratch(c);
    }
    const size_t blocks = c.n > 0 ? blocks_for(c.n) : 1;
    tree_kernel<<<blocks, BLOCK_SIZE, 0, c.stream>>>(c.d_in, c.d_out, c.n);
    return cudaGetLastError();
}

// Case: second_pass_256 - always reads 256 partials, which is right for a grid of 256 blocks only
// Says: scratch is read before it is written
static cudaError_t second_pass_256(call_t c)
{
    const size_t at_least_one = c.n > 0 ? blocks_for(c.n) : 1;
    const size_t blocks = at_least_one < 256 ? at_least_one : 256;
    if (c.d_work == NULL) {
        *c.work_bytes = 256 * sizeof(float);
        return cudaSuccess;
    }
    float *d_partials = (float *)c.d_work;
    grid_kernel<<<blocks, BLOCK_SIZE, 0, c.stream>>>(c.d_in, d_partials, c.n);
    grid_kernel<<<1, BLOCK_SIZE, 0, c.stream>>>(d_partials, c.d_out, 256);
    return cudaGetLastError();
}

// Case: empty_grid - n = 0 launches a grid of 0 blocks, which CUDA refuses
static cudaError_t empty_grid(call_t c)
{
    if (c.d_work == NULL || blocks_for(c.n) > 1) {
        return launch_right(c);
    }
    tree_kernel<<<blocks_for(c.n), BLOCK_SIZE, 0, c.stream>>>(c.d_in, c.d_out, c.n);
    return cudaGetLastError();
}

// Case: launch_error_ignored - blocks that CUDA refuses, and the error is not reported
// Says: a launch failed, and the launcher does not return it
static cudaError_t launch_error_ignored(call_t c)
{
    if (c.d_work == NULL) {
        return no_scratch(c);
    }
    tree_kernel<<<1, TOO_MANY, 0, c.stream>>>(c.d_in, c.d_out, c.n);
    return cudaSuccess;
}

// Case: launch_error_returned - the same, and the error is returned
static cudaError_t launch_error_returned(call_t c)
{
    if (c.d_work == NULL) {
        return no_scratch(c);
    }
    tree_kernel<<<1, TOO_MANY, 0, c.stream>>>(c.d_in, c.d_out, c.n);
    return cudaGetLastError();
}

// Case: scratch_understated - asks for one partial less than the first pass writes
static cudaError_t scratch_understated(call_t c)
{
    if (c.d_work == NULL) {
        const size_t blocks = blocks_for(c.n);
        *c.work_bytes = (blocks > 1 ? blocks - 1 : 0) * sizeof(float);
        return cudaSuccess;
    }
    return launch_right(c);
}

// Case: size_query_silent - asked for the scratch size, it answers only if it needs any
static cudaError_t size_query_silent(call_t c)
{
    return c.d_work == NULL && c.n <= BLOCK_SIZE ? cudaSuccess : launch_right(c);
}

__global__ void adding_kernel(const float *d_in, float *d_out, size_t n)
{
    const float value = warp_sum(share_sum(d_in, n));
    if (threadIdx.x % WARP_SIZE == 0) {
        atomicAdd(d_out, value);
    }
}

// Case: atomic_uncleared - each warp adds its sum to the output, which was never set to 0
static cudaError_t atomic_uncleared(call_t c)
{
    if (c.d_work == NULL) {
        return no_scratch(c);
    }
    adding_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, c.stream>>>(c.d_in, c.d_out, c.n);
    return cudaGetLastError();
}

__device__ unsigned done; // blocks that have left their sum; 0 between launches

__global__ void counting_kernel(const float *d_in, float *d_out, float *d_sums, size_t n)
{
    const size_t i = index_in_grid();
    const float sum = block_tree(i < n ? d_in[i] : 0.0f);
    if (threadIdx.x != 0) {
        return;
    }
    d_sums[blockIdx.x] = sum;
    __threadfence();                            // the sum before the count
    if (atomicAdd(&done, 1) == gridDim.x - 1) { // 1 state_kept
        __threadfence();                        // the count before the other sums
        double all = 0.0;
        for (unsigned b = 0; b < gridDim.x; b++) {
            all += d_sums[b];
        }
        d_out[0] = (float)all;
        done = 0;
    }
}

// Case: state_kept - the last block is found by a variable of the device: two concurrent launches
// would count together. Each alone is right.
// Where: cpu
// Says: a kernel keeps state in a device variable: a store at
// Says: @1
static cudaError_t state_kept(call_t c)
{
    const size_t blocks = c.n > 0 ? blocks_for(c.n) : 1;
    if (c.d_work == NULL) {
        *c.work_bytes = blocks * sizeof(float);
        return cudaSuccess;
    }
    counting_kernel<<<(unsigned)blocks, BLOCK_SIZE, 0, c.stream>>>(c.d_in, c.d_out,
                                                                   (float *)c.d_work, c.n);
    return cudaGetLastError();
}

static const fault_t faults[] = {
    {"scratch_in_ints", {.reduce = {{launcher<scratch_in_ints>}}}},
    {"nothing_launched", {.reduce = {{launcher<nothing_launched>}}}},
    {"first_element", {.reduce = {{launcher<first_element>}}}},
    {"first_stage_only", {.reduce = {{launcher<first_stage_only>}}}},
    {"second_pass_256", {.reduce = {{launcher<second_pass_256>}}}},
    {"empty_grid", {.reduce = {{launcher<empty_grid>}}}},
    {"launch_error_ignored", {.reduce = {{launcher<launch_error_ignored>}}}},
    {"launch_error_returned", {.reduce = {{launcher<launch_error_returned>}}}},
    {"scratch_understated", {.reduce = {{launcher<scratch_understated>}}}},
    {"size_query_silent", {.reduce = {{launcher<size_query_silent>}}}},
    {"atomic_uncleared", {.reduce = {{launcher<atomic_uncleared>}}}},
    {"state_kept", {.reduce = {{launcher<state_kept>}}}},
};

extern "C" const step_t step = planted(faults);
