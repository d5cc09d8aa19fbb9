/* SPDX-License-Identifier: MIT */
/*
 * bench.h - how long a step takes: it is checked, sampled between CUDA events, and compared with a
 * copy. Owns the samples and their statistics. Used by main.c and by the programs that measure
 * peers.
 */
#ifndef BENCH_H
#define BENCH_H

#include "mismatch.h"
#include "options.h"

/* Statistics of a list of times. */
typedef struct {
    double median, min, p90;
} stats_t;

/*
 * Median (of an even count: the mean of the middle two), least and 90th percentile (nearest rank:
 * the smallest sample that at least 90 % do not exceed) of `count` samples. Sorts `samples` in
 * place. count = 0 gives zeros.
 */
stats_t stats_of(double *samples, size_t count);

/* (p90 - min) / median: how much a measurement varies. 0 where the median is 0. */
double stats_spread(const stats_t *stats);

/* One measurement. Times in microseconds, of one launch with all its passes. */
typedef struct {
    problem_t problem;
    shape_t shape;
    size_t bytes; /* problem_bytes() */
    stats_t time_us;
    double gbps;       /* bytes / median */
    double peak_share; /* of the memory's theoretical peak; 0 if unknown */
    double copy_share; /* of the speed of a device-to-device copy of as many bytes, measured now */
    bool fits_l2;      /* the bytes fit the L2 cache */
    bool warm;         /* and they were in it: one copy of the data, used again and again */
} bench_t;

typedef enum { BENCH_DONE, BENCH_WRONG, BENCH_UNSUPPORTED, BENCH_NO_MEMORY } bench_status_t;

/*
 * Check the step on this shape in the very buffers that are then timed, then time it: options->reps
 * samples of about a millisecond, each of one or more launches. The launches rotate over copies of
 * the data that together are four times as large as L2, so that no launch finds its input there.
 * With options->warm, data that fits L2 has one copy and stays there. All buffers have
 * options->offset; the data is `set` from options->seed. Then time a copy in the same way. A wrong
 * result goes to `m`; a spread above 5 % gives a warning on stderr. The caller must leave out n =
 * 0.
 */
bench_status_t bench_run(bench_t *bench, const problem_t *problem, shape_t shape, set_t set,
                         const options_t *options, mismatches_t *m);

/*
 * Run the step once on `input`, all buffers `offset` elements off a 256-byte boundary: no result is
 * checked and nothing is timed, so that a counter or profiler sees this one run. An error is
 * reported to `m`; one of the kernel itself ends the program with 1.
 */
bench_status_t bench_once(const input_t *input, size_t offset, mismatches_t *m);

#endif
