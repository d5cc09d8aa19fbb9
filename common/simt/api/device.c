/* SPDX-License-Identifier: MIT */
/*
 * device.c - the device that programs see, and its settings: an H200 unless SIMT_DEVICE names
 * another one. Its memory is that of the machine it runs on. The counters are always an H200's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

#include "../include/simt/inspect.h"

/* As reported by cudaGetDeviceProperties() on each of them. The first one is the default. */
static const struct device devices[] = {
    {"h200", "NVIDIA H200", 9, 0, 132, 2048, 32, 16, 228, 227, 1, 61440, 6016, 1980000, 3201000, 1},
    {"b200", "NVIDIA B200", 10, 0, 148, 2048, 32, 16, 228, 227, 1, 129536, 7680, 1965000, 3996000,
     1},
    {"a100", "NVIDIA A100", 8, 0, 108, 2048, 32, 1, 164, 163, 1, 40960, 5120, 1410000, 1215000, 1},
    {"rtx5090", "NVIDIA GeForce RTX 5090", 12, 0, 170, 1536, 24, 8, 100, 99, 1, 98304, 512, 2407000,
     14001000, 0},
    {"rtx4090", "NVIDIA GeForce RTX 4090", 8, 9, 128, 1536, 24, 1, 100, 99, 1, 73728, 384, 2520000,
     10501000, 0},
    {"t4", "Tesla T4", 7, 5, 40, 1024, 16, 1, 64, 64, 0, 4096, 256, 1590000, 5001000, 1},
};
enum { DEVICES = sizeof devices / sizeof *devices };

enum { REGISTERS = 65536, BUS = 1, WINDOW_BYTES = 128 << 20 };

/* How much of the L2 cache a stream may reserve: from sm_80 on, 5/8 of it. */
static int persisting_l2(const struct device *d)
{
    return d->major >= 8 ? (d->l2_kib << 10) / 8 * 5 : 0;
}

/* How many times as fast float is as double. */
static int double_ratio(const struct device *d)
{
    return d->major == 7 ? 32 : d->major == 12 || d->minor ? 64 : 2;
}

static const struct device *chosen;

const struct device *device(void)
{
    const char *key = getenv("SIMT_DEVICE");
    if (chosen || !key || !*key)
        return chosen = chosen ? chosen : &devices[0];
    for (size_t i = 0; i < DEVICES; i++)
        if (strcmp(devices[i].key, key) == 0)
            return chosen = &devices[i];
    fprintf(stderr, "simt: SIMT_DEVICE=%s is unknown; choose one of:", key);
    for (size_t i = 0; i < DEVICES; i++)
        fprintf(stderr, " %s", devices[i].key);
    fputs("\n", stderr);
    exit(2);
}

void simt_device_sms(int sms)
{
    static struct device other;
    other = *device();
    other.sms = sms;
    chosen = &other;
}

/* Blocks are dealt out in turn. */
unsigned simt_multiprocessor(int what)
{
    const unsigned sms = (unsigned)device()->sms;
    const unsigned answers[] = {block_number() % sms, sms,
                                (unsigned)device()->threads_per_sm / WARP_SIZE};
    return answers[what];
}

cudaError_t cudaGetDeviceCount(int *device_count)
{
    *device_count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *number)
{
    *number = 0;
    return call_done();
}

cudaError_t no_device(struct call at, int number)
{
    return call_refused(at, cudaErrorInvalidDevice, "device %d: there is only device 0", number);
}

cudaError_t cudaSetDevice(int number)
{
    return number == 0 ? call_done() : no_device(HERE, number);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) __attribute__((alias("cudaDriverGetVersion")));

/* What the device is like, except for its name and how much memory it has. */
static struct cudaDeviceProp properties(void)
{
    const struct device *d = device();
    return (struct cudaDeviceProp){
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
        .texturePitchAlignment = 32,
        .surfaceAlignment = 512,
        .deviceOverlap = 1,
        .multiProcessorCount = d->sms,
        .canMapHostMemory = 1,
        .maxTexture1D = 131072,
        .maxTexture2D = {131072, 65536},
        .maxTexture3D = {16384, 16384, 16384},
        .maxTexture1DLayered = {32768, 2048},
        .maxTexture2DLayered = {32768, 32768, 2048},
        .concurrentKernels = 1,
        .ECCEnabled = d->ecc,
        .asyncEngineCount = 3,
        .unifiedAddressing = 1,
        .memoryClockRate = d->memory_khz,
        .memoryBusWidth = d->bus_bits,
        .l2CacheSize = d->l2_kib << 10,
        .maxThreadsPerMultiProcessor = d->threads_per_sm,
        .streamPrioritiesSupported = 1,
        .globalL1CacheSupported = 1,
        .localL1CacheSupported = 1,
        .sharedMemPerMultiprocessor = (size_t)d->shared_per_sm << 10,
        .regsPerMultiprocessor = REGISTERS,
        .managedMemory = 1,
        .singleToDoublePrecisionPerfRatio = double_ratio(d),
        .persistingL2CacheMaxSize = persisting_l2(d),
        .accessPolicyMaxWindowSize = WINDOW_BYTES,
        .computePreemptionSupported = 1,
        .canUseHostPointerForRegisteredMem = 1,
        .hostRegisterSupported = 1,
        .memoryPoolsSupported = 1,
        .concurrentManagedAccess = 1,
        .sharedMemPerBlockOptin = (size_t)d->shared_optin << 10,
        .maxBlocksPerMultiProcessor = d->blocks_per_sm,
        .pciBusID = BUS,
        .reservedSharedMemPerBlock = (size_t)d->shared_reserved << 10,
        .cooperativeLaunch = 1,
        .clusterLaunch = d->cluster > 1,
    };
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int number)
{
    size_t free_bytes;
    if (number != 0)
        return no_device(HERE, number);
    *prop = properties();
    snprintf(prop->name, sizeof prop->name, "%s (simulated)", device()->name);
    return cudaMemGetInfo(&free_bytes, &prop->totalGlobalMem);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int number)
{
    const struct cudaDeviceProp known = properties();
    if (number != 0)
        return no_device(HERE, number);
    switch (attr) {
#define CASE(name, number, property)                                                               \
    case cudaDevAttr##name:                                                                        \
        *value = (int)known.property;                                                              \
        return call_done();
        SIMT_DEVICE_ATTRIBUTES(CASE)
#undef CASE
    }
    return call_refused(HERE, cudaErrorInvalidValue, "attribute %d is not supported here",
                        (int)attr);
}

/* ---- settings: they change no result, and are stored so that they can be queried ---- */

static enum cudaFuncCache cache_config;
static size_t limits[] = {
    [cudaLimitStackSize] = 1 << 10,        [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,   [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64, [cudaLimitPersistingL2CacheSize] = 0,
};

static bool is_limit(enum cudaLimit limit)
{
    return limit <= cudaLimitPersistingL2CacheSize;
}

static cudaError_t no_limit(struct call at, enum cudaLimit limit)
{
    return call_refused(at, cudaErrorInvalidValue, "limit %d is not supported here", (int)limit);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (!value || !is_limit(limit))
        return no_limit(HERE, limit);
    *value = limits[limit];
    return call_done();
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (!is_limit(limit))
        return no_limit(HERE, limit);
    limits[limit] = value;
    return call_done();
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    *config = cache_config;
    return call_done();
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    cache_config = config;
    return call_done();
}

/* The banks of shared memory are 4 bytes wide. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return call_done();
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    *config = cudaSharedMemBankSizeFourByte;
    return call_done();
}

/* There is no cache, and no profiler. */
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return call_done();
}
cudaError_t cudaProfilerStart(void) __attribute__((alias("cudaCtxResetPersistingL2Cache")));
cudaError_t cudaProfilerStop(void) __attribute__((alias("cudaCtxResetPersistingL2Cache")));

static unsigned device_flags;

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    device_flags = flags;
    return call_done();
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    *flags = device_flags;
    return call_done();
}

cudaError_t cudaInitDevice(int number, unsigned int device_flag, unsigned int flags)
{
    (void)device_flag, (void)flags;
    return number == 0 ? call_done() : no_device(HERE, number);
}

cudaError_t cudaChooseDevice(int *number, const struct cudaDeviceProp *prop)
{
    (void)prop;
    *number = 0;
    return call_done();
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int number)
{
    if (number != 0)
        return no_device(HERE, number);
    if (!text || bytes < 13)
        return call_wrong(HERE, cudaErrorInvalidValue, "%d bytes for the text; it takes 13", bytes);
    snprintf(text, (size_t)bytes, "%04x:%02x:%02x.0", 0, BUS, 0);
    return call_done();
}

cudaError_t cudaDeviceGetByPCIBusId(int *number, const char *text)
{
    unsigned domain = 0, bus = 0, slot = 0;
    if (sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3 || domain != 0 || bus != BUS || slot)
        return call_refused(HERE, cudaErrorInvalidDevice, "no device has this PCI bus ID");
    *number = 0;
    return call_done();
}

/* There is one device, so no peer that it could access. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int number, int peer)
{
    (void)attr;
    *value = 0;
    return no_device(HERE, number != 0 ? number : peer);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int number, int peer)
{
    const int other = number != 0 ? number : peer;
    *can = 0; /* nor itself */
    return other == 0 ? call_done() : no_device(HERE, other);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)flags;
    return call_refused(HERE, cudaErrorInvalidDevice,
                        "device %d is not a peer: there is only device 0", peer);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return call_refused(HERE, cudaErrorPeerAccessNotEnabled, "access to device %d was not enabled",
                        peer);
}

cudaError_t cudaDeviceSynchronize(void)
{
    probe_refuses(HERE);
    queued_is_done();
    return error_sticky();
}

/* A kernel's error stays: the process will exit with 1. */
cudaError_t cudaDeviceReset(void) __attribute__((alias("cudaDeviceSynchronize")));
cudaError_t cudaThreadSynchronize(void) __attribute__((alias("cudaDeviceSynchronize")));
cudaError_t cudaThreadExit(void) __attribute__((alias("cudaDeviceSynchronize")));
