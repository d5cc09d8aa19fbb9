/* SPDX-License-Identifier: MIT */
/*
 * wavefronts.c - what one request to memory costs on an H200. Each rule here was found by running
 * calibrate/patterns.cu under Nsight Compute, and tests/calibrate.sh holds the rules to it.
 *
 * Shared memory has 32 banks, 4 bytes wide: word w lies in bank w % 32. In one pass, a wavefront,
 * each bank gives one of its words, to all lanes that want it. So a request costs as many
 * wavefronts as the bank that is asked for most different words:
 *
 *     lane l reads word l         1 wavefront: every bank gives one word
 *     lane l reads word 2 * l     2 wavefronts: words 0 and 32 are both in bank 0
 *     lane l reads word 32 * l   32 wavefronts: all words are in bank 0
 *     all lanes read word 7       1 wavefront: it is one word
 *
 * A wavefront moves at most 128 bytes, so a wide request goes in parts: 8 bytes a lane in two, one
 * for each half of the warp; 16 bytes a lane in four, one for each quarter. Loads may merge two
 * neighbouring parts; see load_8() and load_16().
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
 * 2 or 4 neighbouring banks: they count as one wide bank. Lanes that want different bytes of a
 * word want the same word.
 */
static unsigned part_cost(const struct request *r, uint32_t lanes)
{
    const unsigned width = r->bytes < WORD ? WORD : r->bytes;
    const unsigned shift = (unsigned)__builtin_ctz(width), banks = WAVEFRONT / width;
    uintptr_t asked[BANKS][WARP_SIZE]; /* different places that were asked of each bank */
    unsigned char count[BANKS] = {0};
    unsigned most = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const uintptr_t place = r->address[__builtin_ctz(rest)] >> shift;
        const unsigned bank = place % banks;
        unsigned i = 0;
        while (i < count[bank] && asked[bank][i] != place)
            i++;
        if (i == count[bank]) {
            asked[bank][i] = place;
            count[bank]++;
        }
        most = count[bank] > most ? count[bank] : most;
    }
    return most;
}

/* Do lanes l and l ^ distance want the same place, wherever both take part? */
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

static unsigned parts_of(const struct request *r)
{
    return r->bytes <= WORD ? 1 : r->bytes / WORD;
}

unsigned wavefronts_store(const struct request *r)
{
    unsigned sum = 0;
    for (unsigned part = 0; part < parts_of(r); part++)
        sum += part_cost(r, lanes_of(r, part, parts_of(r)));
    return sum;
}

/* ---- loads: neighbouring parts may merge into one wavefront ---- */

/*
 * Do lanes share? Neighbours l and l ^ 1 must ask for one place, or else lanes l and l ^ 2, in all
 * pairs of which both lanes take part.
 */
static bool lanes_share(const struct request *r, uint32_t lanes)
{
    return pairs_equal(r, lanes, 1) || pairs_equal(r, lanes, 2);
}

/* 8 bytes a lane: the two halves of the warp are one wavefront if they fit and lanes share; else
 * each half goes by itself, as in a store. */
static unsigned load_8(const struct request *r)
{
    if (part_cost(r, r->active) == 1 && lanes_share(r, r->active))
        return 1;
    return wavefronts_store(r);
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
 * does, then pairs of which one lane alone takes part do not count as sharing. Found by
 * measurement; nobody has published why.
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

/* 16 bytes a lane. Where all lanes ask for one place, 16 lanes are a wavefront, wherever they
 * are; else each half goes by itself, in one wavefront or in its two quarters. */
static unsigned load_16(const struct request *r)
{
    if (one_place(r))
        return (count_lanes(r->active) + 15) / 16;
    unsigned sum = 0;
    for (unsigned half = 0; half < 2; half++) {
        if (part_cost(r, lanes_of(r, half, 2)) == 1 && half_merges(r, half))
            sum += 1;
        else
            sum +=
                part_cost(r, lanes_of(r, 2 * half, 4)) + part_cost(r, lanes_of(r, 2 * half + 1, 4));
    }
    return sum;
}

unsigned wavefronts_load(const struct request *r)
{
    return r->bytes == 16 ? load_16(r) : r->bytes == 8 ? load_8(r) : part_cost(r, r->active);
}

/* What the lanes would cost if no two met in a bank: all their bytes, 128 at a time. Lanes that
 * share words can need less than that. */
unsigned wavefronts_ideal(const struct request *r, unsigned wavefronts)
{
    const unsigned full = (count_lanes(r->active) * r->bytes + WAVEFRONT - 1) / WAVEFRONT;
    return full < wavefronts ? full : wavefronts;
}

/* The different sectors that the lanes touch. An aligned access never lies in two. */
unsigned sectors_touched(const struct request *r)
{
    uintptr_t touched[WARP_SIZE];
    unsigned count = 0;
    for (uint32_t rest = r->active; rest != 0; rest &= rest - 1) {
        const uintptr_t sector = r->address[__builtin_ctz(rest)] / SECTOR;
        unsigned i = count; /* backwards: the last one is the likely one */
        while (i > 0 && touched[i - 1] != sector)
            i--;
        if (i == 0)
            touched[count++] = sector;
    }
    return count;
}

unsigned sectors_ideal(const struct request *r, unsigned touched)
{
    const unsigned full = (count_lanes(r->active) * r->bytes + SECTOR - 1) / SECTOR;
    return full < touched ? full : touched;
}
