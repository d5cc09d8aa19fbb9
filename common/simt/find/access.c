/* SPDX-License-Identifier: MIT */
/*
 * access.c - may these lanes touch these addresses? And the message when they may not.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inside.h"

enum verdict { FINE, OUTSIDE, MISALIGNED, CONSTANT, FAR_LEFT, FAR_NOT_BEGUN };

/* Another block's shared memory exists from the block's start to its exit. */
static enum verdict judge_far(const struct warp *w, uintptr_t address)
{
    const unsigned owner = memory_owner(address);
    return sim.team[owner].left ? FAR_LEFT : !order_has_started(w, owner) ? FAR_NOT_BEGUN : FINE;
}

/*
 * May this lane make its access? All bytes must be in one region, aligned to their number. If both
 * are wrong, the alignment is reported: the rest may follow from it. `region` is passed from lane
 * to lane: in the last lane's region or NULL, out this lane's.
 */
static enum verdict judge(const struct warp *w, unsigned lane, const struct region **region)
{
    const uintptr_t address = w->address[lane];
    const uint32_t bytes = w->bytes[lane];
    if (!*region || !region_holds(*region, address))
        *region = memory_find(address);
    const struct region *r = *region;
    if (r && is_width(bytes) && address & (bytes - 1))
        return MISALIGNED;
    if (!r || r->bytes - (address - r->low) < bytes || buffers_exclude(r, address, bytes))
        return OUTSIDE;
    if ((r->space == SPACE_CONSTANT || r->read_only) && stores((enum stop)w->why[lane]))
        return CONSTANT;
    return sim.team_size > 1 && memory_is_far(address) ? judge_far(w, address) : FINE;
}

/* ---- the message ---- */

static const char *const acts[STOP_KINDS] = {
    [STOP_READ] = "read",           [STOP_WRITE] = "write",      [STOP_ATOMIC] = "atomic",
    [STOP_BLOCK_ATOMIC] = "atomic", [STOP_STRONG_READ] = "read", [STOP_STRONG_WRITE] = "write",
    [STOP_INIT] = "initialization", [STOP_ARRIVE] = "arrival",   [STOP_WAIT] = "wait",
    [STOP_POST] = "write",          [STOP_FETCH] = "read",       [STOP_COPY] = "bulk copy"};

static const char *const space_names[SPACES] = {
    [SPACE_SHARED] = "shared array",      [SPACE_GLOBAL] = "allocation",
    [SPACE_HOST] = "pinned allocation",   [SPACE_MANAGED] = "managed allocation",
    [SPACE_MODULE] = "program variables", [SPACE_CONSTANT] = "constants",
};

static void print_region(const struct region *r)
{
    fprintf(message, "the %zu-byte %s", r->bytes, space_names[r->space]);
    if (r->name)
        fprintf(message, " %s", r->name);
}

/* The region that holds the address, or else the one before or after it, if that is near. */
static const struct region *nearest(uintptr_t address)
{
    enum { NEAR_BYTES = 1 << 20 };
    const struct region *here = memory_find(address);
    if (here)
        return here;
    const struct region *below = memory_below(address), *above = memory_above(address);
    if (below && address - below->low < below->bytes + NEAR_BYTES)
        return below;
    return above && above->low - address < NEAR_BYTES ? above : NULL;
}

/* An int that has passed 2^31 is negative, or a large unsigned number: is there an allocation of
 * which it may be the index? And no memory of the host where it leads. Shared arrays may lie
 * between. */
static bool describe_overflow(uintptr_t address, uint32_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const struct region *above = memory_above(address), *below = memory_below(address);
    while (above && above->space == SPACE_SHARED)
        above = memory_above(above->low);
    while (below && below->space == SPACE_SHARED)
        below = memory_below(below->low - 1);
    const size_t before = above ? (above->low - address) / bytes : SIZE_MAX;
    const size_t after = below ? (address - below->low) / bytes : 0;
    unsigned char resident;
    const bool negative = before <= INT32_MAX;
    if ((!negative && (after <= INT32_MAX || after > UINT32_MAX)) ||
        (!pool_holds(address) && mincore((void *)(address & -page), page, &resident) == 0))
        return false;
    fprintf(message, "no memory\n    as an index of ");
    print_region(negative ? above : below);
    fprintf(message, " it would be %s%zu:\n    has an int passed 2^31? compute it in size_t",
            negative ? "-" : "", negative ? before : after);
    return true;
}

/* Says what is at the address, or near it. Far from everything, it can only be host memory. */
static void describe_address(uintptr_t address, uint32_t bytes)
{
    const struct region *was = memory_freed(address), *near = nearest(address);

    fprintf(message, "\n    address 0x%zx, ", (size_t)address);
    if (address < 4096) {
        fprintf(message, "a null pointer");
    } else if (address - sim.stacks_low < sim.stacks_bytes) {
        fprintf(message, "in the stack of another thread");
    } else if (was) {
        fprintf(message, "inside a %zu-byte allocation that was freed", was->bytes);
    } else if (!near && describe_overflow(address, bytes)) {
        return;
    } else if (!near) {
        fprintf(message, "not device memory: a host pointer or a wild one");
    } else if (buffer_describe(near, address, bytes)) {
        return;
    } else if (address < near->low) {
        fprintf(message, "%zu bytes before ", (size_t)(near->low - address));
        print_region(near);
    } else {
        const size_t offset = address - near->low;
        const bool inside = offset < near->bytes;
        fprintf(message, inside ? "byte %zu of " : "%zu bytes after ",
                inside ? offset : offset - near->bytes);
        print_region(near);
        if (inside && bytes > near->bytes - offset)
            fprintf(message, ", %zu bytes past its end", offset + bytes - near->bytes);
    }
}

static const char left[] = "%s of shared memory of a block that %s exited\n"
                           "    %s of block (%u,%u,%u)\n"
                           "    add a cluster barrier after this access, in all of its blocks";

/* The owner's shared memory does not exist: not yet, or no longer. */
static void report_far(const struct warp *w, unsigned lane, bool has_left)
{
    const unsigned owner = memory_owner(w->address[lane]);
    const uint3 b = sim.team[owner].at;
    const char *act = acts[w->why[lane]], *name = memory_find(w->address[lane])->name;
    if (has_left)
        violation(w, lane, cudaErrorIllegalAddress, w->pc[lane], left, act, "has", name, b.x, b.y,
                  b.z);
    else
        violation(w, lane, cudaErrorIllegalAddress, w->pc[lane],
                  "%s of shared memory of a block that may not have started\n"
                  "    %s of block (%u,%u,%u)\n"
                  "    add a cluster barrier before the first access to other blocks",
                  act, name, b.x, b.y, b.z);
}

/* The running block has exited. In another run it might have done so before others were done with
 * it. */
void access_block_left(void)
{
    const struct far_access *far = order_unseen();
    const uint3 b = sim.block_idx;
    if (!far)
        return;
    sim.block_idx = sim.team[far->member].at;
    violation(far->w, far->lane, cudaErrorIllegalAddress, far->pc, left, acts[far->why], "may have",
              memory_find(memory_now(far->home))->name, b.x, b.y, b.z);
    sim.block_idx = b;
}

static void report(const struct warp *w, unsigned lane, uint32_t group)
{
    const struct region *region = NULL;
    static const char *const wrong[] = {
        [OUTSIDE] = "out-of-bounds", [MISALIGNED] = "misaligned", [CONSTANT] = "forbidden"};
    const enum verdict verdict = judge(w, lane, &region);
    if (verdict == FAR_LEFT || verdict == FAR_NOT_BEGUN) {
        report_far(w, lane, verdict == FAR_LEFT);
        return;
    }
    int others = -1;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1)
        others += judge(w, (unsigned)__builtin_ctz(rest), &region) != FINE;

    message_violation(w, lane, w->pc[lane], "%s %s of %u bytes", wrong[verdict], acts[w->why[lane]],
                      w->bytes[lane]);
    message_access((struct found_access){.why = plain_stop((enum stop)w->why[lane]),
                                         .block = message_found.block,
                                         .thread = w->first + lane,
                                         .pc = w->pc[lane],
                                         .address = w->address[lane],
                                         .bytes = w->bytes[lane],
                                         .region = nearest(w->address[lane])});
    if (others > 0)
        fprintf(message, " and %d more lane%s of its warp", others, others == 1 ? "" : "s");
    describe_address(w->address[lane], w->bytes[lane]);
    if (verdict == CONSTANT)
        fprintf(message, memory_find(w->address[lane])->read_only
                             ? "\n    a kernel may not write this input, which is read-only"
                             : "\n    a kernel may only read __constant__ memory");
    message_end();
    sim.error = verdict == MISALIGNED ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress;
}

/* nvcc adds the arrays of all functions that a kernel calls. Here one is known once it is used. */
static bool fits_in_shared(const struct warp *w, unsigned lane, const struct region *array)
{
    struct kernel *const k = sim.kernel;
    const size_t asked = memory_dynamic_shared()->bytes;
    if (array == memory_dynamic_shared() || !kernel_takes(k, array->low, array->bytes) ||
        (k->static_shared <= STATIC_SHARED_LIMIT && asked <= k->max_dynamic))
        return true;
    violation(w, lane, cudaErrorInvalidValue, w->pc[lane],
              "more shared memory than a block has\n"
              "    static arrays of it and of what it calls: %zu bytes; by the launch: %zu\n"
              "    at most %d static ones, and %zu by the launch",
              k->static_shared, asked, STATIC_SHARED_LIMIT, k->max_dynamic);
    return false;
}

/* ---- the checks ---- */

static bool is_for_host(const struct region *r)
{
    return r && (r->space == SPACE_HOST || r->space == SPACE_MANAGED);
}

const struct region *access_check(const struct warp *w, uint32_t group)
{
    const struct region *region = NULL;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (judge(w, lane, &region) != FINE) {
            report(w, lane, group);
            return NULL;
        }
    }
    const unsigned first = (unsigned)__builtin_ctz(group);
    if (region->space == SPACE_MODULE && stores((enum stop)w->why[first]) && !sim.kept_pc)
        sim.kept_pc = w->pc[first];
    else if (is_for_host(region))
        queued_request(region, w, group);
    else if (region->space == SPACE_SHARED && !fits_in_shared(w, first, region))
        return NULL;
    return region;
}

/* Host code cannot continue: on a real machine it crashes here. */
static _Noreturn void host_is_wrong(const char *act, uintptr_t address, uint32_t bytes,
                                    uintptr_t pc)
{
    char what[4096 + 64], place[4096];
    const bool beside = !pool_is_confined() && is_for_host(nearest(address));
    const bool device = pool_holds(address);
    places_text(pc, place, sizeof place);
    snprintf(what, sizeof what, "%s %s by host code at %s", act,
             beside   ? "out of bounds"
             : device ? "of device memory"
                      : "outside its own variables",
             place);
    message_begin();
    fprintf(message, "%s", what);
    if (device)
        describe_address(address, bytes);
    if (device && !beside && !memory_freed(address))
        fprintf(message, "\n    copy it with cudaMemcpy() first");
    message_end();
    message_failed("%s", what);
    exit(1);
}

void access_crashed(uintptr_t address, int stores, uintptr_t pc)
{
    host_is_wrong(stores < 0 ? "use" : stores ? "write" : "read", address, 1, pc);
}

void access_by_host(enum stop why, uintptr_t address, uint32_t bytes, uintptr_t pc)
{
    if (pool_is_confined() ? symbols_is_confined(address) : !pool_holds(address))
        return; /* another host thread, while a kernel runs: it uses its own variables */
    const struct region *r = memory_find(address);
    if (!is_for_host(r) || pool_is_confined() || r->bytes - (address - r->low) < bytes)
        host_is_wrong(acts[why], address, bytes, pc);
    queued_host_access(r, why, address, bytes, pc);
}
