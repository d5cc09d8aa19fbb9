/* SPDX-License-Identifier: MIT */
/*
 * state.h - the state of the machine: the lanes and warps of the running block, the memory that it
 * may touch, and the program that it belongs to.
 *
 * This part owns the data and finds things in it; it never acts. `machine` moves the lanes and
 * changes `sim`; `api` allocates memory; `count` and `find` only read.
 *
 *   state.c    the machine itself, and the coordinates that a thread asks for
 *   memory.c   the table of legal addresses
 *   pool.c     where device memory is
 *   symbols.c  kernels and shared arrays, from the program's own file
 *   places.c   source lines of code addresses
 */
#ifndef SIMT_STATE_H
#define SIMT_STATE_H

#include <signal.h>
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
    MAX_KERNEL_ARRAYS = 32, /* static shared arrays that a kernel uses */
    SHARED_LIMIT = 227 << 10,
    FIBER_KIB = 192 /* stack of a thread */
};

#define FULL_MASK 0xffffffffu

/* Why a lane has stopped. */
enum stop {
    STOP_READ,
    STOP_WRITE,
    STOP_ATOMIC,
    STOP_BLOCK_ATOMIC, /* for the threads of its own block only */
    STOP_STRONG_READ,  /* an atomic load */
    STOP_STRONG_WRITE,
    STOP_INIT,        /* a memory barrier is initialized: a store */
    STOP_ARRIVE,      /* an arrival at a memory barrier: an atomic */
    STOP_POST,        /* a store whose bytes a memory barrier counts: st.async */
    STOP_FETCH,       /* the read of a bulk copy */
    STOP_COPY,        /* the write of a bulk copy */
    STOP_WAIT,        /* a wait for a memory barrier, or for other blocks */
    STOP_ACTIVE_MASK, /* asks which lanes are active: no memory access */
    STOP_WARP_OP,     /* shuffle, vote, __syncwarp */
    STOP_KINDS
};

/* What a stop is to the race detector: a plain access, or an atomic one. */
static inline enum stop plain_stop(enum stop why)
{
    return why == STOP_INIT || why == STOP_POST || why == STOP_COPY ? STOP_WRITE
           : why == STOP_ARRIVE || why == STOP_WAIT                 ? STOP_ATOMIC
           : why == STOP_STRONG_READ || why == STOP_STRONG_WRITE    ? STOP_ATOMIC
           : why == STOP_BLOCK_ATOMIC                               ? STOP_ATOMIC
           : why == STOP_FETCH                                      ? STOP_READ
                                                                    : why;
}

/* May it change memory? */
static inline bool stores(enum stop why)
{
    return why != STOP_READ && why != STOP_STRONG_READ && why != STOP_FETCH;
}

/* Is it counted as an access to memory? A copy of a bulk is not. */
static inline bool counted_stop(enum stop *why, bool bulk)
{
    const bool fetch = *why == STOP_FETCH && !bulk;
    *why = *why == STOP_STRONG_READ || fetch ? STOP_READ
           : *why == STOP_STRONG_WRITE       ? STOP_WRITE
           : *why == STOP_BLOCK_ATOMIC       ? STOP_ATOMIC
                                             : *why;
    return *why <= STOP_ATOMIC || (*why == STOP_COPY && !bulk);
}

/* A lane's call of a shuffle, a vote or __syncwarp. */
struct warp_call {
    enum simt_op op;
    unsigned bytes; /* of a shuffle's value */
    unsigned mask;
    int line;
    int arg, width;  /* of a shuffle */
    unsigned source; /* the lane that it reads from */
    uint64_t value;
    uint64_t result;
};

/* What a lane waits for. */
struct wait {
    enum { WAIT_BARRIER, WAIT_CLUSTER, WAIT_GRID } what;
    uintptr_t barrier; /* in memory: its home, see memory_home() */
    unsigned phase;    /* the lane continues when this one is over */
    bool cluster;      /* the wait acquires what other blocks have sent */
};

/* A copy that the hardware makes while the threads go on. */
struct bulk_copy {
    uintptr_t to, from; /* for shared memory, the homes */
    uint32_t bytes;
    uintptr_t barrier; /* which counts the bytes; 0: the thread waits for its groups */
    unsigned block;    /* of the team: whose thread started it */
    unsigned thread;
    uintptr_t pc;
    unsigned group; /* and in which group, if there is no barrier */
    bool bulk;      /* it takes another path than loads and stores */
};

/* A function call that a lane is in. */
struct frame {
    uintptr_t call_pc; /* where it was called */
    uint64_t path;     /* the caller's value of `path`, to restore */
};

/* A local array that is memory: see machine/local.c. */
struct local_array {
    uintptr_t low;
    uint32_t bytes; /* 0: none */
    uint8_t depth;  /* of the call that has it */
};
enum { LOCAL_ARRAYS = 8 };

/* 32 lanes that share one instruction stream. The arrays are indexed by lane. */
struct warp {
    uint32_t ready;           /* lanes that have stopped and are ready to execute */
    uint32_t ahead;           /* lanes that have begun another iteration: see loop_end */
    uintptr_t pc[WARP_SIZE];  /* where each lane has stopped */
    uint64_t path[WARP_SIZE]; /* a hash of the calls that led there */
    uintptr_t address[WARP_SIZE];
    uint32_t bytes[WARP_SIZE];
    uint8_t why[WARP_SIZE]; /* enum stop */
    uint8_t depth[WARP_SIZE];
    void *sp[WARP_SIZE]; /* saved stack pointer */
    uintptr_t stack[WARP_SIZE];

    /* A lane that is ahead has begun another iteration of a loop since its last stop: of the loop
     * that ends there, in so many calls, so often. See machine/warp.c. */
    uintptr_t loop_end[WARP_SIZE];
    uint8_t loop_depth[WARP_SIZE];
    uint64_t iterations[WARP_SIZE];

    /* Lanes that do the same again and again, while others wait: see machine/turn.c. */
    uint64_t known[4]; /* the last different instructions */
    unsigned repeats, turn_left;
    uint32_t turn; /* lanes that run before all others */

    unsigned first;       /* thread number of lane 0 */
    uint32_t exists;      /* lanes that exist: fewer than 32 in the last warp */
    uint32_t live;        /* lanes that have not exited */
    uint32_t resume;      /* lanes to start at the next turn: new, or released by a barrier */
    uint32_t waiting;     /* lanes at a block barrier */
    uint32_t ended;       /* lanes that reached the kernel's end, not a `return;` */
    uint32_t calling;     /* lanes in an incomplete warp operation */
    uint32_t parked;      /* lanes that wait for a memory barrier or for other blocks */
    uint32_t at_cluster;  /* lanes that have arrived at the closed cluster barrier */
    uint32_t fenced;      /* lanes that have executed a fence since they arrived there */
    uint32_t owes_wait;   /* lanes that have arrived there and must wait for it */
    uint32_t waited;      /* lanes that have waited for the previous launch */
    uint32_t copying;     /* lanes in memcpy() and its like */
    unsigned first_stack; /* number of lane 0's stack */

    int barrier_line[WARP_SIZE];
    uintptr_t returned_at[WARP_SIZE]; /* `pc` of the last stop before a `return;` */
    uintptr_t passed[WARP_SIZE];      /* the last mark that the lane passed in the kernel's body */
    struct warp_call call[WARP_SIZE];
    struct wait wait[WARP_SIZE];
    struct bulk_copy copy[WARP_SIZE];              /* a copy that a lane starts */
    unsigned copy_groups[WARP_SIZE];               /* groups of its copies that it has committed */
    struct frame frame[MAX_CALL_DEPTH][WARP_SIZE]; /* from the outermost call inwards */
    struct local_array local[WARP_SIZE][LOCAL_ARRAYS];
};

struct kernel {
    uintptr_t entry;
    char name[128];
    size_t static_shared; /* bytes of these arrays: its own, and those that it was seen to use */
    uintptr_t arrays[MAX_KERNEL_ARRAYS];
    unsigned array_count;
    size_t max_dynamic;   /* raised by cudaFuncSetAttribute */
    unsigned max_threads; /* __launch_bounds__, or the device's limit */
    uint3 cluster;        /* __cluster_dims__, or (1,1,1) */
    bool large_cluster;   /* more than 8 blocks, by cudaFuncSetAttribute */
};

/*
 * A block that has started. One runs at a time. Those that must run together, the blocks of a
 * cluster or of a cooperative launch, are a team and take turns; the shared memory of those that
 * are not running is in their homes, see memory.c.
 */
struct block {
    uint3 at;
    struct warp *warps;
    uint64_t steps_left;
    int votes, vote_result; /* of __syncthreads_count */
    bool left;              /* all its threads have exited */
};

/* Everything that the hot path touches comes first. */
struct machine {
    uintptr_t local_low; /* the running lane's stack, */
    size_t local_bytes;  /* or all but device memory if no kernel runs */
    struct warp *warp;   /* NULL when no kernel runs */
    unsigned lane;
    uint32_t to_run;            /* lanes of the current group that have yet to run on */
    uint32_t conflicting;       /* lanes whose conflicting stores are compared, see find/race.c */
    uint64_t steps, steps_left; /* of the block's budget */
    volatile sig_atomic_t late; /* the next step checks the clock, see machine/clock.c */
    uint32_t slice_left;
    cudaError_t error; /* of the violation that ended this launch, or cudaSuccess */
    bool local_arrays; /* some lane has one, see machine/local.c: every access stops its lane */
    bool quiet;        /* a lane copies its arguments: hooks do nothing, all memory is local */
    bool probing;      /* to find the kernel's address, see machine/block.c */
    void *scheduler_sp;
    uintptr_t stacks_low; /* the stacks of all threads */
    size_t stacks_bytes;

    uint3 grid, block, block_idx;
    uint3 cluster;               /* blocks of a cluster */
    bool cooperative;            /* a cooperative launch: all blocks run together */
    bool last_first;             /* so do all blocks here, and the last one has the first turn */
    bool early;                  /* the previous launch may still run, see find/early.c */
    bool lets_next;              /* some lane has allowed the next launch to start */
    struct block *team;          /* the blocks that have started */
    unsigned team_size, running; /* and the running one */
    struct bulk_copy *copies;    /* that are under way */
    unsigned copy_count;
    void (*call)(void *);
    void *args;
    struct kernel *kernel;
    uintptr_t probed_pc;
    uintptr_t kept_pc; /* where a kernel first wrote a device variable; 0: never */
    uint3 thread_idx[MAX_THREADS];
};

extern struct machine sim;

/* Is the caller a lane? While a kernel runs, other host threads may be running too. */
static inline bool in_kernel(void)
{
    return (uintptr_t)__builtin_frame_address(0) - sim.stacks_low < sim.stacks_bytes;
}

/* A lane's own stack holds its private variables: no other lane sees them, so the lane runs on. The
 * same test lets host code pass, because all addresses count as local while no kernel runs. */
static inline bool is_local(const volatile void *p)
{
    return (uintptr_t)p - sim.local_low < sim.local_bytes;
}

/* Are two lanes at the same place in the program, reached by the same calls, and neither of them an
 * iteration ahead? */
static inline bool same_place(const struct warp *w, int a, int b)
{
    return (w->pc[a] == w->pc[b]) & (w->path[a] == w->path[b]) &
           !((w->ahead >> a ^ w->ahead >> b) & 1);
}

/* A thread of the block. */
struct thread {
    const struct warp *w;
    int lane;
};

/* What a lane calls: "__shfl_down_sync". */
const char *warp_call_name(enum simt_op op);

/* The number of a block in its grid. */
static inline unsigned number_of(uint3 b)
{
    return b.x + sim.grid.x * (b.y + sim.grid.y * b.z);
}
/* The running block. */
static inline unsigned block_number(void)
{
    return number_of(sim.block_idx);
}

static inline unsigned volume(uint3 n)
{
    return n.x * n.y * n.z;
}
static inline unsigned warps_in_block(void)
{
    return (volume(sim.block) + WARP_SIZE - 1) / WARP_SIZE;
}

/* The blocks of a grid start cluster by cluster: which one is the n-th? */
uint3 nth_block(uint64_t n);

/* The first member of the team in another one's cluster. */
static inline unsigned cluster_of(unsigned block)
{
    return block - block % volume(sim.cluster);
}

/* The steps that the block has executed. */
static inline uint64_t steps_made(void)
{
    return sim.steps - sim.steps_left;
}

/* Is it a width that one access of a lane can have? */
static inline bool is_width(uint32_t bytes)
{
    return bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

/* ---- memory.c: the table of legal addresses ---- */

enum space {
    SPACE_SHARED,
    SPACE_GLOBAL,
    SPACE_HOST,
    SPACE_MANAGED,
    SPACE_MODULE,
    SPACE_CONSTANT,
    SPACE_LOCAL, /* of one thread: in no region */
    SPACES
};

struct shadow; /* what `find` remembers of a region */

/* A part of an allocation that the host has named; see simt_buffer(). */
struct buffer {
    uintptr_t low;
    size_t bytes;
    const char *name;
    size_t element_bytes; /* 0: not known */
    const char *element;
    struct buffer *next;
};

struct region {
    uintptr_t low;
    size_t bytes;
    enum space space;
    bool read_only;   /* for kernels: simt_read_only() */
    const char *name; /* of a shared array */
    struct shadow *shadow;
    uintptr_t made_at;      /* where the program allocated it; 0: not allocated */
    struct buffer *buffers; /* named parts; NULL: all of it may be touched */
};

static inline bool region_holds(const struct region *r, uintptr_t address)
{
    return address - r->low < r->bytes;
}

/* Fills in the program's own variables, once. Each shared array gets its shadow by `shadow_of`. */
void memory_init(struct shadow *(*shadow_of)(size_t bytes));
void memory_add(struct region region);
bool memory_remove(uintptr_t low, struct region *removed); /* false: none starts here */
const struct region *memory_find(uintptr_t address);       /* the region of an address, or NULL */
const struct region *memory_below(uintptr_t address);      /* the nearest one at or below it */
const struct region *memory_above(uintptr_t address);      /* the nearest one above it */
const struct region *memory_freed(uintptr_t address);      /* the one that it was in, freed since */
bool memory_buffer_add(struct buffer buffer); /* false: it is in no device allocation */
void memory_read_only(uintptr_t address);     /* the allocation that holds it */
struct buffer *buffer_near(const struct region *r, uintptr_t address); /* or NULL */
void memory_set_dynamic_shared(size_t bytes);
const struct region *memory_dynamic_shared(void);
void memory_poison_shared(void);

/*
 * Blocks that take turns. The shared memory of the running one is where the program has its arrays;
 * that of the others is in their homes, where the running one may reach it. The home's address
 * identifies the bytes, wherever they currently are; a team of one block has no other.
 */
void memory_team(unsigned blocks); /* a team starts, with its first block in place */
void memory_turn(unsigned block);  /* moves this one into place */
uintptr_t memory_home(unsigned block, uintptr_t address); /* of its shared memory */
uintptr_t memory_now(uintptr_t home);                     /* where the bytes are now */
bool memory_is_far(uintptr_t address);                    /* is it in the home of some block? */
unsigned memory_owner(uintptr_t home);                    /* whose home it is */

/* ---- pool.c: where device memory is, and what the host may touch of it ---- */

/* New managed and pinned memory is made of it: a NaN as a float, and as a double twice. A program
 * hardly writes that, so what still has it was never written, by whatever code. */
#define FRESH_WORD 0xfff3a5c7u

void *pool_allocate(size_t bytes, size_t most_bytes, bool for_host);
void pool_free(void *p, size_t bytes);
extern uintptr_t pool_low;
extern size_t pool_bytes;
static inline bool pool_holds(uintptr_t address)
{
    return address - pool_low < pool_bytes;
}
bool pool_is_device(uintptr_t address); /* and not of memory that the host may touch too */
bool pool_is_confined(void);            /* host code may touch its own stack only: simt_confine() */
void pool_open(void);  /* a kernel or the runtime touches device memory, until ... */
void pool_shut(void);  /* ... this call, one for each pool_open() */
void pool_close(void); /* hooks: host code runs from now on, and may touch all but the pool */

/* ---- symbols.c: the program's file ---- */

void symbols_init(void (*shared_array)(const char *name, uintptr_t low, size_t bytes),
                  void (*segment)(uintptr_t low, size_t bytes, enum space space));
bool symbols_is_program(uintptr_t pc);       /* for a return address: in the program itself? */
struct kernel *symbols_kernel(uintptr_t pc); /* the kernel that holds this address */
/* The kernel uses a static shared array. Is it one of a function that it calls, and new? */
bool kernel_takes(struct kernel *k, uintptr_t array, size_t bytes);
bool symbols_is_device(uintptr_t address);   /* is it in a device variable? */
bool symbols_is_confined(uintptr_t address); /* in one that confined host code may use? */
struct kernel *symbols_kernel_named(const char *name);
size_t symbols_size(uintptr_t address);   /* from here to the end of the variable, or 0 */
uintptr_t symbols_function(uintptr_t pc); /* where the function of this address begins */
size_t symbols_offset(uintptr_t pc);      /* the address as the file has it */
/* What simtcc says about the shared array at this address: the number of its type in the list of
 * include/simt/trace_format.h, plus 1; the elements in a row, 1 if it has one dimension; the bytes
 * of an element. 0 if it says nothing. */
struct shared_type {
    unsigned number, columns, bytes;
};
struct shared_type symbols_shared_type(uintptr_t address);
/* What an access of so many bytes meets in shared memory: "s_data[5]", "tile[1][25]", "s_total". */
void symbols_shared_element(const struct region *r, uintptr_t address, uint32_t bytes, char *out,
                            size_t out_bytes);

/* ---- mistakes found: `find` reports them, others may listen ---- */

/* One access of a mistake. */
struct found_access {
    enum stop why;
    unsigned block, thread; /* of the grid; of the block */
    uintptr_t pc, address;
    uint32_t bytes;
    const struct region *region; /* the one that holds it, or the nearest; NULL: none */
};

struct found {
    const char *text; /* the message */
    bool stopped;     /* the launch ends with it */
    unsigned block, thread;
    uintptr_t pc;
    uint64_t when; /* steps that its block had executed */
    struct found_access access[2];
    int accesses;
};

/* ---- places.c: source lines ---- */

struct place {
    uintptr_t pc;
    char *file; /* NULL if unknown */
    unsigned line;
};
void places_find(struct place *places, size_t count);
const char *places_text(uintptr_t pc, char *out, size_t out_bytes); /* "file.cu:31" */
const char *place_print(const struct place *p, char *out, size_t out_bytes);
bool place_same(const struct place *a, const struct place *b); /* one line */
const char *places_relative(const char *path);

#endif
