/* SPDX-License-Identifier: MIT */
/*
 * counters.c - adds up what a launch does, one warp instruction after the other. The names of the
 * counters are SIMT_COUNTER_LIST in ../include/simt/inspect.h: start there to add one.
 */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

static uint64_t count[COUNTERS];
static uint64_t launch_number;
/* For all launches: see simt_counted(). And what each thread and each block of the team has
 * done. */
static struct spread spread;
static struct warp_work {
    int32_t alone[WARP_SIZE];   /* accesses of a thread with no other lane */
    int32_t in_turn[WARP_SIZE]; /* its loads of shared memory since the last barrier */
    int32_t loads[WARP_SIZE];   /* words of any memory, where not all lanes load */
    int32_t whole;              /* the same, of all lanes */
} * work_of;
static uint64_t *block_bytes; /* loaded from global memory */
static unsigned team_room;    /* blocks that these have space for */
static uint32_t moved_on;     /* lanes that have just run together, see counters_paths() */

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
 * A copy of a struct arrives here as one access of any size. A GPU moves it in pieces, the widest
 * that its alignment allows; so do we. 25 bytes are three doubles and a bool, whose padding is not
 * copied: pieces of 8, and then of what is left.
 */
static uint32_t widest_of_struct(uint32_t bytes)
{
    return bytes > 16 && bytes % 4 != 0 ? 8 : bytes | 16;
}

/* Those of memcpy() and its like. nvcc trusts the alignment of a variable, but not that of what a
 * pointer to global memory says: it moves byte after byte there. */
static uint32_t widest_of_copy(const struct warp *w, int lane, enum space space)
{
    static struct {
        uintptr_t low; /* of an array */
        uint32_t element;
    } known[64];
    if (space != SPACE_SHARED)
        return space == SPACE_MODULE ? 4 : 1;
    const struct region *array = memory_find(w->address[lane]);
    const uintptr_t low = array ? array->low : 0;
    const size_t k = low / 16 % 64;
    if (known[k].low != low) {
        const struct shared_type type = symbols_shared_type(known[k].low = low);
        known[k].element = type.number > 1 ? type.bytes : 0; /* 1: it is none of the list */
    }
    return known[k].element | 16;
}

/* `widest`: its lowest bit is how many bytes move at once at most. */
static struct cost copy_cost(const struct request *r, enum stop why, bool shared, uint32_t widest)
{
    uintptr_t moved[WARP_SIZE], low_bits = widest;
    struct cost sum = {0};
    for (uint32_t rest = r->active; rest != 0; rest &= rest - 1)
        low_bits |= r->address[__builtin_ctz(rest)];
    uint32_t bytes = (uint32_t)(low_bits & -low_bits);
    for (uint32_t offset = 0; offset < r->bytes; offset += bytes) {
        while (bytes > r->bytes - offset)
            bytes /= 2;
        for (int lane = 0; lane < WARP_SIZE; lane++)
            moved[lane] = r->address[lane] + offset;
        const struct cost c = request_cost(&(struct request){moved, bytes, r->active}, why, shared);
        cost_add(&sum, c);
    }
    return sum;
}

/* Where an asynchronous copy arrives is no request: only its load is one. */
static void count_shared(enum stop why, struct cost c)
{
    const bool load = why == STOP_READ;
    if (why != STOP_COPY) {
        count[load ? COUNT_SHARED_LD_REQUESTS : COUNT_SHARED_ST_REQUESTS] += c.requests;
        count[load ? COUNT_SHARED_LD_WAVEFRONTS : COUNT_SHARED_ST_WAVEFRONTS] += c.cost;
    }
    count[COUNT_SHARED_WAVEFRONTS] += c.cost;
    count[COUNT_SHARED_WAVEFRONTS_IDEAL] += c.ideal;
}

static void count_global(enum stop why, struct cost c)
{
    const bool load = why == STOP_READ;
    count[load ? COUNT_GLOBAL_LD_REQUESTS : COUNT_GLOBAL_ST_REQUESTS] += c.requests;
    count[load ? COUNT_GLOBAL_LD_SECTORS : COUNT_GLOBAL_ST_SECTORS] += c.cost;
}

static void raise_to(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

static struct warp_work *work(unsigned member, unsigned warp)
{
    return work_of + (size_t)member * MAX_WARPS + warp;
}

/* A copy of a struct is as many accesses as it has words. A pack of 16 bytes is two: so many words
 * of 8 bytes would take as many. */
static int32_t accesses(uint32_t bytes)
{
    return (int32_t)(!is_width(bytes) ? (bytes + 3) / 4 : bytes > 8 ? bytes / 8 : 1);
}

/* Mostly all lanes load: then one number is enough. */
static void count_loads(struct warp_work *work, uint32_t group, uint32_t bytes)
{
    const int32_t each = (int32_t)((bytes + 3) / 4);
    if (group == FULL_MASK)
        work->whole += each;
    else
        for (uint32_t rest = group; rest != 0; rest &= rest - 1)
            work->loads[__builtin_ctz(rest)] += each;
}

static int32_t most_of(const int32_t of[WARP_SIZE])
{
    int32_t most = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        most = of[lane] > most ? of[lane] : most;
    return most;
}

/* A block has ended, if there was one. The last round of each of its trees is one thread's: what a
 * thread does alone counts beyond one access for every 16 threads, and for every 128 bytes that the
 * block loads. */
static void end_block(unsigned member)
{
    const uint64_t threads = volume(sim.block);
    const int64_t usual = (int64_t)(threads / 16 + block_bytes[member] / 128);
    for (unsigned k = 0; k < warps_in_block(); k++) {
        const struct warp_work *const w = work(member, k);
        const int64_t alone = most_of(w->alone) - usual;
        raise_to(&spread.most_alone, alone > 0 ? (uint64_t)alone : 0);
        raise_to(&spread.most_loads, (uint64_t)(most_of(w->loads) + w->whole));
    }
    memset(work(member, 0), 0, warps_in_block() * sizeof *work_of);
    block_bytes[member] = 0;
}

/* How the work is spread: over lanes of a warp, threads, blocks. */
static void count_spread(const struct warp *w, uint32_t group, enum stop why, bool shared)
{
    const int first = __builtin_ctz(group);
    const int32_t each = accesses(w->bytes[first]);
    struct warp_work *const all = work(sim.running, w->first / WARP_SIZE);
    if ((group & (group - 1)) == 0)
        all->alone[first] += each;
    if (why != STOP_READ)
        return;
    if (!shared)
        block_bytes[sim.running] += (uint64_t)__builtin_popcount(group) * w->bytes[first];
    for (uint32_t rest = shared ? group : 0; rest != 0; rest &= rest - 1)
        raise_to(&spread.most_in_turn, (uint64_t)(all->in_turn[__builtin_ctz(rest)] += each));
    count_loads(all, group, w->bytes[first]);
    raise_to(&spread.most_block_bytes, block_bytes[sim.running]);
}

void counters_memory(const struct warp *w, uint32_t group, enum stop why, enum space space)
{
    const int lane = __builtin_ctz(group);
    if (space == SPACE_CONSTANT) { /* constant memory has its own cache: not counted */
        if (trace_on)
            trace_memory(w, group, why, space, (struct cost){0});
        return;
    }
    const bool shared = space == SPACE_SHARED;
    const struct request r = {w->address, w->bytes[lane], group};
    const bool moved = !shared && packs_moved(w, group, why);
    const bool copied = w->copying >> lane & 1;
    const struct cost c = moved    ? (struct cost){0}
                          : copied ? copy_cost(&r, why, shared, widest_of_copy(w, lane, space))
                          : is_width(r.bytes)
                              ? request_cost(&r, why, shared)
                              : copy_cost(&r, why, shared, widest_of_struct(r.bytes));
    if (why == STOP_COPY) {
        count_shared(why, shared ? c : (struct cost){0});
        return;
    }
    count_spread(w, group, why, shared);
    if (why == STOP_ATOMIC) {
        count[COUNT_ATOMIC_REQUESTS] += c.requests;
        spread.global_atomic_sectors += shared ? 0 : c.cost;
    } else if (shared)
        count_shared(why, c);
    else
        count_global(why, c);
    count[COUNT_MEMORY_REQUESTS] += c.requests;
    count[COUNT_MEMORY_LANES] += c.lanes;
    if (source_on)
        source_add(w->pc[lane], why, space, r.bytes, c);
    if (trace_on)
        trace_memory(w, group, why, space, c);
}

/*
 * A GPU keeps a word of local memory of all 32 lanes side by side: lanes at the same place of their
 * arrays touch one line. At most 16 bytes of a lane move in one request.
 */
void counters_local(const struct warp *w, uint32_t group, bool load)
{
    const int first = __builtin_ctz(group);
    const enum stop why = load ? STOP_READ : STOP_WRITE;
    struct warp_work *const all = work(sim.running, w->first / WARP_SIZE);
    const uint32_t bytes = w->bytes[first], pieces = (bytes + 15) / 16;
    const uint64_t lanes = (unsigned)__builtin_popcount(group);
    struct cost c = {.requests = pieces, .lanes = pieces * lanes};
    uintptr_t word[WARP_SIZE];
    for (uint32_t done = 0; done < bytes; done += 4) {
        for (unsigned lane = 0; lane < WARP_SIZE; lane++)
            word[lane] = (w->address[lane] + done) / 4 * 128 + 4 * lane;
        const struct request r = {word, 4, group};
        const unsigned sectors = sectors_touched(&r);
        c.cost += sectors;
        c.ideal += sectors_ideal(&r, sectors);
    }
    *(load ? &spread.local_ld_requests : &spread.local_st_requests) += pieces;
    count[COUNT_MEMORY_REQUESTS] += c.requests;
    count[COUNT_MEMORY_LANES] += c.lanes;
    if ((group & (group - 1)) == 0)
        all->alone[first] += accesses(bytes);
    if (load)
        count_loads(all, group, bytes);
    if (source_on)
        source_add(w->pc[first], why, SPACE_LOCAL, bytes, c);
}

/* ---- barriers, warp operations ---- */

/* A warp passes __syncthreads(): one instruction, however many of its lanes are left. */
void counters_barrier(const struct warp *w, bool counting)
{
    struct warp_work *const all = work(sim.running, w->first / WARP_SIZE);
    memset(all->in_turn, 0, sizeof all->in_turn);
    if (w->waiting == 0)
        return;
    packs_forget(w, w->waiting);
    count[COUNT_BARRIERS]++;
    spread.counting_barriers += counting;
    if (trace_on)
        trace_barrier(w);
}

/* At a memory barrier, of shared memory: no BAR, so a counter of its own. */
void counters_arrive(const struct warp *w, uint32_t group)
{
    struct warp_work *const all = work(sim.running, w->first / WARP_SIZE);
    for (; group != 0; group &= group - 1)
        all->in_turn[__builtin_ctz(group)] = 0;
    spread.arrivals++;
}

/* A GPU shuffles 4 bytes at a time: a double takes two instructions. */
void counters_warp_op(const struct warp *w, uint32_t group)
{
    const struct warp_call *c = &w->call[__builtin_ctz(group)];
    packs_forget(w, group);
    if (c->op <= SIMT_SHFL_XOR)
        count[COUNT_SHUFFLES] += c->bytes > 4 ? 2 : 1;
    else if (c->op != SIMT_SYNCWARP)
        spread.votes++;
    if (trace_on)
        trace_warp_op(w, group);
}

/* __activemask() in a branch is a ballot: its mask has the lanes that took the branch. */
void counters_active_mask(const struct warp *w, uint32_t group)
{
    spread.partial_masks += group != w->exists;
}

/* ---- branches ---- */

void counters_move_on(uint32_t group)
{
    moved_on = group;
}

/* Are all 32 lanes at the same place? They mostly are, so this is quick: no branches. */
static bool whole_warp_together(const struct warp *w)
{
    uint64_t different = 0;
    for (int i = 0; i < WARP_SIZE; i++)
        different |= (w->pc[i] ^ w->pc[0]) | (w->path[i] ^ w->path[0]);
    return w->live == FULL_MASK && different == 0 && (w->ahead == 0 || w->ahead == FULL_MASK);
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
 * Lanes have run together from one stop to their next ones. If they are at two places now, a branch
 * of the source has split them; at three places, two branches.
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
    launch_number++;
    source_launch(launch_number);
    trace_launch(launch_number);
    memset(count, 0, sizeof count);
    moved_on = 0;
    if (sim.team_size <= team_room)
        return;
    team_room = sim.team_size;
    free(work_of);
    free(block_bytes);
    work_of = calloc((size_t)team_room * MAX_WARPS, sizeof *work_of);
    block_bytes = calloc(team_room, sizeof *block_bytes);
    if (!work_of || !block_bytes)
        abort();
    packs_team(team_room);
}

void counters_block(void)
{
    end_block(sim.running); /* the one that was here before */
    packs_block();
    trace_block();
}

void counters_turn(void)
{
    moved_on = 0;
    trace_turn();
}

void counters_end(void)
{
    for (unsigned m = 0; m < sim.team_size; m++)
        end_block(m);
    struct launch launch = {.kernel = sim.kernel,
                            .grid = sim.grid,
                            .block = sim.block,
                            .number = launch_number,
                            .times = 1};
    memcpy(launch.count, count, sizeof count);
    launches_add(&launch);
    launches_also(&spread);
    trace_launch_end(&launch);
}
