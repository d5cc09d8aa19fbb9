/* SPDX-License-Identifier: MIT */
/*
 * arrive.c - what the headers of clusters, barriers and copies call (include/simt/abi.h): a lane
 * arrives, starts a copy, or waits. wait.c handles the waiting lanes.
 */
#include <stdarg.h>
#include <stdio.h>

#include "../find/find.h"
#include "inside.h"

/* Ends the launch, and the lane with it. */
__attribute__((format(printf, 2, 3))) static void wrong(uintptr_t pc, const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    violation(sim.warp, sim.lane, cudaErrorLaunchFailure, pc, "%s", what);
    for (;;)
        fiber_leave();
}

/* ---- clusters and grids ---- */

uint3 simt_cluster_dim(void)
{
    return sim.cluster;
}
unsigned simt_cluster_rank(void)
{
    return sim.running - cluster_of(sim.running);
}

/* The address of another block's copy of shared memory. */
void *simt_cluster_map(const volatile void *p, unsigned rank)
{
    const unsigned first = in_kernel() ? cluster_of(sim.running) : 0;
    const uintptr_t address = (uintptr_t)p;
    if (in_kernel() && rank >= volume(sim.cluster))
        wrong(CALLER, "shared memory of block %d of the cluster\n    its blocks are 0 to %u",
              (int)rank, volume(sim.cluster) - 1);
    if (!in_kernel() || first + rank == sim.running)
        return (void *)address;
    return (void *)memory_home(first + rank, address);
}

unsigned simt_cluster_owner(const volatile void *p)
{
    const uintptr_t address = (uintptr_t)p;
    const unsigned member = memory_is_far(address) ? memory_owner(address) : sim.running;
    return member - cluster_of(member);
}

static void cluster_arrive(uintptr_t pc, bool release)
{
    struct warp *w = sim.warp;
    w->pc[sim.lane] = pc;
    if (w->owes_wait >> sim.lane & 1)
        wrong(pc, "cluster barrier arrived at twice\n    wait before the next arrival");
    w->at_cluster |= 1u << sim.lane;
    w->owes_wait |= 1u << sim.lane;
    if (release || w->fenced >> sim.lane & 1)
        order_arrive(w, cluster_of(sim.running) + 1);
    else
        order_started(w, cluster_of(sim.running) + 1);
    w->fenced &= ~(1u << sim.lane);
}

void simt_fence_cluster(void)
{
    if (in_kernel())
        sim.warp->fenced |= 1u << sim.lane;
}

static void cluster_wait(uintptr_t pc)
{
    struct warp *w = sim.warp;
    if (!(w->owes_wait >> sim.lane & 1))
        wrong(pc, "wait on the cluster barrier without an arrival\n    arrive first");
    w->owes_wait &= ~(1u << sim.lane);
    w->wait[sim.lane] = (struct wait){.what = WAIT_CLUSTER};
    lane_stop(STOP_WAIT, 0, 0, pc);
}

void simt_cluster_arrive(int release)
{
    if (in_kernel())
        cluster_arrive(CALLER, release != 0);
}

void simt_cluster_wait(void)
{
    if (in_kernel())
        cluster_wait(CALLER);
}

void simt_cluster_sync(void)
{
    if (!in_kernel())
        return;
    cluster_arrive(CALLER, true);
    cluster_wait(CALLER);
}

void simt_grid_sync(void)
{
    struct warp *w = sim.warp;
    if (!w)
        return;
    if (!sim.cooperative)
        wrong(CALLER, "grid sync in a launch that is not cooperative\n"
                      "    launch it with cudaLaunchCooperativeKernel()");
    w->wait[sim.lane] = (struct wait){.what = WAIT_GRID};
    lane_stop(STOP_WAIT, 0, 0, CALLER);
}

int simt_grid_is_valid(void)
{
    return sim.cooperative;
}

/* ---- memory barriers ---- */

static uintptr_t home_of(const volatile void *p)
{
    return memory_home(sim.running, (uintptr_t)p);
}

/* The lane stops at the barrier, so that its 8 bytes are checked. */
static uintptr_t stop_at(uint64_t *p, enum stop why, uintptr_t pc)
{
    const struct region *r = memory_find((uintptr_t)p);
    if (is_private(p) || (r && r->space != SPACE_SHARED))
        wrong(pc, "memory barrier outside shared memory\n    write __shared__ before it");
    lane_stop(why, (uintptr_t)p, sizeof *p, pc);
    if (why != STOP_INIT && !mbarrier_is_initialized(home_of(p)))
        wrong(pc, MBARRIER_NOT_INITIALIZED);
    return home_of(p);
}

void simt_mbarrier_init(uint64_t *p, unsigned count)
{
    if (!in_kernel())
        return;
    const uintptr_t home = stop_at(p, STOP_INIT, CALLER);
    if (count < 1 || count > MBARRIER_MOST)
        wrong(CALLER, "memory barrier for %u threads\n    it counts 1 to %d", count,
              (int)MBARRIER_MOST);
    mbarrier_set(home, (struct mbarrier){.count = (int)count, .missing = (int)count});
    order_forget(home);
}

/* A thread expects `bytes` more, and then arrives `count` times; later phases have `fewer` threads
 * less. Returns the token of this phase. */
uint64_t simt_mbarrier_arrive(uint64_t *p, unsigned count, unsigned bytes, unsigned fewer)
{
    if (!in_kernel())
        return 0;
    const uintptr_t home = stop_at(p, STOP_ARRIVE, CALLER);
    struct mbarrier b = mbarrier_get(home);
    const uint64_t token = b.phase;
    if (b.bytes + (int64_t)bytes > MBARRIER_MOST)
        wrong(CALLER, "memory barrier that expects %u more bytes\n    at most %d in a phase", bytes,
              (int)MBARRIER_MOST);
    if ((int64_t)count > b.missing)
        wrong(CALLER,
              "memory barrier with more arrivals than its count\n    %d were missing; its "
              "count, given at init, is that of all arrivals in a phase",
              b.missing);
    order_arrive(sim.warp, home);
    b.bytes += (int)bytes;
    b.missing -= (int)count;
    b.count -= (int)fewer;
    mbarrier_set(home, b);
    return token;
}

/* Stops the lane until the phase is over. (A GPU gives up after some time, and the program tries
 * again.) */
int simt_mbarrier_wait(uint64_t *p, unsigned phase, int cluster)
{
    if (!in_kernel())
        return 1;
    sim.warp->wait[sim.lane] = (struct wait){WAIT_BARRIER, home_of(p), phase & 1, cluster != 0};
    stop_at(p, STOP_WAIT, CALLER);
    return 1;
}

/* Tests without waiting. */
int simt_mbarrier_test(uint64_t *p, unsigned phase, int cluster)
{
    if (!in_kernel())
        return 1;
    const uintptr_t home = stop_at(p, STOP_ARRIVE, CALLER);
    const bool over = copies_complete(home, phase & 1);
    if (over) {
        order_acquire(sim.warp, home, cluster != 0);
        if (some_waited(cluster_of(sim.running), volume(sim.cluster)))
            sim.warp->waited |= 1u << sim.lane;
    } else {
        sim.slice_left = 0; /* the others get their turn */
    }
    return over;
}

/* A store into shared memory, of this block or of another one, whose bytes a barrier there counts.
 * The lane stops, and stores on return; then it calls the second function. */
void simt_post(volatile void *to, unsigned bytes)
{
    if (in_kernel())
        lane_stop(STOP_POST, (uintptr_t)to, bytes, CALLER);
}

void simt_posted(uint64_t *p, unsigned bytes)
{
    if (!in_kernel())
        return;
    const uintptr_t home = stop_at(p, STOP_ARRIVE, CALLER);
    order_arrive(sim.warp, home);
    mbarrier_count(home, bytes);
}

/* ---- bulk copies ---- */

static void ask(void *to, const void *from, unsigned bytes, uint64_t *barrier, bool bulk,
                uintptr_t pc)
{
    struct warp *w = sim.warp;
    const unsigned lane = sim.lane, thread = w->first + lane;
    if (barrier && (is_private(barrier) || (uintptr_t)barrier % 8 != 0))
        wrong(pc, "bulk copy with a misplaced memory barrier\n"
                  "    its address must be a multiple of 8, in shared memory");
    if (bytes == 0)
        return;
    w->copy[lane] = (struct bulk_copy){
        .to = memory_home(sim.running, (uintptr_t)to),
        .from = memory_home(sim.running, (uintptr_t)from),
        .bytes = bytes,
        .barrier = barrier ? memory_home(sim.running, (uintptr_t)barrier) : 0,
        .block = sim.running,
        .thread = thread,
        .pc = pc,
        .group = w->copy_groups[lane],
        .bulk = bulk,
    };
    lane_stop(STOP_FETCH, (uintptr_t)from, bytes, pc);
    lane_stop(STOP_COPY, (uintptr_t)to, bytes, pc);
}

/* `barrier` is NULL if the thread waits for groups of copies. */
void simt_bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier)
{
    if (!in_kernel())
        return;
    const uintptr_t both = (uintptr_t)to | (uintptr_t)from, pc = CALLER;
    if (bytes % 16 != 0)
        wrong(pc, "bulk copy of %u bytes\n    the size must be a multiple of 16", bytes);
    if (both % 16 != 0)
        wrong(
            pc,
            "bulk copy of misaligned memory\n    both addresses must be multiples of 16; one is a "
            "multiple of %zu",
            both & -both);
    ask(to, from, bytes, barrier, true, pc);
}

void simt_async_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier)
{
    if (in_kernel())
        ask(to, from, bytes, barrier, false, CALLER);
}

/* The copies that this thread has started since the last call become a group. */
void simt_bulk_commit(void)
{
    if (in_kernel())
        sim.warp->copy_groups[sim.lane]++;
}

/* Waits until no more than `pending` groups of this thread are under way. */
void simt_bulk_wait(unsigned pending)
{
    if (!in_kernel())
        return;
    const unsigned closed = sim.warp->copy_groups[sim.lane];
    if (closed >= pending)
        copies_of_thread(sim.warp->first + sim.lane, closed - pending);
}
