/* SPDX-License-Identifier: MIT */
/*
 * launches.c - the counters of each launch: a line each in the CSV file that SIMT_COUNTERS names,
 * and with SIMT_REPORT=1 a table when the program ends; and the sums over all launches.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/simt/inspect.h"

enum { LAUNCHES_MAX = 1 << 16 };

const char *const counter_names[COUNTERS] = {
#define COUNTER(name, text) text,
    SIMT_COUNTER_LIST(COUNTER)
#undef COUNTER
};

static struct launch *launches; /* equal ones are one entry */
static size_t launch_count;

static double active_lanes(const uint64_t count[COUNTERS])
{
    const uint64_t requests = count[COUNT_MEMORY_REQUESTS];
    return requests ? (double)count[COUNT_MEMORY_LANES] / (double)requests : 0;
}

/* ---- SIMT_COUNTERS ---- */

static FILE *csv_open(void)
{
    const char *path = getenv("SIMT_COUNTERS");
    if (!path || !*path)
        return NULL;
    FILE *csv = fopen(path, "w");
    if (csv)
        fprintf(csv, "launch,kernel,grid,block,counter,value\n");
    else
        fprintf(stderr, "simt: SIMT_COUNTERS: cannot write '%s'\n", path);
    return csv;
}

static void csv_write(FILE *csv, const struct launch *l)
{
    char head[256];
    snprintf(head, sizeof head, "%llu,%s,%ux%ux%u,%ux%ux%u", (unsigned long long)l->number,
             l->kernel->name, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z);
    for (int i = 0; i < COUNT_MEMORY_REQUESTS; i++)
        fprintf(csv, "%s,%s,%llu\n", head, counter_names[i], (unsigned long long)l->count[i]);
    fprintf(csv, "%s,active_lanes_per_memory_instruction,%.3f\n", head, active_lanes(l->count));
    fflush(csv);
}

/* ---- SIMT_REPORT=1 ---- */

/* At most 6 characters: 123456, or 12.3 M. */
static const char *short_number(uint64_t value, char out[24])
{
    if (value < 1000000)
        snprintf(out, 24, "%llu", (unsigned long long)value);
    else if (value < 1000000000)
        snprintf(out, 24, "%.*f M", value < 99950000 ? 1 : 0, (double)value / 1e6);
    else
        snprintf(out, 24, "%.*f G", value < 99950000000 ? 1 : 0, (double)value / 1e9);
    return out;
}

static void print_shape(const struct launch *l)
{
    const uint3 g = l->grid, b = l->block;
    printf("%.40s<<<", l->kernel->name);
    if (g.y * g.z * b.y * b.z == 1)
        printf("%u, %u>>>", g.x, b.x);
    else
        printf("(%u,%u,%u), (%u,%u,%u)>>>", g.x, g.y, g.z, b.x, b.y, b.z);
    if (l->times > 1)
        printf("  %llu times, each:", (unsigned long long)l->times);
    printf("\n");
}

static void print_counts(const struct launch *l)
{
    const uint64_t *c = l->count;
    const uint64_t sectors_all = c[COUNT_GLOBAL_LD_SECTORS] + c[COUNT_GLOBAL_ST_SECTORS];
    const uint64_t global = c[COUNT_GLOBAL_LD_REQUESTS] + c[COUNT_GLOBAL_ST_REQUESTS];
    const uint64_t columns[] = {c[COUNT_SHARED_LD_REQUESTS] + c[COUNT_SHARED_ST_REQUESTS],
                                c[COUNT_SHARED_WAVEFRONTS],
                                c[COUNT_SHARED_WAVEFRONTS] - c[COUNT_SHARED_WAVEFRONTS_IDEAL],
                                global,
                                sectors_all,
                                c[COUNT_ATOMIC_REQUESTS],
                                c[COUNT_BARRIERS],
                                c[COUNT_SHUFFLES],
                                c[COUNT_DIVERGENT_BRANCHES]};
    char text[24];
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        printf(i == 5 ? "%6s " : "%7s ", short_number(columns[i], text));
        if (i == 4)
            printf("%4.1f ", global ? (double)sectors_all / (double)global : 0);
    }
    printf("%4.1f\n", active_lanes(c));
}

static void print_launches(void)
{
    printf("\n  -- shared memory --   -- global memory --    -- warp instructions --     lanes\n"
           "request wavefr.  excess request sectors /req atomic barrier shuffle diverge /req\n");
    for (size_t i = 0; i < launch_count; i++) {
        print_shape(&launches[i]);
        print_counts(&launches[i]);
    }
    printf("excess: wavefronts lost to bank conflicts. lanes /req: of 32, that take part in a "
           "request.\n"
           "SIMT_REPORT=source shows the lines; common/simt/README.md explains.\n");
}

/* ---- for a program that queries ---- */

static uint64_t total_launches, total[COUNTERS];

static void add_up(const struct launch *launch)
{
    total_launches++;
    for (int i = 0; i < COUNTERS; i++)
        total[i] += launch->count[i];
}

static struct spread spread;

uint64_t simt_counted(const char *counter)
{
    if (strcmp(counter, "launches") == 0)
        return total_launches;
    for (int i = 0; i < COUNTERS; i++)
        if (strcmp(counter, counter_names[i]) == 0)
            return total[i];
#define SPREAD_VALUE(name)                                                                         \
    if (strcmp(counter, #name) == 0)                                                               \
        return spread.name;
    SPREAD_LIST(SPREAD_VALUE)
    return 0;
}

void launches_also(const struct spread *so_far)
{
    spread = *so_far;
}

/* ---- a launch has ended ---- */

static bool same_launch(const struct launch *a, const struct launch *b)
{
    return a->kernel == b->kernel && memcmp(&a->grid, &b->grid, sizeof a->grid) == 0 &&
           memcmp(&a->block, &b->block, sizeof a->block) == 0 &&
           memcmp(a->count, b->count, sizeof a->count) == 0;
}

/* Loops launch the same thing over and over: search the last few. */
static struct launch *seen_before(const struct launch *launch)
{
    for (size_t i = launch_count; i > 0 && launch_count - i < 64; i--)
        if (same_launch(&launches[i - 1], launch))
            return &launches[i - 1];
    return NULL;
}

static void remember(const struct launch *launch)
{
    static size_t capacity;
    struct launch *before = seen_before(launch);
    if (before) {
        before->times++;
        return;
    }
    if (launch_count == capacity && capacity < LAUNCHES_MAX) {
        const size_t larger = capacity ? 2 * capacity : 64;
        struct launch *moved = realloc(launches, larger * sizeof *launches);
        if (!moved)
            return;
        launches = moved;
        capacity = larger;
    }
    if (launch_count < capacity)
        launches[launch_count++] = *launch;
}

void launches_add(const struct launch *launch)
{
    static FILE *csv;
    static bool report_on;
    add_up(launch);
    if (launch->number == 1) {
        csv = csv_open();
        const char *report = getenv("SIMT_REPORT");
        report_on = report && strcmp(report, "1") == 0;
        if (report_on)
            atexit(print_launches);
    }
    if (csv)
        csv_write(csv, launch);
    if (report_on)
        remember(launch);
}
