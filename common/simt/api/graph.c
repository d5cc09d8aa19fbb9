/* SPDX-License-Identifier: MIT */
/*
 * graph.c - while a stream is captured, the work that it is given is kept, not done. A graph of it is
 * done as often as it is launched, with the same arguments each time.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

struct piece {
    struct piece *next;
    struct call at;
    work_fn act;
    _Alignas(16) char args[];
};

/* A graph, and what is made of it for launches: both have the same pieces. */
struct work {
    struct piece *first, **end;
    unsigned owners;
};
struct CUgraph_st {
    struct handle handle;
    struct work *work;
};
struct CUgraphExec_st {
    struct handle handle;
    struct work *work;
};

static struct handle *graphs, *execs;

/* One stream at a time. */
static struct {
    struct work *work; /* NULL: no stream is captured */
    cudaStream_t stream;
    bool broken; /* a call was made that no graph can hold */
} capture;

static void work_leave(struct work *work)
{
    if (--work->owners > 0)
        return;
    for (struct piece *p = work->first, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    free(work);
}

/* ---- what the stream is given ---- */

bool graph_captures(cudaStream_t stream)
{
    return capture.work && stream == capture.stream;
}

void graph_breaks(void)
{
    capture.broken = true;
}

bool graph_takes(struct call at, cudaStream_t stream, work_fn act, const void *args, size_t bytes,
                 cudaError_t *result)
{
    if (!graph_captures(stream))
        return false;
    struct piece *p = malloc(sizeof *p + bytes);
    *result = p ? call_done() : cudaErrorMemoryAllocation;
    if (!p)
        return true;
    *p = (struct piece){.at = at, .act = act};
    memcpy(p->args, args, bytes);
    *capture.work->end = p;
    capture.work->end = &p->next;
    return true;
}

/* ---- the calls ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    if (!stream_exists(stream))
        return stream_unknown(HERE);
    if (stream_is_default(stream))
        return call_wrong(HERE, cudaErrorStreamCaptureUnsupported,
                          "the default stream cannot be captured");
    if (capture.work)
        return call_refused(HERE, cudaErrorIllegalState,
                            "a stream is captured already: one at a time here");
    capture.work = calloc(1, sizeof *capture.work);
    if (!capture.work)
        return call_refused(HERE, cudaErrorMemoryAllocation, "the host has no memory left");
    capture.work->end = &capture.work->first;
    capture.work->owners = 1;
    capture.stream = stream;
    capture.broken = false;
    return call_done();
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    *status = !graph_captures(stream) ? cudaStreamCaptureStatusNone
              : capture.broken        ? cudaStreamCaptureStatusInvalidated
                                      : cudaStreamCaptureStatusActive;
    return stream_exists(stream) ? call_done() : stream_unknown(HERE);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    struct work *work = capture.work;
    struct CUgraph_st *g = NULL;
    *graph = NULL;
    if (!graph_captures(stream))
        return call_wrong(HERE, cudaErrorIllegalState, "the stream is not captured");
    capture.work = NULL;
    if (!capture.broken)
        g = calloc(1, sizeof *g);
    if (!g) {
        work_leave(work);
        return call_wrong(HERE, cudaErrorStreamCaptureInvalidated,
                          "meanwhile a call was made that allocates, frees, waits, or is about an\n"
                          "    event: the emulator's graphs hold the work of one stream");
    }
    handle_add(&graphs, &g->handle, HERE);
    g->work = work;
    *graph = g;
    return call_done();
}

static cudaError_t unknown(struct call at)
{
    return call_wrong(at, cudaErrorInvalidValue, "the graph was destroyed, or never made");
}

static cudaError_t instantiate(struct call at, cudaGraphExec_t *exec, cudaGraph_t graph)
{
    struct CUgraphExec_st *e = calloc(1, sizeof *e);
    *exec = NULL;
    if (!e || !handle_find(&graphs, graph)) {
        free(e);
        return unknown(at);
    }
    handle_add(&execs, &e->handle, at);
    e->work = graph->work;
    e->work->owners++;
    *exec = e;
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
    cudaError_t error = cudaSuccess;
    if (!handle_find(&execs, exec))
        return unknown(HERE);
    if (!stream_exists(stream))
        return stream_unknown(HERE);
    if (graph_captures(stream))
        graph_breaks();
    for (const struct piece *p = exec->work->first; p && error == cudaSuccess; p = p->next)
        error = p->act(p->at, stream, p->args);
    return error != cudaSuccess ? error : call_done();
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    struct handle **link = handle_find(&graphs, graph);
    if (!link)
        return unknown(HERE);
    work_leave(graph->work);
    handle_remove(link);
    return call_done();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    struct handle **link = handle_find(&execs, exec);
    if (!link)
        return unknown(HERE);
    work_leave(exec->work);
    handle_remove(link);
    return call_done();
}

void graphs_left(void (*tell)(uintptr_t made_at, const char *what))
{
    for (const struct handle *h = graphs; h; h = h->next)
        tell(h->made_at, "a graph, captured");
    for (const struct handle *h = execs; h; h = h->next)
        tell(h->made_at, "a graph, instantiated");
}
