/* SPDX-License-Identifier: MIT */
/*
 * kernel.c - what host code does with a kernel: launches it, asks for its attributes, sets them.
 */
#include "inside.h"

/* ---- launches ---- */

static cudaError_t check_shape(uint3 grid, uint3 block)
{
    if (grid.x == 0 || grid.x > INT32_MAX || grid.y == 0 || grid.y > MAX_GRID_YZ || grid.z == 0 ||
        grid.z > MAX_GRID_YZ)
        return cudaErrorInvalidConfiguration;
    if (block.x == 0 || block.x > MAX_THREADS || block.y == 0 || block.y > MAX_THREADS ||
        block.z == 0 || block.z > MAX_BLOCK_Z)
        return cudaErrorInvalidConfiguration;
    if ((size_t)block.x * block.y * block.z > MAX_THREADS)
        return cudaErrorInvalidConfiguration;
    return cudaSuccess;
}

void simt_launch(uint3 grid, uint3 block, size_t shared_bytes, cudaStream_t stream,
                 void (*call)(void *), void *args)
{
    (void)stream;
    const cudaError_t wrong = in_kernel() ? cudaErrorNotSupported : check_shape(grid, block);
    if (error_sticky() || error_set(wrong))
        return;
    const struct kernel *kernel = machine_load(grid, block, call, args);
    if (shared_bytes > kernel->max_dynamic) {
        machine_unload();
        error_set(cudaErrorInvalidValue);
        return;
    }
    error_set_sticky(machine_run(shared_bytes));
}

/* ---- attributes ---- */

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    machine_init();
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
    machine_init();
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
    machine_init();
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

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    (void)config;
    return error_result(func ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
