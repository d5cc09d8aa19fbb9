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
 * What all launches of the process so far add up to. The names are those of README.md, without
 * active_lanes_per_memory_instruction, and three more: launches, memory_requests and memory_lanes,
 * whose ratio is the mean number of active lanes. 0 for a name that is not known.
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
