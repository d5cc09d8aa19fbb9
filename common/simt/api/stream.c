/* SPDX-License-Identifier: MIT */
/*
 * stream.c - streams and events. Work runs when it is queued, so a stream is only a name,
 * and an event is a time of the host's clock. Times of an emulator say nothing about a GPU.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <time.h>

#include "inside.h"

struct CUstream_st {
    struct handle handle;
    unsigned flags;
    int priority;
    unsigned long long id;
    cudaStreamAttrValue window, policy; /* stored, and without effect */
};

struct CUevent_st {
    struct handle handle;
    struct timespec at;
    bool recorded, timed;
    uint32_t waits; /* host waits before that */
};

static struct handle *streams, *events;

/* As on an H200: a smaller number is more urgent. */
enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

void handle_add(struct handle **list, struct handle *h, struct call at)
{
    *h = (struct handle){*list, at.pc};
    *list = h;
}

struct handle **handle_find(struct handle **list, const void *h)
{
    for (; *list; list = &(*list)->next)
        if (*list == h)
            return list;
    return NULL;
}

void handle_remove(struct handle **link)
{
    struct handle *h = *link;
    *link = h->next;
    free(h);
}

/* The default stream, under one of its three names. */
bool stream_is_default(cudaStream_t stream)
{
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool stream_exists(cudaStream_t stream)
{
    return stream_is_default(stream) || handle_find(&streams, stream);
}

cudaError_t stream_unknown(struct call at)
{
    return call_wrong(at, cudaErrorInvalidResourceHandle,
                      "the stream was destroyed, or never created");
}

static cudaError_t event_unknown(struct call at)
{
    return call_wrong(at, cudaErrorInvalidResourceHandle,
                      "the event was destroyed, or never created");
}

static bool event_exists(cudaEvent_t event)
{
    return handle_find(&events, event) != NULL;
}

void streams_left(void (*report)(uintptr_t made_at, const char *what))
{
    for (const struct handle *h = streams; h; h = h->next)
        report(h->made_at, "a stream, created");
    for (const struct handle *h = events; h; h = h->next)
        report(h->made_at, "an event, created");
}

/* ---- streams ---- */

static cudaError_t stream_create(struct call at, cudaStream_t *stream, unsigned flags, int priority)
{
    static unsigned long long made;
    struct CUstream_st *s = stream ? calloc(1, sizeof *s) : NULL;
    if (!stream)
        return call_wrong(at, cudaErrorInvalidValue, "the pointer to set is a null pointer");
    if (!s)
        return call_refused(at, cudaErrorMemoryAllocation, "out of host memory");
    handle_add(&streams, &s->handle, at);
    s->flags = flags;
    s->id = ++made;
    s->policy.syncPolicy = cudaSyncPolicyAuto;
    s->priority = priority > LEAST_PRIORITY      ? LEAST_PRIORITY
                  : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                                 : priority;
    *stream = s;
    return call_done();
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    return stream_create(HERE, stream, flags, priority);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return stream_create(HERE, stream, flags, LEAST_PRIORITY);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return stream_create(HERE, stream, cudaStreamDefault, LEAST_PRIORITY);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return call_done();
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    if (!stream_exists(stream))
        return stream_unknown(HERE);
    *priority = stream_is_default(stream) ? LEAST_PRIORITY : stream->priority;
    return call_done();
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    if (!stream_exists(stream))
        return stream_unknown(HERE);
    *flags = stream_is_default(stream) ? cudaStreamDefault : stream->flags;
    return call_done();
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device_number)
{
    *device_number = 0;
    return stream_exists(stream) ? call_done() : stream_unknown(HERE);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    if (!stream_exists(stream))
        return stream_unknown(HERE);
    *id = stream_is_default(stream) ? 0 : stream->id;
    return call_done();
}

/* Where an attribute of a stream is stored; NULL if there is none of that number. */
static cudaStreamAttrValue *attribute(cudaStream_t stream, cudaStreamAttrID id)
{
    static struct CUstream_st of_default;
    struct CUstream_st *s = stream_is_default(stream) ? &of_default : stream;
    return id == cudaStreamAttributeAccessPolicyWindow      ? &s->window
           : id == cudaStreamAttributeSynchronizationPolicy ? &s->policy
                                                            : NULL;
}

static cudaError_t no_attribute(struct call at, cudaStreamAttrID id)
{
    return call_refused(at, cudaErrorInvalidValue, "attribute %d is not supported here", (int)id);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   const cudaStreamAttrValue *value)
{
    if (!stream_exists(stream))
        return stream_unknown(HERE);
    if (!attribute(stream, id))
        return no_attribute(HERE, id);
    *attribute(stream, id) = *value;
    return call_done();
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   cudaStreamAttrValue *value)
{
    if (!stream_exists(stream))
        return stream_unknown(HERE);
    if (!attribute(stream, id))
        return no_attribute(HERE, id);
    *value = *attribute(stream, id);
    return call_done();
}

/* ---- work ---- */

cudaError_t queue_work(struct call at, cudaStream_t stream, work_fn act, const void *args,
                       size_t bytes)
{
    cudaError_t result;
    if (capture_takes(at, stream, act, args, bytes, &result) || probe_takes(at, stream, &result))
        return result;
    return stream_exists(stream) ? act(at, stream, args) : stream_unknown(at);
}

/* All earlier work is already done. */
struct host_call {
    cudaHostFn_t call;
    cudaStreamCallback_t callback; /* or this one */
    void *data;
};
static cudaError_t do_host_call(struct call at, cudaStream_t stream, const void *args)
{
    const struct host_call *h = args;
    call_host_function(at, true);
    if (h->call)
        h->call(h->data);
    else
        h->callback(stream, cudaSuccess, h->data);
    call_host_function(at, false);
    return call_done();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t call, void *data)
{
    const struct host_call h = {call, NULL, data};
    if (!call)
        return call_wrong(HERE, cudaErrorInvalidValue, "the function is a null pointer");
    return queue_work(HERE, stream, do_host_call, &h, sizeof h);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t call, void *data,
                                  unsigned int flags)
{
    const struct host_call h = {NULL, call, data};
    if (!call)
        return call_wrong(HERE, cudaErrorInvalidValue, "the function is a null pointer");
    if (flags != 0)
        return call_wrong(HERE, cudaErrorInvalidValue, "flags are 0x%x, and must be 0", flags);
    return queue_work(HERE, stream, do_host_call, &h, sizeof h);
}

/* ---- the end of streams, and waits ---- */

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    struct handle **link = handle_find(&streams, stream);
    if (stream_is_default(stream))
        return call_wrong(HERE, cudaErrorInvalidResourceHandle,
                          "the default stream cannot be destroyed");
    if (!link)
        return stream_unknown(HERE);
    handle_remove(link);
    return call_done();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    probe_refuses(HERE);
    queued_is_done();
    return stream_exists(stream) ? error_sticky() : stream_unknown(HERE);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    queued_is_done();
    return stream_exists(stream) ? error_sticky() : stream_unknown(HERE);
}

/* Managed memory is in one place, and streams do not run concurrently. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t bytes,
                                     unsigned int flags)
{
    (void)ptr;
    (void)bytes;
    (void)flags;
    early_part();
    return stream_exists(stream) ? call_done() : stream_unknown(HERE);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    (void)flags;
    early_part();
    if (capture_has(stream))
        capture_breaks();
    if (!stream_exists(stream))
        return stream_unknown(HERE);
    return event_exists(event) ? call_done() : event_unknown(HERE);
}

/* ---- events ---- */

static cudaError_t event_create(struct call at, cudaEvent_t *event, unsigned flags)
{
    struct CUevent_st *e = event ? calloc(1, sizeof *e) : NULL;
    if (!event)
        return call_wrong(at, cudaErrorInvalidValue, "the pointer to set is a null pointer");
    if (!e)
        return call_refused(at, cudaErrorMemoryAllocation, "out of host memory");
    handle_add(&events, &e->handle, at);
    e->timed = !(flags & cudaEventDisableTiming);
    *event = e;
    return call_done();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return event_create(HERE, event, flags);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return event_create(HERE, event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    struct handle **link = handle_find(&events, event);
    if (!link)
        return event_unknown(HERE);
    handle_remove(link);
    return call_done();
}

static cudaError_t event_record(struct call at, cudaEvent_t event, cudaStream_t stream)
{
    if (!event_exists(event))
        return event_unknown(at);
    if (!stream_exists(stream))
        return stream_unknown(at);
    if (capture_has(stream))
        capture_breaks();
    early_part();
    clock_gettime(CLOCK_MONOTONIC, &event->at);
    event->recorded = true;
    event->waits = queued_waits();
    return call_done();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return event_record(HERE, event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    (void)flags;
    return event_record(HERE, event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    probe_refuses(HERE);
    queued_is_done();
    return event_exists(event) ? call_done() : event_unknown(HERE);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    queued_is_done();
    return event_exists(event) ? call_done() : event_unknown(HERE);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    if (!ms)
        return call_wrong(HERE, cudaErrorInvalidValue, "the pointer to set is a null pointer");
    if (!event_exists(start) || !event_exists(end))
        return event_unknown(HERE);
    if (!start->recorded || !end->recorded)
        return call_wrong(HERE, cudaErrorInvalidResourceHandle,
                          "the %s event was not recorded: call cudaEventRecord()",
                          start->recorded ? "second" : "first");
    if (!start->timed || !end->timed)
        return call_wrong(HERE, cudaErrorInvalidResourceHandle,
                          "the %s event has no time: it was created with cudaEventDisableTiming",
                          start->timed ? "second" : "first");
    const bool waited = end->waits != queued_waits();
    queued_is_done();
    if (!waited)
        return call_wrong(HERE, cudaErrorNotReady,
                          "the second event may not have completed yet\n"
                          "    cudaEventSynchronize() waits for it");
    const double seconds = (double)(end->at.tv_sec - start->at.tv_sec);
    const double nanoseconds = (double)(end->at.tv_nsec - start->at.tv_nsec);
    *ms = (float)(seconds * 1e3 + nanoseconds * 1e-6);
    return call_done();
}
