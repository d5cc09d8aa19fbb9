/* SPDX-License-Identifier: MIT */
/*
 * allocate.c - cudaMalloc and its family. Device memory is host memory with an entry in the
 * machine's table. After a violation these calls still work, so that a program can clean up and
 * report, but they return the sticky error.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"

static size_t bytes_in_use;

/* Half of the machine's memory: the host needs its own copies. */
static size_t device_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (size_t)pages / 2 * (size_t)page_bytes : (size_t)1 << 30;
}

/* New memory is filled: nothing may rely on zeros. All of it is in one range of
 * addresses, so that accesses by host code are detected. */
static cudaError_t allocate(struct call at, void **ptr, size_t bytes, enum space space)
{
    probe_refuses(at);
    if (!ptr)
        return call_wrong(at, cudaErrorInvalidValue, "the pointer to set is a null pointer");
    *ptr = NULL;
    if (bytes == 0)
        return call_done();
    machine_init();
    if (bytes <= device_memory() - bytes_in_use)
        *ptr = pool_allocate(bytes, device_memory(), space != SPACE_GLOBAL);
    if (!*ptr && bytes > SIZE_MAX / 2)
        return call_wrong(at, cudaErrorMemoryAllocation, "asked for -%zu bytes", 0 - bytes);
    if (!*ptr)
        return call_refused(at, cudaErrorMemoryAllocation,
                            "asked for %zu bytes: %zu of %zu are free", bytes,
                            device_memory() - bytes_in_use, device_memory());
    struct shadow *shadow =
        space == SPACE_GLOBAL ? shadow_of_allocation(bytes) : shadow_of_host_memory();
    memory_add((struct region){.low = (uintptr_t)*ptr,
                               .bytes = bytes,
                               .space = space,
                               .shadow = shadow,
                               .made_at = at.pc});
    bytes_in_use += bytes;
    return call_done();
}

/* Says what is wrong with a pointer that cannot be freed. */
static cudaError_t wrong_pointer(struct call at, const void *ptr, const struct region *r)
{
    const struct region *was = memory_freed((uintptr_t)ptr);
    const size_t byte = r ? (size_t)((uintptr_t)ptr - r->low) : 0;
    const char *const cause = "the pointer ";
    if (r && byte != 0 && !r->name && r->space <= SPACE_MANAGED)
        return call_wrong(at, cudaErrorInvalidValue,
                          "%sis byte %zu of an allocation of %zu bytes\n"
                          "    free the pointer that was allocated",
                          cause, byte, r->bytes);
    if (r && !r->name && r->space <= SPACE_MANAGED)
        return call_wrong(at, cudaErrorInvalidValue, "%sis from %s: %s() frees it", cause,
                          r->space == SPACE_HOST ? "cudaMallocHost()" : "cudaMalloc()",
                          r->space == SPACE_HOST ? "cudaFreeHost" : "cudaFree");
    if (!r && was && was->low == (uintptr_t)ptr)
        return call_wrong(at, cudaErrorInvalidValue,
                          "%swas freed already: %zu bytes\n"
                          "    free each allocation once",
                          cause, was->bytes);
    return call_wrong(at, cudaErrorInvalidValue, "%swas not allocated by cudaMalloc()%s", cause,
                      pool_holds((uintptr_t)ptr) || r ? "" : ": it is host memory");
}

static cudaError_t release(struct call at, void *ptr, bool pinned)
{
    struct region r;
    probe_refuses(at);
    if (!ptr)
        return call_done();
    const struct region *found = memory_find((uintptr_t)ptr);
    if (!found || found->name || found->low != (uintptr_t)ptr || found->space > SPACE_MANAGED ||
        (found->space == SPACE_HOST) != pinned || !memory_remove((uintptr_t)ptr, &r))
        return wrong_pointer(at, ptr, found);
    bytes_in_use -= r.bytes;
    shadow_free(r.shadow);
    pool_free(ptr, r.bytes);
    queued_is_done();
    return call_done();
}

cudaError_t cudaMalloc(void **d_ptr, size_t bytes)
{
    return allocate(HERE, d_ptr, bytes, SPACE_GLOBAL);
}

cudaError_t cudaMallocAsync(void **d_ptr, size_t bytes, cudaStream_t stream)
{
    early_part();
    return stream_exists(stream) ? allocate(HERE, d_ptr, bytes, SPACE_GLOBAL)
                                 : stream_unknown(HERE);
}

cudaError_t cudaMallocFromPoolAsync(void **d_ptr, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    early_part();
    if (!pool)
        return call_wrong(HERE, cudaErrorInvalidValue, "the pool is a null pointer");
    return stream_exists(stream) ? allocate(HERE, d_ptr, bytes, SPACE_GLOBAL)
                                 : stream_unknown(HERE);
}

cudaError_t cudaMallocHost(void **h_ptr, size_t bytes)
{
    return allocate(HERE, h_ptr, bytes, SPACE_HOST);
}

cudaError_t cudaHostAlloc(void **h_ptr, size_t bytes, unsigned int flags)
{
    (void)flags;
    return allocate(HERE, h_ptr, bytes, SPACE_HOST);
}

static cudaError_t allocate_rows(struct call at, void **d_ptr, size_t *pitch, size_t width,
                                 size_t height)
{
    enum { ROW_ALIGNMENT = 512 };
    if (!pitch)
        return call_wrong(at, cudaErrorInvalidValue, "the pointer to the pitch is null");
    if (width <= SIZE_MAX - ROW_ALIGNMENT)
        *pitch = (width + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    if (width > SIZE_MAX - ROW_ALIGNMENT || (height != 0 && *pitch > SIZE_MAX / height))
        return call_wrong(at, cudaErrorMemoryAllocation,
                          "asked for %zu rows of %zu bytes: more than fit the address space",
                          height, width);
    return allocate(at, d_ptr, *pitch * height, SPACE_GLOBAL);
}

cudaError_t cudaMallocPitch(void **d_ptr, size_t *pitch, size_t width, size_t height)
{
    return allocate_rows(HERE, d_ptr, pitch, width, height);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *d_ptr, struct cudaExtent extent)
{
    if (extent.depth != 0 && extent.height > SIZE_MAX / extent.depth)
        return call_wrong(HERE, cudaErrorMemoryAllocation, "more rows than fit the address space");
    d_ptr->xsize = extent.width;
    d_ptr->ysize = extent.height;
    return allocate_rows(HERE, &d_ptr->ptr, &d_ptr->pitch, extent.width,
                         extent.height * extent.depth);
}

cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags)
{
    (void)flags;
    return allocate(HERE, ptr, bytes, SPACE_MANAGED);
}

cudaError_t cudaFree(void *d_ptr)
{
    return release(HERE, d_ptr, false);
}

cudaError_t cudaFreeAsync(void *d_ptr, cudaStream_t stream)
{
    return stream_exists(stream) ? release(HERE, d_ptr, false) : stream_unknown(HERE);
}

cudaError_t cudaFreeHost(void *h_ptr)
{
    return release(HERE, h_ptr, true);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *total_bytes = device_memory();
    *free_bytes = *total_bytes - bytes_in_use;
    return call_done();
}

/* ---- memory that host and device share ---- */

static cudaError_t need_managed(struct call at, const void *ptr, size_t bytes)
{
    const struct region *r = memory_find((uintptr_t)ptr);
    if (!r || (r->space != SPACE_MANAGED && r->space != SPACE_MODULE))
        return call_wrong(
            at, cudaErrorInvalidValue,
            "the pointer is neither from cudaMallocManaged() nor to a __managed__ variable");
    const size_t capacity = r->bytes - ((uintptr_t)ptr - r->low);
    if (capacity < bytes)
        return call_wrong(at, cudaErrorInvalidValue, "%zu bytes, but the allocation has %zu", bytes,
                          capacity);
    return call_done();
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream)
{
    (void)location, (void)flags;
    early_part();
    return stream_exists(stream) ? need_managed(HERE, ptr, bytes) : stream_unknown(HERE);
}

cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    (void)advice, (void)location;
    return need_managed(HERE, ptr, bytes);
}

cudaError_t cudaHostGetDevicePointer(void **d_ptr, void *h_ptr, unsigned int flags)
{
    (void)flags;
    const struct region *r = memory_find((uintptr_t)h_ptr);
    *d_ptr = r && r->space == SPACE_HOST ? h_ptr : NULL;
    return *d_ptr ? call_done()
                  : call_wrong(
                        HERE, cudaErrorInvalidValue,
                        "the pointer is neither from cudaHostAlloc() nor from cudaHostRegister()");
}

/* Kernels can access all of it. */
cudaError_t cudaHostGetFlags(unsigned int *flags, void *h_ptr)
{
    const struct region *r = memory_find((uintptr_t)h_ptr);
    *flags = cudaHostAllocMapped;
    return r && r->space == SPACE_HOST
               ? call_done()
               : call_wrong(HERE, cudaErrorInvalidValue, "the pointer is not from cudaHostAlloc()");
}

/* The program's own memory, which a kernel may touch from now on. */
cudaError_t cudaHostRegister(void *h_ptr, size_t bytes, unsigned int flags)
{
    (void)flags;
    if (!h_ptr || bytes == 0)
        return call_wrong(HERE, cudaErrorInvalidValue, "%s", h_ptr ? "0 bytes" : "a null pointer");
    machine_init();
    if (memory_find((uintptr_t)h_ptr))
        return call_refused(HERE, cudaErrorHostMemoryAlreadyRegistered,
                            "this memory is registered already");
    memory_add((struct region){
        .low = (uintptr_t)h_ptr, .bytes = bytes, .space = SPACE_HOST, .name = "registered"});
    return call_done();
}

cudaError_t cudaHostUnregister(void *h_ptr)
{
    struct region r;
    const struct region *found = memory_find((uintptr_t)h_ptr);
    if (!found || found->space != SPACE_HOST || !found->name ||
        !memory_remove((uintptr_t)h_ptr, &r))
        return call_wrong(HERE, cudaErrorHostMemoryNotRegistered,
                          "the pointer was not passed to cudaHostRegister()");
    return call_done();
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    const struct region *r = memory_find((uintptr_t)ptr);
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered};
    if (!r || r->space == SPACE_SHARED || r->space >= SPACE_MODULE)
        return call_done();
    attributes->devicePointer = (void *)(uintptr_t)ptr;
    attributes->hostPointer = r->space == SPACE_GLOBAL ? NULL : attributes->devicePointer;
    attributes->type = r->space == SPACE_GLOBAL ? cudaMemoryTypeDevice
                       : r->space == SPACE_HOST ? cudaMemoryTypeHost
                                                : cudaMemoryTypeManaged;
    return call_done();
}
