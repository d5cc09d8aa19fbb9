/* SPDX-License-Identifier: MIT */
/*
 * copy_api.c - rows of pitched memory, variables of the device, managed and registered memory.
 */
#include <string.h>

#include "../state/state.h"

/* ---- rows ---- */

cudaError_t cudaMallocPitch(void **d_ptr, size_t *pitch, size_t width, size_t height)
{
    enum { ROW_ALIGNMENT = 512 };
    *pitch = (width + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    if (height != 0 && *pitch > SIZE_MAX / height)
        return error_result(cudaErrorMemoryAllocation);
    return cudaMalloc(d_ptr, *pitch * height);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    if (width > to_pitch || width > from_pitch)
        return error_result(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; row++) {
        const cudaError_t error = cudaMemcpy((char *)to + row * to_pitch,
                                             (const char *)from + row * from_pitch, width, kind);
        if (error != cudaSuccess)
            return error;
    }
    return error_result(cudaSuccess);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemset2D(void *d_ptr, size_t pitch, int value, size_t width, size_t height)
{
    if (width > pitch)
        return error_result(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; row++) {
        const cudaError_t error = cudaMemset((char *)d_ptr + row * pitch, value, width);
        if (error != cudaSuccess)
            return error;
    }
    return error_result(cudaSuccess);
}

cudaError_t cudaMemset2DAsync(void *d_ptr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    (void)stream;
    return cudaMemset2D(d_ptr, pitch, value, width, height);
}

/* ---- variables of the device ---- */

/* A __device__ or __constant__ variable is a variable of the program. */
static bool is_symbol(const void *symbol, size_t bytes)
{
    memory_init();
    const struct region *r = memory_find((uintptr_t)symbol);
    return r && r->space >= SPACE_MODULE && r->bytes - ((uintptr_t)symbol - r->low) >= bytes;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    (void)kind;
    char *to = (char *)(uintptr_t)symbol + offset;
    if (!is_symbol(symbol, offset + bytes))
        return error_result(cudaErrorInvalidSymbol);
    memmove(to, from, bytes);
    memory_written(to, bytes);
    return error_result(cudaSuccess);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    (void)kind;
    if (!is_symbol(symbol, offset + bytes))
        return error_result(cudaErrorInvalidSymbol);
    memmove(to, (const char *)symbol + offset, bytes);
    return error_result(cudaSuccess);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **d_ptr, const void *symbol)
{
    if (!is_symbol(symbol, 1))
        return error_result(cudaErrorInvalidSymbol);
    *d_ptr = (void *)(uintptr_t)symbol;
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
    memory_init();
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
