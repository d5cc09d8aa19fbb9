// SPDX-License-Identifier: MIT
//
// scratch_contents.cu - the last block waits for the sums of the others, which are posted in the
// scratch with a mark. On scratch with all bits set each of these is right if blocks run in order.
//
// Group: fault scratch_contents
// Run: FAULT=$CASE $BUILD/faults/scratch_contents --check --quick
// Run: FAULT=$CASE $BUILD/faults/scratch_contents --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: none - no fault
// Run: $BUILD/faults/scratch_contents --check --quick
// Full: $BUILD/faults/scratch_contents --check
// Exit: 0
// Matches: check ok
//
// Case: untagged - any mark will do, and the scratch was never cleared
// Case: not_taken - the mark is that of the launch; but a graph has the same one each time, and the
// sums of the previous run are still there
// Case: computed_before - a sum that has its mark is not computed again
// Case: round - the mark counts the launches in the scratch. One that is aborted does not count,
// and its sums are there
// Where: cpu
#include "plants.cuh"
#include "reduce.cuh"

#include <time.h>

enum mail_fault_t { NONE, UNTAGGED, NOT_TAKEN, COMPUTED_BEFORE, ROUND };

__device__ bool is_posted(unsigned long long word, unsigned mark, mail_fault_t fault)
{
    return fault == UNTAGGED ? word >> 32 != 0 : word >> 32 == mark;
}

__device__ float wait_for(unsigned long long *d_box, unsigned mark, mail_fault_t fault)
{
    unsigned long long word = 0;
    while (!is_posted(word, mark, fault)) {
        word = fault == UNTAGGED ? atomicExch(d_box, 0) : atomicAdd(d_box, 0);
    }
    return __uint_as_float((unsigned)word);
}

// d_box: a word for each block, and one that counts.
__global__ void mail_kernel(const float *d_in, float *d_out, unsigned long long *d_box, size_t n,
                            unsigned mark, mail_fault_t fault)
{
    __shared__ bool s_known;
    const size_t i = index_in_grid();
    const size_t threads = threads_in_grid();
    const unsigned last = gridDim.x - 1;
    float value = 0.0f;

    if (threadIdx.x == 0) {
        const unsigned long long mail = atomicAdd(&d_box[blockIdx.x], 0);
        s_known = fault == COMPUTED_BEFORE && is_posted(mail, mark, fault);
        mark = fault == ROUND ? 2 * (unsigned)atomicAdd(&d_box[gridDim.x], 0) + 1 : mark;
    }
    __syncthreads(); // the answer is in place
    for (size_t k = i; k < n && !s_known; k += threads) {
        value += d_in[k];
    }
    value = block_warps(value);
    if (threadIdx.x != 0) {
        return;
    }
    if (!s_known) {
        atomicExch(&d_box[blockIdx.x], (unsigned long long)mark << 32 | __float_as_uint(value));
    }
    if (blockIdx.x == last) {
        double all = 0.0;
        for (unsigned b = 0; b <= last; b++) {
            all += wait_for(&d_box[b], mark, fault);
        }
        d_out[0] = (float)all;
        atomicAdd(&d_box[gridDim.x], 1);
    }
}

static mail_fault_t chosen()
{
    return plants("untagged")          ? UNTAGGED
           : plants("not_taken")       ? NOT_TAKEN
           : plants("computed_before") ? COMPUTED_BEFORE
           : plants("round")           ? ROUND
                                       : NONE;
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const mail_fault_t fault = chosen();
    struct timespec now;
    if (fault == NONE) {
        return launch_grid<grid_kernel>(d_in, d_out, n, d_work, work_bytes, stream);
    }
    if (d_work == NULL) {
        *work_bytes = (GRID_SIZE + 1) * sizeof(unsigned long long);
        return cudaSuccess;
    }
    timespec_get(&now, TIME_UTC);
    const unsigned mark = fault == NOT_TAKEN ? (unsigned)now.tv_nsec * 2654435761u | 1 : 0x5eed5eed;
    mail_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out,
                                                      (unsigned long long *)d_work, n, mark, fault);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "faults: sums that are posted in the scratch",
                                .reduce = {{launch}}};
