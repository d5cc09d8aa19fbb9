/* SPDX-License-Identifier: MIT */
/*
 * block.c - runs a grid: its blocks one after another, and in a block one warp after another, each
 * until it waits at the barrier. A GPU runs many at once; a right program cannot see the
 * difference.
 *
 * Blocks that wait for each other are a team: those of a cluster, or all blocks of a cooperative
 * launch. They start together and take turns, each until all its threads wait or have exited. A
 * program that checks kernels can make all blocks of other launches do so too, the last one first.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../count/count.h"
#include "../find/find.h"
#include "../include/simt/inspect.h"
#include "inside.h"

/* Where each fiber starts. A fiber never returns: its stack has no caller. */
static void lane_main(void)
{
    sim.call(sim.args);
    simt_thread_end();
}

void simt_thread_end(void)
{
    struct warp *w = sim.warp;
    w->live &= ~(1u << sim.lane);
    lane_left(w, sim.lane);
    if (sim.probing)
        fiber_leave();
    for (;;)
        lane_yield();
}

/* Lanes of a warp are consecutive threads. The last warp may have fewer than 32. */
static void warp_reset(struct warp *w, unsigned first, unsigned threads)
{
    const unsigned count = threads - first < WARP_SIZE ? threads - first : WARP_SIZE;
    w->first = first;
    w->first_stack = sim.running * threads + first;
    w->exists = FULL_MASK >> (WARP_SIZE - count);
    w->live = w->resume = w->exists;
    w->ready = w->waiting = w->calling = w->ended = w->parked = 0;
    w->at_cluster = w->owes_wait = w->fenced = w->ahead = w->turn = w->repeats = 0;
    w->waited = sim.early ? 0 : FULL_MASK;
    memset(w->pc, 0, sizeof w->pc);
    memset(w->returned_at, 0xff, sizeof w->returned_at);
    memset(w->passed, 0, sizeof w->passed);
    memset(w->depth, 0, sizeof w->depth);
    memset(w->path, 0, sizeof w->path);
    if (sim.local_arrays)
        local_reset(w);
    memset(w->copy_groups, 0, sizeof w->copy_groups);
    for (unsigned lane = 0; lane < count; lane++)
        fiber_reset(w, lane);
}

/* Does the warp have lanes to start, or was it stopped in the middle of a long time slice, or is
 * its wait over? */
static bool can_run(struct warp *w)
{
    return w->resume != 0 || w->ready != 0 || (w->parked != 0 && wait_is_over(w));
}

/* Gives each warp its turns, until all of them wait or have exited. In a team a warp that runs for
 * long may be polling for another block: then that block gets its turn. */
static void warps_run(struct block *b, unsigned warps)
{
    bool ran = true, long_work = false;
    while (ran && !(long_work && sim.team_size > 1)) {
        ran = false;
        for (unsigned k = 0; k < warps && !sim.error; k++) {
            struct warp *w = &b->warps[sim.last_first ? warps - 1 - k : k];
            if (can_run(w)) {
                warp_run(w);
                long_work |= w->ready != 0;
                ran = true;
            }
        }
    }
}

/* ---- a team of blocks ---- */

/* Makes this member the running one. */
static void take_turn(unsigned member)
{
    if (member != sim.running) {
        sim.team[sim.running].steps_left = sim.steps_left;
        memory_turn(member);
        sim.running = member;
        race_turn();
    }
    sim.block_idx = sim.team[member].at;
    sim.steps_left = sim.team[member].steps_left;
    counters_turn();
}

static void block_begin(unsigned member, uint3 at, uint64_t steps)
{
    struct block *b = &sim.team[member];
    const unsigned threads = volume(sim.block);
    *b = (struct block){.at = at, .warps = b->warps, .steps_left = steps};
    take_turn(member);
    sim.steps = steps;
    counters_block();
    memory_poison_shared();
    race_block();
    for (unsigned k = 0; k < warps_in_block(); k++)
        warp_reset(&b->warps[k], k * WARP_SIZE, threads);
}

static bool block_can_run(struct block *b)
{
    for (unsigned k = 0; k < warps_in_block(); k++)
        if (can_run(&b->warps[k]))
            return true;
    return false;
}

static bool block_is_empty(const struct block *b)
{
    for (unsigned k = 0; k < warps_in_block(); k++)
        if (b->warps[k].live)
            return false;
    return true;
}

/* Continues the running block, until its threads wait for others or have exited. */
static void block_run(struct block *b)
{
    const unsigned warps = warps_in_block();
    do
        warps_run(b, warps);
    while (!sim.error && barrier_release(b, warps));
    b->left = block_is_empty(b);
    if (b->left && !sim.error)
        access_block_left();
    if (b->left && !sim.error)
        copies_end();
    if (b->left || sim.error)
        race_block_end();
}

static void team_run(uint64_t first, uint64_t steps)
{
    bool ran = true, left = false;
    clock_team(sim.team_size);
    for (unsigned m = 0; m < sim.team_size; m++)
        block_begin(m, nth_block(first + m), steps);
    while (ran && !sim.error) {
        ran = false;
        left = true;
        barriers_open();
        for (unsigned k = 0; k < sim.team_size && !sim.error; k++) {
            const unsigned m = sim.last_first ? sim.team_size - 1 - k : k;
            struct block *b = &sim.team[m];
            if (!b->left && block_can_run(b)) {
                take_turn(m);
                block_run(b);
                ran = true;
            }
            left &= b->left;
        }
    }
    if (!left && !sim.error)
        waits_forever();
}

static bool breaks_off; /* see simt_break_off() */

void simt_break_off(int on)
{
    breaks_off = on != 0;
}

static void grid_run(uint64_t steps)
{
    const uint64_t all = (uint64_t)sim.grid.x * sim.grid.y * sim.grid.z;
    const uint64_t blocks = breaks_off ? all / 2 / sim.team_size * sim.team_size : all;
    for (uint64_t first = 0; first < blocks && !sim.error; first += sim.team_size)
        team_run(first, steps);
}

/* ---- memory for the blocks of a team ---- */

static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "simt: no memory for %u blocks that run together\n", sim.team_size);
        exit(1);
    }
    return p;
}

static void team_make(unsigned blocks, unsigned warps)
{
    static struct warp *all;
    static unsigned made_warps, made_blocks;
    const unsigned needed = blocks == 1 ? MAX_WARPS : blocks * warps;
    sim.team_size = blocks;
    sim.running = 0;
    sim.copy_count = 0;
    if (needed > made_warps) {
        if (all)
            munmap(all, made_warps * sizeof *all);
        all = reserve(needed * sizeof *all);
        made_warps = needed;
    }
    if (blocks > made_blocks) {
        if (sim.team)
            munmap(sim.team, made_blocks * sizeof *sim.team);
        sim.team = reserve(blocks * sizeof *sim.team);
        made_blocks = blocks;
    }
    for (unsigned m = 0; m < blocks; m++)
        sim.team[m].warps = all + (size_t)m * warps;
}

/*
 * Finds out which kernel this is. The launch holds host code that calls the kernel, not its
 * address. So one thread is started, and abandoned at the kernel's own entry hook.
 */
static void kernel_probe(const char *name)
{
    sim.probed_pc = 0;
    sim.probing = true;
    warp_reset(sim.team[0].warps, 0, 1);
    sim.warp = sim.team[0].warps;
    fiber_enter(0);
    sim.probing = false;
    if (!sim.error)
        sim.kernel =
            sim.probed_pc || !name ? symbols_kernel(sim.probed_pc) : symbols_kernel_named(name);
}

static void threads_number(void)
{
    unsigned t = 0;
    for (unsigned z = 0; z < sim.block.z; z++)
        for (unsigned y = 0; y < sim.block.y; y++)
            for (unsigned x = 0; x < sim.block.x; x++)
                sim.thread_idx[t++] = (uint3){x, y, z};
}

/* A step budget is the same in every run, so a grader sets one. Otherwise the clock decides. */
static uint64_t step_budget(void)
{
    const char *text = getenv("SIMT_STEPS");
    const uint64_t steps = text ? strtoull(text, NULL, 10) : 0;
    return steps ? steps : UINT64_MAX;
}

/* ---- the interface ---- */

void machine_init(void)
{
    memory_init(shadow_of_array);
}

void machine_reserve(unsigned threads)
{
    if (threads > 0)
        fiber_reserve(threads);
}

const struct kernel *machine_load(uint3 grid, uint3 block, void (*call)(void *), void *args,
                                  const char *name)
{
    machine_init();
    sim.grid = grid;
    sim.block = block;
    sim.cluster = (uint3){1, 1, 1};
    team_make(1, MAX_WARPS);
    fiber_init(lane_main, 1);
    sim.call = call;
    sim.args = args;
    sim.error = cudaSuccess;
    sim.local_arrays = false;
    sim.block_idx = (uint3){0, 0, 0};
    threads_number();
    clock_launch();
    kernel_probe(name);
    return sim.kernel;
}

cudaError_t machine_run(size_t shared_bytes, uint3 cluster, enum team team, bool early)
{
    sim.cluster = cluster;
    sim.cooperative = team == TEAM_GRID;
    sim.last_first = team == TEAM_LAST_FIRST;
    sim.early = early;
    sim.lets_next = false;
    team_make(volume(team == TEAM_CLUSTER ? cluster : sim.grid), warps_in_block());
    fiber_init(lane_main, sim.team_size * volume(sim.block));
    memory_set_dynamic_shared(shared_bytes);
    memory_team(sim.team_size);
    message_init();
    message_listen(trace_found);
    counters_begin();
    race_launch();
    pool_open();
    if (!sim.error) /* an endless loop before the entry hook ended it */
        grid_run(step_budget());
    race_launch_end();
    machine_unload();
    counters_end();
    pool_shut();
    return sim.error;
}

void machine_unload(void)
{
    clock_launch_end();
    sim.warp = NULL;
    memory_team(1);
    fiber_end();
    pool_close();
}
