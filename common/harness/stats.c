/* SPDX-License-Identifier: MIT */
#include "stats.h"

#include <stdlib.h>

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
