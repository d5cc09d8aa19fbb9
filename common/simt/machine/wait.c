/* SPDX-License-Identifier: MIT */
/*
 * wait.c - lanes that wait for others: for a phase of a memory barrier, for all blocks of their
 * cluster, for all blocks of the grid. They are parked until then. If it can never happen it is a
 * deadlock: on a GPU the kernel hangs.
 */
#include <stdio.h>
#include <string.h>

#include "../find/find.h"
#include "inside.h"

static bool in_cluster(unsigned member, unsigned of)
{
    return cluster_of(member) == cluster_of(of);
}

/* ---- the previous launch, and the next one ---- */

void simt_let_next_start(void)
{
    if (in_kernel())
        sim.lets_next = true;
}

void simt_wait_for_launch(void)
{
    if (in_kernel())
        sim.warp->waited |= 1u << sim.lane;
}

/* Lanes that synchronize at a barrier have waited for it if any of them has. */
bool some_waited(unsigned first, unsigned blocks)
{
    for (unsigned m = first; sim.early && m < first + blocks; m++)
        for (unsigned k = 0; k < warps_in_block(); k++)
            if (sim.team[m].warps[k].waited)
                return true;
    return false;
}

/* ---- what opens ---- */

static bool lane_may_go(const struct warp *w, int lane)
{
    const struct wait *wait = &w->wait[lane];
    if (wait->what == WAIT_BARRIER)
        return copies_complete(wait->barrier, wait->phase);
    return wait->what == WAIT_CLUSTER && !(w->at_cluster >> lane & 1);
}

/* For lanes that begin to wait. */
static bool are_set_up(const struct warp *w, uint32_t group)
{
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (mbarrier_is_initialized(w->wait[lane].barrier))
            continue;
        violation(w, lane, cudaErrorLaunchFailure, w->pc[lane], MBARRIER_NOT_INITIALIZED);
        return false;
    }
    return true;
}

/* All lanes of `group` have reached the same wait; those whose wait is over continue. */
uint32_t wait_execute(struct warp *w, uint32_t group)
{
    uint32_t over = 0;
    const bool in_memory = w->wait[__builtin_ctz(group)].what == WAIT_BARRIER;
    if (in_memory && (!access_check(w, group) || !are_set_up(w, group)))
        return 0;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        over |= (uint32_t)lane_may_go(w, lane) << lane;
    }
    w->ready &= ~(group & ~over);
    w->parked |= group & ~over;
    if (over && in_memory)
        race_memory(w, over);
    for (uint32_t rest = over; rest != 0; rest &= rest - 1) {
        const struct wait *wait = &w->wait[__builtin_ctz(rest)];
        if (wait->what == WAIT_BARRIER)
            order_acquire(w, wait->barrier, wait->cluster);
        else
            order_acquire(w, cluster_of(sim.running) + 1, true);
    }
    if (over && some_waited(cluster_of(sim.running), volume(sim.cluster)))
        w->waited |= over;
    return over;
}

bool wait_is_over(struct warp *w)
{
    uint32_t over = 0;
    for (uint32_t rest = w->parked; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        over |= (uint32_t)lane_may_go(w, lane) << lane;
    }
    w->parked &= ~over;
    w->ready |= over;
    return over != 0;
}

/* The lanes of a warp that wait for the grid. */
static uint32_t at_grid(const struct warp *w)
{
    uint32_t lanes = 0;
    for (uint32_t rest = w->parked; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        lanes |= (uint32_t)(w->wait[lane].what == WAIT_GRID) << lane;
    }
    return lanes;
}

/* `what` is the barrier of a cluster or of the grid. */
static uint32_t arrived(int what, const struct warp *w)
{
    return what == WAIT_GRID ? at_grid(w) : w->at_cluster;
}

/* The lanes of a warp that have yet to reach the barrier of `at`, or have skipped it and exited. */
static uint32_t missing(int what, const struct warp *w, struct thread at)
{
    return (w->live | lanes_past(w, at)) & ~arrived(what, w);
}

/* A lane of these blocks that has arrived; its `w` is NULL if none has. */
static struct thread first_arrived(int what, unsigned first, unsigned blocks)
{
    for (unsigned m = first; m < first + blocks; m++)
        for (unsigned k = 0; k < warps_in_block(); k++) {
            const struct warp *w = &sim.team[m].warps[k];
            if (arrived(what, w) & w->live)
                return (struct thread){w, __builtin_ctz(arrived(what, w) & w->live)};
        }
    return (struct thread){NULL, 0};
}

/* A thread that returned earlier need not arrive. But at a grid's barrier the first thread of each
 * block counts for the others. */
static bool is_complete(int what, unsigned first, unsigned blocks)
{
    const struct thread at = first_arrived(what, first, blocks);
    for (unsigned m = first; at.w && m < first + blocks; m++) {
        const struct warp *w = sim.team[m].warps;
        if (what == WAIT_GRID && !(arrived(what, w) & 1))
            return false;
        for (unsigned k = 0; k < warps_in_block(); k++)
            if (missing(what, &w[k], at))
                return false;
    }
    return at.w;
}

static void cluster_open(unsigned first, unsigned blocks)
{
    for (unsigned m = first; m < first + blocks; m++)
        for (unsigned k = 0; k < warps_in_block(); k++)
            sim.team[m].warps[k].at_cluster = 0;
    order_open(first + 1);
}

static void grid_open(void)
{
    const bool waited = some_waited(0, sim.team_size);
    for (unsigned m = 0; m < sim.team_size; m++)
        for (unsigned k = 0; k < warps_in_block(); k++) {
            struct warp *w = &sim.team[m].warps[k];
            w->resume |= w->parked;
            w->parked = 0;
            w->waited |= waited ? FULL_MASK : 0;
        }
    order_grid();
}

void barriers_open(void)
{
    const unsigned blocks = volume(sim.cluster);
    for (unsigned first = 0; first < sim.team_size; first += blocks)
        if (is_complete(WAIT_CLUSTER, first, blocks))
            cluster_open(first, blocks);
    if (sim.cooperative && is_complete(WAIT_GRID, 0, sim.team_size))
        grid_open();
}

/* ---- what never opens ---- */

/* Counts the lanes of the team that wait for this; `first` is one of them. */
static unsigned count_waiting(int what, uintptr_t barrier, struct thread *first)
{
    unsigned count = 0;
    for (unsigned m = 0; m < sim.team_size; m++)
        for (unsigned k = 0; k < warps_in_block(); k++) {
            const struct warp *w = &sim.team[m].warps[k];
            for (uint32_t rest = w->parked; rest != 0; rest &= rest - 1) {
                const int lane = __builtin_ctz(rest);
                if ((int)w->wait[lane].what != what ||
                    (barrier && w->wait[lane].barrier != barrier))
                    continue;
                if (count++ > 0)
                    continue;
                *first = (struct thread){w, lane};
                sim.block_idx = sim.team[m].at;
            }
        }
    return count;
}

/* A thread that the lanes at `here` wait for, and where it is. */
static void absent_text(int what, struct thread here, char *out, size_t bytes)
{
    const unsigned of = (unsigned)(here.w - sim.team[0].warps) / warps_in_block();
    char place[512];
    for (unsigned m = 0; m < sim.team_size; m++) {
        const struct block *b = &sim.team[m];
        const uint3 at = b->at;
        if (what == WAIT_CLUSTER && !in_cluster(m, of))
            continue;
        if (b->left && what == WAIT_GRID) {
            snprintf(out, bytes, "block (%u,%u,%u) has exited", at.x, at.y, at.z);
            return;
        }
        for (unsigned k = 0; k < warps_in_block(); k++) {
            const struct warp *w = &b->warps[k];
            uint32_t lanes = missing(what, w, here);
            if (what == WAIT_GRID && k == 0)
                lanes |= 1 & ~at_grid(w);
            if (!lanes)
                continue;
            const int lane = __builtin_ctz(lanes);
            const uint3 t = sim.thread_idx[w->first + (unsigned)lane];
            const bool waits = w->live >> lane & 1;
            snprintf(out, bytes, "thread (%u,%u,%u) of block (%u,%u,%u) %s%s", t.x, t.y, t.z, at.x,
                     at.y, at.z, waits ? "waits at " : "has exited",
                     waits ? places_text(w->pc[lane], place, sizeof place) : "");
            return;
        }
    }
    snprintf(out, bytes, "no thread is missing");
}

/* "s_full[1]". */
static void barrier_text(uintptr_t home, char *out, size_t bytes)
{
    const struct region *r = memory_find(memory_now(home));
    if (r && r->name[0] != '(')
        symbols_shared_element(r, memory_now(home), sizeof(uint64_t), out, bytes);
    else
        snprintf(out, bytes, "at byte %zu of dynamic shared memory",
                 r ? (size_t)(memory_now(home) - r->low) : 0);
}

static void barrier_never_opens(struct thread first)
{
    const uintptr_t barrier = first.w->wait[first.lane].barrier;
    char name[256], missing[256], who[64];
    const unsigned count = count_waiting(WAIT_BARRIER, barrier, &first);
    barrier_text(barrier, name, sizeof name);
    mbarrier_text(barrier, missing, sizeof missing);
    threads_text(who, sizeof who, first, count);
    violation(first.w, (unsigned)first.lane, cudaErrorLaunchTimeout, first.w->pc[first.lane],
              "memory barrier that never opens\n    %s wait%s for phase %u of %s\n    %s", who,
              count == 1 ? "s" : "", first.w->wait[first.lane].phase, name, missing);
}

void waits_forever(void)
{
    static const char *const names[] = {[WAIT_CLUSTER] = "cluster barrier not reached by all",
                                        [WAIT_GRID] = "grid barrier not reached by all"};
    struct thread first;
    char absent[700];
    if (count_waiting(WAIT_BARRIER, 0, &first)) {
        barrier_never_opens(first);
        return;
    }
    const int what = count_waiting(WAIT_CLUSTER, 0, &first) ? WAIT_CLUSTER : WAIT_GRID;
    const unsigned count = count_waiting(what, 0, &first);
    absent_text(what, first, absent, sizeof absent);
    violation(first.w, (unsigned)first.lane, cudaErrorLaunchTimeout, first.w->pc[first.lane],
              "%s threads\n    %u threads wait there\n    %s", names[what], count, absent);
}
