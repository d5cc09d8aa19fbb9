/* SPDX-License-Identifier: MIT */
/*
 * abi.h - what the device headers call in the runtime. Valid C11 and C++.
 *
 * The runtime is compiled without hooks. So what a lane does in one of these functions is invisible
 * to the emulator, except where the comment says that the lane stops.
 */
#ifndef SIMT_ABI_H
#define SIMT_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "../cuda_runtime_api.h"

#ifdef __cplusplus
#define SIMT_NOTHROW noexcept
extern "C" {
#else
#define SIMT_NOTHROW
#endif

/* A thread's coordinates. `const` lets the compiler call them once: they never change for a
 * thread. */
uint3 simt_thread_idx(void) SIMT_NOTHROW __attribute__((const));
uint3 simt_block_idx(void) SIMT_NOTHROW __attribute__((const));
uint3 simt_block_dim(void) SIMT_NOTHROW __attribute__((const));
uint3 simt_grid_dim(void) SIMT_NOTHROW __attribute__((const));

/* Runs `call(args)` once for each thread of the grid. Errors go to cudaGetLastError(). A graph
 * copies the `bytes` bytes of args; 0: it cannot. */
struct simt_launch_config {
    uint3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    uint3 cluster; /* in blocks; 0: as the kernel says */
    int cooperative;
    int early;        /* it may start while the previous launch still runs */
    const void *at;   /* the place of the launch, if it is not the caller's */
    const char *name; /* of the kernel, if it is known */
};
void simt_launch(const struct simt_launch_config *config, void (*call)(void *), void *args,
                 size_t bytes);
cudaError_t simt_launched(void);       /* the result of the last one */
const void *simt_here(void);           /* where it is called from */
cudaError_t simt_launch_unknown(void); /* the kernel's parameters are not known */

/* How many clusters of such a launch the device can hold at once. */
cudaError_t simt_active_clusters(int *clusters, const void *func,
                                 const struct simt_launch_config *config);

/* A thread copies its arguments, which are in host memory: until it says 0, hooks do nothing. */
void simt_quiet(int on) SIMT_NOTHROW;

/* The calling thread ends here. */
void simt_thread_end(void) SIMT_NOTHROW __attribute__((noreturn));

/* The names of memcpy() and the like in a .cu file. A lane stops before each of the accesses. */
void *simt_memcpy(void *to, const void *from, size_t bytes) SIMT_NOTHROW;
void *simt_memmove(void *to, const void *from, size_t bytes) SIMT_NOTHROW;
void *simt_memset(void *to, int value, size_t bytes) SIMT_NOTHROW;
int simt_memcmp(const void *a, const void *b, size_t bytes) SIMT_NOTHROW;
/* What the compiler itself calls by those names, for a struct. */
void *simt_moved(void *to, const void *from, size_t bytes) SIMT_NOTHROW;
void *simt_filled(void *to, int value, size_t bytes) SIMT_NOTHROW;

/* A local array of the lane that is memory on a GPU: its accesses are counted as local ones. */
void simt_local(volatile void *p, size_t bytes) SIMT_NOTHROW;

/* A local variable without a value, which is read in this line: see translate/starts.c. */
void simt_no_start(const char *name, unsigned line) SIMT_NOTHROW;

/* A loop of the lane ends an iteration. Returns `number`: see loop.hpp. */
unsigned simt_iterate(unsigned number) SIMT_NOTHROW __attribute__((const));

/* The lane's next access to these bytes is to a member of one pack: see pack.hpp. */
void simt_pack(const volatile void *p, size_t bytes) SIMT_NOTHROW;

/*
 * A barrier is identified by its code address and the call path. That needs a compiler that does
 * not duplicate code: see the flags of simtcc. A warp operation may be reached from several places.
 */

/* Stops the lane at __syncthreads(); then simt_votes() is the sum of the votes of the block's
 * threads. A vote of SIMT_COUNTING or more is that of __syncthreads_count(). */
enum { SIMT_COUNTING = 1 << 16 };
void simt_barrier(int vote, int line) SIMT_NOTHROW;
int simt_votes(void) SIMT_NOTHROW;

/* simtcc inserts these calls at a `return;` of a device function, and before the statement of a
 * kernel's body that holds one, or a barrier: see translate/returns.c. The lane continues. */
void simt_return(void) SIMT_NOTHROW;
void simt_passed(void) SIMT_NOTHROW;

/* The cluster of the thread's block: its shape, the block's rank in it, the shared memory of
 * another block, and the rank that owns an address. */
uint3 simt_cluster_dim(void) SIMT_NOTHROW __attribute__((const));
unsigned simt_cluster_rank(void) SIMT_NOTHROW __attribute__((const));
void *simt_cluster_map(const volatile void *shared, unsigned rank) SIMT_NOTHROW;
unsigned simt_cluster_owner(const volatile void *shared) SIMT_NOTHROW;

/* Barriers of all threads of the cluster, split or in one, and of the grid. The lane stops where it
 * waits. */
void simt_cluster_arrive(int release) SIMT_NOTHROW;
void simt_cluster_wait(void) SIMT_NOTHROW;
void simt_cluster_sync(void) SIMT_NOTHROW;
void simt_grid_sync(void) SIMT_NOTHROW;
int simt_grid_is_valid(void) SIMT_NOTHROW; /* a cooperative launch */

/* Lets the next launch start, if it may start early. The second one waits for the end of the
 * previous launch. */
void simt_let_next_start(void) SIMT_NOTHROW;
void simt_wait_for_launch(void) SIMT_NOTHROW;

/* Memory barriers: see machine/mbarrier.c. The lane stops. `cluster`: it also acquires what other
 * blocks of the cluster have sent. */
void simt_mbarrier_init(uint64_t *barrier, unsigned count) SIMT_NOTHROW;
uint64_t simt_mbarrier_arrive(uint64_t *barrier, unsigned count, unsigned bytes,
                              unsigned fewer) SIMT_NOTHROW;
int simt_mbarrier_wait(uint64_t *barrier, unsigned phase, int cluster) SIMT_NOTHROW;
int simt_mbarrier_test(uint64_t *barrier, unsigned phase, int cluster) SIMT_NOTHROW;

/* Stops the lane before a store of `bytes`; the caller does it on return, and then reports it to
 * the barrier that counts them. */
void simt_post(volatile void *to, unsigned bytes) SIMT_NOTHROW;
void simt_posted(uint64_t *barrier, unsigned bytes) SIMT_NOTHROW;

/* A bulk copy, counted by a barrier or by the thread's groups; and one of any size and place. */
void simt_bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier) SIMT_NOTHROW;
void simt_async_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier) SIMT_NOTHROW;
void simt_bulk_commit(void) SIMT_NOTHROW;
void simt_bulk_wait(unsigned pending) SIMT_NOTHROW;

enum simt_op {
    SIMT_SHFL_IDX,
    SIMT_SHFL_UP,
    SIMT_SHFL_DOWN,
    SIMT_SHFL_XOR,
    SIMT_BALLOT,
    SIMT_SYNCWARP,
    SIMT_MATCH_ANY,
    SIMT_MATCH_ALL,
    SIMT_REDUCE_ADD,
    SIMT_REDUCE_AND,
    SIMT_REDUCE_OR,
    SIMT_REDUCE_XOR,
    SIMT_REDUCE_MIN, /* of unsigned numbers */
    SIMT_REDUCE_MAX,
    SIMT_REDUCE_MIN_INT, /* of signed ones */
    SIMT_REDUCE_MAX_INT
};

/* Stops the lane until all lanes of `mask` have arrived: a vote, a match, a sum or __syncwarp().
 * Then simt_result() returns the lane's result. */
void simt_warp_op(enum simt_op op, unsigned mask, uint64_t value, int line) SIMT_NOTHROW;
uint64_t simt_result(void) SIMT_NOTHROW;

/* A shuffle of `bytes` bytes: a GPU needs two instructions to move 8. `arg` is the source lane, the
 * delta or the xor mask. */
void simt_shuffle(enum simt_op op, unsigned mask, uint64_t value, unsigned bytes, int arg,
                  int width, int line) SIMT_NOTHROW;

/* Steps of this block so far, plus the calls of this function: it always advances. */
long long simt_clock(void) SIMT_NOTHROW;

/* About multiprocessors: 0 the number of the block's own, 1 how many there are, 2 the warps of
 * one. */
unsigned simt_multiprocessor(int what) SIMT_NOTHROW;

/* Stops the lane. Returns the lanes that stopped at the same place with it. */
unsigned simt_active_mask(void) SIMT_NOTHROW;

/* Stops the lane before an atomic on `bytes` bytes; the caller does the operation on return. The
 * second one is an atomic of block scope. */
void simt_atomic(const volatile void *address, unsigned bytes) SIMT_NOTHROW;
void simt_block_atomic(const volatile void *address, unsigned bytes) SIMT_NOTHROW;

/* The same before a load or store that may conflict with other threads: one of cuda::atomic_ref. */
void simt_strong_load(const volatile void *address, unsigned bytes) SIMT_NOTHROW;
void simt_strong_store(const volatile void *address, unsigned bytes) SIMT_NOTHROW;

/* A fence of the lane, and its scope: the block, the device, or the host as well. */
enum simt_fence_for { SIMT_FENCE_BLOCK, SIMT_FENCE_DEVICE, SIMT_FENCE_SYSTEM };
void simt_fence(enum simt_fence_for whom) SIMT_NOTHROW;

/* A fence for its cluster: the lane's next arrival there releases what is before it. And one for
 * bulk copies, which take another path than loads and stores: later ones come after what is before
 * it. */
void simt_fence_cluster(void) SIMT_NOTHROW;
void simt_fence_proxy(void) SIMT_NOTHROW;

/* Half precision: round to nearest even, and back. A double rounds once, straight to half. */
uint16_t simt_half_from_double(double value) SIMT_NOTHROW __attribute__((const));
float simt_half_to_float(uint16_t bits) SIMT_NOTHROW __attribute__((const));

/* The same for bfloat16: the upper half of a float. */
uint16_t simt_bfloat16_from_double(double value) SIMT_NOTHROW __attribute__((const));
float simt_bfloat16_to_float(uint16_t bits) SIMT_NOTHROW __attribute__((const));

/* __trap(): ends the launch. Does not return inside a kernel. */
void simt_trap(const char *what) SIMT_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
