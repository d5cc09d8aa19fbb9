/* SPDX-License-Identifier: MIT */
/*
 * pool.c - device memory: one stretch of addresses. So the hooks tell by one comparison whether
 * host code touches it, which on a GPU ends in a crash.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "../include/simt/inspect.h"
#include "state.h"

enum { ALIGNMENT = 256, RED_ZONE_BYTES = 256, LARGE_BYTES = 1 << 20, PAGE_BYTES = 64 << 10 };

static uintptr_t low;
static size_t total_bytes;

static uintptr_t confined_low;
static size_t confined_bytes;

/* The host may touch all addresses but these. Before the first cudaMalloc that is every address. */
void pool_close(void)
{
    sim.local_low = confined_bytes ? confined_low : low + total_bytes;
    sim.local_bytes = confined_bytes ? confined_bytes : SIZE_MAX - total_bytes;
}

void simt_confine(const void *first, size_t bytes)
{
    confined_low = (uintptr_t)first;
    confined_bytes = bytes;
    pool_close();
}

bool pool_holds(uintptr_t address)
{
    return address - low < total_bytes;
}

/* Addresses cost nothing until they are used, so there are twice as many as there is memory: room
 * for gaps. */
static bool pool_init(size_t most_bytes)
{
    if (low)
        return true;
    void *p = mmap(NULL, 2 * most_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return false;
    low = (uintptr_t)p;
    total_bytes = 2 * most_bytes;
    pool_close();
    return true;
}

static uintptr_t round_up(uintptr_t n)
{
    return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/*
 * The first gap that is large enough, or NULL. Red zones keep neighbours apart: a byte past the end
 * of one allocation is never in another one. `most_bytes` is what the whole device has.
 */
void *pool_allocate(size_t bytes, size_t most_bytes)
{
    if (!pool_init(most_bytes))
        return NULL;
    const size_t room = round_up(bytes) + 2 * RED_ZONE_BYTES;
    const uintptr_t end = low + total_bytes;
    uintptr_t at = low;
    const struct region *next;
    while ((next = memory_above(at)) && next->low < end && next->low < at + room + RED_ZONE_BYTES)
        at = round_up(next->low + next->bytes) + RED_ZONE_BYTES;
    return end - at < room ? NULL : (void *)(at + RED_ZONE_BYTES);
}

/* Gives large pieces back to the system. */
void pool_free(void *p, size_t bytes)
{
    const uintptr_t first = ((uintptr_t)p + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    const uintptr_t last = ((uintptr_t)p + bytes) / PAGE_BYTES * PAGE_BYTES;
    if (bytes >= LARGE_BYTES)
        madvise((void *)first, last - first, MADV_DONTNEED);
}
