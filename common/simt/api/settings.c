/* SPDX-License-Identifier: MIT */
/*
 * settings.c - what a program may set on a device. Nothing of it changes a result; the values are
 * kept, so that they can be asked for.
 */
#include "../state/state.h"

static enum cudaFuncCache cache_config;
static size_t limits[] = {
    [cudaLimitStackSize] = 1 << 10,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
};

static bool is_limit(enum cudaLimit limit)
{
    return limit <= cudaLimitMallocHeapSize;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (!value || !is_limit(limit))
        return error_result(cudaErrorInvalidValue);
    *value = limits[limit];
    return error_result(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (!is_limit(limit))
        return error_result(cudaErrorInvalidValue);
    limits[limit] = value;
    return error_result(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    *config = cache_config;
    return error_result(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    cache_config = config;
    return error_result(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    (void)config;
    return error_result(func ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    (void)flags;
    return error_result(cudaSuccess);
}

/* There is one device, and no other one that it could reach. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device, (void)peer;
    *can = 0;
    return error_result(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return error_sticky();
}

/* A fault stays a fault: the process will exit with 1. */
cudaError_t cudaDeviceReset(void)
{
    return error_sticky();
}

cudaError_t cudaProfilerStart(void)
{
    return error_result(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    return error_result(cudaSuccess);
}
