/* SPDX-License-Identifier: MIT */
/*
 * counters.c - what a launch did, in warp instructions. SIMT_REPORT=1 prints a table for each
 * launch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

uint64_t counters[COUNTERS];

static const char *const names[COUNTERS] = {
    [COUNT_SHARED_LD] = "shared_ld_requests",
    [COUNT_SHARED_ST] = "shared_st_requests",
    [COUNT_GLOBAL_LD] = "global_ld_requests",
    [COUNT_GLOBAL_ST] = "global_st_requests",
    [COUNT_ATOMIC] = "atomic_requests",
    [COUNT_BARRIER] = "barriers",
    [COUNT_SHUFFLE] = "shuffles",
    [COUNT_MEMORY_LANES] = "memory_lanes",
};

/* One request of a warp: an instruction, whatever the number of its lanes. */
void counters_memory(enum stop why, enum space space, uint32_t group)
{
    const bool shared = space == SPACE_SHARED;
    counters[COUNT_MEMORY_LANES] += (unsigned)__builtin_popcount(group);
    if (why == STOP_READ)
        counters[shared ? COUNT_SHARED_LD : COUNT_GLOBAL_LD]++;
    else if (why == STOP_WRITE)
        counters[shared ? COUNT_SHARED_ST : COUNT_GLOBAL_ST]++;
    else
        counters[COUNT_ATOMIC]++;
}

void counters_begin(void)
{
    memset(counters, 0, sizeof counters);
}

void counters_report(void)
{
    const char *report = getenv("SIMT_REPORT");
    if (!report || strcmp(report, "1") != 0)
        return;
    printf("%s grid (%u,%u,%u) block (%u,%u,%u)\n", sim.kernel->name, sim.grid.x, sim.grid.y,
           sim.grid.z, sim.block.x, sim.block.y, sim.block.z);
    for (int i = 0; i < COUNTERS; i++)
        printf("    %-20s %12llu\n", names[i], (unsigned long long)counters[i]);
}
