/* SPDX-License-Identifier: MIT */
/*
 * shadow.c - finds the cells of an address.
 *
 * Shared memory is small, so each array has a cell for every word. Global memory is large: its
 * cells are in two tables of fixed size, where a new word replaces an old one. A race between
 * accesses that are too far apart (beyond the last 65,536 words read, 262,144 written) is missed.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "inside.h"

enum { WORD_SHIFT = 2 };

struct write_cell *global_writes;
struct read_cell *global_reads;
unsigned global_shift;
struct tables tables_before;

bool watching = true;

uint8_t written_pages[(1 << PAGES_LOG2) / 8];

/* Zeros, which the system provides on first touch. */
static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "simt: out of memory for the race checks (SIMT_CHECK=0 turns them off)\n");
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

/* Space for a cell per byte; what is not used costs nothing. */
struct shadow *shadow_of_array(size_t bytes)
{
    struct shadow *s = shadow_new();
    s->writes = reserve((bytes + 16) * sizeof *s->writes);
    s->reads = reserve((bytes + 16) * sizeof *s->reads);
    return s;
}

/* ---- bytes that were never written ---- */

/* Zeros: large pieces come from the system, and cost nothing until they are written. */
struct shadow *shadow_of_allocation(size_t bytes)
{
    struct shadow *s = shadow_new();
    s->written = calloc(bytes / 8 + 1, 1);
    return s;
}

/* Code without hooks may write it, such as fread(). So its contents say what was never written. */
struct shadow *shadow_of_host_memory(void)
{
    struct shadow *s = shadow_new();
    s->fresh = true;
    return s;
}

static void forget_written(struct shadow *s)
{
    free(s->written);
    free(s->cut);
    s->written = s->cut = NULL;
}

void shadow_free(struct shadow *s)
{
    if (!s)
        return;
    forget_written(s);
    free(s->queued);
    free(s);
}

static inline bool bit(const uint8_t *bits, size_t k)
{
    return bits[k / 8] >> k % 8 & 1;
}

static void set_bits(uint8_t *bits, size_t first, size_t count)
{
    const size_t end = first + count;
    for (size_t k = first; k < end; k = (k / 8 + 1) * 8) {
        if (k % 8 == 0 && end - k >= 64) {
            memset(bits + k / 8, 0xff, (end - k) / 8);
            k += (end - k) / 8 * 8 - 8;
            continue;
        }
        const unsigned upto = end - k < 8 - k % 8 ? (unsigned)(end - k) : 8 - k % 8;
        bits[k / 8] |= (uint8_t)(((1u << upto) - 1) << k % 8);
    }
}

/* Marks these bytes as written. */
void shadow_written(const struct region *r, uintptr_t address, size_t bytes)
{
    struct shadow *s = r->shadow;
    if (!s || !s->written || bytes == 0)
        return;
    if (address == r->low && bytes >= r->bytes)
        forget_written(s);
    else
        set_bits(s->written, address - r->low, bytes);
}

/* If the range that a call such as cudaMemcpy writes ends inside a word, the word is cut. */
static void cut_ends(const struct region *r, uintptr_t to, size_t bytes)
{
    struct shadow *s = r->shadow;
    const size_t first = to - r->low, end = first + bytes;
    if (!s || !s->written || (first | end) % 4 == 0)
        return;
    if (!s->cut)
        s->cut = calloc(r->bytes / 32 + 1, 1);
    for (int i = 0; s->cut && i < 2; i++) {
        const size_t edge = i == 0 ? first : end;
        if (edge % 4 != 0)
            set_bits(s->cut, edge / 4, 1);
    }
}

void shadow_host_wrote(const void *to, size_t bytes)
{
    const struct region *r = memory_find((uintptr_t)to);
    if (!r || bytes == 0)
        return;
    shadow_written(r, (uintptr_t)to, bytes);
    cut_ends(r, (uintptr_t)to, bytes);
}

/* From k on: how many bytes are alike, either all written or all unwritten. */
static size_t alike(const uint8_t *bits, size_t k, size_t end)
{
    const bool written = bit(bits, k);
    const uint8_t eight = written ? 0xff : 0;
    const size_t first = k;
    while (k < end && bit(bits, k) == written)
        k += k % 8 == 0 && k + 8 <= end && bits[k / 8] == eight ? 8 : 1;
    return k - first;
}

/* Which bytes of its allocation are written, and the position in it; NULL if all are. */
static const uint8_t *bits_of(const void *p, size_t *place)
{
    const struct region *r = memory_find((uintptr_t)p);
    *place = r ? (uintptr_t)p - r->low : 0;
    return r && r->shadow && watching ? r->shadow->written : NULL;
}

static bool is_fresh(uintptr_t word)
{
    return *(const uint32_t *)word == FRESH_WORD;
}

/* A copy from managed or pinned memory. */
static void copied_fresh(const struct region *r, uintptr_t to, uintptr_t from, size_t bytes)
{
    for (size_t k = 0, n; k < bytes; k += n) {
        for (n = k; n + 4 <= bytes && !is_fresh(from + n);)
            n += 4;
        n = n + 4 > bytes ? bytes - k : n - k;
        shadow_written(r, to + k, n);
        for (; k + n + 4 <= bytes && is_fresh(from + k + n);)
            n += 4;
    }
    cut_ends(r, to, bytes);
}

/* A copy of bytes that were never written is unwritten too. */
void shadow_copied(const void *to, const void *from, size_t bytes)
{
    const struct region *r = memory_find((uintptr_t)to), *of = memory_find((uintptr_t)from);
    size_t first;
    const uint8_t *bits = bits_of(from, &first);
    if (r && of && of->shadow && of->shadow->fresh && watching && (uintptr_t)from % 4 == 0) {
        copied_fresh(r, (uintptr_t)to, (uintptr_t)from, bytes);
        return;
    }
    if (!bits || !r) {
        shadow_host_wrote(to, bytes);
        return;
    }
    for (size_t k = first, n; k < first + bytes; k += n) {
        n = alike(bits, k, first + bytes);
        if (bit(bits, k))
            shadow_written(r, (uintptr_t)to + k - first, n);
    }
    cut_ends(r, (uintptr_t)to, bytes);
}

/* Padding of structs has fewer bytes: fewer than their alignment, a power of two that divides their
 * size; or than half of that if there is but one struct, of that size. */
static size_t more_than_padding(size_t bytes)
{
    enum { MOST = 16 };
    const size_t power = bytes & -bytes,
                 alignment = power == bytes && power > 1 ? power / 2 : power;
    return alignment < MOST ? alignment : MOST;
}

size_t shadow_blank(const void *from, size_t bytes, size_t *first)
{
    enum { ONE_STRUCT = 64 };
    size_t low, holes = 0, last = 0;
    const uint8_t *bits = bits_of(from, &low);
    for (size_t k = low, n; bits && k < low + bytes; k += n) {
        n = alike(bits, k, low + bytes);
        if (bit(bits, k))
            continue;
        holes++;
        last = n;
        *first = k;
        if (n >= more_than_padding(bytes))
            return n;
    }
    return holes == 1 && bytes > ONE_STRUCT ? last : 0;
}

/*
 * Does the access read what was never written? Yes if none of its bytes was, or if some are
 * unwritten in a word that a copy or a memset has cut. What a kernel's own stores leave out of a
 * wider access is not reported: it may be padding of a struct, or an unused member.
 */
bool shadow_is_unwritten(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const struct shadow *s = r->shadow;
    if (s && s->fresh) {
        uintptr_t word = address / 4 * 4;
        while (word < address + bytes && word + 4 <= r->low + r->bytes && is_fresh(word))
            word += 4;
        return word >= address + bytes;
    }
    if (!s || !s->written)
        return false;
    const size_t first = address - r->low;
    uint32_t written = 0;
    bool cut = false;
    for (size_t k = first; k < first + bytes; k++) {
        written += bit(s->written, k);
        cut |= s->cut && !bit(s->written, k) && bit(s->cut, k / 4);
    }
    return written == 0 || cut;
}

/* ---- cells ---- */

/* Tables need not be cleared: entries of older blocks no longer count. */
void shadow_launch(bool early)
{
    const char *check = getenv("SIMT_CHECK");
    watching = !check || strcmp(check, "0") != 0;
    if (!global_writes) {
        global_writes = reserve(sizeof *global_writes << WRITES_LOG2);
        global_reads = reserve(sizeof *global_reads << READS_LOG2);
        /* Large pages: a launch touches most of them, each page for a few cells. */
        madvise(global_writes, sizeof *global_writes << WRITES_LOG2, MADV_HUGEPAGE);
        madvise(global_reads, sizeof *global_reads << READS_LOG2, MADV_HUGEPAGE);
        tables_before.writes = reserve(sizeof *tables_before.writes << WRITES_LOG2);
        tables_before.reads = reserve(sizeof *tables_before.reads << READS_LOG2);
    }
    if (early) {
        const struct tables last = {global_writes, global_reads, global_shift};
        global_writes = tables_before.writes;
        global_reads = tables_before.reads;
        tables_before = last;
    }
    global_shift = WORD_SHIFT;
    memset(written_pages, 0, sizeof written_pages);
}

/* A char or a half accesses an array of words: from now on each has its own cells. */
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

/* The tables are larger than the processor's caches. So a lane prefetches its cells and its data
 * when it stops: they have arrived by the time the request is checked. */
void race_expect(uintptr_t address, bool write)
{
    const size_t slot = slot_of(address >> global_shift);
    __builtin_prefetch(&global_reads[slot & ((1u << READS_LOG2) - 1)].by, 1);
    if (write)
        __builtin_prefetch(&global_writes[slot & ((1u << WRITES_LOG2) - 1)], 1);
    __builtin_prefetch((const void *)address);
}
