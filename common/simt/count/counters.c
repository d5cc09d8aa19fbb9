/* SPDX-License-Identifier: MIT */
/*
 * counters.c - adds up what a launch does, one warp instruction after the other. The names of the
 * counters are SIMT_COUNTER_LIST in ../include/simt/inspect.h: a new one begins there.
 */
#include "inside.h"

#include <string.h>

static uint64_t count[COUNTERS];
static uint64_t launch_number;
static uint64_t global_atomic_sectors, most_alone; /* of all launches: see simt_counted() */
static uint32_t alone[MAX_THREADS];                /* what each thread of this block did so */
static uint32_t moved_on; /* lanes that have just run together, see counters_paths() */

/* ---- memory ---- */

/* What it costs to read or write `r`. */
static struct cost request_cost(const struct request *r, enum stop why, bool shared)
{
    struct cost c = {.requests = 1, .lanes = (unsigned)__builtin_popcount(r->active)};
    if (shared) {
        c.cost = wavefronts(r, why == STOP_READ);
        c.ideal = wavefronts_ideal(r, (unsigned)c.cost);
    } else {
        c.cost = sectors_touched(r);
        c.ideal = sectors_ideal(r, (unsigned)c.cost);
    }
    return c;
}

/*
 * A copy of a struct reaches us as one access of any size. A GPU moves it in pieces, the widest
 * that its alignment allows; so do we.
 */
static struct cost copy_cost(const struct request *r, enum stop why, bool shared)
{
    uintptr_t moved[WARP_SIZE], low_bits = r->bytes | 16;
    struct cost sum = {0};
    for (uint32_t rest = r->active; rest != 0; rest &= rest - 1)
        low_bits |= r->address[__builtin_ctz(rest)];
    const uint32_t bytes = (uint32_t)(low_bits & -low_bits);
    for (uint32_t offset = 0; offset < r->bytes; offset += bytes) {
        for (int lane = 0; lane < WARP_SIZE; lane++)
            moved[lane] = r->address[lane] + offset;
        const struct cost c = request_cost(&(struct request){moved, bytes, r->active}, why, shared);
        cost_add(&sum, c);
    }
    return sum;
}

static void count_shared(enum stop why, struct cost c)
{
    const bool load = why == STOP_READ;
    count[load ? COUNT_SHARED_LD_REQUESTS : COUNT_SHARED_ST_REQUESTS] += c.requests;
    count[load ? COUNT_SHARED_LD_WAVEFRONTS : COUNT_SHARED_ST_WAVEFRONTS] += c.cost;
    count[COUNT_SHARED_WAVEFRONTS] += c.cost;
    count[COUNT_SHARED_WAVEFRONTS_IDEAL] += c.ideal;
}

static void count_global(enum stop why, struct cost c)
{
    const bool load = why == STOP_READ;
    count[load ? COUNT_GLOBAL_LD_REQUESTS : COUNT_GLOBAL_ST_REQUESTS] += c.requests;
    count[load ? COUNT_GLOBAL_LD_SECTORS : COUNT_GLOBAL_ST_SECTORS] += c.cost;
}

void counters_memory(const struct warp *w, uint32_t group, enum space space)
{
    const int lane = __builtin_ctz(group);
    const enum stop why = (enum stop)w->why[lane];
    if (space == SPACE_CONSTANT) { /* a memory of its own, with a cache of its own: not counted */
        if (trace_on)
            trace_memory(w, group, space, (struct cost){0});
        return;
    }
    const bool shared = space == SPACE_SHARED;
    const struct request r = {w->address, w->bytes[lane], group};
    const struct cost c =
        is_width(r.bytes) ? request_cost(&r, why, shared) : copy_cost(&r, why, shared);
    if ((group & (group - 1)) == 0 && ++alone[w->first + (unsigned)lane] > most_alone)
        most_alone = alone[w->first + (unsigned)lane];
    if (why == STOP_ATOMIC) {
        count[COUNT_ATOMIC_REQUESTS] += c.requests;
        global_atomic_sectors += shared ? 0 : c.cost;
    } else if (shared)
        count_shared(why, c);
    else
        count_global(why, c);
    count[COUNT_MEMORY_REQUESTS] += c.requests;
    count[COUNT_MEMORY_LANES] += c.lanes;
    if (source_on)
        source_add(w->pc[lane], why, space, r.bytes, c);
    if (trace_on)
        trace_memory(w, group, space, c);
}

/* ---- meetings ---- */

/* A warp passes __syncthreads(): one instruction, however many of its lanes are left. */
void counters_barrier(const struct warp *w)
{
    if (w->waiting == 0)
        return;
    count[COUNT_BARRIERS]++;
    if (trace_on)
        trace_barrier(w);
}

/* A GPU shuffles 4 bytes at a time: a double takes two instructions. */
void counters_warp_op(const struct warp *w, uint32_t group)
{
    const struct warp_call *c = &w->call[__builtin_ctz(group)];
    if (c->op <= SIMT_SHFL_XOR)
        count[COUNT_SHUFFLES] += c->bytes > 4 ? 2 : 1;
    if (trace_on)
        trace_warp_op(w, group);
}

/* ---- branches ---- */

void counters_move_on(uint32_t group)
{
    moved_on = group;
}

/* Do all 32 lanes stand at one place? They mostly do, so this is quick: no branches. */
static bool whole_warp_together(const struct warp *w)
{
    uint64_t different = 0;
    for (int i = 0; i < WARP_SIZE; i++)
        different |= (w->pc[i] ^ w->pc[0]) | (w->path[i] ^ w->path[0]);
    return w->live == FULL_MASK && different == 0;
}

/* The lanes that are at the same place as this one: a stop, or the end of the kernel. */
static uint32_t lanes_beside(const struct warp *w, int lane, uint32_t lanes)
{
    if (!(w->live >> lane & 1))
        return lanes & ~w->live;
    uint32_t beside = 0;
    for (uint32_t rest = lanes & w->live; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        beside |= (uint32_t)same_place(w, i, lane) << i;
    }
    return beside;
}

/*
 * Lanes have run together from one stop to their next ones. If they stand at two places now, a
 * branch of the source has parted them; at three places, two branches.
 */
void counters_paths(const struct warp *w)
{
    uint32_t lanes = moved_on;
    moved_on = 0;
    if (trace_on)
        trace_stops(w);
    if ((lanes & (lanes - 1)) == 0 || whole_warp_together(w))
        return;
    while ((lanes &= ~lanes_beside(w, __builtin_ctz(lanes), lanes)) != 0)
        count[COUNT_DIVERGENT_BRANCHES]++;
}

/* ---- a launch ---- */

void counters_begin(void)
{
    if (launch_number++ == 0)
        source_init();
    trace_launch(launch_number);
    memset(count, 0, sizeof count);
    moved_on = 0;
}

void counters_block(void)
{
    memset(alone, 0, sizeof alone);
    trace_block();
}

void counters_end(void)
{
    struct launch launch = {.kernel = sim.kernel,
                            .grid = sim.grid,
                            .block = sim.block,
                            .number = launch_number,
                            .times = 1};
    memcpy(launch.count, count, sizeof count);
    launches_add(&launch);
    launches_also(global_atomic_sectors, most_alone);
    trace_launch_end(&launch);
}
