/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include "buffers.h"
#include "cuda_check.h"
#include "size.h"

#include <stdlib.h>

/*
 * The arena is this many times as large as L2. Twice would do if the cache replaced strictly by
 * age; it does not, and at four times at most a few percent of the last round are left.
 */
enum { ARENA_IN_L2S = 4 };

static const double SPREAD_WARNING = 0.05;

/* ---- statistics ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

stats_t stats_of(double *samples, size_t count)
{
    if (count == 0)
        return (stats_t){0, 0, 0};
    qsort(samples, count, sizeof *samples, ascending);
    size_t rank = (9 * count + 9) / 10; /* ceil(0.9 * count), counted from 1 */
    return (stats_t){.median = (samples[(count - 1) / 2] + samples[count / 2]) / 2,
                     .min = samples[0],
                     .p90 = samples[rank - 1]};
}

double stats_spread(const stats_t *stats)
{
    return stats->median > 0 ? (stats->p90 - stats->min) / stats->median : 0;
}

/* ---- samples ---- */

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
 * How many launches take a millisecond, at least four, and how many batches cover the whole arena.
 * A batch that is longer than the arena makes whole rounds, so that the next one continues in
 * order.
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

/* One batch as a graph. False if the stream cannot be captured. */
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

/*
 * Time `work` on the slots of `arena` in turn: `reps` samples, each between two CUDA events. A
 * sample is one launch if that takes a millisecond or more, else about a millisecond of launches,
 * captured in a CUDA graph so that their cost on the host does not count. Without graphs they are
 * launched one after the other. Returns microseconds per launch.
 */
static stats_t time_work(const arena_t *arena, arena_work_fn work, size_t reps)
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
    for (size_t g = 0; g < s.batches; g++) /* uploads the graphs, and lets the clocks ramp up */
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

/* ---- a measurement ---- */

/* Run the step on one slot and wait for it. Reports an error of the launch. */
static bench_status_t run_slot(const arena_t *arena, size_t slot, mismatches_t *m)
{
    cudaError_t error = arena_launch(arena, slot);
    if (error == cudaSuccess) {
        CUDA_CHECK(cudaStreamSynchronize(arena->stream));
        return BENCH_DONE;
    }
    cudaGetLastError();
    if (error == cudaErrorNotSupported)
        return BENCH_UNSUPPORTED;
    mismatches_add(m, arena->input, arena->offset, "the launch failed: %s",
                   cudaGetErrorString(error));
    return BENCH_WRONG;
}

/* The same, and compare. Reports what is wrong. */
static bench_status_t verify(const arena_t *arena, size_t slot, mismatches_t *m)
{
    bench_status_t status = run_slot(arena, slot, m);
    if (status != BENCH_DONE)
        return status;
    outcome_t outcome = compare_output(arena->input, m->device, arena_output(arena, slot), NULL,
                                       NULL, arena->stream);
    if (outcome.wrong == 0)
        return BENCH_DONE;
    mismatches_add_outcome(m, arena->input, arena->offset, &outcome);
    return BENCH_WRONG;
}

static void warn_of_spread(const bench_t *bench)
{
    double spread = stats_spread(&bench->time_us);
    if (spread > SPREAD_WARNING)
        fprintf(stderr, "warning: %s %s, n %zu: times spread over %.0f %% of the median\n",
                dtype_name(bench->problem.type),
                problem_op_name(bench->problem.kind, bench->problem.op), problem_n(bench->shape),
                100 * spread);
}

static void fill_results(bench_t *bench, const stats_t *copy, const device_t *device)
{
    bench->gbps = (double)bench->bytes / bench->time_us.median / 1e3; /* bytes a us to GB/s */
    bench->peak_share = device->peak_gbps > 0 ? bench->gbps / device->peak_gbps : 0;
    bench->copy_share = copy->median / bench->time_us.median; /* the same bytes: times suffice */
}

static bench_status_t measure(bench_t *bench, const arena_t *arena, size_t reps, mismatches_t *m)
{
    bench_status_t status = verify(arena, 0, m);
    if (status == BENCH_DONE && arena->copies > 1)
        status = verify(arena, arena->copies - 1, m);
    if (status != BENCH_DONE)
        return status;
    bench->time_us = time_work(arena, arena_launch, reps);
    status = verify(arena, 0, m); /* all of it must have left the inputs unchanged */
    if (status != BENCH_DONE)
        return status;
    warn_of_spread(bench);
    stats_t copy = time_work(arena, arena_copy, reps);
    fill_results(bench, &copy, m->device);
    return BENCH_DONE;
}

/* arena_open(); its result as a status. Reports an error. */
static bench_status_t open_arena(arena_t *arena, const input_t *input, size_t bytes, size_t offset,
                                 mismatches_t *m)
{
    cudaError_t error = arena_open(arena, input, bytes, offset);

    if (error == cudaSuccess)
        return BENCH_DONE;
    cudaGetLastError();
    if (error == cudaErrorNotSupported)
        return BENCH_UNSUPPORTED;
    if (error == cudaErrorMemoryAllocation)
        return BENCH_NO_MEMORY;
    mismatches_add(m, input, offset, "asking for the scratch size: %s", cudaGetErrorString(error));
    return BENCH_WRONG;
}

bench_status_t bench_run(bench_t *bench, const problem_t *problem, shape_t shape, set_t set,
                         const options_t *options, mismatches_t *m)
{
    const size_t l2_bytes = m->device->l2_bytes;
    input_t input;
    arena_t arena;

    *bench = (bench_t){.problem = *problem, .shape = shape, .bytes = problem_bytes(problem, shape)};
    bench->fits_l2 = bench->bytes <= l2_bytes;
    bench->warm = options->warm && bench->fits_l2;
    input_make(&input, problem, shape, set, options->seed);
    bench_status_t status =
        open_arena(&arena, &input, bench->warm ? 0 : ARENA_IN_L2S * l2_bytes, options->offset, m);
    if (status == BENCH_DONE)
        status = measure(bench, &arena, options->reps, m);
    arena_close(&arena);
    input_free(&input);
    return status;
}

bench_status_t bench_once(const input_t *input, size_t offset, mismatches_t *m)
{
    arena_t arena;
    bench_status_t status = open_arena(&arena, input, 0, offset, m);

    if (status == BENCH_DONE)
        status = run_slot(&arena, 0, m);
    arena_close(&arena);
    return status;
}
