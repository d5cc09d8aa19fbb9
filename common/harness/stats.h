/* SPDX-License-Identifier: MIT */
/*
 * stats.h - what is reported of a list of times.
 */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

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

#endif
