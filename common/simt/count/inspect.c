/* SPDX-License-Identifier: MIT */
/*
 * inspect.c - what all launches of the process add up to. See include/simt/inspect.h.
 */
#include "../include/simt/inspect.h"

#include <string.h>

#include "counters.h"

static uint64_t launches, total[COUNTERS];

void inspect_launch(const struct launch *launch)
{
    launches++;
    for (int i = 0; i < COUNTERS; i++)
        total[i] += launch->count[i];
}

uint64_t simt_counted(const char *counter)
{
    if (strcmp(counter, "launches") == 0)
        return launches;
    if (strcmp(counter, "memory_requests") == 0)
        return total[COUNT_MEMORY_REQUESTS];
    if (strcmp(counter, "memory_lanes") == 0)
        return total[COUNT_MEMORY_LANES];
    for (int i = 0; i < COUNTERS; i++)
        if (counter_names[i] && strcmp(counter, counter_names[i]) == 0)
            return total[i];
    return 0;
}
