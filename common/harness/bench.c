/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include "arena.h"
#include "cuda_check.h"
#include "dtype.h"
#include "sampler.h"

/*
 * The arena is this many times as large as L2. Twice would do were the cache's replacement strictly
 * by age; it is not, and at four times what is left of the last round is a few percent at most.
 */
enum { ARENA_IN_L2S = 4 };

static const double SPREAD_WARNING = 0.05;

/* Run the step on one slot and compare. Adds to the faults where it is wrong. */
static bench_status_t verify(const arena_t *arena, size_t slot, faults_t *faults)
{
    cudaError_t error = arena_launch(arena, slot);
    if (error == cudaErrorNotSupported) {
        cudaGetLastError();
        return BENCH_UNSUPPORTED;
    }
    if (error != cudaSuccess) {
        faults_add(faults, arena->input, arena->offset, "the launch failed: %s",
                   cudaGetErrorString(error));
        cudaGetLastError();
        return BENCH_WRONG;
    }
    CUDA_CHECK(cudaStreamSynchronize(arena->stream));
    outcome_t outcome =
        compare_output(arena->input, faults->device, arena_output(arena, slot), arena->stream);
    if (outcome.wrong == 0)
        return BENCH_DONE;
    faults_add_outcome(faults, arena->input, arena->offset, &outcome);
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
    bench->copy_share = copy->median / bench->time_us.median; /* the same bytes: times are enough */
}

static bench_status_t measure(bench_t *bench, const arena_t *arena, size_t reps, faults_t *faults)
{
    bench_status_t status = verify(arena, 0, faults);
    if (status == BENCH_DONE && arena->copies > 1)
        status = verify(arena, arena->copies - 1, faults);
    if (status != BENCH_DONE)
        return status;
    bench->time_us = sampler_time(arena, arena_launch, reps);
    status = verify(arena, 0, faults); /* inputs must have come through all of it as they were */
    if (status != BENCH_DONE)
        return status;
    warn_of_spread(bench);
    stats_t copy = sampler_time(arena, arena_copy, reps);
    fill_results(bench, &copy, faults->device);
    return BENCH_DONE;
}

bench_status_t bench_run(bench_t *bench, const problem_t *problem, shape_t shape,
                         const options_t *options, faults_t *faults)
{
    const size_t l2_bytes = faults->device->l2_bytes;
    input_t input;
    arena_t arena;
    bench_status_t status;

    *bench = (bench_t){.problem = *problem, .shape = shape, .bytes = problem_bytes(problem, shape)};
    bench->fits_l2 = bench->bytes <= l2_bytes;
    bench->warm = options->warm && bench->fits_l2;
    input_make(&input, problem, shape, SET_UNIFORM, options->seed);
    cudaError_t error =
        arena_open(&arena, &input, bench->warm ? 0 : ARENA_IN_L2S * l2_bytes, options->offset);
    if (error == cudaSuccess)
        status = measure(bench, &arena, options->reps, faults);
    else if (error == cudaErrorNotSupported)
        status = BENCH_UNSUPPORTED;
    else if (error == cudaErrorMemoryAllocation)
        status = BENCH_NO_MEMORY;
    else {
        faults_add(faults, &input, options->offset, "asking for the scratch size: %s",
                   cudaGetErrorString(error));
        status = BENCH_WRONG;
    }
    cudaGetLastError();
    arena_close(&arena);
    input_free(&input);
    return status;
}
