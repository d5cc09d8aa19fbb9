// SPDX-License-Identifier: MIT
// Headers of a toolkit that many programs include and hardly use, and the driver API.
#include <cuComplex.h>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_fp8.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <device_functions.h>
#include <driver_functions.h>

#include "check.h"

#ifndef __DRIVER_TYPES_H__
#error "helpers of NVIDIA's samples look for it"
#endif

static bool is_right(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_SUCCESS;
}

__global__ void multiply(const cuFloatComplex *a, const cuFloatComplex *b, cuFloatComplex *c)
{
    c[threadIdx.x] = cuCmulf(a[threadIdx.x], b[threadIdx.x]);
}

static void CUDART_CB count(cudaStream_t stream, cudaError_t status, void *data)
{
    *(int *)data += stream == nullptr && status == cudaSuccess;
}

int main()
{
    CUdevice device = -1;
    CUdeviceptr a = 0, c = 0;
    char name[64];
    const char *text = nullptr;
    int threads = 0, called = 0, devices = 0;
    size_t bytes = 0;
    EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&devices) == CUDA_SUCCESS && devices == 1);
    EXPECT(cuDeviceGet(&device, 0) == CUDA_SUCCESS && device == 0);
    EXPECT(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS && name[0] != '\0');
    EXPECT(cuDeviceTotalMem(&bytes, 0) == CUDA_SUCCESS && bytes > 0);
    EXPECT(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0) ==
               CUDA_SUCCESS &&
           threads == 1024);
    EXPECT(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS && text[0] != '\0');

    const cuFloatComplex in[2] = {make_cuFloatComplex(1, 2), make_cuComplex(0, -1)};
    cuFloatComplex out[2];
    EXPECT(cuMemAlloc(&a, sizeof in) == CUDA_SUCCESS && cuMemAlloc(&c, sizeof in) == CUDA_SUCCESS);
    EXPECT(cuMemcpyHtoD(a, in, sizeof in) == CUDA_SUCCESS);
    multiply<<<1, 2>>>((cuFloatComplex *)a, (cuFloatComplex *)a, (cuFloatComplex *)c);
    EXPECT(cuCtxSynchronize() == CUDA_SUCCESS);
    EXPECT(cuMemcpyDtoH(out, c, sizeof out) == CUDA_SUCCESS);
    EXPECT(out[0].x == -3 && out[0].y == 4 && out[1].x == -1 && out[1].y == 0);
    EXPECT(cuMemFree(a) == CUDA_SUCCESS && cuMemFree(c) == CUDA_SUCCESS);

    const cuDoubleComplex z = cuCdiv(make_cuDoubleComplex(5, 5), make_cuDoubleComplex(1, 2));
    EXPECT(cuCabs(cuCsub(z, make_cuDoubleComplex(3, -1))) < 1e-15);
    EXPECT(cudaStreamAddCallback(nullptr, count, &called, 0) == cudaSuccess && called == 1);
    EXPECT(cudaStreamAttachMemAsync(nullptr, &called) == cudaSuccess);
    assert(called == 1); // without <cassert>: nvcc includes it, and string.h
    cublasHandle_t blas = nullptr;
    cublasLtHandle_t light = nullptr;
    EXPECT(is_right(cublasCreate(&blas)) && is_right(cublasLtCreate(&light)) && blas && light);
    EXPECT(is_right(cublasSetMathMode(blas, CUBLAS_DEFAULT_MATH)));
    EXPECT(is_right(cublasSetStream(blas, nullptr)));
    EXPECT(is_right(cublasDestroy(blas)) && is_right(cublasLtDestroy(light)));
    return 0;
}
