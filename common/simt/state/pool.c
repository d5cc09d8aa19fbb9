/* SPDX-License-Identifier: MIT */
/*
 * pool.c - device memory, and memory that host and device share: one range of addresses. So the
 * hooks need one comparison to see whether host code touches it. On a GPU such an access crashes
 * or, in managed and pinned memory, may come too early.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../include/simt/inspect.h"
#include "state.h"

enum { ALIGNMENT = 256, LARGE_BYTES = 1 << 20, PAGE_BYTES = 64 << 10 };

uintptr_t pool_low;
size_t pool_bytes;

static uintptr_t confined_low;
static size_t confined_bytes;

/* The host may touch all addresses but these. Before the first cudaMalloc these are none. */
void pool_close(void)
{
    sim.local_low = confined_bytes ? confined_low : pool_low + pool_bytes;
    sim.local_bytes = confined_bytes ? confined_bytes : SIZE_MAX - pool_bytes;
}

bool pool_is_confined(void)
{
    return confined_bytes != 0;
}

void simt_confine(const void *first, size_t bytes)
{
    confined_low = (uintptr_t)first;
    confined_bytes = bytes;
    pool_close();
}

/* ---- new memory ---- */

/*
 * All bytes of new memory are 0xff, and a large piece must cost nothing until it is touched. So it
 * is made of private mappings of one file: the system shows the file's pages, and copies a page
 * when it is written.
 */
enum { FILE_BYTES = 16 << 20 };

static int file_of_ones(void)
{
    static int fd = -1;
    static bool tried;
    struct rlimit most;
    if (tried || (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < FILE_BYTES))
        return fd;
    tried = true;
    fd = memfd_create("simt", MFD_CLOEXEC);
    void *p = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, FILE_BYTES) == 0)
        p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return fd = -1;
    memset(p, 0xff, FILE_BYTES);
    munmap(p, FILE_BYTES);
    return fd;
}

static void fill(uintptr_t p, size_t bytes)
{
    const int fd = bytes >= FILE_BYTES ? file_of_ones() : -1;
    for (size_t done = 0; fd >= 0 && done + FILE_BYTES <= bytes; done += FILE_BYTES)
        if (mmap((void *)(p + done), FILE_BYTES, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd, 0) == MAP_FAILED)
            memset((void *)(p + done), 0xff, FILE_BYTES);
    const size_t rest = fd >= 0 ? bytes % FILE_BYTES : bytes;
    memset((void *)(p + bytes - rest), 0xff, rest);
}

/* Untouched addresses, which cost nothing. With MAP_FIXED they replace what is there. */
static void *reserve(uintptr_t at, size_t bytes)
{
    return mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0), -1, 0);
}

/* ---- where it is ---- */

/*
 * Neighbours are megabytes apart, so that an index that is far too large does not land in another
 * allocation. A program with thousands of allocations gets smaller gaps.
 */
enum { WIDE_GAP = 4 << 20, NARROW_GAP = 256, MOST_WIDE = 1024, FEW_TRIES = 64 };

static size_t live;      /* allocations */
static uintptr_t search; /* where memory was last freed, or the end of what is allocated */

/* Twice as many addresses as memory: room for gaps. */
static bool pool_init(size_t most_bytes)
{
    if (pool_low)
        return true;
    const size_t bytes = 2 * most_bytes + 2 * (size_t)MOST_WIDE * WIDE_GAP;
    void *p = reserve(0, bytes);
    if (p == MAP_FAILED)
        return false;
    pool_low = search = (uintptr_t)p;
    pool_bytes = bytes;
    pool_close();
    return true;
}

static uintptr_t round_up(uintptr_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* The first address at or above `at` with a gap on both sides; 0 if `tries` attempts find none. */
static uintptr_t find_place(uintptr_t at, size_t bytes, size_t gap, size_t alignment, size_t tries)
{
    const uintptr_t end = pool_low + pool_bytes;
    for (; tries > 0; tries--) {
        const uintptr_t place = round_up(at + gap, alignment);
        const struct region *next = memory_above(at);
        if (place > end || end - place < bytes + gap)
            return 0;
        if (!next || next->low >= end || next->low >= place + bytes + gap)
            return place;
        at = next->low + next->bytes;
    }
    return 0;
}

/* `most_bytes`: the memory of the whole device. */
void *pool_allocate(size_t bytes, size_t most_bytes)
{
    if (!pool_init(most_bytes))
        return NULL;
    const size_t gap = live < MOST_WIDE ? WIDE_GAP : NARROW_GAP;
    const size_t alignment = bytes >= FILE_BYTES ? PAGE_BYTES : ALIGNMENT;
    const struct region *last = memory_below(pool_low + pool_bytes);
    const uintptr_t top = last && last->low >= pool_low ? last->low + last->bytes : pool_low;
    uintptr_t place = find_place(search, bytes, gap, alignment, FEW_TRIES);
    if (!place)
        place = find_place(top, bytes, gap, alignment, 1);
    if (!place)
        place = find_place(pool_low, bytes, NARROW_GAP, alignment, SIZE_MAX);
    if (!place)
        return NULL;
    live++;
    search = place + bytes;
    fill(place, bytes);
    return (void *)place;
}

/* Gives whole pages back to the system. */
void pool_free(void *p, size_t bytes)
{
    const uintptr_t at = (uintptr_t)p;
    const uintptr_t first = round_up(at, PAGE_BYTES), last = (at + bytes) / PAGE_BYTES * PAGE_BYTES;
    const struct region *below = memory_below(at);
    const uintptr_t free_from =
        below && below->low >= pool_low ? below->low + below->bytes : pool_low;
    live--;
    if (free_from < search)
        search = free_from;
    if (bytes >= FILE_BYTES)
        reserve(at, round_up(bytes, PAGE_BYTES));
    else if (bytes >= LARGE_BYTES)
        madvise((void *)first, last - first, MADV_DONTNEED);
}
