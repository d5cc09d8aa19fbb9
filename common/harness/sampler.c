/* SPDX-License-Identifier: MIT */
#include "sampler.h"

#include "alloc.h"
#include "cuda_check.h"

#include <stdlib.h>

enum { MIN_BATCH = 4, MAX_BATCH = 256, MAX_GRAPHS = 64, WARM_UP = 5, PROBES = 10 };

static const double GRAPH_COPY_BELOW_MS = 0.05;

/* A sample is one batch: `batch` launches on neighbouring slots. Batch g starts at slot g * batch.
 */
typedef struct {
    const arena_t *arena;
    arena_work_fn work;
    size_t batch, batches;
    cudaGraphExec_t graphs[MAX_GRAPHS];
    bool captured;
    double launch_ms; /* a first estimate */
    cudaEvent_t start, stop;
} sampler_t;

static void queue_batch(const sampler_t *s, size_t first)
{
    for (size_t i = 0; i < s->batch; i++)
        CUDA_CHECK(s->work(s->arena, (first + i) % s->arena->copies));
}

/* Milliseconds of one sample. */
static float time_batch(const sampler_t *s, size_t g)
{
    cudaStream_t stream = s->arena->stream;
    float ms;

    CUDA_CHECK(cudaEventRecord(s->start, stream));
    if (s->captured)
        CUDA_CHECK(cudaGraphLaunch(s->graphs[g], stream));
    else
        queue_batch(s, g * s->batch);
    CUDA_CHECK(cudaEventRecord(s->stop, stream));
    CUDA_CHECK(cudaEventSynchronize(s->stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, s->start, s->stop));
    return ms;
}

/*
 * How many launches make a millisecond, four at least, and how many batches walk the whole arena.
 * Where a batch is longer than the arena it takes whole rounds, so that the next one continues in
 * turn.
 */
static void plan_batches(sampler_t *s)
{
    size_t copies = s->arena->copies;

    s->batch = PROBES;
    s->batches = 1;
    s->launch_ms = (double)time_batch(s, 0) / PROBES;
    s->batch = MIN_BATCH;
    if (s->launch_ms * MIN_BATCH < 1)
        s->batch = s->launch_ms * MAX_BATCH < 1 ? MAX_BATCH : (size_t)(1 / s->launch_ms + 1);
    if (s->batch > copies)
        s->batch = s->batch / copies * copies;
    s->batches = s->batch < copies ? copies / s->batch : 1;
    if (s->batches > MAX_GRAPHS)
        s->batches = MAX_GRAPHS;
}

/* One batch as a graph. False where the stream cannot be captured. */
static bool capture_batch(sampler_t *s, size_t g)
{
    cudaStream_t stream = s->arena->stream;
    cudaGraph_t graph;

    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    queue_batch(s, g * s->batch);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&s->graphs[g], graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return true;
}

static void close_graphs(sampler_t *s)
{
    for (size_t g = 0; s->captured && g < s->batches; g++)
        CUDA_CHECK(cudaGraphExecDestroy(s->graphs[g]));
}

stats_t sampler_time(const arena_t *arena, arena_work_fn work, size_t reps)
{
    sampler_t s = {.arena = arena, .work = work, .batch = WARM_UP};
    double *samples_us = alloc_array(reps, sizeof *samples_us);

    CUDA_CHECK(cudaEventCreate(&s.start));
    CUDA_CHECK(cudaEventCreate(&s.stop));
    time_batch(&s, 0); /* warm up: the first launch loads the kernel's code */
    plan_batches(&s);
    /* A graph hides the cost of launching. But a long copy in a graph goes to the copy engine, at
     * 2700 instead of 4200 GB/s on an H200. */
    if (work != arena_copy || s.launch_ms < GRAPH_COPY_BELOW_MS) {
        s.captured = true;
        for (size_t g = 0; g < s.batches && s.captured; g++)
            s.captured = capture_batch(&s, g);
    }
    for (size_t g = 0; g < s.batches; g++) /* uploads the graphs, and brings the clocks up */
        time_batch(&s, g);
    for (size_t r = 0; r < reps; r++)
        samples_us[r] = 1e3 * (double)time_batch(&s, r % s.batches) / (double)s.batch;

    stats_t stats = stats_of(samples_us, reps);
    close_graphs(&s);
    CUDA_CHECK(cudaEventDestroy(s.start));
    CUDA_CHECK(cudaEventDestroy(s.stop));
    free(samples_us);
    return stats;
}
