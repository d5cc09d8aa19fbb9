/* SPDX-License-Identifier: MIT */
/*
 * cuda.h - the part of the driver API that queries devices and moves memory. Each call is one of
 * the runtime's. Modules, and with them cuLaunchKernel, need device code: they are missing.
 */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H
#define __cuda_cuda_h__ /* headers look for it */

#include <stdint.h>
#include <string.h>

#include "cuda_runtime_api.h"

#define CUDA_VERSION 13000
#define CUDAAPI
#define CUDA_CB

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;

/* The numbers of the attributes are those of the runtime. */
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
} CUdevice_attribute;

/* ---- devices: error numbers are those of the runtime as well ---- */

/* Is the driver initialized? By cuInit(), or by a runtime call, which implies it. */
#ifdef __cplusplus
extern "C" int simt_driver_answers(const char *call, int init);
#else
int simt_driver_answers(const char *call, int init);
#endif
#define SIMT_DRIVER(call)                                                                          \
    (simt_driver_answers(__func__, 0) ? (CUresult)(call) : CUDA_ERROR_NOT_INITIALIZED)
#define SIMT_DRIVER_CALL(name, parameters, call)                                                   \
    static inline CUresult name parameters                                                         \
    {                                                                                              \
        return SIMT_DRIVER(call);                                                                  \
    }

static inline CUresult cuInit(unsigned int flags)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    simt_driver_answers(__func__, 1);
    return CUDA_SUCCESS;
}

static inline CUresult cuDriverGetVersion(int *version)
{
    return (CUresult)cudaDriverGetVersion(version);
}

SIMT_DRIVER_CALL(cuDeviceGetCount, (int *count), cudaGetDeviceCount(count))

static inline CUresult cuDeviceGet(CUdevice *device, int number)
{
    int count = 0;
    const CUresult result = SIMT_DRIVER(cudaGetDeviceCount(&count));
    if (result == CUDA_SUCCESS && (number < 0 || number >= count))
        return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return result;
}

SIMT_DRIVER_CALL(cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device),
                 cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device))

static inline CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    struct cudaDeviceProp prop;
    const CUresult result = SIMT_DRIVER(cudaGetDeviceProperties(&prop, device));
    if (result == CUDA_SUCCESS && bytes > 0) {
        strncpy(name, prop.name, (size_t)bytes - 1);
        name[bytes - 1] = '\0';
    }
    return result;
}

static inline CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp prop;
    const CUresult result = SIMT_DRIVER(cudaGetDeviceProperties(&prop, device));
    if (result == CUDA_SUCCESS)
        *bytes = prop.totalGlobalMem;
    return result;
}

static inline CUresult cuGetErrorName(CUresult error, const char **name)
{
    *name = cudaGetErrorName((cudaError_t)error);
    return CUDA_SUCCESS;
}

static inline CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}

/* ---- the context: there is one, and all host threads use it ---- */

static inline CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    *context = (CUcontext)(uintptr_t)1;
    return SIMT_DRIVER(cudaSetDevice(device));
}

static inline CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    return CUDA_SUCCESS;
}

static inline CUresult cuCtxSetCurrent(CUcontext context)
{
    (void)context;
    return CUDA_SUCCESS;
}

SIMT_DRIVER_CALL(cuCtxGetDevice, (CUdevice * device), cudaGetDevice(device))
SIMT_DRIVER_CALL(cuCtxSynchronize, (void), cudaDeviceSynchronize())

/* ---- memory ---- */

static inline CUresult cuMemAlloc(CUdeviceptr *d_ptr, size_t bytes)
{
    void *p = NULL;
    const CUresult result = SIMT_DRIVER(cudaMalloc(&p, bytes));
    *d_ptr = (CUdeviceptr)p;
    return result;
}

SIMT_DRIVER_CALL(cuMemFree, (CUdeviceptr d_ptr), cudaFree((void *)d_ptr))
SIMT_DRIVER_CALL(cuMemGetInfo, (size_t * free_bytes, size_t *total_bytes),
                 cudaMemGetInfo(free_bytes, total_bytes))
SIMT_DRIVER_CALL(cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t bytes),
                 cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice))
SIMT_DRIVER_CALL(cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t bytes),
                 cudaMemcpy(to, (const void *)from, bytes, cudaMemcpyDeviceToHost))
SIMT_DRIVER_CALL(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
                 cudaMemcpy((void *)to, (const void *)from, bytes, cudaMemcpyDeviceToDevice))
SIMT_DRIVER_CALL(cuMemsetD8, (CUdeviceptr d_ptr, unsigned char value, size_t bytes),
                 cudaMemset((void *)d_ptr, value, bytes))

#endif
