/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of this part share; count.h is for all other parts.
 */
#ifndef SIMT_COUNT_INSIDE_H
#define SIMT_COUNT_INSIDE_H

#include "count.h"

#include "../include/simt/inspect.h"

enum counter {
#define COUNTER(name, text) COUNT_##name,
    SIMT_COUNTER_LIST(COUNTER) COUNTERS
#undef COUNTER
};

/* One warp instruction that touches memory. */
struct request {
    const uintptr_t *address; /* of each lane */
    uint32_t bytes;           /* of a lane: 1, 2, 4, 8 or 16 */
    uint32_t active;          /* bit l: lane l takes part */
};

/* wavefronts.c */
unsigned wavefronts(const struct request *r, bool load);
void wavefronts_of_lanes(const struct request *r, bool load, uint8_t served[WARP_SIZE]);
unsigned wavefronts_ideal(const struct request *r, unsigned real);
unsigned sectors_touched(const struct request *r);
unsigned sectors_ideal(const struct request *r, unsigned touched);

/* What one or more requests cost. `cost` is in wavefronts (shared) or sectors (global). */
struct cost {
    uint64_t requests, cost, ideal, lanes;
};

static inline void cost_add(struct cost *sum, struct cost c)
{
    sum->requests += c.requests;
    sum->cost += c.cost;
    sum->ideal += c.ideal;
    sum->lanes += c.lanes;
}

/* launches.c */
struct launch {
    struct kernel *kernel;
    uint3 grid, block;
    uint64_t number; /* 1 for the first launch of the process */
    uint64_t times;  /* launches that were equal except for their number */
    uint64_t count[COUNTERS];
};
extern const char *const counter_names[COUNTERS];
void launches_add(const struct launch *launch);

/* How the work of all launches is spread: what simt_counted() offers besides the counters. */
#define SPREAD_LIST(X)                                                                             \
    X(global_atomic_sectors)                                                                       \
    X(most_alone)                                                                                  \
    X(most_in_turn)                                                                                \
    X(most_loads)                                                                                  \
    X(most_block_bytes)                                                                            \
    X(arrivals)                                                                                    \
    X(counting_barriers) X(votes) X(partial_masks) X(local_ld_requests) X(local_st_requests)
#define SPREAD_MEMBER(name) uint64_t name;
struct spread {
    SPREAD_LIST(SPREAD_MEMBER)
};
void launches_also(const struct spread *so_far);

/* packs.c: does this group touch packs that it has already moved? */
bool packs_moved(const struct warp *w, uint32_t group, enum stop why);
void packs_forget(const struct warp *w, uint32_t lanes);
void packs_team(unsigned blocks); /* allocates for a team of this size */
void packs_block(void);           /* the running block starts */

/* source.c */
extern bool source_on;
void source_launch(unsigned long long number); /* as each launch begins */
void source_add(uintptr_t pc, enum stop why, enum space space, uint32_t bytes, struct cost cost);

/* trace.c */
extern bool trace_on; /* this block is being recorded */
void trace_launch(uint64_t number);
void trace_block(void);
void trace_turn(void); /* sim.block_idx continues */
void trace_memory(const struct warp *w, uint32_t group, enum stop why, enum space space,
                  struct cost cost);
void trace_barrier(const struct warp *w);
void trace_warp_op(const struct warp *w, uint32_t group);
void trace_stops(const struct warp *w);
void trace_launch_end(const struct launch *launch);

#endif
