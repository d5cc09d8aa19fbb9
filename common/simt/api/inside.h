/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of this part share. The part is the host's side of CUDA: the functions
 * that include/cuda_runtime_api.h declares, and simt_launch() of include/simt/abi.h. Programs call
 * those, no other part does. It owns the errors, the device that programs see, and what was
 * allocated.
 *
 *   kernel.c    launches, and what a program may ask of a kernel
 *   allocate.c  cudaMalloc and its family
 *   copy.c      cudaMemcpy and its family
 *   stream.c    streams, events, graphs
 *   device.c    properties, limits, settings
 *   error.c     the last error, and a sticky one
 */
#ifndef SIMT_API_INSIDE_H
#define SIMT_API_INSIDE_H

#include "../find/find.h"
#include "../machine/machine.h"

/* error.c */
cudaError_t error_set(cudaError_t error); /* what cudaGetLastError will say */
void error_set_sticky(cudaError_t error); /* what all calls will say from now on */
cudaError_t error_sticky(void);
cudaError_t error_result(cudaError_t error); /* what a call of the host API returns */

/* device.c */
struct device {
    const char *key, *name;
    int major, minor, sms, threads_per_sm, blocks_per_sm;
    int shared_per_sm, shared_optin, shared_reserved; /* KiB; the last one of each block */
    int l2_mib, bus_bits, core_khz, memory_khz, ecc;
};
const struct device *device(void); /* the one that SIMT_DEVICE names */

#endif
