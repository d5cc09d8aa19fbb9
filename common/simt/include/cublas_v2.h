/* SPDX-License-Identifier: MIT */
/* cublas_v2.h - types of cuBLAS; a call is refused by name, unless it makes a handle. */
#ifndef SIMT_CUBLAS_V2_H
#define SIMT_CUBLAS_V2_H
#define CUBLAS_API_H_ /* helper_cuda.h looks for it */

#include "cuComplex.h"
#ifdef __CUDACC__
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif
#include "simt/library.h"

SIMT_HANDLE(cublasHandle_t, cublasContext);

typedef enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum cublasOperation_t {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2
} cublasOperation_t;

typedef enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;

typedef enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_32I = 72
} cublasComputeType_t;

/* The helpers of many programs make a handle for each library, and few of the programs use it. */
SIMT_HANDLE_CALLS(cublasStatus_t, CUBLAS_STATUS_SUCCESS, cublasHandle_t, cublasCreate,
                  cublasDestroy)

static inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    (void)handle;
    (void)stream;
    return CUBLAS_STATUS_SUCCESS;
}

static inline cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    (void)handle;
    (void)mode;
    return CUBLAS_STATUS_SUCCESS;
}

#endif
