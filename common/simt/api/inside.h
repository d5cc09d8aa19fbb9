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
 *   mempool.c   pools of memory
 *   stream.c    streams, events, graphs
 *   device.c    properties, limits, settings
 *   error.c     the last error, a sticky one, and the message about a call that fails
 *   leaks.c     what is left at the end
 *   probe.c     what a launcher does, for who checks it
 */
#ifndef SIMT_API_INSIDE_H
#define SIMT_API_INSIDE_H

#include "../find/find.h"
#include "../machine/machine.h"

/* A call of the host API: its name, and where the program made it. A function that serves several
 * calls is given the one that the program wrote. */
struct call {
    const char *name;
    uintptr_t pc;
};
#define HERE ((struct call){__func__, (uintptr_t)__builtin_return_address(0)})

/*
 * What a call returns. It is the kernel's error if there was one: that stays for good. Otherwise
 *   call_done     nothing is wrong
 *   call_wrong    the program is wrong, and exits with 1 if it never asks for its last error
 *   call_refused  a right program may try this: no memory, no such device. It sees the error
 * The last two print a message; its text says what was given and what is accepted, in lines of up
 * to 76 characters.
 */
cudaError_t call_done(void);
cudaError_t call_wrong(struct call at, cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
cudaError_t call_refused(struct call at, cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Nothing fails, but it is likely that the program wants something else. Silent after a failure. */
void call_noted(struct call at, const char *format, ...) __attribute__((format(printf, 2, 3)));
cudaError_t call_made_to_fail(cudaError_t error); /* by who tests the program: without a message */

/* error.c */
void call_of_one_thread(void); /* each call, at its end, and a launch before it begins */
void call_host_function(struct call at, bool begins); /* what a stream calls, and its end */
void error_set_sticky(cudaError_t error);             /* what all calls will say from now on */
cudaError_t error_sticky(void);

/* stream.c: is it the default stream, or one that was made and not destroyed? */
bool stream_exists(cudaStream_t stream);
cudaError_t stream_unknown(struct call at);
void streams_left(void (*tell)(uintptr_t made_at, const char *what)); /* events too */

/* probe.c. Each call that queues work asks first: true where it must not be done, but return
 * *result. Each one that a launcher must not make says so. */
bool probe_takes(struct call at, cudaStream_t stream, cudaError_t *result);
void probe_refuses(struct call at);

/* device.c */
struct device {
    const char *key, *name;
    int major, minor, sms, threads_per_sm, blocks_per_sm;
    int cluster;                                      /* blocks at most, if a kernel allows it */
    int shared_per_sm, shared_optin, shared_reserved; /* KiB; the last one of each block */
    int l2_kib, bus_bits, core_khz, memory_khz, ecc;
};
const struct device *device(void); /* the one that SIMT_DEVICE names */

#endif
