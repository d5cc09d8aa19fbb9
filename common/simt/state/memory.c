/* SPDX-License-Identifier: MIT */
/*
 * memory.c - which addresses a kernel may touch: a sorted table of regions, and the homes for the
 * shared memory of blocks that take turns.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "state.h"

/* Dynamic shared memory. Every `extern __shared__` array is another name for this one. */
_Alignas(1024) char simt_dynamic_shared[SHARED_LIMIT];

enum { FREED_REMEMBERED = 64, MAX_SEGMENTS = 16 };

static struct region *table; /* sorted by address, without overlaps */
static size_t count, capacity;

static struct region freed[FREED_REMEMBERED]; /* a ring, for better messages */
static size_t freed_count;

/* __device__ variables, and the program's constants */
static struct region segments[MAX_SEGMENTS];
static size_t segment_count;

static struct region dynamic_shared = {.space = SPACE_SHARED, .name = "(dynamic)"};

static const struct region *home_region(uintptr_t address);

/* ---- the table ---- */

/* The number of regions that start at or below the address. */
static size_t rank(uintptr_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Forgets freed memory that is in use again, or near it. */
static void forget_freed(const struct region *r)
{
    enum { NEAR_BYTES = 512 };
    for (size_t i = 0; i < FREED_REMEMBERED; i++)
        if (freed[i].low < r->low + r->bytes + NEAR_BYTES &&
            r->low < freed[i].low + freed[i].bytes + NEAR_BYTES)
            freed[i].bytes = 0;
}

void memory_add(struct region region)
{
    if (count == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        table = realloc(table, capacity * sizeof *table);
        if (!table) {
            fprintf(stderr, "simt: out of host memory\n");
            exit(1);
        }
    }
    forget_freed(&region);
    const size_t at = rank(region.low);
    memmove(table + at + 1, table + at, (count - at) * sizeof *table);
    table[at] = region;
    count++;
}

bool memory_remove(uintptr_t low, struct region *removed)
{
    const size_t at = rank(low);
    if (at == 0 || table[at - 1].low != low)
        return false;
    struct region *r = &table[at - 1];
    for (struct buffer *buffer = r->buffers, *next; buffer; buffer = next) {
        next = buffer->next;
        free(buffer);
    }
    r->buffers = NULL;
    *removed = *r;
    freed[freed_count++ % FREED_REMEMBERED] = *removed;
    count--;
    memmove(table + at - 1, table + at, (count - at + 1) * sizeof *table);
    return true;
}

const struct region *memory_find(uintptr_t address)
{
    const size_t at = rank(address);
    if (at > 0 && region_holds(&table[at - 1], address))
        return &table[at - 1];
    if (address - (uintptr_t)simt_dynamic_shared < SHARED_LIMIT)
        return region_holds(&dynamic_shared, address) ? &dynamic_shared : NULL;
    if (memory_is_far(address))
        return home_region(address);
    for (size_t i = 0; i < segment_count; i++)
        if (region_holds(&segments[i], address))
            return &segments[i];
    return NULL;
}

const struct region *memory_below(uintptr_t address)
{
    if (address - (uintptr_t)simt_dynamic_shared < SHARED_LIMIT)
        return &dynamic_shared;
    const size_t at = rank(address);
    return at > 0 ? &table[at - 1] : NULL;
}

const struct region *memory_above(uintptr_t address)
{
    const size_t at = rank(address);
    return at < count ? &table[at] : NULL;
}

const struct region *memory_freed(uintptr_t address)
{
    for (size_t i = 0; i < FREED_REMEMBERED; i++)
        if (region_holds(&freed[i], address))
            return &freed[i];
    return NULL;
}

/* ---- buffers ---- */

bool memory_buffer_add(struct buffer buffer)
{
    /* A buffer may be empty, at the end of its allocation. */
    const size_t at = rank(buffer.low - (buffer.bytes == 0));
    struct region *r = at > 0 ? &table[at - 1] : NULL;
    if (!r || r->space != SPACE_GLOBAL || !region_holds(r, buffer.low - (buffer.bytes == 0)))
        return false;
    struct buffer *kept = malloc(sizeof *kept);
    if (!kept)
        return false;
    *kept = buffer;
    kept->next = r->buffers;
    r->buffers = kept;
    return true;
}

void memory_read_only(uintptr_t address)
{
    const size_t at = rank(address);
    if (at > 0 && region_holds(&table[at - 1], address))
        table[at - 1].read_only = true;
}

static size_t distance(const struct buffer *buffer, uintptr_t address)
{
    const uintptr_t end = buffer->low + buffer->bytes;
    return address < buffer->low ? buffer->low - address : address < end ? 0 : address - end + 1;
}

struct buffer *buffer_near(const struct region *r, uintptr_t address)
{
    struct buffer *near = r->buffers;
    for (struct buffer *buffer = near; buffer; buffer = buffer->next)
        if (distance(buffer, address) < distance(near, address))
            near = buffer;
    return near;
}

/* ---- shared memory and the program's own variables ---- */

static struct shadow *(*new_shadow)(size_t bytes);

static void add_shared_array(const char *name, uintptr_t low, size_t bytes)
{
    memory_add((struct region){.low = low,
                               .bytes = bytes,
                               .space = SPACE_SHARED,
                               .name = name,
                               .shadow = new_shadow(bytes)});
}

static void add_segment(uintptr_t low, size_t bytes, enum space space)
{
    if (segment_count < MAX_SEGMENTS)
        segments[segment_count++] = (struct region){.low = low, .bytes = bytes, .space = space};
}

void memory_init(struct shadow *(*shadow_of)(size_t bytes))
{
    if (dynamic_shared.low)
        return;
    dynamic_shared.low = (uintptr_t)simt_dynamic_shared;
    dynamic_shared.shadow = shadow_of(SHARED_LIMIT);
    new_shadow = shadow_of;
    symbols_init(add_shared_array, add_segment);
}

void memory_set_dynamic_shared(size_t bytes)
{
    dynamic_shared.bytes = bytes;
}

const struct region *memory_dynamic_shared(void)
{
    return &dynamic_shared;
}

/* On a GPU the shared memory of a new block holds garbage. Here it is NaN as a float and -1 as an
 * int, so a program that forgets to write it gets a wrong result. */
void memory_poison_shared(void)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].space == SPACE_SHARED)
            memset((void *)table[i].low, 0xff, table[i].bytes);
    memset(simt_dynamic_shared, 0xff, dynamic_shared.bytes);
}

/* ---- the homes of blocks that take turns ---- */

/* A home holds a copy of the program's shared arrays, at the same distances, with the dynamic array
 * after them. Each of its regions has a shadow, which the running block's arrays borrow. */
struct home {
    struct region *regions;
    size_t dynamic_bytes; /* for which its dynamic array has a shadow */
};
static struct home *homes;
static unsigned homes_made; /* whose shadows exist */
static char *homes_low;
static size_t home_bytes, homes_reserved;
static unsigned home_count, in_place;

static struct region **arrays; /* the program's arrays, the dynamic one last */
static size_t *places;         /* where each one is in a home */
static size_t array_count;

enum { HOME_ALIGNMENT = 1024 };

static size_t round_up(size_t bytes)
{
    return (bytes + HOME_ALIGNMENT - 1) / HOME_ALIGNMENT * HOME_ALIGNMENT;
}

static void *grown(void *p, size_t elements, size_t bytes)
{
    p = realloc(p, elements * bytes);
    if (!p && elements != 0) {
        fprintf(stderr, "simt: out of host memory\n");
        exit(1);
    }
    return p;
}

/* Finds the arrays, which the table may have moved, and their offsets. */
static void lay_out_home(void)
{
    size_t n = 0, end = 0;
    uintptr_t low = 0;
    arrays = grown(arrays, count + 1, sizeof *arrays);
    places = grown(places, count + 1, sizeof *places);
    for (size_t i = 0; i < count; i++)
        if (table[i].space == SPACE_SHARED) {
            low = n == 0 ? table[i].low / HOME_ALIGNMENT * HOME_ALIGNMENT : low;
            places[n] = table[i].low - low;
            end = places[n] + table[i].bytes;
            arrays[n++] = &table[i];
        }
    places[n] = round_up(end);
    home_bytes = round_up(places[n] + dynamic_shared.bytes + 1);
    arrays[n++] = &dynamic_shared;
    array_count = n;
}

/* The first block borrows nothing: it uses the arrays' own shadows. */
static void make_home(unsigned block)
{
    struct region *regions = homes[block].regions;
    if (block >= homes_made) {
        regions = homes[block].regions = grown(NULL, array_count, sizeof *regions);
        for (size_t i = 0; i < array_count; i++)
            regions[i].shadow = block == 0 ? arrays[i]->shadow : new_shadow(arrays[i]->bytes);
        homes[block].dynamic_bytes = block == 0 ? SHARED_LIMIT : dynamic_shared.bytes;
        homes_made = block + 1;
    }
    if (homes[block].dynamic_bytes < dynamic_shared.bytes) { /* the old one stays: this is rare */
        regions[array_count - 1].shadow = new_shadow(dynamic_shared.bytes);
        homes[block].dynamic_bytes = dynamic_shared.bytes;
    }
    for (size_t i = 0; i < array_count; i++) {
        struct shadow *shadow = regions[i].shadow;
        regions[i] = *arrays[i];
        regions[i].shadow = shadow;
        regions[i].low = (uintptr_t)homes_low + block * home_bytes + places[i];
    }
}

void memory_team(unsigned blocks)
{
    if (home_count > 1)
        memory_turn(0);
    home_count = blocks;
    in_place = 0;
    if (blocks == 1)
        return;
    lay_out_home();
    const size_t bytes = blocks * home_bytes;
    if (bytes > homes_reserved) {
        if (homes_low)
            munmap(homes_low, homes_reserved);
        homes_low = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (homes_low == MAP_FAILED) {
            fprintf(stderr, "simt: no memory for the shared memory of %u blocks\n", blocks);
            exit(1);
        }
        homes_reserved = bytes;
    }
    if (blocks > homes_made)
        homes = grown(homes, blocks, sizeof *homes);
    for (unsigned b = 0; b < blocks; b++)
        make_home(b);
}

static void copy_home(unsigned block, bool out)
{
    char *home = homes_low + block * home_bytes;
    for (size_t i = 0; i < array_count; i++) {
        char *array = (char *)arrays[i]->low;
        memcpy(out ? home + places[i] : array, out ? array : home + places[i], arrays[i]->bytes);
        if (!out)
            arrays[i]->shadow = homes[block].regions[i].shadow;
    }
}

void memory_turn(unsigned block)
{
    if (block == in_place)
        return;
    copy_home(in_place, true);
    copy_home(block, false);
    in_place = block;
}

bool memory_is_far(uintptr_t address)
{
    return home_count > 1 && address - (uintptr_t)homes_low < home_count * home_bytes;
}

unsigned memory_owner(uintptr_t home)
{
    return memory_is_far(home) ? (unsigned)((home - (uintptr_t)homes_low) / home_bytes) : 0;
}

uintptr_t memory_home(unsigned block, uintptr_t address)
{
    if (home_count <= 1 || memory_is_far(address))
        return address;
    for (size_t i = array_count; i-- > 0;) /* the address just past the last element counts too */
        if (address >= arrays[i]->low && address - arrays[i]->low <= arrays[i]->bytes)
            return (uintptr_t)homes_low + block * home_bytes + places[i] +
                   (address - arrays[i]->low);
    return address;
}

uintptr_t memory_now(uintptr_t home)
{
    if (!memory_is_far(home) || memory_owner(home) != in_place)
        return home;
    const size_t place = (home - (uintptr_t)homes_low) % home_bytes;
    for (size_t i = array_count; i-- > 0;)
        if (place >= places[i])
            return arrays[i]->low + (place - places[i]);
    return home;
}

/* A block reaches its own arrays by their own addresses. */
static const struct region *home_region(uintptr_t address)
{
    const unsigned block = memory_owner(address);
    for (size_t i = 0; i < array_count && block != in_place; i++)
        if (region_holds(&homes[block].regions[i], address))
            return &homes[block].regions[i];
    return NULL;
}
