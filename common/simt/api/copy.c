/* SPDX-License-Identifier: MIT */
/*
 * copy.c - cudaMemcpy and its family: bytes, rows of pitched memory, variables of the device.
 */
#include <string.h>

#include "inside.h"

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
    shadow_host_wrote(to, bytes);
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
    shadow_host_wrote(d_ptr, bytes);
    return error_result(cudaSuccess);
}

cudaError_t cudaMemsetAsync(void *d_ptr, int value, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return cudaMemset(d_ptr, value, bytes);
}

/* ---- rows ---- */

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
    machine_init();
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
    shadow_host_wrote(to, bytes);
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
