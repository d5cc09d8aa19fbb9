/* SPDX-License-Identifier: MIT */
/*
 * pads.c - where an exception may continue in a function: its landing pads. .eh_frame says where
 * the code of each function is, and its table in .gcc_except_table, which has the pads and for
 * which calls they are.
 */
#include <string.h>

#include "inside.h"

static site_t *site;
static int sites;
static bool unreadable;

static uint64_t take(const bytes_t *from, uint64_t *at, int bytes)
{
    uint64_t n = 0;
    for (int i = 0; i < bytes; i++, ++*at) {
        const uint64_t k = *at - from->low;
        unreadable |= k >= (uint64_t)from->count;
        n |= unreadable ? 0 : (uint64_t)from->byte[k] << 8 * i;
    }
    return n;
}

/* 7 bits in each byte, the lowest first. */
static uint64_t take_bits(const bytes_t *from, uint64_t *at)
{
    uint64_t n = 0, byte = 0x80;
    for (int shift = 0; byte & 0x80 && shift < 64; shift += 7) {
        byte = take(from, at, 1);
        n |= (byte & 0x7f) << shift;
    }
    return n;
}

#define FROM_HERE 0x10u
enum { BITS = 1, U32 = 3, S32 = 11, FORMAT = 15, OMITTED = 0xff }; /* encodings */

static uint64_t take_encoded(const bytes_t *from, uint64_t *at, unsigned how)
{
    const uint64_t here = how & FROM_HERE ? *at : 0;
    if ((how & ~FROM_HERE) == BITS)
        return here + take_bits(from, at);
    unreadable |= (how & ~FROM_HERE) != U32 && (how & ~FROM_HERE) != S32;
    const uint64_t n = take(from, at, 4);
    return here + ((how & FORMAT) == S32 ? (uint64_t)(int64_t)(int32_t)n : n);
}

/* How the address of a function and that of its table are encoded. Functions share this entry. It
 * has a version, letters, two factors, a register and a length; then what each letter means. */
static void read_common(uint64_t at, unsigned *of_code, unsigned *of_table)
{
    char letters[8] = "";
    at += 9;
    for (size_t n = 0; (letters[n] = (char)take(&frames, &at, 1)) && n < sizeof letters - 1; n++)
        ;
    *of_code = *of_table = OMITTED;
    for (int i = 0; i < 4; i++)
        take_bits(&frames, &at);
    unreadable |= *letters != 'z';
    for (const char *letter = letters + 1; !unreadable && *letter; letter++) {
        unreadable |= !strchr("PLRSB", *letter);
        const unsigned how = strchr("PLR", *letter) ? (unsigned)take(&frames, &at, 1) : OMITTED;
        if (*letter == 'P')
            take_encoded(&frames, &at, how & FORMAT);
        else if (how != OMITTED)
            *(*letter == 'L' ? of_table : of_code) = how;
    }
}

/* Where its pads are counted from, types, encoding, length; then the calls of each pad. */
static void read_table(uint64_t at, uint64_t code)
{
    unsigned how = (unsigned)take(&tables, &at, 1);
    const uint64_t start = how == OMITTED ? code : take_encoded(&tables, &at, how);
    if (take(&tables, &at, 1) != OMITTED)
        take_bits(&tables, &at);
    how = (unsigned)take(&tables, &at, 1);
    const uint64_t bytes = take_bits(&tables, &at), end = at + bytes;
    while (!unreadable && at < end) {
        const uint64_t from = code + take_encoded(&tables, &at, how);
        const uint64_t to = from + take_encoded(&tables, &at, how);
        const uint64_t pad = take_encoded(&tables, &at, how);
        take_bits(&tables, &at);
        if (pad) {
            site = grown(site, sites, sizeof *site);
            site[sites++] = (site_t){from, to, start + pad};
        }
    }
}

/* If something here is not as gcc, clang and ld write it, no pad is known. */
static void read_frames(void)
{
    const uint64_t end = frames.low + (uint64_t)frames.count;
    for (uint64_t at = frames.low, next; !unreadable && at < end; at = next) {
        const uint64_t bytes = take(&frames, &at, 4), from = at;
        const uint64_t back = bytes ? take(&frames, &at, 4) : 0; /* to what it has in common */
        unsigned of_code, of_table;
        next = from + bytes;
        unreadable |= next > end;
        if (back == 0)
            continue;
        read_common(from - back, &of_code, &of_table);
        const uint64_t code = take_encoded(&frames, &at, of_code);
        take_encoded(&frames, &at, of_code & FORMAT); /* how long it is */
        take_bits(&frames, &at);
        if (of_table != OMITTED)
            read_table(take_encoded(&frames, &at, of_table), code);
    }
    sites = unreadable ? 0 : sites;
}

/* Those of a function follow each other. */
const site_t *sites_of(uint64_t low, uint64_t high, int *count)
{
    static bool read;
    int first = 0;
    if (!read)
        read_frames();
    read = true;
    while (first < sites && site[first].from - low >= high - low)
        first++;
    *count = 0;
    while (first + *count < sites && site[first + *count].from - low < high - low)
        ++*count;
    return site + first;
}
