// SPDX-License-Identifier: MIT
//
// 06 cublas: a sum by cuBLAS, which has none.
//
// Idea          BLAS has the sum of |x| and the dot product, not the sum of x. The dot product with
//               a vector of ones is the sum, since every product is exact. A stride of 0 makes
//               one element the whole vector of ones, so that only x is read from memory.
// What is slow  Strides are for matrices: the library has its fastest loop for a stride of 1.
// Limit         f32 and f64 sums. cublasSasum would be faster to call, but sums |x|: see
//               common/measure/bench_cublas.c, which times it on positive data.
// Needs: cuBLAS and a GPU
// Source        cuBLAS documentation, cublas<t>dot.
#include <cublas_v2.h>

#include "step.h"

#define WORKSPACE_BYTES ((size_t)4 << 20) // room for the partials of any grid

__device__ const float one_f32 = 1.0f;
__device__ const double one_f64 = 1.0;

static cublasStatus_t dot(cublasHandle_t handle, size_t n, const float *d_in, const float *d_one,
                          float *d_out)
{
    return cublasSdot_64(handle, (int64_t)n, d_in, 1, d_one, 0, d_out);
}

static cublasStatus_t dot(cublasHandle_t handle, size_t n, const double *d_in, const double *d_one,
                          double *d_out)
{
    return cublasDdot_64(handle, (int64_t)n, d_in, 1, d_one, 0, d_out);
}

// The one handle of the program. It is created when the size is queried, and lives until the
// program ends.
static cublasStatus_t open_handle(cublasHandle_t *handle)
{
    static cublasHandle_t the_handle;
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    if (the_handle == NULL) {
        status = cublasCreate(&the_handle);
    }
    *handle = the_handle;
    return status;
}

// Scratch: cuBLAS's workspace. Without it the library would allocate its own.
// The same bits every run: NVIDIA promises them for one GPU and one stream.
template <typename T>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    cublasHandle_t handle;
    if (open_handle(&handle) != CUBLAS_STATUS_SUCCESS) {
        return cudaErrorInitializationError;
    }
    if (d_work == NULL) {
        *work_bytes = WORKSPACE_BYTES;
        return cudaSuccess;
    }
    if (n == 0) {
        return cudaMemsetAsync(d_out, 0, sizeof(T), stream);
    }

    void *d_one = NULL;
    cudaError_t error = sizeof(T) == sizeof(float) ? cudaGetSymbolAddress(&d_one, one_f32)
                                                   : cudaGetSymbolAddress(&d_one, one_f64);
    if (error != cudaSuccess) {
        return error;
    }
    // The order matters: a new stream takes the workspace away.
    if (cublasSetStream(handle, stream) != CUBLAS_STATUS_SUCCESS ||
        cublasSetWorkspace(handle, d_work, WORKSPACE_BYTES) != CUBLAS_STATUS_SUCCESS ||
        cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) != CUBLAS_STATUS_SUCCESS ||
        dot(handle, n, (const T *)d_in, (const T *)d_one, (T *)d_out) != CUBLAS_STATUS_SUCCESS) {
        return cudaErrorUnknown;
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "cuBLAS: dot product with a one of stride 0",
    .reduce = {{launch<float>}, {launch<double>}},
};
