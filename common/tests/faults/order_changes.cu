// SPDX-License-Identifier: MIT
//
// Group: fault
// Case: order_changes - no fault, but every launch starts at a different element: the sum is right,
// and its bits change from run to run. The checker must pass it; the test of reproducibility must
// not.
// Run: $BUILD/faults/order_changes --check --quick
// Full: $BUILD/faults/order_changes --check
// Matches: check ok
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n, unsigned turn)
{
    const size_t i = index_in_grid();
    const size_t threads = threads_in_grid();

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[(k + turn) % n];
    }

    value = block_warps(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    static unsigned turn; // launches so far
    if (d_work == NULL) {
        *work_bytes = GRID_SIZE * sizeof(float);
        return cudaSuccess;
    }
    float *d_partials = (float *)d_work;
    reduce_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in, d_partials, n, ++turn);
    grid_kernel<<<1, BLOCK_SIZE, 0, stream>>>(d_partials, (float *)d_out, GRID_SIZE);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "control: right, in another order each run",
                                .reduce = {{launch}}};
