/* SPDX-License-Identifier: MIT */
/*
 * device.c - the device that programs see: an H200 unless SIMT_DEVICE names another one. Its memory
 * is that of the machine it runs on. The counters are an H200's in any case.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../state/state.h"

struct device {
    const char *key, *name;
    int major, minor, sms, threads_per_sm, blocks_per_sm;
    int shared_per_sm, shared_optin, shared_reserved; /* KiB; the last one of each block */
    int l2_mib, bus_bits, core_khz, memory_khz, ecc;
};

/* As cudaGetDeviceProperties() answers on each of them. */
static const struct device devices[] = {
    {"h200", "NVIDIA H200", 9, 0, 132, 2048, 32, 228, 227, 1, 60, 6016, 1980000, 3201000, 1},
    {"a100", "NVIDIA A100", 8, 0, 108, 2048, 32, 164, 163, 1, 40, 5120, 1410000, 1215000, 1},
    {"rtx4090", "NVIDIA GeForce RTX 4090", 8, 9, 128, 1536, 24, 100, 99, 1, 72, 384, 2520000,
     10501000, 0},
    {"t4", "Tesla T4", 7, 5, 40, 1024, 16, 64, 64, 0, 4, 256, 1590000, 5001000, 1},
};

enum { REGISTERS = 65536 };

static const struct device *device(void)
{
    static const struct device *chosen;
    const char *key = getenv("SIMT_DEVICE");
    if (chosen || !key || !*key)
        return chosen = chosen ? chosen : &devices[0];
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (strcmp(devices[i].key, key) == 0)
            return chosen = &devices[i];
    fprintf(stderr, "simt: SIMT_DEVICE=%s is not known; there are: h200 a100 rtx4090 t4\n", key);
    exit(2);
}

cudaError_t cudaGetDeviceCount(int *device_count)
{
    *device_count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *number)
{
    *number = 0;
    return error_result(cudaSuccess);
}

cudaError_t cudaSetDevice(int number)
{
    return error_result(number == 0 ? cudaSuccess : cudaErrorInvalidDevice);
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

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int number)
{
    size_t free_bytes;
    if (number != 0)
        return error_result(cudaErrorInvalidDevice);
    const struct device *d = device();
    *prop = (struct cudaDeviceProp){
        .sharedMemPerBlock = STATIC_SHARED_LIMIT,
        .regsPerBlock = REGISTERS,
        .warpSize = WARP_SIZE,
        .memPitch = INT32_MAX,
        .maxThreadsPerBlock = MAX_THREADS,
        .maxThreadsDim = {MAX_THREADS, MAX_THREADS, MAX_BLOCK_Z},
        .maxGridSize = {INT32_MAX, MAX_GRID_YZ, MAX_GRID_YZ},
        .totalConstMem = 64 << 10,
        .clockRate = d->core_khz,
        .major = d->major,
        .minor = d->minor,
        .textureAlignment = 512,
        .deviceOverlap = 1,
        .multiProcessorCount = d->sms,
        .canMapHostMemory = 1,
        .concurrentKernels = 1,
        .ECCEnabled = d->ecc,
        .asyncEngineCount = 3,
        .unifiedAddressing = 1,
        .memoryClockRate = d->memory_khz,
        .memoryBusWidth = d->bus_bits,
        .l2CacheSize = d->l2_mib << 20,
        .maxThreadsPerMultiProcessor = d->threads_per_sm,
        .streamPrioritiesSupported = 1,
        .globalL1CacheSupported = 1,
        .localL1CacheSupported = 1,
        .sharedMemPerMultiprocessor = (size_t)d->shared_per_sm << 10,
        .regsPerMultiprocessor = REGISTERS,
        .managedMemory = 1,
        .concurrentManagedAccess = 1,
        .sharedMemPerBlockOptin = (size_t)d->shared_optin << 10,
        .maxBlocksPerMultiProcessor = d->blocks_per_sm,
        .reservedSharedMemPerBlock = (size_t)d->shared_reserved << 10,
    };
    snprintf(prop->name, sizeof prop->name, "%s (simulated)", d->name);
    return cudaMemGetInfo(&free_bytes, &prop->totalGlobalMem);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int number)
{
    const struct device *d = device();
    const struct {
        enum cudaDeviceAttr attr;
        int value;
    } table[] = {
        {cudaDevAttrMaxThreadsPerBlock, MAX_THREADS},
        {cudaDevAttrMaxBlockDimX, MAX_THREADS},
        {cudaDevAttrMaxBlockDimY, MAX_THREADS},
        {cudaDevAttrMaxBlockDimZ, MAX_BLOCK_Z},
        {cudaDevAttrMaxGridDimX, INT32_MAX},
        {cudaDevAttrMaxGridDimY, MAX_GRID_YZ},
        {cudaDevAttrMaxGridDimZ, MAX_GRID_YZ},
        {cudaDevAttrMaxSharedMemoryPerBlock, STATIC_SHARED_LIMIT},
        {cudaDevAttrTotalConstantMemory, 64 << 10},
        {cudaDevAttrWarpSize, WARP_SIZE},
        {cudaDevAttrMaxPitch, INT32_MAX},
        {cudaDevAttrMaxRegistersPerBlock, REGISTERS},
        {cudaDevAttrClockRate, d->core_khz},
        {cudaDevAttrGpuOverlap, 1},
        {cudaDevAttrMultiProcessorCount, d->sms},
        {cudaDevAttrKernelExecTimeout, 0},
        {cudaDevAttrIntegrated, 0},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrComputeMode, 0},
        {cudaDevAttrConcurrentKernels, 1},
        {cudaDevAttrEccEnabled, d->ecc},
        {cudaDevAttrMemoryClockRate, d->memory_khz},
        {cudaDevAttrGlobalMemoryBusWidth, d->bus_bits},
        {cudaDevAttrL2CacheSize, d->l2_mib << 20},
        {cudaDevAttrMaxThreadsPerMultiProcessor, d->threads_per_sm},
        {cudaDevAttrAsyncEngineCount, 3},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrComputeCapabilityMajor, d->major},
        {cudaDevAttrComputeCapabilityMinor, d->minor},
        {cudaDevAttrStreamPrioritiesSupported, 1},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, d->shared_per_sm << 10},
        {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrPageableMemoryAccess, 0},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrCooperativeLaunch, 0},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, d->shared_optin << 10},
        {cudaDevAttrMaxBlocksPerMultiprocessor, d->blocks_per_sm},
        {cudaDevAttrReservedSharedMemoryPerBlock, d->shared_reserved << 10},
        {cudaDevAttrMemoryPoolsSupported, 1},
    };
    if (number != 0)
        return error_result(cudaErrorInvalidDevice);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].attr == attr) {
            *value = table[i].value;
            return error_result(cudaSuccess);
        }
    return error_result(cudaErrorInvalidValue);
}

/* ---- kernels ---- */

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    memory_init();
    struct kernel *k = symbols_kernel((uintptr_t)func);
    if (attr != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return error_result(cudaSuccess);
    const size_t limit = (size_t)device()->shared_optin << 10;
    if (value < 0 || (size_t)value + k->static_shared > limit)
        return error_result(cudaErrorInvalidValue);
    k->max_dynamic = (size_t)value;
    return error_result(cudaSuccess);
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
        .ptxVersion = 10 * device()->major + device()->minor,
        .binaryVersion = 10 * device()->major + device()->minor,
        .maxDynamicSharedSizeBytes = (int)k->max_dynamic,
    };
    return error_result(cudaSuccess);
}

/* The rule of threads, blocks and shared memory; registers are left out. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int block_size, size_t shared_bytes)
{
    if (!blocks || block_size < 1 || block_size > MAX_THREADS)
        return error_result(cudaErrorInvalidValue);
    memory_init();
    const struct kernel *k = symbols_kernel((uintptr_t)func);
    const struct device *d = device();
    const size_t reserved = (size_t)d->shared_reserved << 10;
    const size_t shared = shared_bytes + k->static_shared + reserved;
    const int warps = (block_size + WARP_SIZE - 1) / WARP_SIZE;
    const int by_threads = d->threads_per_sm / WARP_SIZE / warps;
    const size_t by_shared = shared ? ((size_t)d->shared_per_sm << 10) / shared : SIZE_MAX;
    const int least = by_shared < (size_t)by_threads ? (int)by_shared : by_threads;
    *blocks = least < d->blocks_per_sm ? least : d->blocks_per_sm;
    return error_result(cudaSuccess);
}
