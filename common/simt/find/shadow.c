/* SPDX-License-Identifier: MIT */
/*
 * shadow.c - finds the cells that belong to an address.
 *
 * Shared memory is small, so each array has a cell for every word. Global memory is large: its
 * cells are kept in two tables of fixed size, and a new word takes the place of an old one. A race
 * between accesses that lie too far apart (the last 65,536 words read, 262,144 written) is missed.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "inside.h"

enum { WORD_SHIFT = 2, WRITES_LOG2 = 18, READS_LOG2 = 16, PAGE_SHIFT = 12, PAGES_LOG2 = 16 };

static struct write_cell *global_writes;
static struct read_cell *global_reads;
static unsigned global_shift;

/* A bit for each page that this launch has written; pages share bits. Most reads are of inputs,
 * and so need no look into the large table. */
static uint8_t written_pages[(1 << PAGES_LOG2) / 8];

/* Zeros, which the system provides when they are touched. */
static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "simt: no memory to watch for races (SIMT_CHECK=0 does without)\n");
        exit(1);
    }
    return p;
}

static struct shadow *shadow_new(void)
{
    struct shadow *s = calloc(1, sizeof *s);
    if (!s) {
        fprintf(stderr, "simt: out of host memory\n");
        exit(1);
    }
    s->shift = WORD_SHIFT;
    return s;
}

/* Room for a cell for each byte; what is not used costs nothing. */
struct shadow *shadow_of_array(size_t bytes)
{
    struct shadow *s = shadow_new();
    s->writes = reserve((bytes + 16) * sizeof *s->writes);
    s->reads = reserve((bytes + 16) * sizeof *s->reads);
    return s;
}

/* ---- words that nobody has written ---- */

struct shadow *shadow_of_allocation(size_t bytes)
{
    struct shadow *s = shadow_new();
    const size_t bits = (bytes + 3) / 4;
    s->unwritten = malloc((bits + 7) / 8);
    if (s->unwritten)
        memset(s->unwritten, 0xff, (bits + 7) / 8);
    return s;
}

void shadow_free(struct shadow *s)
{
    if (s)
        free(s->unwritten);
    free(s);
}

/* Somebody has written these bytes. A word counts as written when one of its bytes is. */
void shadow_written(const struct region *r, uintptr_t address, size_t bytes)
{
    struct shadow *s = r->shadow;
    if (!s || !s->unwritten || bytes == 0)
        return;
    if (address == r->low && bytes >= r->bytes) {
        free(s->unwritten);
        s->unwritten = NULL;
        return;
    }
    const size_t last = (address - r->low + bytes - 1) >> WORD_SHIFT;
    for (size_t k = (address - r->low) >> WORD_SHIFT; k <= last; k++) {
        if (k % 8 == 0 && k + 8 <= last) {
            const size_t whole = (last - k) / 8;
            memset(s->unwritten + k / 8, 0, whole);
            k += 8 * whole;
        }
        s->unwritten[k / 8] &= (uint8_t) ~(1u << k % 8);
    }
}

/* By a call such as cudaMemcpy. */
void shadow_host_wrote(const void *to, size_t bytes)
{
    const struct region *r = memory_find((uintptr_t)to);
    if (r)
        shadow_written(r, (uintptr_t)to, bytes);
}

/* Has no word of the access been written? If some have, the others may be padding of a struct. */
bool shadow_is_unwritten(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const struct shadow *s = r->shadow;
    if (!s || !s->unwritten)
        return false;
    const size_t last = (address - r->low + bytes - 1) >> WORD_SHIFT;
    for (size_t k = (address - r->low) >> WORD_SHIFT; k <= last; k++)
        if (!(s->unwritten[k / 8] >> k % 8 & 1))
            return false;
    return true;
}

/* ---- cells ---- */

void shadow_launch(void)
{
    if (!global_writes) {
        global_writes = reserve(sizeof *global_writes << WRITES_LOG2);
        global_reads = reserve(sizeof *global_reads << READS_LOG2);
    }
    global_shift = WORD_SHIFT;
    memset(written_pages, 0, sizeof written_pages);
}

/* A char or a half has come to an array of words: from now on each has cells of its own. */
void shadow_refine(const struct region *r, unsigned shift)
{
    struct shadow *s = r->shadow;
    const unsigned by = s->shift - shift;
    for (size_t k = (r->bytes >> s->shift) + 1; k-- > 0;)
        for (size_t part = (size_t)1 << by; part-- > 0;) {
            s->writes[(k << by) + part] = s->writes[k];
            s->reads[(k << by) + part] = s->reads[k];
        }
    s->shift = shift;
}

/* The cells of all global memory have one size: the smallest that this launch has needed. */
unsigned shadow_global_shift(unsigned need)
{
    if (need < global_shift)
        global_shift = need; /* keys change with it, so what was known is forgotten */
    return global_shift;
}

struct cells shadow_global_cells(uintptr_t address, unsigned shift, bool write)
{
    const uintptr_t word = address >> shift, page = address >> PAGE_SHIFT;
    const size_t page_bit = (page ^ page >> PAGES_LOG2) & ((1u << PAGES_LOG2) - 1);
    const size_t slot = word ^ (word >> WRITES_LOG2) * 0x9e3779b1u;
    struct cells c = {NULL, &global_reads[slot & ((1u << READS_LOG2) - 1)],
                      (uint64_t)word << 2 | shift};
    if (write)
        written_pages[page_bit / 8] |= (uint8_t)(1u << page_bit % 8);
    if (written_pages[page_bit / 8] >> page_bit % 8 & 1)
        c.write = &global_writes[slot & ((1u << WRITES_LOG2) - 1)];
    if (c.write && c.write->key != c.key) {
        if (write)
            *c.write = (struct write_cell){.key = c.key};
        else
            c.write = NULL;
    }
    return c;
}
