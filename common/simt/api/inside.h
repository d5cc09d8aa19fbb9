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
 *   stream.c    streams, events
 *   capture.c   work that is kept, to be done again and again
 *   graph.c     graphs of it
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
bool stream_is_default(cudaStream_t stream);
bool stream_exists(cudaStream_t stream);
cudaError_t stream_unknown(struct call at);
void streams_left(void (*tell)(uintptr_t made_at, const char *what)); /* events too */

/* Streams, events and graphs are kept in a list each, so that one that is not there is told of.
 * handle_find: the link that leads to it, or NULL; handle_remove: out of the list, and freed. */
struct handle {
    struct handle *next;
    uintptr_t made_at;
};
void handle_add(struct handle **list, struct handle *h, struct call at);
struct handle **handle_find(struct handle **list, const void *h);
void handle_remove(struct handle **link);

/*
 * Each call that queues work calls queue_work(), of stream.c, and that calls act(at, stream, args):
 * now, or where the stream is captured later, with a copy of the `bytes` bytes of args.
 */
typedef cudaError_t (*work_fn)(struct call at, cudaStream_t stream, const void *args);
cudaError_t queue_work(struct call at, cudaStream_t stream, work_fn act, const void *args,
                       size_t bytes);

/* capture.c. capture_takes: true where the work is kept, and *result is what the call returns. A
 * call that cannot be kept breaks the capture: then its end gives NULL. */
struct kept_work;
bool capture_begin(cudaStream_t stream); /* false: another one has begun, or there is no memory */
struct kept_work *capture_end(void);
bool capture_has(cudaStream_t stream);
bool capture_is_broken(void);
void capture_breaks(void);
bool capture_takes(struct call at, cudaStream_t stream, work_fn act, const void *args, size_t bytes,
                   cudaError_t *result);
struct kept_work *kept_share(struct kept_work *work); /* one owner more */
void kept_drop(struct kept_work *work);               /* one less; the last one frees it */
cudaError_t kept_do(const struct kept_work *work, cudaStream_t stream);

void graphs_left(void (*tell)(uintptr_t made_at, const char *what)); /* graph.c */

/* probe.c: true where the work must not be done, but return *result. Each call that a launcher must
 * not make says so. */
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
