/* SPDX-License-Identifier: MIT */
/*
 * access.c - may these lanes touch these addresses? And the message when they may not.
 */
#include <stdio.h>
#include <stdlib.h>

#include "inside.h"

enum verdict { FINE, OUTSIDE, MISALIGNED };

/*
 * May this lane do its access? All its bytes must lie in one region, aligned to their number.
 * `region` goes from lane to lane: the last one's region, or NULL, becomes this one's.
 */
static enum verdict judge(const struct warp *w, unsigned lane, const struct region **region)
{
    const uintptr_t address = w->address[lane];
    const uint32_t bytes = w->bytes[lane];
    if (!*region || !region_holds(*region, address))
        *region = memory_find(address);
    const struct region *r = *region;
    if (!r || r->bytes - (address - r->low) < bytes)
        return OUTSIDE;
    return is_width(bytes) && address & (bytes - 1) ? MISALIGNED : FINE;
}

/* ---- the message ---- */

static const char *const acts[STOP_KINDS] = {
    [STOP_READ] = "read", [STOP_WRITE] = "write", [STOP_ATOMIC] = "atomic"};

static const char *const space_names[SPACES] = {
    [SPACE_SHARED] = "shared array",      [SPACE_GLOBAL] = "allocation",
    [SPACE_HOST] = "pinned allocation",   [SPACE_MANAGED] = "managed allocation",
    [SPACE_MODULE] = "program variables", [SPACE_CONSTANT] = "constants",
};

static void print_region(const struct region *r)
{
    fprintf(stderr, "the %zu-byte %s", r->bytes, space_names[r->space]);
    if (r->name)
        fprintf(stderr, " %s", r->name);
}

/* Says what lies at the address, or near it. Far from everything, it can only be host memory. */
static void describe_address(uintptr_t address)
{
    enum { NEAR_BYTES = 1 << 20 };
    const struct region *was = memory_freed(address);
    const struct region *below = memory_below(address), *above = memory_above(address);

    fprintf(stderr, "\n    address 0x%zx, ", (size_t)address);
    if (address < 4096) {
        fprintf(stderr, "a null pointer");
    } else if (address - sim.stacks_low < sim.stacks_bytes) {
        fprintf(stderr, "in the stack of another thread");
    } else if (was) {
        fprintf(stderr, "inside the %zu-byte allocation that was freed", was->bytes);
    } else if (below && region_holds(below, address)) {
        fprintf(stderr, "byte %zu of ", (size_t)(address - below->low));
        print_region(below);
    } else if (below && address - below->low - below->bytes < NEAR_BYTES) {
        fprintf(stderr, "%zu bytes after ", (size_t)(address - below->low - below->bytes));
        print_region(below);
    } else if (above && above->low - address < NEAR_BYTES) {
        fprintf(stderr, "%zu bytes before ", (size_t)(above->low - address));
        print_region(above);
    } else {
        fprintf(stderr, "no device memory: a host pointer or a wild one");
    }
}

static void tell(const struct warp *w, unsigned lane, uint32_t group)
{
    const struct region *region = NULL;
    const bool misaligned = judge(w, lane, &region) == MISALIGNED;
    int others = -1;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1)
        others += judge(w, (unsigned)__builtin_ctz(rest), &region) != FINE;

    message_begin();
    fprintf(stderr, "%s %s of %u bytes", misaligned ? "misaligned" : "out-of-bounds",
            acts[w->why[lane]], w->bytes[lane]);
    message_thread(w, lane, w->pc[lane]);
    if (others > 0)
        fprintf(stderr, " and %d more lane%s of its warp", others, others == 1 ? "" : "s");
    describe_address(w->address[lane]);
    message_end();
    sim.error = misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress;
}

/* ---- the checks ---- */

const struct region *access_check(const struct warp *w, uint32_t group)
{
    const struct region *region = NULL;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (judge(w, lane, &region) != FINE) {
            tell(w, lane, group);
            return NULL;
        }
    }
    return region;
}

/* Host code cannot go on: on a real machine it crashes here. */
_Noreturn void access_by_host(enum stop why, uintptr_t address, uintptr_t pc)
{
    message_begin();
    if (pool_holds(address)) {
        fprintf(stderr, "%s of device memory by host code", acts[why]);
        message_place(pc);
        describe_address(address);
        fprintf(stderr, "\n    copy it with cudaMemcpy() first");
    } else {
        fprintf(stderr, "%s outside of its own variables by host code", acts[why]);
        message_place(pc);
    }
    message_end();
    exit(1);
}
