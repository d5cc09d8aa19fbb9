/* SPDX-License-Identifier: MIT */
/*
 * block.c - runs a grid: its blocks one after another, and in a block one warp after another, each
 * until it waits at the barrier. A GPU runs many at once; a right program cannot tell.
 */
#include <stdlib.h>
#include <string.h>

#include "../state/state.h"

enum { DEFAULT_STEPS = 1 << 27 };

uint3 simt_thread_idx(void)
{
    return sim.thread_idx[sim.warp ? sim.warp->first + sim.lane : 0];
}
uint3 simt_block_idx(void)
{
    return sim.block_idx;
}
uint3 simt_block_dim(void)
{
    return sim.block;
}
uint3 simt_grid_dim(void)
{
    return sim.grid;
}

/* It counts steps, and its own calls, so that it always moves on. */
long long simt_clock(void)
{
    static long long calls;
    return ++calls + (long long)(sim.steps - sim.steps_left);
}

static unsigned block_threads(void)
{
    return sim.block.x * sim.block.y * sim.block.z;
}
static unsigned block_warps(void)
{
    return (block_threads() + WARP_SIZE - 1) / WARP_SIZE;
}

/* Where each fiber starts. A fiber never returns: its stack has no caller. */
void lane_main(void)
{
    sim.call(sim.args);
    struct warp *w = sim.warp;
    w->live &= ~(1u << sim.lane);
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
    w->ready = w->waiting = w->calling = 0;
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
        for (unsigned k = 0; k < warps && !sim.stopped; k++)
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
    while (!sim.stopped && barrier_release(warps));
    race_block_end();
}

static void grid_run(uint64_t steps)
{
    const uint3 grid = sim.grid;
    for (unsigned z = 0; z < grid.z; z++)
        for (unsigned y = 0; y < grid.y; y++)
            for (unsigned x = 0; x < grid.x && !sim.stopped; x++) {
                sim.block_idx = (uint3){x, y, z};
                sim.steps = sim.steps_left = steps;
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

static cudaError_t check_shape(uint3 grid, uint3 block)
{
    if (grid.x == 0 || grid.x > INT32_MAX || grid.y == 0 || grid.y > MAX_GRID_YZ || grid.z == 0 ||
        grid.z > MAX_GRID_YZ)
        return cudaErrorInvalidConfiguration;
    if (block.x == 0 || block.x > MAX_THREADS || block.y == 0 || block.y > MAX_THREADS ||
        block.z == 0 || block.z > MAX_BLOCK_Z)
        return cudaErrorInvalidConfiguration;
    if ((size_t)block.x * block.y * block.z > MAX_THREADS)
        return cudaErrorInvalidConfiguration;
    return cudaSuccess;
}

static uint64_t step_budget(void)
{
    const char *text = getenv("SIMT_STEPS");
    const uint64_t steps = text ? strtoull(text, NULL, 10) : 0;
    return steps ? steps : DEFAULT_STEPS;
}

static void machine_leave_kernel(void)
{
    sim.warp = NULL;
    pool_close();
}

void simt_launch(uint3 grid, uint3 block, size_t shared_bytes, cudaStream_t stream,
                 void (*call)(void *), void *args)
{
    (void)stream;
    const cudaError_t wrong = in_kernel() ? cudaErrorNotSupported : check_shape(grid, block);
    if (error_sticky() || error_set(wrong))
        return;
    memory_init();
    fiber_init();
    sim.grid = grid;
    sim.block = block;
    sim.call = call;
    sim.args = args;
    sim.stopped = false;
    threads_number();
    kernel_probe();
    if (shared_bytes > sim.kernel->max_dynamic) {
        machine_leave_kernel();
        error_set(cudaErrorInvalidValue);
        return;
    }
    sim.dynamic_shared = shared_bytes;
    memory_set_dynamic_shared(shared_bytes);
    counters_begin();
    race_launch();
    grid_run(step_budget());
    machine_leave_kernel();
    counters_end();
}
