/* SPDX-License-Identifier: MIT */
/*
 * memory_api.c - cudaMalloc, cudaMemcpy and their family. Device memory is host memory with an
 * entry in the table of memory.c. After a fault these calls still work, so that a program can
 * clean up and report, but they return the sticky error.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../state/state.h"

enum { ALIGNMENT = 256, RED_ZONE_BYTES = 256 };

static size_t bytes_in_use;

/* Half of what the machine has: the host needs its own copies. */
static size_t device_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (size_t)pages / 2 * (size_t)page_bytes : (size_t)1 << 30;
}

/* ---- allocation ---- */

/* Memory that the host may use as well. */
static void *host_allocate(size_t bytes)
{
    const size_t padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + 2 * RED_ZONE_BYTES;
    char *base = aligned_alloc(ALIGNMENT, padded);
    return base ? base + RED_ZONE_BYTES : NULL;
}

/* Red zones keep neighbours apart, so one byte past the end is never in another allocation. New
 * memory is filled with 0xff: nothing may rely on zeros. */
static cudaError_t allocate(void **ptr, size_t bytes, enum space space)
{
    if (!ptr)
        return error_result(cudaErrorInvalidValue);
    *ptr = NULL;
    if (bytes == 0)
        return error_result(cudaSuccess);
    if (bytes > device_memory() - bytes_in_use)
        return error_result(cudaErrorMemoryAllocation);
    const bool device_only = space == SPACE_GLOBAL;
    memory_init();
    *ptr = device_only ? pool_allocate(bytes, device_memory()) : host_allocate(bytes);
    if (!*ptr)
        return error_result(cudaErrorMemoryAllocation);
    memset(*ptr, 0xff, bytes);
    struct shadow *shadow = device_only ? shadow_of_allocation(bytes) : NULL;
    memory_add((struct region){(uintptr_t)*ptr, bytes, space, NULL, shadow});
    bytes_in_use += bytes;
    return error_result(cudaSuccess);
}

static cudaError_t release(void *ptr, bool pinned)
{
    struct region r;
    if (!ptr)
        return error_result(cudaSuccess);
    const struct region *found = memory_find((uintptr_t)ptr);
    if (!found || found->name || (found->space == SPACE_HOST) != pinned ||
        !memory_remove((uintptr_t)ptr, &r))
        return error_result(cudaErrorInvalidValue);
    bytes_in_use -= r.bytes;
    if (r.space == SPACE_GLOBAL)
        pool_free(ptr, r.bytes);
    else
        free((char *)ptr - RED_ZONE_BYTES);
    return error_result(cudaSuccess);
}

cudaError_t cudaMalloc(void **d_ptr, size_t bytes)
{
    return allocate(d_ptr, bytes, SPACE_GLOBAL);
}

cudaError_t cudaMallocAsync(void **d_ptr, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return allocate(d_ptr, bytes, SPACE_GLOBAL);
}

cudaError_t cudaMallocHost(void **h_ptr, size_t bytes)
{
    return allocate(h_ptr, bytes, SPACE_HOST);
}

cudaError_t cudaHostAlloc(void **h_ptr, size_t bytes, unsigned int flags)
{
    (void)flags;
    return allocate(h_ptr, bytes, SPACE_HOST);
}

cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags)
{
    (void)flags;
    return allocate(ptr, bytes, SPACE_MANAGED);
}

cudaError_t cudaFree(void *d_ptr)
{
    return release(d_ptr, false);
}

cudaError_t cudaFreeAsync(void *d_ptr, cudaStream_t stream)
{
    (void)stream;
    return release(d_ptr, false);
}

cudaError_t cudaFreeHost(void *h_ptr)
{
    return release(h_ptr, true);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *total_bytes = device_memory();
    *free_bytes = *total_bytes - bytes_in_use;
    return error_result(cudaSuccess);
}

/* ---- copies ---- */

enum side { SIDE_HOST, SIDE_DEVICE, SIDE_BOTH, SIDE_BAD };

/* Who may use these bytes. A range that starts in an allocation must end in it too. */
static enum side side_of(const void *ptr, size_t bytes)
{
    const struct region *r = memory_find((uintptr_t)ptr);
    if (!r || r->space == SPACE_SHARED)
        return ptr ? SIDE_HOST : SIDE_BAD;
    if (r->bytes - ((uintptr_t)ptr - r->low) < bytes)
        return SIDE_BAD;
    return r->space == SPACE_GLOBAL ? SIDE_DEVICE : SIDE_BOTH;
}

static bool fits(enum side side, bool device)
{
    return side == SIDE_BOTH || side == (device ? SIDE_DEVICE : SIDE_HOST);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return error_result(cudaErrorInvalidMemcpyDirection);
    if (bytes == 0)
        return error_result(cudaSuccess);
    const enum side to_side = side_of(to, bytes), from_side = side_of(from, bytes);
    bool right = to_side != SIDE_BAD && from_side != SIDE_BAD;
    if (kind != cudaMemcpyDefault) {
        const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        right = right && fits(to_side, to_device) && fits(from_side, from_device);
    }
    if (!right)
        return error_result(cudaErrorInvalidValue);
    memmove(to, from, bytes);
    memory_written(to, bytes);
    return error_result(cudaSuccess);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemset(void *d_ptr, int value, size_t bytes)
{
    if (bytes == 0)
        return error_result(cudaSuccess);
    if (!fits(side_of(d_ptr, bytes), true))
        return error_result(cudaErrorInvalidValue);
    memset(d_ptr, value, bytes);
    memory_written(d_ptr, bytes);
    return error_result(cudaSuccess);
}

cudaError_t cudaMemsetAsync(void *d_ptr, int value, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return cudaMemset(d_ptr, value, bytes);
}
