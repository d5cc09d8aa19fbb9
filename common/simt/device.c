/* SPDX-License-Identifier: MIT */
/*
 * device.c - the device that programs see: an H200, so that grids and counts match one. Its memory
 * is that of the machine it runs on.
 */
#include <string.h>

#include "machine.h"

enum {
    SMS = 132,
    THREADS_PER_SM = 2048,
    BLOCKS_PER_SM = 32,
    SHARED_PER_SM = 228 << 10,
    SHARED_RESERVED = 1 << 10, /* of each block, by the system */
    REGISTERS = 65536,
    L2_BYTES = 60 << 20,
    BUS_BITS = 6016,
    CORE_KHZ = 1980000,
    MEMORY_KHZ = 3201000
};

static cudaError_t result(cudaError_t error)
{
    return error_sticky() ? error_sticky() : error_set(error);
}

cudaError_t cudaGetDeviceCount(int *device_count)
{
    *device_count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return result(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    return result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return error_sticky();
}
cudaError_t cudaDeviceReset(void)
{
    return error_sticky();
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    size_t free_bytes;
    if (device != 0)
        return result(cudaErrorInvalidDevice);
    *prop = (struct cudaDeviceProp){
        .name = "NVIDIA H200 (simulated)",
        .sharedMemPerBlock = STATIC_SHARED_LIMIT,
        .regsPerBlock = REGISTERS,
        .warpSize = WARP_SIZE,
        .maxThreadsPerBlock = MAX_THREADS,
        .maxThreadsDim = {MAX_THREADS, MAX_THREADS, 64},
        .maxGridSize = {INT32_MAX, 65535, 65535},
        .totalConstMem = 64 << 10,
        .major = 9,
        .minor = 0,
        .multiProcessorCount = SMS,
        .canMapHostMemory = 1,
        .concurrentKernels = 1,
        .ECCEnabled = 1,
        .asyncEngineCount = 3,
        .unifiedAddressing = 1,
        .memoryBusWidth = BUS_BITS,
        .l2CacheSize = L2_BYTES,
        .maxThreadsPerMultiProcessor = THREADS_PER_SM,
        .sharedMemPerMultiprocessor = SHARED_PER_SM,
        .regsPerMultiprocessor = REGISTERS,
        .managedMemory = 1,
        .sharedMemPerBlockOptin = SHARED_LIMIT,
        .maxBlocksPerMultiProcessor = BLOCKS_PER_SM,
        .reservedSharedMemPerBlock = SHARED_RESERVED,
    };
    return cudaMemGetInfo(&free_bytes, &prop->totalGlobalMem);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    static const struct {
        enum cudaDeviceAttr attr;
        int value;
    } table[] = {
        {cudaDevAttrMaxThreadsPerBlock, MAX_THREADS},
        {cudaDevAttrMaxBlockDimX, MAX_THREADS},
        {cudaDevAttrMaxBlockDimY, MAX_THREADS},
        {cudaDevAttrMaxBlockDimZ, 64},
        {cudaDevAttrMaxGridDimX, INT32_MAX},
        {cudaDevAttrMaxGridDimY, 65535},
        {cudaDevAttrMaxGridDimZ, 65535},
        {cudaDevAttrMaxSharedMemoryPerBlock, STATIC_SHARED_LIMIT},
        {cudaDevAttrTotalConstantMemory, 64 << 10},
        {cudaDevAttrWarpSize, WARP_SIZE},
        {cudaDevAttrMaxRegistersPerBlock, REGISTERS},
        {cudaDevAttrClockRate, CORE_KHZ},
        {cudaDevAttrMultiProcessorCount, SMS},
        {cudaDevAttrConcurrentKernels, 1},
        {cudaDevAttrEccEnabled, 1},
        {cudaDevAttrMemoryClockRate, MEMORY_KHZ},
        {cudaDevAttrGlobalMemoryBusWidth, BUS_BITS},
        {cudaDevAttrL2CacheSize, L2_BYTES},
        {cudaDevAttrMaxThreadsPerMultiProcessor, THREADS_PER_SM},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrComputeCapabilityMajor, 9},
        {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, SHARED_PER_SM},
        {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrCooperativeLaunch, 0},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, SHARED_LIMIT},
        {cudaDevAttrMaxBlocksPerMultiprocessor, BLOCKS_PER_SM},
        {cudaDevAttrReservedSharedMemoryPerBlock, SHARED_RESERVED},
    };
    if (device != 0)
        return result(cudaErrorInvalidDevice);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].attr == attr) {
            *value = table[i].value;
            return result(cudaSuccess);
        }
    return result(cudaErrorInvalidValue);
}

/* ---- kernels ---- */

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    memory_init();
    struct kernel *k = symbols_kernel((uintptr_t)func);
    if (attr != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return result(cudaSuccess);
    if (value < 0 || (size_t)value + k->static_shared > SHARED_LIMIT)
        return result(cudaErrorInvalidValue);
    k->max_dynamic = (size_t)value;
    return result(cudaSuccess);
}

/* Registers are not modelled: 32 a thread lets a multiprocessor be full. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *func)
{
    memory_init();
    const struct kernel *k = symbols_kernel((uintptr_t)func);
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = k->static_shared,
        .maxThreadsPerBlock = MAX_THREADS,
        .numRegs = 32,
        .ptxVersion = 90,
        .binaryVersion = 90,
        .maxDynamicSharedSizeBytes = (int)k->max_dynamic,
    };
    return result(cudaSuccess);
}

/* The rule of threads, blocks and shared memory; registers are left out. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int block_size, size_t shared_bytes)
{
    if (!blocks || block_size < 1 || block_size > MAX_THREADS)
        return result(cudaErrorInvalidValue);
    memory_init();
    const struct kernel *k = symbols_kernel((uintptr_t)func);
    const size_t shared = shared_bytes + k->static_shared + SHARED_RESERVED;
    const int warps = (block_size + WARP_SIZE - 1) / WARP_SIZE;
    const int by_threads = THREADS_PER_SM / WARP_SIZE / warps;
    const int by_shared = (int)(SHARED_PER_SM / shared);
    const int least = by_threads < by_shared ? by_threads : by_shared;
    *blocks = least < BLOCKS_PER_SM ? least : BLOCKS_PER_SM;
    return result(cudaSuccess);
}
