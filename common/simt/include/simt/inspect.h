/* SPDX-License-Identifier: MIT */
/*
 * inspect.h - for a host program that runs other people's kernels and judges them. Valid C11 and
 * C++.
 */
#ifndef SIMT_INSPECT_H
#define SIMT_INSPECT_H

#include <stddef.h>
#include <stdint.h>

#include "../cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One line per counter: its name in C and in a report. common/simt/REFERENCE.md explains each one,
 * with its name in Nsight Compute. The last two are reported as their ratio: the mean of busy
 * lanes.
 */
#define SIMT_COUNTER_LIST(X)                                                                       \
    X(SHARED_LD_REQUESTS, "shared_ld_requests")                                                    \
    X(SHARED_LD_WAVEFRONTS, "shared_ld_wavefronts")                                                \
    X(SHARED_ST_REQUESTS, "shared_st_requests")                                                    \
    X(SHARED_ST_WAVEFRONTS, "shared_st_wavefronts")                                                \
    X(SHARED_WAVEFRONTS, "shared_wavefronts")                                                      \
    X(SHARED_WAVEFRONTS_IDEAL, "shared_wavefronts_ideal")                                          \
    X(GLOBAL_LD_REQUESTS, "global_ld_requests")                                                    \
    X(GLOBAL_LD_SECTORS, "global_ld_sectors")                                                      \
    X(GLOBAL_ST_REQUESTS, "global_st_requests")                                                    \
    X(GLOBAL_ST_SECTORS, "global_st_sectors")                                                      \
    X(ATOMIC_REQUESTS, "atomic_requests")                                                          \
    X(BARRIERS, "barriers")                                                                        \
    X(SHUFFLES, "shuffles")                                                                        \
    X(DIVERGENT_BRANCHES, "divergent_branches")                                                    \
    X(MEMORY_REQUESTS, "memory_requests")                                                          \
    X(MEMORY_LANES, "memory_lanes")

/*
 * The sum over all launches of the process so far: a name of the list, "launches",
 * "global_atomic_sectors", "counting_barriers": the barriers of __syncthreads_count(), "arrivals":
 * of warps at memory barriers, and their tests of one that do not wait, "votes":
 * ballots, matches and __reduce_*_sync() of warps, "partial_masks": calls of __activemask() by some
 * lanes of a warp, or "local_ld_requests" and "local_st_requests" of local arrays that are memory.
 * Or the maximum over blocks: "most_alone": accesses that one thread made without another lane of
 * its warp, less one for every 16 threads of the block and one for every 128 bytes that the block
 * loaded; "most_in_turn": loads of shared memory that one thread made from one barrier to the next;
 * "most_loads": words that one thread loaded from any memory; "most_block_bytes": bytes that a
 * block loaded from global memory. A copy of a struct is as many accesses as it has words. 0 for an
 * unknown name.
 */
uint64_t simt_counted(const char *counter);

/*
 * The access to shared (or to global) memory that costs most above its ideal, as an address for
 * addr2line; it is a return address, so one byte too far. `kind`: 1 for loads, 2 for others, 0 for
 * all. 0 if there is none, or without SIMT_REPORT=source in the environment.
 */
size_t simt_worst_access(int shared, int kind);

/* The bytes of the program's __device__ and __managed__ variables. */
size_t simt_device_variables(void);

/* How many mistakes were found in kernels: races, unwritten memory, violations. */
uint64_t simt_found(void);

/*
 * From now on host code that simtcc has compiled may touch these bytes and nothing else: any other
 * access ends the process with a message. Pass the stack that the code runs on.
 */
void simt_confine(const void *low, size_t bytes);

/*
 * Names a buffer in an allocation of device memory. From then on kernels may touch only the named
 * buffers of this allocation: everything between them is a guard zone. The host may use all of it.
 * A message says "1 element past the end of NAME". element: its size in bytes and the name of its
 * type; 0 if there is no type. The names are not copied. cudaFree() ends it.
 */
void simt_buffer(const void *low, size_t bytes, const char *name, size_t element_bytes,
                 const char *element);

/* From now on kernels may only read the allocation of device memory that holds this address. */
void simt_read_only(const void *low);

/*
 * From start to stop the host's calls are recorded: those that queue work (launches, asynchronous
 * copies and fills), on which stream, and those that a launcher must not make. With `failing` > 0
 * no work is done at all, and the call that would queue piece number `failing`, from 1, fails.
 */
struct simt_call {
    const char *name; /* of a launched kernel, of a function, of a store; NULL: none */
    size_t pc;        /* where the program called it, as a return address */
};
struct simt_probe {
    unsigned work;              /* pieces queued */
    struct simt_call elsewhere; /* the first one on another stream */
    struct simt_call refused;   /* the first call that allocates, frees or waits */
    struct simt_call failed;    /* the call that was made to fail */
    struct simt_call kept;      /* the first store of a kernel to a device variable */
};
void simt_probe_start(cudaStream_t stream, unsigned failing);
struct simt_probe simt_probe_stop(void);

/* "tree_kernel at mine.cu:31", in `out`. */
const char *simt_call_text(struct simt_call call, char *out, size_t out_bytes);

/*
 * As if a launch on this stream had just written these bytes, and might still be running: a launch
 * that may start early must wait before it touches them. element_bytes is the smallest size of an
 * access, in all of these calls. It lasts until anything else is queued, or the host waits.
 */
void simt_written_before(cudaStream_t stream, const void *low, size_t bytes, size_t element_bytes);

/*
 * From now on the blocks of a launch take turns, the last one first, with its last warp first, if
 * the device holds all of them at once and they have at most so many threads: a block that reads
 * something without waiting for it reads it too early. Every second block also stops after each
 * atomic. Otherwise they run one after another; 0: always. The stacks for so many threads are
 * reserved in this call.
 */
void simt_blocks_take_turns(unsigned most_threads);

/* From now on (on = 1) only the first half of a launch's blocks run, as if it were aborted. */
void simt_break_off(int on);

/* How many multiprocessors the device reports from now on; at least 1. */
void simt_device_sms(int sms);

/*
 * simt_watch(1) before a call of foreign host code, and simt_watch(0) after it: if it takes more
 * than SIMT_SECONDS of processor time, the process ends with a message.
 */
void simt_watch(int on);

#ifdef __cplusplus
}
#endif
#endif
