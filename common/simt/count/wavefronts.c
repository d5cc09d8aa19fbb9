/* SPDX-License-Identifier: MIT */
/*
 * wavefronts.c - what one request to memory costs on an H200. Each rule here was found by running
 * calibrate/patterns.cu under Nsight Compute, and tests/calibrate.sh compares the rules with it.
 *
 * Shared memory has 32 banks, 4 bytes wide: word w is in bank w % 32. In one pass, a wavefront,
 * each bank delivers one of its words, to all lanes that want it. So the cost of a request, in
 * wavefronts, is the largest number of different words in one bank:
 *
 *     lane l reads word l         1 wavefront: every bank delivers one word
 *     lane l reads word 2 * l     2 wavefronts: words 0 and 32 are both in bank 0
 *     lane l reads word 32 * l   32 wavefronts: all words are in bank 0
 *     all lanes read word 7       1 wavefront: it is one word
 *
 * A wavefront moves at most 128 bytes, so a wide request goes in parts: 8 bytes a lane in two, one
 * for each half of the warp; 16 bytes a lane in four, one for each quarter. Loads may merge two
 * neighbouring parts; see split_load_8() and split_load_16().
 *
 * Global memory moves in sectors: aligned pieces of 32 bytes.
 */
#include "inside.h"

enum { BANKS = 32, WORD = 4, WAVEFRONT = BANKS * WORD, SECTOR = 32 };

static unsigned count_lanes(uint32_t lanes)
{
    return (unsigned)__builtin_popcount(lanes);
}

/*
 * The wavefronts that these lanes need together. An access of 8 or 16 bytes is aligned, so it fills
 * 2 or 4 neighbouring banks: they count as one wide bank. Lanes that want different bytes of a word
 * want the same word. Which wavefront serves lane l goes to served[l], unless it is NULL: the first
 * one delivers the first word requested from each bank, the next one the second.
 */
static inline unsigned part_serve(const struct request *r, uint32_t lanes, uint8_t *served)
{
    const unsigned width = r->bytes < WORD ? WORD : r->bytes;
    const unsigned shift = (unsigned)__builtin_ctz(width), banks = WAVEFRONT / width;
    uintptr_t asked[BANKS][WARP_SIZE]; /* different words requested from each bank */
    unsigned char count[BANKS] = {0};
    unsigned most = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uintptr_t place = r->address[lane] >> shift;
        const unsigned bank = place % banks;
        unsigned i = 0;
        while (i < count[bank] && asked[bank][i] != place)
            i++;
        if (i == count[bank]) {
            asked[bank][i] = place;
            count[bank]++;
        }
        if (served)
            served[lane] = (uint8_t)i;
        most = count[bank] > most ? count[bank] : most;
    }
    return most;
}

static unsigned part_cost(const struct request *r, uint32_t lanes)
{
    return part_serve(r, lanes, NULL);
}

/* Do lanes l and l ^ distance access the same address, whenever both take part? */
static bool pairs_equal(const struct request *r, uint32_t lanes, unsigned distance)
{
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest), other = lane ^ distance;
        if (lanes >> other & 1 && r->address[lane] != r->address[other])
            return false;
    }
    return true;
}

static bool one_place(const struct request *r)
{
    const uintptr_t first = r->address[__builtin_ctz(r->active)];
    for (uint32_t rest = r->active; rest != 0; rest &= rest - 1)
        if (r->address[__builtin_ctz(rest)] != first)
            return false;
    return true;
}

/* The lanes of part `index` out of `parts`. */
static uint32_t lanes_of(const struct request *r, unsigned index, unsigned parts)
{
    const unsigned lanes = WARP_SIZE / parts;
    return r->active & (FULL_MASK >> (WARP_SIZE - lanes)) << (index * lanes);
}

/* ---- loads: neighbouring parts may merge into one wavefront ---- */

/*
 * Do lanes share? Neighbours l and l ^ 1 must access the same address, or else lanes l and l ^ 2,
 * in all pairs in which both lanes take part.
 */
static bool lanes_share(const struct request *r, uint32_t lanes)
{
    return pairs_equal(r, lanes, 1) || pairs_equal(r, lanes, 2);
}

/* Does each pair (l, l ^ distance) of these lanes take part with both or with none? */
static bool pairs_whole(uint32_t lanes, unsigned distance)
{
    const uint32_t low = distance == 1 ? 0x55555555u : 0x33333333u; /* the lower lane of a pair */
    return (lanes & low) == (lanes >> distance & low);
}

/*
 * 16 bytes a lane: may the quarters of this half merge, if they fit? In the upper half they do if
 * its lanes share. The lower half is odd: it always merges if lane 31 takes no part; and if it
 * does, then pairs of which only one lane takes part do not count as sharing. Found by measurement;
 * we know of no published reason.
 */
static bool half_merges(const struct request *r, unsigned half)
{
    const uint32_t lanes = lanes_of(r, half, 2);
    if (half == 1)
        return lanes_share(r, lanes);
    if (!(r->active >> 31))
        return true;
    return (pairs_whole(lanes, 1) && pairs_equal(r, lanes, 1)) ||
           (pairs_whole(lanes, 2) && pairs_equal(r, lanes, 2));
}

/* ---- the parts of a request ---- */

enum { MOST_PARTS = 4 };

static unsigned split(const struct request *r, unsigned parts, uint32_t part[MOST_PARTS])
{
    for (unsigned i = 0; i < parts; i++)
        part[i] = lanes_of(r, i, parts);
    return parts;
}

/* 8 bytes a lane: the two halves of the warp are one wavefront if they fit and lanes share; else
 * each half goes by itself, as in a store. */
static unsigned split_load_8(const struct request *r, uint32_t part[MOST_PARTS])
{
    const bool whole = part_cost(r, r->active) == 1 && lanes_share(r, r->active);
    return split(r, whole ? 1 : 2, part);
}

/* 16 bytes a lane. If all lanes access the same address, 16 lanes are a wavefront, wherever they
 * are; else each half goes by itself, in one wavefront or in its two quarters. */
static unsigned split_load_16(const struct request *r, uint32_t part[MOST_PARTS])
{
    unsigned parts = 0;
    if (one_place(r)) {
        part[1] = r->active;
        for (int i = 0; i < 16; i++)
            part[1] &= part[1] - 1; /* 0 stays 0 */
        part[0] = r->active & ~part[1];
        return part[1] != 0 ? 2 : 1;
    }
    for (unsigned half = 0; half < 2; half++) {
        const uint32_t lanes = lanes_of(r, half, 2);
        const bool merged = part_cost(r, lanes) == 1 && half_merges(r, half);
        part[parts++] = merged ? lanes : lanes_of(r, 2 * half, 4);
        if (!merged)
            part[parts++] = lanes_of(r, 2 * half + 1, 4);
    }
    return parts;
}

/* The lanes that go together, one part after the other. Returns how many parts there are. */
static unsigned parts_find(const struct request *r, bool load, uint32_t part[MOST_PARTS])
{
    if (load && r->bytes == 16)
        return split_load_16(r, part);
    if (load && r->bytes == 8)
        return split_load_8(r, part);
    return split(r, r->bytes <= WORD ? 1 : r->bytes / WORD, part);
}

unsigned wavefronts(const struct request *r, bool load)
{
    uint32_t part[MOST_PARTS];
    unsigned sum = 0;
    if (r->bytes <= WORD)
        return part_cost(r, r->active);
    const unsigned parts = parts_find(r, load, part);
    for (unsigned i = 0; i < parts; i++)
        sum += part_cost(r, part[i]);
    return sum;
}

void wavefronts_of_lanes(const struct request *r, bool load, uint8_t served[WARP_SIZE])
{
    uint32_t part[MOST_PARTS];
    unsigned before = 0;
    const unsigned parts = parts_find(r, load, part);
    for (unsigned i = 0; i < parts; i++) {
        const unsigned cost = part_serve(r, part[i], served);
        for (uint32_t rest = part[i]; rest != 0; rest &= rest - 1)
            served[__builtin_ctz(rest)] += (uint8_t)before;
        before += cost;
    }
}

/* What the lanes would cost without bank conflicts: all their bytes, 128 at a time. Lanes that
 * share words can need less than that. */
unsigned wavefronts_ideal(const struct request *r, unsigned real)
{
    const unsigned full = (count_lanes(r->active) * r->bytes + WAVEFRONT - 1) / WAVEFRONT;
    return full < real ? full : real;
}

/* The number of different sectors that the lanes touch. An aligned access never spans two. */
unsigned sectors_touched(const struct request *r)
{
    enum { PLACES = 64 };
    uintptr_t touched[PLACES]; /* by the low bits, or in the next free place */
    uint64_t taken = 0;
    for (uint32_t rest = r->active; rest != 0; rest &= rest - 1) {
        const uintptr_t sector = r->address[__builtin_ctz(rest)] / SECTOR;
        unsigned i = sector % PLACES;
        while (taken >> i & 1 && touched[i] != sector)
            i = (i + 1) % PLACES;
        touched[i] = sector;
        taken |= 1ull << i;
    }
    return (unsigned)__builtin_popcountll(taken);
}

unsigned sectors_ideal(const struct request *r, unsigned touched)
{
    const unsigned full = (count_lanes(r->active) * r->bytes + SECTOR - 1) / SECTOR;
    return full < touched ? full : touched;
}
