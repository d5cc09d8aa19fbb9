/* SPDX-License-Identifier: MIT */
/*
 * stream.c - streams and events. Work runs when it is queued, so a stream is only a name, and an
 * event is a time of the host's clock. Times of an emulator say nothing about a GPU.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <time.h>

#include "machine.h"

struct CUstream_st {
    unsigned flags;
};

struct CUevent_st {
    struct timespec at;
    bool recorded;
};

static cudaError_t result(cudaError_t error)
{
    return error_sticky() ? error_sticky() : error_set(error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    *stream = malloc(sizeof **stream);
    if (!*stream)
        return result(cudaErrorMemoryAllocation);
    (*stream)->flags = flags;
    return result(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return result(stream ? cudaSuccess : cudaErrorInvalidResourceHandle);
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
    return result(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return result(*event ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return result(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    if (!event)
        return result(cudaErrorInvalidResourceHandle);
    clock_gettime(CLOCK_MONOTONIC, &event->at);
    event->recorded = true;
    return result(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return result(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    if (!ms || !start || !end || !start->recorded || !end->recorded)
        return result(cudaErrorInvalidResourceHandle);
    const double seconds = (double)(end->at.tv_sec - start->at.tv_sec);
    const double nanoseconds = (double)(end->at.tv_nsec - start->at.tv_nsec);
    *ms = (float)(seconds * 1e3 + nanoseconds * 1e-6);
    return result(cudaSuccess);
}

/* ---- graphs: not here ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)stream, (void)mode;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    (void)stream;
    *graph = NULL;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)graph, (void)flags;
    *exec = NULL;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)exec, (void)stream;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    (void)graph;
    return result(cudaErrorNotSupported);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    (void)exec;
    return result(cudaErrorNotSupported);
}
