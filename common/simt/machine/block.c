/* SPDX-License-Identifier: MIT */
/*
 * block.c - runs a grid: its blocks one after another, and in a block one warp after another, each
 * until it waits at the barrier. A GPU runs many at once; a right program cannot tell.
 */
#include <stdlib.h>
#include <string.h>

#include "../count/count.h"
#include "../find/find.h"
#include "inside.h"

static unsigned block_threads(void)
{
    return sim.block.x * sim.block.y * sim.block.z;
}
static unsigned block_warps(void)
{
    return (block_threads() + WARP_SIZE - 1) / WARP_SIZE;
}

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
    w->exists = FULL_MASK >> (WARP_SIZE - count);
    w->live = w->resume = w->exists;
    w->ready = w->waiting = w->calling = w->ended = 0;
    memset(w->pc, 0, sizeof w->pc);
    memset(w->returned_at, 0xff, sizeof w->returned_at);
    memset(w->passed, 0, sizeof w->passed);
    memset(w->depth, 0, sizeof w->depth);
    memset(w->path, 0, sizeof w->path);
    for (unsigned lane = 0; lane < count; lane++)
        fiber_reset(w, lane);
}

/* A warp that has lanes to start, or that has stopped in the middle of a long stretch of work. */
static bool can_run(const struct warp *w)
{
    return w->resume != 0 || w->ready != 0;
}

/* Gives each warp its turns, until all of them wait at the barrier or have exited. */
static void warps_run(unsigned warps)
{
    bool ran = true;
    while (ran) {
        ran = false;
        for (unsigned k = 0; k < warps && !sim.error; k++)
            if (can_run(&warps_of_block[k])) {
                warp_run(&warps_of_block[k]);
                ran = true;
            }
    }
}

static void block_run(void)
{
    const unsigned warps = block_warps();
    memory_poison_shared();
    race_block();
    for (unsigned k = 0; k < warps; k++)
        warp_reset(&warps_of_block[k], k * WARP_SIZE, block_threads());
    sim.votes = 0;
    do
        warps_run(warps);
    while (!sim.error && barrier_release(warps));
    race_block_end();
}

static void grid_run(uint64_t steps)
{
    const uint3 grid = sim.grid;
    for (unsigned z = 0; z < grid.z; z++)
        for (unsigned y = 0; y < grid.y; y++)
            for (unsigned x = 0; x < grid.x && !sim.error; x++) {
                sim.block_idx = (uint3){x, y, z};
                sim.steps = sim.steps_left = steps;
                clock_block();
                counters_block();
                block_run();
            }
}

/*
 * Finds out which kernel this is. The launch holds a piece of host code that calls the kernel, not
 * its address. So one thread is started, and left for good at the kernel's own entry hook.
 */
static void kernel_probe(void)
{
    sim.probed_pc = 0;
    sim.probing = true;
    warp_reset(&warps_of_block[0], 0, 1);
    sim.warp = &warps_of_block[0];
    fiber_enter(0);
    sim.probing = false;
    if (!sim.error)
        sim.kernel = symbols_kernel(sim.probed_pc);
}

static void threads_number(void)
{
    unsigned t = 0;
    for (unsigned z = 0; z < sim.block.z; z++)
        for (unsigned y = 0; y < sim.block.y; y++)
            for (unsigned x = 0; x < sim.block.x; x++)
                sim.thread_idx[t++] = (uint3){x, y, z};
}

/* A number of steps is the same in every run, so a grader sets one. Else the clock decides. */
static uint64_t step_budget(void)
{
    const char *text = getenv("SIMT_STEPS");
    const uint64_t steps = text ? strtoull(text, NULL, 10) : 0;
    return steps ? steps : UINT64_MAX;
}

/* ---- what others call ---- */

void machine_init(void)
{
    memory_init(shadow_of_array);
}

const struct kernel *machine_load(uint3 grid, uint3 block, void (*call)(void *), void *args)
{
    machine_init();
    fiber_init(lane_main);
    sim.grid = grid;
    sim.block = block;
    sim.call = call;
    sim.args = args;
    sim.error = cudaSuccess;
    sim.block_idx = (uint3){0, 0, 0};
    threads_number();
    clock_launch();
    kernel_probe();
    return sim.kernel;
}

cudaError_t machine_run(size_t shared_bytes)
{
    memory_set_dynamic_shared(shared_bytes);
    message_init();
    message_listen(trace_found);
    counters_begin();
    race_launch();
    if (!sim.error) /* an endless loop before the entry hook has ended it */
        grid_run(step_budget());
    race_launch_end();
    machine_unload();
    counters_end();
    return sim.error;
}

void machine_unload(void)
{
    clock_launch_end();
    sim.warp = NULL;
    pool_close();
}
