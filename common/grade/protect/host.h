/* SPDX-License-Identifier: MIT */
/*
 * host.h - for an exercise about host code: its file may allocate, copy and free, by functions of
 * ours in place of CUDA's. They keep a list of what is allocated, reach nothing but the arrays of
 * the job and that list, and make one call fail where they are told to. child.c calls it.
 */
#ifndef HOST_H
#define HOST_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* What may be copied from, and to. Until this call all of these functions return an error. */
void host_begin(const void *h_in, size_t in_bytes, void *h_out, size_t out_bytes,
                bool (*is_own)(const void *p, size_t bytes));

/* A run begins; call number `failing` of it, from 1, will fail, none where it is 0. A launch is a
 * call as well. cudaGetLastError() returns the error. */
void host_run(unsigned failing);

/* It has ended. Returns how many calls there were that can fail; *leaks gets the allocations that
 * it has not freed, which are freed now. host_failed() is the name of the call that failed, and
 * its error. */
unsigned host_ended(unsigned *leaks);
const char *host_failed(cudaError_t *error);

#endif
