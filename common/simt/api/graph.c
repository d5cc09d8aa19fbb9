/* SPDX-License-Identifier: MIT */
/*
 * graph.c - graphs: the captured work of one stream, executed at each launch.
 */
#include <stdlib.h>

#include "inside.h"

/* A graph, and its executable form. */
struct CUgraph_st {
    struct handle handle;
    struct kept_work *work;
};
struct CUgraphExec_st {
    struct handle handle;
    struct kept_work *work;
};

static struct handle *graphs, *execs;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    if (!stream_exists(stream))
        return stream_unknown(HERE);
    if (stream_is_default(stream))
        return call_wrong(HERE, cudaErrorStreamCaptureUnsupported,
                          "the default stream cannot be captured");
    return capture_begin(stream)
               ? call_done()
               : call_refused(HERE, cudaErrorIllegalState,
                              "another stream is being captured: one at a time here");
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    *status = !capture_has(stream)  ? cudaStreamCaptureStatusNone
              : capture_is_broken() ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
    return stream_exists(stream) ? call_done() : stream_unknown(HERE);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = NULL;
    if (!capture_has(stream))
        return call_wrong(HERE, cudaErrorIllegalState, "the stream is not being captured");
    struct kept_work *work = capture_end();
    struct CUgraph_st *g = work ? calloc(1, sizeof *g) : NULL;
    if (!g)
        return call_wrong(HERE, cudaErrorStreamCaptureInvalidated,
                          "during the capture a call allocated, freed, waited, or used an event:\n"
                          "the emulator's graphs hold the work of one stream");
    handle_add(&graphs, &g->handle, HERE);
    g->work = work;
    *graph = g;
    return call_done();
}

static cudaError_t unknown(struct call at)
{
    return call_wrong(at, cudaErrorInvalidValue, "the graph was destroyed, or never created");
}

static cudaError_t instantiate(struct call at, cudaGraphExec_t *exec, cudaGraph_t graph)
{
    struct CUgraphExec_st *e = handle_find(&graphs, graph) ? calloc(1, sizeof *e) : NULL;
    *exec = e;
    if (!e)
        return unknown(at);
    handle_add(&execs, &e->handle, at);
    e->work = kept_share(graph->work);
    return call_done();
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)flags;
    return instantiate(HERE, exec, graph);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    (void)flags;
    return instantiate(HERE, exec, graph);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    if (!handle_find(&execs, exec))
        return unknown(HERE);
    return stream_exists(stream) ? kept_do(exec->work, stream) : stream_unknown(HERE);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    struct handle **link = handle_find(&graphs, graph);
    if (!link)
        return unknown(HERE);
    kept_drop(graph->work);
    handle_remove(link);
    return call_done();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    struct handle **link = handle_find(&execs, exec);
    if (!link)
        return unknown(HERE);
    kept_drop(exec->work);
    handle_remove(link);
    return call_done();
}

void graphs_left(void (*report)(uintptr_t made_at, const char *what))
{
    for (const struct handle *h = graphs; h; h = h->next)
        report(h->made_at, "a graph, captured");
    for (const struct handle *h = execs; h; h = h->next)
        report(h->made_at, "a graph, instantiated");
}
