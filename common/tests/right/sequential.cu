// SPDX-License-Identifier: MIT
//
// Group: right
// Case: sequential - one thread alone, as slow as possible.
// Run: $BUILD/right/sequential --check --quick
// Where: cpu
// Full: $BUILD/right/sequential --check
// Case: sequential_gpu - the same for a few sizes, because it is slow
// Where: gpu
// Run: $BUILD/right/sequential --check --quick
// Full: $BUILD/right/sequential --check -n 0,1,33,4099,65537
#include "right.cuh"

template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    T value = Op::identity();
    for (size_t k = 0; k < n; k++) {
        value = Op()(value, d_in[k]);
    }
    *d_out = value;
}

template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    reduce_kernel<T, Op><<<1, 1, 0, stream>>>((const T *)d_in, (T *)d_out, n);
    return cudaGetLastError();
}

STEP("one thread", launch);
