/* SPDX-License-Identifier: MIT */
/*
 * host.c - how far the host's memory goes from an address: to the end of the block, variable or
 * stack frame that holds it. A GPU's driver does not look; a copy that goes further damages what
 * comes after, or reads it.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "inside.h"

/* ---- the heap ---- */

/*
 * In glibc the word before a block is the size of its chunk, header included, with flags in the
 * low bits. Large blocks are mappings of their own; the other chunks are neighbours, from where the
 * heap began up to sbrk(0). Those of other host threads are not known.
 */
#ifdef __GLIBC__
enum { HEADER = 16, FLAGS = 7, MAPPED = 2, OF_THREAD = 4, PAGE = 4096, MOST_CHUNKS = 1 << 14 };

static size_t word_at(uintptr_t address)
{
    size_t word;
    memcpy(&word, (const void *)address, sizeof word);
    return word;
}

static uintptr_t heap_start(void)
{
    static uintptr_t start;
    static bool tried;
    char line[512];
    FILE *maps = tried ? NULL : fopen("/proc/self/maps", "r"); /* which makes the heap */
    tried = true;
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "[heap]"))
            start = strtoull(line, NULL, 16);
    if (maps)
        fclose(maps);
    return start;
}

/* The end of the chunk's bytes: it uses the first word of the next one. 0: in no chunk. */
static uintptr_t chunk_end(uintptr_t address)
{
    const uintptr_t top = (uintptr_t)sbrk(0);
    uintptr_t chunk = heap_start();
    if (chunk == 0 || address - chunk >= top - chunk)
        return 0;
    for (int n = 0; n < MOST_CHUNKS && top - chunk > HEADER; n++) {
        const size_t flags = word_at(chunk + 8) & FLAGS, size = word_at(chunk + 8) - flags;
        if (flags & (MAPPED | OF_THREAD) || size < 2 * HEADER || size % 16 || size > top - chunk)
            return 0;
        if (address - chunk < size)
            return address - chunk < HEADER ? 0 : chunk + size + 8;
        chunk += size;
    }
    return 0;
}

/* The same of a block that begins here and is a mapping. From glibc 2.43 on its size lacks
 * a header to whole pages, and is used as a chunk's in the heap. */
static uintptr_t mapping_end(uintptr_t address)
{
    if (address % PAGE != HEADER || word_at(address - 16) != 0 ||
        (word_at(address - 8) & FLAGS) != MAPPED)
        return 0;
    const size_t size = word_at(address - 8) - MAPPED;
    const uintptr_t chunk = address - HEADER;
    return size < PAGE                   ? 0
           : size % PAGE == 0            ? chunk + size
           : (size + HEADER) % PAGE == 0 ? chunk + size + 8
                                         : 0;
}

static uintptr_t block_end(uintptr_t address)
{
    const uintptr_t end = chunk_end(address);
    return end ? end : mapping_end(address);
}
#else
static uintptr_t block_end(uintptr_t address)
{
    (void)address;
    return 0;
}
#endif

/* ---- the stack ---- */

/* The frame that holds an address ends where its caller's begins. */
struct frame_search {
    uintptr_t address, low, end;
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data)
{
    struct frame_search *f = data;
    const uintptr_t sp = _Unwind_GetCFA(context);
    f->low = f->low ? f->low : sp;
    if (f->address < f->low)
        return _URC_END_OF_STACK;
    if (f->address >= sp)
        return _URC_NO_REASON;
    f->end = sp;
    return _URC_END_OF_STACK;
}

static uintptr_t frame_end(uintptr_t address)
{
#ifdef __x86_64__
    enum { RETURN_ADDRESS = 8 };
#else
    enum { RETURN_ADDRESS = 0 }; /* ARM keeps it below the variables */
#endif
    struct frame_search f = {.address = address};
    _Unwind_Backtrace(visit, &f);
    return f.end ? f.end - RETURN_ADDRESS : 0;
}

/* ---- any of them ---- */

size_t host_room(const void *p, const char **what)
{
    const uintptr_t address = (uintptr_t)p;
    machine_init();
    uintptr_t end = block_end(address);
    const size_t own = end ? 0 : symbols_size(address);
    *what = end ? "the host's block" : own ? "the variable" : "its stack frame";
    if (!end)
        end = own ? address + own : frame_end(address);
    return end ? end - address : SIZE_MAX;
}
