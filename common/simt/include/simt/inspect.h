/* SPDX-License-Identifier: MIT */
/*
 * inspect.h - for a host program that runs kernels of others and judges them. Valid C11 and C++.
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
 * One line for each counter: its name in C and in a report. common/simt/REFERENCE.md says what each
 * one means, and its name in Nsight Compute. The last two are reported as their ratio: the mean of
 * busy lanes.
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
 * What all launches of the process so far add up to: a name of the list, "launches",
 * "global_atomic_sectors", or "counting_barriers": as barriers, those of __syncthreads_count().
 * The most of one block: "most_alone": requests to memory that one thread made without another
 * lane of its warp; "most_in_turn": loads of shared memory that one thread made from one barrier
 * to the next; "most_block_bytes": bytes that it loaded from global memory. 0 for a name that is
 * not known.
 */
uint64_t simt_counted(const char *counter);

/*
 * The access to shared memory (or to global memory) that costs most above its ideal, as an address
 * for addr2line; it is a return address, so one byte too far. 0 where there is none, or where the
 * environment does not have SIMT_REPORT=source.
 */
size_t simt_worst_access(int shared);

/* How often something wrong has been found in a kernel: races, unwritten memory, violations. */
uint64_t simt_found(void);

/*
 * From now on host code that simtcc has compiled may touch these bytes and nothing else: anything
 * else ends the process with a message. Give it the stack that the code runs on.
 */
void simt_confine(const void *low, size_t bytes);

/*
 * Kernels may touch these bytes of an allocation of device memory, and of the others of it only
 * what a call like this one has named: the rest are walls. The host may use all of it. A message
 * says "1 element past the end of NAME". element: bytes of one and the name of its type; 0 where
 * there is no type. The names are not copied. cudaFree() ends it.
 */
void simt_wall(const void *low, size_t bytes, const char *name, size_t element_bytes,
               const char *element);

/*
 * From start to stop the host's calls are looked at: those that queue work (launches, copies, fills
 * behind others), on which stream, and those that a launcher must not do. With `failing` > 0 no
 * work is done at all, and the call that would queue piece number `failing`, from 1, fails.
 */
struct simt_call {
    const char *name; /* of a kernel that was launched, of a function, of a store; NULL: none */
    size_t pc;        /* where the program called it, as a return address */
};
struct simt_probe {
    unsigned work;              /* pieces queued */
    struct simt_call elsewhere; /* the first one on another stream */
    struct simt_call refused;   /* the first call that allocates, frees or waits */
    struct simt_call failed;    /* the call that was made to fail */
    struct simt_call kept;      /* the first store of a kernel to a variable of the device */
};
void simt_probe_start(cudaStream_t stream, unsigned failing);
struct simt_probe simt_probe_stop(void);

/* "tree_kernel at mine.cu:31", in `out`. */
const char *simt_call_text(struct simt_call call, char *out, size_t out_bytes);

/*
 * As if a launch on this stream had written these bytes just now, and might still run: a launch
 * that may start early must wait before it touches them. element_bytes is what an access has at
 * least, in all of these calls. Until anything else is queued, or the host waits.
 */
void simt_written_before(cudaStream_t stream, const void *low, size_t bytes, size_t element_bytes);

/*
 * From now on (on = 1) the blocks of a launch take turns, the last one first, where the device
 * holds all of them at once and they are not too many: one that reads what it should wait for reads
 * it too early. Otherwise they run one after another.
 */
void simt_blocks_take_turns(int on);

/* From now on (on = 1) only the first half of a launch's blocks run: as if it were broken off. */
void simt_break_off(int on);

/* How many multiprocessors the device shows from now on; 1 at least. */
void simt_device_sms(int sms);

/*
 * simt_watch(1) before a call of others' host code, and simt_watch(0) after it: if it goes on for
 * more than SIMT_SECONDS of the processor's time, the process ends with a message.
 */
void simt_watch(int on);

#ifdef __cplusplus
}
#endif
#endif
