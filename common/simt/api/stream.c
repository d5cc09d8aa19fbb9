/* SPDX-License-Identifier: MIT */
/*
 * stream.c - streams, events and graphs. Work runs when it is queued, so a stream is only a name,
 * and an event is a time of the host's clock. Times of an emulator say nothing about a GPU.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <time.h>

#include "inside.h"

struct CUstream_st {
    unsigned flags;
    int priority;
};

/* As on an H200: a smaller number is more urgent. */
enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

struct CUevent_st {
    struct timespec at;
    bool recorded, timed;
};

/* The default stream, under one of its three names. */
static bool is_default(cudaStream_t stream)
{
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    *stream = malloc(sizeof **stream);
    if (!*stream)
        return error_result(cudaErrorMemoryAllocation);
    (*stream)->flags = flags;
    (*stream)->priority = priority > LEAST_PRIORITY      ? LEAST_PRIORITY
                          : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                                         : priority;
    return error_result(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, LEAST_PRIORITY);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return error_result(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    *priority = is_default(stream) ? LEAST_PRIORITY : stream->priority;
    return error_result(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    *flags = is_default(stream) ? cudaStreamDefault : stream->flags;
    return error_result(cudaSuccess);
}

/* All work before it is done already. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t call, void *data)
{
    (void)stream;
    if (!call)
        return error_result(cudaErrorInvalidValue);
    call(data);
    return error_result(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (is_default(stream))
        return error_result(cudaErrorInvalidResourceHandle);
    free(stream);
    return error_result(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return error_sticky();
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    (void)stream;
    return error_sticky();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    (void)stream, (void)flags;
    return error_result(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    *event = calloc(1, sizeof **event);
    if (!*event)
        return error_result(cudaErrorMemoryAllocation);
    (*event)->timed = !(flags & cudaEventDisableTiming);
    return error_result(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return error_result(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    if (!event)
        return error_result(cudaErrorInvalidResourceHandle);
    clock_gettime(CLOCK_MONOTONIC, &event->at);
    event->recorded = true;
    return error_result(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    (void)flags;
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return error_result(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    if (!ms || !start || !end || !start->recorded || !end->recorded || !start->timed || !end->timed)
        return error_result(cudaErrorInvalidResourceHandle);
    const double seconds = (double)(end->at.tv_sec - start->at.tv_sec);
    const double nanoseconds = (double)(end->at.tv_nsec - start->at.tv_nsec);
    *ms = (float)(seconds * 1e3 + nanoseconds * 1e-6);
    return error_result(cudaSuccess);
}

/* ---- graphs of work: not here, and each call says so by its error ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)stream, (void)mode;
    return error_result(cudaErrorNotSupported);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    (void)stream;
    *graph = NULL;
    return error_result(cudaErrorNotSupported);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)graph, (void)flags;
    *exec = NULL;
    return error_result(cudaErrorNotSupported);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)exec, (void)stream;
    return error_result(cudaErrorNotSupported);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    (void)graph;
    return error_result(cudaErrorNotSupported);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    (void)exec;
    return error_result(cudaErrorNotSupported);
}
