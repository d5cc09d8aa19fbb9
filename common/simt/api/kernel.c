/* SPDX-License-Identifier: MIT */
/*
 * kernel.c - what host code does with a kernel: launches it, queries and sets its attributes.
 */
#include <stdlib.h>
#include <string.h>

#include "../include/simt/inspect.h"
#include "inside.h"

/* ---- launches ---- */

/* The name of the kernel, which only a launch of legal shape can determine. */
static const struct kernel *kernel_of(void (*call)(void *), void *args, const char *name)
{
    const uint3 one = {1, 1, 1};
    const struct kernel *kernel = machine_load(one, one, call, args, name);
    machine_unload();
    return kernel;
}

static bool is_legal_grid(uint3 g)
{
    return g.x > 0 && g.x <= INT32_MAX && g.y > 0 && g.y <= MAX_GRID_YZ && g.z > 0 &&
           g.z <= MAX_GRID_YZ;
}

static bool is_legal_block(uint3 b)
{
    return b.x > 0 && b.x <= MAX_THREADS && b.y > 0 && b.y <= MAX_THREADS && b.z > 0 &&
           b.z <= MAX_BLOCK_Z;
}

static cudaError_t check_shape(struct call at, const char *kernel, uint3 g, uint3 b)
{
    const unsigned long long threads = (unsigned long long)b.x * b.y * b.z;
    const cudaError_t error = cudaErrorInvalidConfiguration;
    if (!is_legal_grid(g))
        return call_wrong(at, error,
                          "%s: the grid is (%u,%u,%u)\n"
                          "    each of the three must be at least 1, at most (%d,%d,%d)",
                          kernel, g.x, g.y, g.z, INT32_MAX, MAX_GRID_YZ, MAX_GRID_YZ);
    if (!is_legal_block(b) && threads <= MAX_THREADS)
        return call_wrong(at, error,
                          "%s: the block is (%u,%u,%u)\n"
                          "    each of the three must be at least 1, at most (%d,%d,%d)",
                          kernel, b.x, b.y, b.z, MAX_THREADS, MAX_THREADS, MAX_BLOCK_Z);
    if (threads > MAX_THREADS)
        return call_wrong(at, error, "%s: %llu threads a block, (%u,%u,%u): at most %d", kernel,
                          threads, b.x, b.y, b.z, MAX_THREADS);
    return call_done();
}

static cudaError_t check_shared(struct call at, const struct kernel *k, size_t bytes)
{
    const size_t most = ((size_t)device()->shared_optin << 10) - k->static_shared;
    if (bytes <= k->max_dynamic)
        return call_done();
    if (bytes > most)
        return call_wrong(at, cudaErrorInvalidValue,
                          "%s: %zu bytes of dynamic shared memory\n"
                          "    at most %zu: the block has %d KiB, static arrays take %zu bytes",
                          k->name, bytes, most, device()->shared_optin, k->static_shared);
    return call_wrong(at, cudaErrorInvalidValue,
                      "%s: %zu bytes of dynamic shared memory: at most %zu, unless\n"
                      "    cudaFuncSetAttribute(%s,\n"
                      "        cudaFuncAttributeMaxDynamicSharedMemorySize, %zu)\n"
                      "    must come before the launch; static arrays take %zu bytes",
                      k->name, bytes, k->max_dynamic, k->name, bytes, k->static_shared);
}

/* ---- clusters, and cooperative launches ---- */

/* On a multiprocessor, by threads, blocks and shared memory; registers are not counted. */
static int blocks_that_fit(const struct kernel *k, int block_size, size_t shared_bytes)
{
    const struct device *d = device();
    const size_t reserved = (size_t)d->shared_reserved << 10;
    const size_t unit = d->major == 7 ? 256 : 128; /* in which shared memory is allocated */
    const size_t shared = (shared_bytes + k->static_shared + reserved + unit - 1) / unit * unit;
    if ((unsigned)block_size > k->max_threads)
        return 0;
    const int warps = (block_size + WARP_SIZE - 1) / WARP_SIZE;
    const int by_threads = d->threads_per_sm / WARP_SIZE / warps;
    const size_t by_shared = shared ? ((size_t)d->shared_per_sm << 10) / shared : SIZE_MAX;
    const int least = by_shared < (size_t)by_threads ? (int)by_shared : by_threads;
    return least < d->blocks_per_sm ? least : d->blocks_per_sm;
}

/* The cluster of a launch: what it requests, or the kernel's __cluster_dims__. */
static uint3 cluster_of_launch(const struct kernel *k, uint3 asked)
{
    return asked.x || asked.y || asked.z ? asked : k->cluster;
}

static unsigned most_in_cluster(const struct kernel *k)
{
    enum { PORTABLE = 8 };
    return k->large_cluster ? (unsigned)device()->cluster : PORTABLE;
}

static cudaError_t check_cluster(struct call at, const struct kernel *k, uint3 grid, uint3 c)
{
    const cudaError_t error = cudaErrorInvalidClusterSize;
    const unsigned long long blocks = (unsigned long long)c.x * c.y * c.z;
    const unsigned largest = (unsigned)device()->cluster, most = most_in_cluster(k);
    if (blocks == 1)
        return call_done();
    if (blocks == 0)
        return call_wrong(at, error, "%s: the cluster is (%u,%u,%u): each must be at least 1",
                          k->name, c.x, c.y, c.z);
    if (largest < 2)
        return call_refused(at, cudaErrorNotSupported,
                            "%s: clusters of %llu blocks\n    %s has none: they need sm_90",
                            k->name, blocks, device()->name);
    if (blocks > most)
        return call_wrong(at, error, "%s: a cluster of %llu blocks: at most %u%s", k->name, blocks,
                          most,
                          blocks > largest || k->large_cluster
                              ? ""
                              : ", or 16 with\n"
                                "    cudaFuncAttributeNonPortableClusterSizeAllowed");
    if (grid.x % c.x || grid.y % c.y || grid.z % c.z)
        return call_wrong(at, error,
                          "%s: the grid is (%u,%u,%u), the cluster (%u,%u,%u)\n"
                          "    the grid must be a whole number of clusters",
                          k->name, grid.x, grid.y, grid.z, c.x, c.y, c.z);
    return call_done();
}

/* All blocks of a cooperative launch are on the device at once. */
static cudaError_t check_cooperative(struct call at, const struct kernel *k, uint3 grid,
                                     uint3 block, size_t shared_bytes)
{
    const unsigned long long blocks = (unsigned long long)grid.x * grid.y * grid.z;
    const unsigned each = (unsigned)blocks_that_fit(k, (int)volume(block), shared_bytes);
    const unsigned most = each * (unsigned)device()->sms;
    if (blocks <= most)
        return call_done();
    return call_refused(at, cudaErrorCooperativeLaunchTooLarge,
                        "%s: %llu blocks: at most %u\n"
                        "    %u fit each of %d multiprocessors, and all must run together",
                        k->name, blocks, most, each, device()->sms);
}

static unsigned most_in_turns; /* see simt_blocks_take_turns() */

void simt_blocks_take_turns(unsigned most_threads)
{
    most_in_turns = most_threads;
    machine_reserve(most_threads);
}

static bool blocks_take_turns(const struct kernel *k, uint3 grid, uint3 block, size_t shared_bytes)
{
    const unsigned long long blocks = (unsigned long long)grid.x * grid.y * grid.z;
    const unsigned each = (unsigned)blocks_that_fit(k, (int)volume(block), shared_bytes);
    return blocks > 1 && blocks <= (unsigned long long)each * (unsigned)device()->sms &&
           blocks * volume(block) <= most_in_turns;
}

static cudaError_t launch(struct call at, const struct simt_launch_config *l, void (*call)(void *),
                          void *args)
{
    const uint3 grid = l->grid, block = l->block;
    const size_t shared_bytes = l->shared_bytes;
    const cudaStream_t stream = l->stream;
    if (in_kernel() || error_sticky())
        return error_sticky() ? error_sticky() : cudaErrorNotSupported;
    if (!stream_exists(stream))
        return stream_unknown(at);
    clock_host(at.pc);
    const struct kernel *kernel = NULL;
    if (!is_legal_grid(grid) || !is_legal_block(block) ||
        (size_t)block.x * block.y * block.z > MAX_THREADS)
        return check_shape(at, kernel_of(call, args, l->name)->name, grid, block);
    kernel = machine_load(grid, block, call, args, l->name);
    const unsigned threads = block.x * block.y * block.z;
    if (threads > kernel->max_threads) {
        machine_unload();
        return call_wrong(at, cudaErrorInvalidValue,
                          "%s: %u threads a block: at most %u\n"
                          "    __launch_bounds__(%u) promises that",
                          kernel->name, threads, kernel->max_threads, kernel->max_threads);
    }
    if (shared_bytes > kernel->max_dynamic) {
        machine_unload();
        return check_shared(at, kernel, shared_bytes);
    }
    const uint3 cluster = cluster_of_launch(kernel, l->cluster);
    cudaError_t result = check_cluster(at, kernel, grid, cluster);
    if (result == cudaSuccess && l->cooperative)
        result = check_cooperative(at, kernel, grid, block, shared_bytes);
    if (result != cudaSuccess) {
        machine_unload();
        return result;
    }
    const bool early = early_overlaps(stream) && l->early && device()->major >= 9;
    if (probe_takes((struct call){kernel->name, at.pc, NULL}, stream, &result)) {
        machine_unload();
        return result;
    }
    queued_launch(at.pc);
    const enum team team =
        l->cooperative ? TEAM_GRID
        : volume(cluster) == 1 && blocks_take_turns(kernel, grid, block, shared_bytes)
            ? TEAM_LAST_FIRST
            : TEAM_CLUSTER;
    error_set_sticky(machine_run(shared_bytes, cluster, team, early));
    if (sim.lets_next)
        early_launched(stream);
    return error_sticky();
}

/* A launch in a graph: the bytes of its arguments follow. */
struct kept_launch {
    _Alignas(16) struct simt_launch_config config;
    void (*call)(void *);
};

static cudaError_t do_launch(struct call at, cudaStream_t stream, const void *args)
{
    const struct kept_launch *l = args;
    struct simt_launch_config config = l->config;
    config.stream = stream;
    return launch(at, &config, l->call, (void *)(l + 1));
}

/* The stream is captured. */
static cudaError_t keep_launch(struct call at, const struct simt_launch_config *config,
                               void (*call)(void *), const void *args, size_t bytes)
{
    cudaError_t result = cudaErrorMemoryAllocation;
    struct kept_launch *l = malloc(sizeof *l + bytes);
    if (!l || bytes == 0) {
        free(l);
        capture_breaks();
        return call_refused(at, cudaErrorStreamCaptureUnsupported,
                            "a graph keeps the bytes of a kernel's arguments\n"
                            "    one of these has a copy constructor or a destructor");
    }
    *l = (struct kept_launch){*config, call};
    memcpy(l + 1, args, bytes);
    capture_takes(at, config->stream, do_launch, l, sizeof *l + bytes, &result);
    free(l);
    return result;
}

static cudaError_t launched;

void simt_launch(const struct simt_launch_config *config, void (*call)(void *), void *args,
                 size_t bytes)
{
    const struct call at = {"launch", config->at ? (uintptr_t)config->at : HERE.pc, NULL};
    call_of_one_thread();
    launched = capture_has(config->stream) ? keep_launch(at, config, call, args, bytes)
                                           : launch(at, config, call, args);
}

cudaError_t simt_launched(void)
{
    return launched;
}

const void *simt_here(void)
{
    return __builtin_return_address(0);
}

cudaError_t simt_launch_unknown(void)
{
    const struct call at = {"launch", HERE.pc, NULL};
    return call_wrong(at, cudaErrorInvalidDeviceFunction,
                      "no (void *)kernel has made this pointer, so its parameters are not known\n"
                      "    name the kernel in the call: cudaLaunchKernel(kernel, ...)");
}

/* ---- attributes ---- */

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    machine_init();
    struct kernel *k = symbols_kernel((uintptr_t)func);
    if (attr == cudaFuncAttributeNonPortableClusterSizeAllowed)
        k->large_cluster = value != 0;
    if (attr != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return call_done();
    const size_t limit = ((size_t)device()->shared_optin << 10) - k->static_shared;
    if (value < 0 || (size_t)value > limit)
        return call_refused(HERE, cudaErrorInvalidValue,
                            "%s: %d bytes of dynamic shared memory: at most %zu", k->name, value,
                            limit);
    k->max_dynamic = (size_t)value;
    return call_done();
}

/* Registers are not modelled: with 32 a thread a multiprocessor can be full. */
cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    (void)func, (void)config;
    return call_done();
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *func)
{
    machine_init();
    const struct kernel *k = symbols_kernel((uintptr_t)func);
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = k->static_shared,
        .maxThreadsPerBlock = (int)k->max_threads,
        .numRegs = 32,
        .ptxVersion = 10 * device()->major + device()->minor,
        .binaryVersion = 10 * device()->major + device()->minor,
        .maxDynamicSharedSizeBytes = (int)k->max_dynamic,
    };
    return call_done();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int block_size, size_t shared_bytes)
{
    if (!blocks || block_size < 1 || block_size > MAX_THREADS)
        return call_refused(HERE, cudaErrorInvalidValue, "%d threads a block: from 1 to %d",
                            block_size, MAX_THREADS);
    machine_init();
    *blocks = blocks_that_fit(symbols_kernel((uintptr_t)func), block_size, shared_bytes);
    return call_done();
}

/* A GPU keeps a cluster inside a group of its multiprocessors, and may hold fewer. */
cudaError_t simt_active_clusters(int *clusters, const void *func,
                                 const struct simt_launch_config *l)
{
    const struct call at = {"cudaOccupancyMaxActiveClusters", HERE.pc, NULL};
    machine_init();
    const struct kernel *k = symbols_kernel((uintptr_t)func);
    const unsigned blocks = volume(cluster_of_launch(k, l->cluster));
    const unsigned most = most_in_cluster(k);
    if (!clusters || blocks == 0 || blocks > most || device()->major < 9)
        return call_refused(at, cudaErrorInvalidClusterSize, "%s: clusters of %u blocks on %s",
                            k->name, blocks, device()->name);
    const int each = blocks_that_fit(k, (int)volume(l->block), l->shared_bytes);
    *clusters = blocks > (unsigned)device()->cluster ? 0 : device()->sms * each / (int)blocks;
    return call_done();
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    (void)config;
    return func ? call_done()
                : call_wrong(HERE, cudaErrorInvalidDeviceFunction, "the kernel is a null pointer");
}
