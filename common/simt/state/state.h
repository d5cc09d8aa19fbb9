/* SPDX-License-Identifier: MIT */
/*
 * machine.h - the emulated machine: lanes, warps, the block that runs, and who owns what.
 *
 *   hooks.c    every load and store of a kernel arrives here and stops its lane; atomic_hooks.c
 *              does the same for C++ atomics
 *   warp.c     chooses which stopped lanes form the next warp instruction, and executes it
 *   sync.c     barriers, shuffles and votes; collect.c has what the lanes learn there
 *   block.c    runs the warps of a block between barriers, and the blocks of a grid
 *   fiber.c    stacks of the lanes; switch.S changes from one lane to the next
 *   memory.c   the table of legal addresses; symbols.c reads names from the program file
 *   pool.c    the addresses of device memory; guard.c turns a stack overflow into a message
 *   race.c     races between threads; shadow.h is the map of that part
 *   fault.c    messages, and what happens after a fault; bounds.c finds wrong array indices
 *   counters.c counts for each launch; counters.h is the map of what is done with the counts
 *   error.c, memory_api.c, copy_api.c, stream.c, graph.c, device.c, settings.c
 *              cudaMalloc() and all other calls of host code
 */
#ifndef SIMT_STATE_H
#define SIMT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../include/simt/abi.h"

enum {
    WARP_SIZE = 32,
    MAX_THREADS = 1024,
    MAX_WARPS = MAX_THREADS / WARP_SIZE,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    MAX_CALL_DEPTH = 128,
    STATIC_SHARED_LIMIT = 48 << 10,
    SHARED_LIMIT = 227 << 10,
    FIBER_KIB = 192 /* stack of a thread */
};

struct region;
struct shadow;

#define FULL_MASK 0xffffffffu

/* Why a lane has stopped. */
enum stop {
    STOP_READ,
    STOP_WRITE,
    STOP_ATOMIC,
    STOP_ACTIVE_MASK, /* asks who is here: no memory is touched */
    STOP_WARP_OP,     /* shuffle, vote, __syncwarp */
    STOP_KINDS
};

/* A lane's call of a shuffle, a vote or __syncwarp. */
struct warp_call {
    enum simt_op op;
    unsigned bytes; /* of a shuffle's value */
    unsigned mask;
    int line;
    int arg, width; /* of a shuffle */
    uint64_t value;
    uint64_t result;
};

/* A function call that a lane is in. */
struct frame {
    uintptr_t call_pc; /* where it was called */
    uint64_t path;     /* the caller's value of `path`, to go back to */
};

/* 32 lanes that share one instruction stream. The arrays are indexed by lane. */
struct warp {
    uint32_t ready;           /* lanes that have stopped and can be chosen */
    uintptr_t pc[WARP_SIZE];  /* where each lane has stopped */
    uint64_t path[WARP_SIZE]; /* a hash of the calls that led there */
    uintptr_t address[WARP_SIZE];
    uint32_t bytes[WARP_SIZE];
    uint8_t why[WARP_SIZE]; /* enum stop */
    uint8_t depth[WARP_SIZE];
    void *sp[WARP_SIZE]; /* saved stack pointer */
    uintptr_t stack[WARP_SIZE];

    unsigned first;   /* thread number of lane 0 */
    uint32_t exists;  /* lanes that the block has: fewer than 32 in its last warp */
    uint32_t live;    /* lanes that have not exited */
    uint32_t resume;  /* lanes to start at the next turn: new ones, or released by a barrier */
    uint32_t waiting; /* lanes at a block barrier */
    uint32_t calling; /* lanes in a warp operation that is not complete */

    int barrier_line[WARP_SIZE];
    struct warp_call call[WARP_SIZE];
    struct frame frame[MAX_CALL_DEPTH][WARP_SIZE]; /* from the outermost call inwards */
};

struct kernel {
    uintptr_t entry;
    char name[128];
    size_t static_shared;
    size_t max_dynamic; /* raised by cudaFuncSetAttribute */
};

/* Everything that the hot path touches stands first. */
struct machine {
    uintptr_t local_low; /* stack of the lane that runs ... */
    size_t local_bytes;  /* ... or all but device memory, when no kernel runs */
    struct warp *warp;   /* NULL when no kernel runs */
    unsigned lane;
    uint32_t to_run;            /* lanes of the current group that have yet to move on */
    uint32_t meeting;           /* lanes whose stores to one word are compared, see later.c */
    uint64_t steps, steps_left; /* of the block's budget */
    uint32_t slice_left;
    bool stopped; /* a fault has ended this launch */
    bool probing; /* looking for the kernel's address, see block.c */
    void *scheduler_sp;
    int votes, vote_result; /* of __syncthreads_count */

    uint3 grid, block, block_idx;
    size_t dynamic_shared;
    void (*call)(void *);
    void *args;
    struct kernel *kernel;
    uintptr_t probed_pc;
    uint3 thread_idx[MAX_THREADS];
};

extern struct machine sim;
extern struct warp warps_of_block[MAX_WARPS];

static inline bool in_kernel(void)
{
    return sim.warp != NULL;
}

/* A lane's own stack holds its private variables: nobody else sees them, so the lane goes on. The
 * same test lets host code pass, since all addresses count as local while no kernel runs. */
static inline bool is_local(const volatile void *p)
{
    return (uintptr_t)p - sim.local_low < sim.local_bytes;
}

/* Do two lanes stand at one place of the program, and by the same calls? */
static inline bool same_place(const struct warp *w, int a, int b)
{
    return (w->pc[a] == w->pc[b]) & (w->path[a] == w->path[b]);
}

/* Is it a width that one access of a lane can have? */
static inline bool is_width(uint32_t bytes)
{
    return bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

/* fiber.c */
void simt_switch(void **save_sp, void *load_sp);
void fiber_init(void);
void fiber_reset(struct warp *w, unsigned lane);
void fiber_enter(unsigned lane); /* scheduler to lane */
void fiber_next(unsigned lane);  /* lane to lane */
void fiber_leave(void);          /* lane to scheduler */
uintptr_t fiber_arena(size_t *bytes);
void guard_init(void); /* guard.c */

/* warp.c */
void lane_stop(enum stop why, uintptr_t address, uint32_t bytes, uintptr_t pc);
void lane_yield(void);
bool step_spend(struct warp *w, unsigned lane);
void warp_release(struct warp *w, uint32_t group);
void warp_run(struct warp *w);

enum verdict { VERDICT_FINE, VERDICT_OUTSIDE, VERDICT_MISALIGNED };
enum verdict warp_check(const struct warp *w, unsigned lane, const struct region **region);

/* sync.c */
bool warp_op_execute(struct warp *w, unsigned lane);
void warp_op_deadlock(struct warp *w);
void warp_op_collect(struct warp *w, uint32_t group); /* collect.c */
bool barrier_release(unsigned warps);

/* block.c */
void lane_main(void);

/* memory.c */
enum space {
    SPACE_SHARED,
    SPACE_GLOBAL,
    SPACE_HOST,
    SPACE_MANAGED,
    SPACE_MODULE,
    SPACE_CONSTANT,
    SPACES
};

struct region {
    uintptr_t low;
    size_t bytes;
    enum space space;
    const char *name; /* of a shared array */
    struct shadow *shadow;
};

void memory_init(void);
void memory_add(struct region region);
bool memory_remove(uintptr_t low, struct region *removed);
const struct region *memory_find(uintptr_t address); /* or NULL */
void memory_written(const void *to, size_t bytes);
const struct region *memory_below(uintptr_t address);
const struct region *memory_above(uintptr_t address);
const struct region *memory_freed(uintptr_t address);
void memory_set_dynamic_shared(size_t bytes);
void memory_poison_shared(void);

static inline bool region_holds(const struct region *r, uintptr_t address)
{
    return address - r->low < r->bytes;
}

/* The same as memory_find(), and quick when the address lies in `guess`, which may be NULL. */
static inline const struct region *memory_find_near(const struct region *guess, uintptr_t address)
{
    return guess && region_holds(guess, address) ? guess : memory_find(address);
}

/* pool.c: where device memory is */
void *pool_allocate(size_t bytes, size_t most_bytes);
void pool_free(void *p, size_t bytes);
void pool_close(void);
bool pool_holds(uintptr_t address);

/* shadow.c: which words of memory have been written */
struct shadow *shadow_of_array(size_t bytes);
struct shadow *shadow_of_allocation(size_t bytes);
void shadow_free(struct shadow *s);
void shadow_written(const struct region *r, uintptr_t address, size_t bytes);

/* order.c, race.c, later.c: see shadow.h */
void order_barrier(void);
void order_warp(const struct warp *w, uint32_t mask);
void race_launch(void);
void race_block(void);
void race_block_end(void);
void race_memory(const struct warp *w, uint32_t group);
void race_stored(void);

/* symbols.c */
void symbols_init(void (*shared_array)(const char *name, uintptr_t low, size_t bytes),
                  void (*segment)(uintptr_t low, size_t bytes, enum space space));
struct kernel *symbols_kernel(uintptr_t pc);
size_t symbols_offset(uintptr_t pc);
const char *symbols_relative(const char *path);

/* places.c; the rest of it is in counters.h */
const char *places_text(uintptr_t pc, char *out, size_t out_bytes);

/* fault.c: a message goes between begin and end; the process will exit with 1. */
void fault_init(void);
void fault_begin(void);
void fault_end(void);
/* Each prints a message and ends the launch. A lane that calls one must then leave. In `format`
 * the first line is what is wrong; others begin with four spaces. */
_Noreturn void fault_host(enum stop why, uintptr_t address, uintptr_t pc);
void fault_access(struct warp *w, unsigned lane, uint32_t group);
void fault_lane(struct warp *w, unsigned lane, cudaError_t error, uintptr_t pc, const char *format,
                ...) __attribute__((format(printf, 5, 6)));

/* error.c */
cudaError_t error_set(cudaError_t error); /* what cudaGetLastError will say */
void error_set_sticky(cudaError_t error); /* what all calls will say from now on */
cudaError_t error_sticky(void);
cudaError_t error_result(cudaError_t error);

/* counters.c: what the machine tells it; the rest is in counters.h */
void counters_begin(void);
void counters_block(void);
void counters_memory(const struct warp *w, uint32_t group, enum space space);
void counters_barrier(const struct warp *w);
void counters_warp_op(const struct warp *w, uint32_t group);
void counters_move_on(uint32_t group);
void counters_paths(const struct warp *w);
void counters_end(void);

#endif
