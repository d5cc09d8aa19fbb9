/* SPDX-License-Identifier: MIT */
#include "guard.h"

#include "alloc.h"
#include "cuda_check.h"

#include <stdlib.h>

/* One zone, as the device must hold it: on the host, for the caller to free. */
static unsigned char *zone(const guard_t *guard, size_t bytes)
{
    size_t size = dtype_size(guard->type);
    unsigned char *copy = alloc_array(bytes / size, size);
    for (size_t i = 0; i < bytes / size; i++)
        dtype_store_bits(guard->type, copy, i, guard->pattern);
    return copy;
}

static void fill_zone(const guard_t *guard, unsigned char *d_zone, size_t bytes,
                      cudaStream_t stream)
{
    unsigned char *copy = zone(guard, bytes);
    CUDA_CHECK(cudaMemcpyAsync(d_zone, copy, bytes, cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    free(copy);
}

guard_t guard_open(size_t bytes, size_t offset, dtype_t type, uint64_t pattern, cudaStream_t stream)
{
    guard_t guard = {.front = GUARD_BYTES + offset,
                     .bytes = bytes,
                     .back = GUARD_BYTES,
                     .type = type,
                     .pattern = pattern};
    void *d_base;

    CUDA_CHECK(cudaMalloc(&d_base, guard.front + bytes + guard.back));
    guard.d_base = d_base;
    guard.d_data = guard.d_base + guard.front;
    fill_zone(&guard, guard.d_base, guard.front, stream);
    fill_zone(&guard, guard.d_data + bytes, guard.back, stream);
    return guard;
}

/* The first byte of a zone that changed, or `bytes`. */
static size_t first_changed(const guard_t *guard, const unsigned char *d_zone, size_t bytes,
                            cudaStream_t stream)
{
    unsigned char *expected = zone(guard, bytes);
    unsigned char *got = alloc_array(bytes, 1);
    size_t i = 0;

    CUDA_CHECK(cudaMemcpyAsync(got, d_zone, bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    while (i < bytes && got[i] == expected[i])
        i++;
    free(expected);
    free(got);
    return i;
}

bool guard_intact(const guard_t *guard, cudaStream_t stream, ptrdiff_t *where)
{
    size_t i = first_changed(guard, guard->d_base, guard->front, stream);
    if (i < guard->front) {
        *where = (ptrdiff_t)i - (ptrdiff_t)guard->front;
        return false;
    }
    i = first_changed(guard, guard->d_data + guard->bytes, guard->back, stream);
    *where = (ptrdiff_t)(guard->bytes + i);
    return i == guard->back;
}

void guard_close(guard_t *guard)
{
    CUDA_CHECK(cudaFree(guard->d_base));
    *guard = (guard_t){0};
}

size_t guard_total(size_t bytes)
{
    return bytes + 4 * (size_t)GUARD_BYTES;
}
