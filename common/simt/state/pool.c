/* SPDX-License-Identifier: MIT */
/*
 * pool.c - device memory, and memory that host and device share: one range of addresses. So the
 * hooks need one comparison to see whether host code touches it. On a GPU such an access crashes
 * or, in managed and pinned memory, may come too early.
 *
 * The first half of the range is device memory. Its pages are protected, so that host code which
 * has no hooks, such as that of a library, crashes there as well. They are open while a kernel runs
 * and while a call of the API needs them.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../include/simt/inspect.h"
#include "state.h"

enum { ALIGNMENT = 256, LARGE_BYTES = 1 << 20, PAGE_BYTES = 64 << 10, HUGE_BYTES = 2 << 20 };

uintptr_t pool_low;
size_t pool_bytes;

static uintptr_t confined_low;
static size_t confined_bytes;

/* A part of the pool: nothing was ever allocated above `top`. */
struct arena {
    uintptr_t low, end, top;
    uintptr_t search; /* where memory was last freed, or the end of what is allocated */
    size_t live;      /* allocations */
};
static struct arena device_arena, host_arena;
static unsigned uses; /* calls of pool_open() without their pool_shut() */

static void protect(uintptr_t low, uintptr_t end, int how)
{
    if (end == low || mprotect((void *)low, end - low, how) == 0)
        return;
    perror("simt: mprotect() of device memory");
    exit(1);
}

void pool_open(void)
{
    if (uses++ == 0)
        protect(device_arena.low, device_arena.top, PROT_READ | PROT_WRITE);
}

void pool_shut(void)
{
    if (--uses == 0)
        protect(device_arena.low, device_arena.top, PROT_NONE);
}

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
 * All bytes of new device memory are 0xff, and all words of memory that the host may use too are
 * FRESH_WORD. A large piece must cost nothing until it is touched. So it is made of private
 * mappings of one file: the system shows the file's pages, and copies a page when it is written.
 */
enum { FILE_BYTES = 16 << 20 };

static void fill_words(void *p, size_t bytes, uint32_t word)
{
    char *to = p;
    for (size_t done = 0; done < bytes; done += sizeof word)
        memcpy(to + done, &word, bytes - done < sizeof word ? bytes - done : sizeof word);
}

static int file_of(bool for_host, uint32_t word)
{
    static int files[] = {-1, -1};
    static bool tried[2];
    int fd = files[for_host];
    struct rlimit most;
    if (tried[for_host] || (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < FILE_BYTES))
        return fd;
    tried[for_host] = true;
    fd = memfd_create("simt", MFD_CLOEXEC);
    void *p = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, FILE_BYTES) == 0)
        p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return -1;
    fill_words(p, FILE_BYTES, word);
    munmap(p, FILE_BYTES);
    return files[for_host] = fd;
}

static void fill(uintptr_t p, size_t bytes, bool for_host)
{
    const uint32_t word = for_host ? FRESH_WORD : UINT32_MAX;
    const int fd = bytes >= FILE_BYTES ? file_of(for_host, word) : -1;
    for (size_t done = 0; fd >= 0 && done + FILE_BYTES <= bytes; done += FILE_BYTES)
        if (mmap((void *)(p + done), FILE_BYTES, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd, 0) == MAP_FAILED)
            fill_words((void *)(p + done), FILE_BYTES, word);
    const size_t rest = fd >= 0 ? bytes % FILE_BYTES : bytes;
    fill_words((void *)(p + bytes - rest), rest, word);
}

/* Untouched addresses, which cost nothing. With MAP_FIXED they replace what is there. */
static void *reserve(uintptr_t at, size_t bytes, int how)
{
    return mmap((void *)at, bytes, how,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0), -1, 0);
}

/* ---- where it is ---- */

/*
 * Neighbours are megabytes apart, so that an index that is far too large does not land in another
 * allocation. A program with thousands of allocations gets smaller gaps.
 */
enum { WIDE_GAP = 4 << 20, NARROW_GAP = 256, MOST_WIDE = 1024, FEW_TRIES = 64 };

/* More addresses than memory: room for gaps. With a `ulimit -v`, a quarter of what that allows. */
static bool pool_init(size_t most_bytes)
{
    if (pool_low)
        return true;
    struct rlimit most;
    size_t half = most_bytes + (size_t)MOST_WIDE * WIDE_GAP;
    if (getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur / 8 < half)
        half = most.rlim_cur / 8;
    half = half / HUGE_BYTES * HUGE_BYTES;
    void *p = reserve(0, 2 * half, PROT_NONE);
    if (p == MAP_FAILED)
        return false;
    pool_low = (uintptr_t)p;
    pool_bytes = 2 * half;
    const uintptr_t middle = pool_low + half, end = pool_low + pool_bytes;
    device_arena = (struct arena){pool_low, middle, pool_low, pool_low, 0};
    host_arena = (struct arena){middle, end, middle, middle, 0};
    pool_close();
    return true;
}

static struct arena *arena_of(uintptr_t address)
{
    return address < device_arena.end ? &device_arena : &host_arena;
}

bool pool_is_device(uintptr_t address)
{
    return address - device_arena.low < device_arena.end - device_arena.low;
}

static uintptr_t round_up(uintptr_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* The first address at or above `at` with a gap on both sides; 0 if `tries` attempts find none. */
static uintptr_t find_place(const struct arena *a, uintptr_t at, size_t bytes, size_t gap,
                            size_t tries)
{
    const size_t alignment = bytes >= FILE_BYTES ? PAGE_BYTES : ALIGNMENT;
    for (; tries > 0; tries--) {
        const uintptr_t place = round_up(at + gap, alignment);
        const struct region *next = memory_above(at);
        if (place > a->end || a->end - place < bytes + gap)
            return 0;
        if (!next || next->low >= a->end || next->low >= place + bytes + gap)
            return place;
        at = next->low + next->bytes;
    }
    return 0;
}

/* The end of the last allocation below this address. */
static uintptr_t end_below(const struct arena *a, uintptr_t address)
{
    const struct region *last = memory_below(address);
    return last && last->low >= a->low ? last->low + last->bytes : a->low;
}

/* `most_bytes`: the memory of the whole device. */
void *pool_allocate(size_t bytes, size_t most_bytes, bool for_host)
{
    if (!pool_init(most_bytes))
        return NULL;
    struct arena *a = for_host ? &host_arena : &device_arena;
    const size_t gap = a->live < MOST_WIDE ? WIDE_GAP : NARROW_GAP;
    uintptr_t place = find_place(a, a->search, bytes, gap, FEW_TRIES);
    if (!place)
        place = find_place(a, end_below(a, a->end - 1), bytes, gap, 1);
    if (!place)
        place = find_place(a, a->low, bytes, NARROW_GAP, SIZE_MAX);
    if (!place)
        return NULL;
    uintptr_t top = round_up(place + bytes, HUGE_BYTES); /* so that it may have huge pages */
    top = top < a->end ? top : a->end;
    if (top > a->top) {
        if (mprotect((void *)a->top, top - a->top, PROT_READ | PROT_WRITE) != 0)
            return NULL;
        a->top = top;
    }
    a->live++;
    a->search = place + bytes;
    /* Its own pages alone: a program may have thousands of allocations. */
    const uintptr_t first = place / PAGE_BYTES * PAGE_BYTES;
    protect(first, top, PROT_READ | PROT_WRITE);
    fill(place, bytes, for_host);
    if (a == &device_arena && uses == 0)
        protect(first, top, PROT_NONE);
    return (void *)place;
}

/* Gives whole pages back to the system. */
void pool_free(void *p, size_t bytes)
{
    const uintptr_t at = (uintptr_t)p;
    const uintptr_t first = round_up(at, PAGE_BYTES), last = (at + bytes) / PAGE_BYTES * PAGE_BYTES;
    struct arena *a = arena_of(at);
    const uintptr_t free_from = end_below(a, at);
    a->live--;
    if (free_from < a->search)
        a->search = free_from;
    if (bytes >= FILE_BYTES)
        reserve(at, round_up(bytes, PAGE_BYTES),
                a == &device_arena && uses == 0 ? PROT_NONE : PROT_READ | PROT_WRITE);
    else if (bytes >= LARGE_BYTES)
        madvise((void *)first, last - first, MADV_DONTNEED);
}
