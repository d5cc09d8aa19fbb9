/* SPDX-License-Identifier: MIT */
/*
 * mbarrier.c - memory barriers: 8 bytes of shared memory that count the arrivals and the expected
 * bytes that are still missing. When nothing is missing a phase is over, and the next one begins.
 * The whole state of a barrier is in its 8 bytes, as on a GPU:
 *
 *     bit 63   the phase, 0 or 1
 *     62       0; in uninitialized memory it is 1
 *     40..61   expected bytes less those that have arrived, plus 2^21
 *     20..39   threads that arrive in a phase
 *     0..19    those that have yet to arrive
 */
#include <stdio.h>

#include "../find/find.h"
#include "inside.h"

enum { NO_BYTES = 1 << 21 };

static struct mbarrier unpack(uint64_t word)
{
    return (struct mbarrier){.phase = (unsigned)(word >> 63),
                             .bytes = (int)(word >> 40 & 0x3fffff) - NO_BYTES,
                             .count = (int)(word >> 20 & MBARRIER_MOST),
                             .missing = (int)(word & MBARRIER_MOST)};
}

static uint64_t pack(struct mbarrier b)
{
    return (uint64_t)b.phase << 63 | (uint64_t)(b.bytes + NO_BYTES) << 40 |
           (uint64_t)b.count << 20 | (uint64_t)b.missing;
}

static uint64_t *word_at(uintptr_t home)
{
    return (uint64_t *)memory_now(home);
}

bool mbarrier_is_initialized(uintptr_t home)
{
    const uint64_t word = *word_at(home);
    return !(word >> 62 & 1) && unpack(word).count != 0;
}

struct mbarrier mbarrier_get(uintptr_t home)
{
    return unpack(*word_at(home));
}

/* A thread or some bytes have arrived, perhaps the last that were missing. */
void mbarrier_set(uintptr_t home, struct mbarrier b)
{
    if (b.missing == 0 && b.bytes == 0) {
        b.phase ^= 1;
        b.missing = b.count;
        order_open(home);
    }
    *word_at(home) = pack(b);
}

void mbarrier_count(uintptr_t home, uint32_t bytes)
{
    struct mbarrier b = mbarrier_get(home);
    b.bytes -= (int)bytes;
    mbarrier_set(home, b);
}

void mbarrier_text(uintptr_t home, char *out, size_t bytes)
{
    const struct mbarrier b = unpack(*word_at(home));
    if (b.missing > 0)
        snprintf(out, bytes, "%d of %d arrivals %s missing", b.missing, b.count,
                 b.missing == 1 ? "is" : "are");
    else if (b.bytes > 0)
        snprintf(out, bytes, "%d expected bytes have not arrived, and no copy is under way",
                 b.bytes);
    else
        snprintf(out, bytes, "%d bytes have arrived that no thread expected", -b.bytes);
}
