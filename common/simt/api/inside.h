/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of this part share. The part is the host side of CUDA: the functions
 * that include/cuda_runtime_api.h declares, and simt_launch() of include/simt/abi.h. Programs call
 * those, no other part does. It owns the errors, the device that programs see, and the allocations.
 *
 *   kernel.c    launches, and the attributes of a kernel
 *   allocate.c  cudaMalloc and its family
 *   copy.c      cudaMemcpy and its family
 *   host.c      where the host's arrays end
 *   mempool.c   pools of memory
 *   stream.c    streams, events
 *   capture.c   recorded work, to be executed again and again
 *   graph.c     graphs of recorded work
 *   device.c    properties, limits, settings
 *   error.c     the last error, a sticky one, and the message about a call that fails
 *   leaks.c     what was not freed
 *   probe.c     watches a launcher, for a program that checks it
 */
#ifndef SIMT_API_INSIDE_H
#define SIMT_API_INSIDE_H

#include "../find/find.h"
#include "../machine/machine.h"

/* A call of the host API: its name, and where the program made it. A function that serves several
 * calls gets the one that the program made. */
struct call {
    const char *name;
    uintptr_t pc;
    const size_t *room; /* to the ends of a copy's two arrays, if the compiler knows; or NULL */
};
#define HERE ((struct call){__func__, (uintptr_t)__builtin_return_address(0), NULL})

/*
 * What a call returns. If a kernel has failed it is that error, for good. Otherwise
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
/* Nothing fails, but the program probably means something else. Silent after a failure. */
void call_noted(struct call at, const char *format, ...) __attribute__((format(printf, 2, 3)));
cudaError_t call_made_to_fail(cudaError_t error); /* by the program's tests: no message */

/* error.c */
void call_of_one_thread(void); /* at the end of each call, and before a launch */
void call_host_function(struct call at, bool begins); /* a host function of a stream */
void error_set_sticky(cudaError_t error);             /* what all calls return from now on */
cudaError_t error_sticky(void);

/* stream.c: is it the default stream, or one that was made and not destroyed? */
bool stream_is_default(cudaStream_t stream);
bool stream_exists(cudaStream_t stream);
cudaError_t stream_unknown(struct call at);
void streams_left(void (*report)(uintptr_t made_at, const char *what)); /* events too */

/* Streams, events and graphs are each kept in a list, so that one that does not exist is reported.
 * handle_find: the link to it, or NULL; handle_remove: removes it from the list, and frees it. */
struct handle {
    struct handle *next;
    uintptr_t made_at;
};
void handle_add(struct handle **list, struct handle *h, struct call at);
struct handle **handle_find(struct handle **list, const void *h);
void handle_remove(struct handle **link);

/*
 * Each call that queues work calls queue_work(), of stream.c, and that calls act(at, stream, args):
 * now, or later if the stream is captured, with a copy of the `bytes` bytes of args.
 */
typedef cudaError_t (*work_fn)(struct call at, cudaStream_t stream, const void *args);
cudaError_t queue_work(struct call at, cudaStream_t stream, work_fn act, const void *args,
                       size_t bytes);

/* capture.c. capture_takes: true if the work is recorded, and *result is what the call returns. A
 * call that cannot be recorded breaks the capture: then its end gives NULL. */
struct kept_work;
bool capture_begin(cudaStream_t stream); /* false: another capture has begun, or out of memory */
struct kept_work *capture_end(void);
bool capture_has(cudaStream_t stream);
bool capture_is_broken(void);
void capture_breaks(void);
bool capture_takes(struct call at, cudaStream_t stream, work_fn act, const void *args, size_t bytes,
                   cudaError_t *result);
struct kept_work *kept_share(struct kept_work *work); /* one owner more */
void kept_drop(struct kept_work *work);               /* one less; the last one frees it */
cudaError_t kept_do(const struct kept_work *work, cudaStream_t stream);

void graphs_left(void (*report)(uintptr_t made_at, const char *what)); /* graph.c */

/* probe.c: true if the work must not be done, and the call returns *result. probe_refuses: by each
 * call that a launcher must not make. */
bool probe_takes(struct call at, cudaStream_t stream, cudaError_t *result);
void probe_refuses(struct call at);

/* host.c: bytes from here to the end of what holds them, and what that is; SIZE_MAX: unknown. */
size_t host_room(const void *p, const char **what);

/* device.c */
struct device {
    const char *key, *name;
    int major, minor, sms, threads_per_sm, blocks_per_sm;
    int cluster;                                      /* blocks at most, if a kernel allows it */
    int shared_per_sm, shared_optin, shared_reserved; /* in KiB; the last one per block */
    int l2_kib, bus_bits, core_khz, memory_khz, ecc;
};
const struct device *device(void); /* the one that SIMT_DEVICE names */
cudaError_t no_device(struct call at, int number);

#endif
