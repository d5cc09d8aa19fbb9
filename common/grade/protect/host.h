/* SPDX-License-Identifier: MIT */
/*
 * host.h - for an exercise about host code: its file may allocate, copy and free, through our
 * replacements for CUDA's functions. They keep a list of what is allocated, access nothing but the
 * arrays of the job and that list, and make one call fail on request. child.c calls it.
 */
#ifndef HOST_H
#define HOST_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* The arrays that may be copied from, and to. Until this call all of these functions return an
 * error. */
void host_begin(const void *h_in, size_t in_bytes, void *h_out, size_t out_bytes,
                bool (*is_own)(const void *p, size_t bytes));

/* Starts a run, in which call number `failing`, from 1, will fail; 0: none. A launch is a call as
 * well. cudaGetLastError() returns the error. */
void host_run(unsigned failing);

/* Ends the run. Returns the number of calls that can fail; *leaks gets the number of allocations
 * that were not freed, which are freed now. host_failed() returns the name of the first call that
 * failed, or NULL, and sets its error; *goes_on says whether something was copied or launched after
 * a call had reported an error. */
unsigned host_ended(unsigned *leaks);
const char *host_failed(cudaError_t *error, bool *goes_on);

#endif
