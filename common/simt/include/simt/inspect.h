/* SPDX-License-Identifier: MIT */
/*
 * inspect.h - for a host program that runs kernels of others and judges them. Valid C11 and C++.
 */
#ifndef SIMT_INSPECT_H
#define SIMT_INSPECT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One line for each counter: its name in C and in a report. common/simt/README.md says what each
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
 * What all launches of the process so far add up to: a name of the list, or "launches". 0 for
 * a name that is not known.
 */
uint64_t simt_counted(const char *counter);

/*
 * The access to shared memory (or to global memory) that costs most above its ideal, as an address
 * for addr2line; it is a return address, so one byte too far. 0 where there is none, or where the
 * environment does not have SIMT_REPORT=source.
 */
size_t simt_worst_access(int shared);

/*
 * From now on host code that simtcc has compiled may touch these bytes and nothing else: anything
 * else ends the process with a message. Give it the stack that the code runs on.
 */
void simt_confine(const void *low, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
