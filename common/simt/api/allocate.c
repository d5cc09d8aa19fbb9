/* SPDX-License-Identifier: MIT */
/*
 * allocate.c - cudaMalloc and its family: who may use which memory. Device memory is host memory
 * with an entry in the machine's table. After a violation these calls still work, so that a program
 * can clean up and report, but they return the sticky error.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"

enum { ALIGNMENT = 256, RED_ZONE_BYTES = 256 };

static size_t bytes_in_use;

/* Half of what the machine has: the host needs its own copies. */
static size_t device_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (size_t)pages / 2 * (size_t)page_bytes : (size_t)1 << 30;
}

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
    machine_init();
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
    shadow_free(r.shadow);
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

cudaError_t cudaMallocPitch(void **d_ptr, size_t *pitch, size_t width, size_t height)
{
    enum { ROW_ALIGNMENT = 512 };
    *pitch = (width + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    if (height != 0 && *pitch > SIZE_MAX / height)
        return error_result(cudaErrorMemoryAllocation);
    return cudaMalloc(d_ptr, *pitch * height);
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

/* ---- memory that host and device share ---- */

static bool is_managed(const void *ptr, size_t bytes)
{
    const struct region *r = memory_find((uintptr_t)ptr);
    return r && (r->space == SPACE_MANAGED || r->space == SPACE_MODULE) &&
           r->bytes - ((uintptr_t)ptr - r->low) >= bytes;
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream)
{
    (void)location, (void)flags, (void)stream;
    return error_result(is_managed(ptr, bytes) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    (void)advice, (void)location;
    return error_result(is_managed(ptr, bytes) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostGetDevicePointer(void **d_ptr, void *h_ptr, unsigned int flags)
{
    (void)flags;
    const struct region *r = memory_find((uintptr_t)h_ptr);
    *d_ptr = r && r->space == SPACE_HOST ? h_ptr : NULL;
    return error_result(*d_ptr ? cudaSuccess : cudaErrorInvalidValue);
}

/* Memory of the program itself, which a kernel may touch from now on. */
cudaError_t cudaHostRegister(void *h_ptr, size_t bytes, unsigned int flags)
{
    (void)flags;
    if (!h_ptr || bytes == 0)
        return error_result(cudaErrorInvalidValue);
    machine_init();
    if (memory_find((uintptr_t)h_ptr))
        return error_result(cudaErrorHostMemoryAlreadyRegistered);
    memory_add((struct region){(uintptr_t)h_ptr, bytes, SPACE_HOST, "registered", NULL});
    return error_result(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *h_ptr)
{
    struct region r;
    const struct region *found = memory_find((uintptr_t)h_ptr);
    if (!found || found->space != SPACE_HOST || !found->name ||
        !memory_remove((uintptr_t)h_ptr, &r))
        return error_result(cudaErrorHostMemoryNotRegistered);
    return error_result(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    const struct region *r = memory_find((uintptr_t)ptr);
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered};
    if (!r || r->space == SPACE_SHARED || r->space >= SPACE_MODULE)
        return error_result(cudaSuccess);
    attributes->devicePointer = (void *)(uintptr_t)ptr;
    attributes->hostPointer = r->space == SPACE_GLOBAL ? NULL : attributes->devicePointer;
    attributes->type = r->space == SPACE_GLOBAL ? cudaMemoryTypeDevice
                       : r->space == SPACE_HOST ? cudaMemoryTypeHost
                                                : cudaMemoryTypeManaged;
    return error_result(cudaSuccess);
}
