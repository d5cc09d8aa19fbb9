/* SPDX-License-Identifier: MIT */
/*
 * trace.c - SIMT_TRACE=file: every warp instruction of one block as CSV, to draw it. A row for
 * each lane that takes part: step,warp,kind,line,lane,address,bytes.
 *
 * SIMT_TRACE_BLOCK=b and SIMT_TRACE_LAUNCH=l choose block b (default 0) of launch l (default 1).
 * An address is an offset into its shared array or allocation. Rows of one step are one
 * instruction. Meetings (barrier, shuffle, vote, syncwarp) have no address.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MAX = 1 << 22 }; /* rows; a longer trace is cut here */

struct event {
    const char *kind;
    uintptr_t pc;  /* 0: the line is known */
    size_t offset; /* SIZE_MAX: no address */
    uint32_t step, line, bytes;
    uint8_t warp, lane;
};

bool trace_on;
static const char *path;
static uint64_t chosen_launch = 1, chosen_block;
static struct event *events;
static size_t event_count;
static uint32_t steps;

/* The block at sim.block_idx of this launch begins. */
void trace_block(uint64_t launch)
{
    const uint3 b = sim.block_idx, g = sim.grid;
    const uint64_t block = b.x + (uint64_t)g.x * (b.y + (uint64_t)g.y * b.z);
    trace_on = path && *path && launch == chosen_launch && block == chosen_block;
}

/* ---- recording ---- */

static void record(struct event event)
{
    static size_t capacity;
    if (event_count == capacity && capacity < EVENTS_MAX) {
        const size_t larger = capacity ? 2 * capacity : 4096;
        struct event *moved = realloc(events, larger * sizeof *events);
        if (!moved)
            return;
        events = moved;
        capacity = larger;
    }
    if (event_count < capacity)
        events[event_count++] = event;
}

static uint8_t warp_number(const struct warp *w)
{
    return (uint8_t)(w->first / WARP_SIZE);
}

void trace_memory(const struct warp *w, uint32_t group, enum space space)
{
    static const char *const kinds[2][STOP_KINDS] = {{"global_ld", "global_st", "global_atomic"},
                                                     {"shared_ld", "shared_st", "shared_atomic"}};
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const struct region *r = memory_find(w->address[lane]);
        record((struct event){.kind = kinds[space == SPACE_SHARED][w->why[lane]],
                              .pc = w->pc[lane],
                              .offset = r ? w->address[lane] - r->low : 0,
                              .step = steps,
                              .bytes = w->bytes[lane],
                              .warp = warp_number(w),
                              .lane = (uint8_t)lane});
    }
    steps++;
}

void trace_meeting(const struct warp *w, uint32_t group, const char *kind, int line)
{
    for (uint32_t rest = group; rest != 0; rest &= rest - 1)
        record((struct event){.kind = kind,
                              .offset = SIZE_MAX,
                              .step = steps,
                              .line = (uint32_t)line,
                              .warp = warp_number(w),
                              .lane = (uint8_t)__builtin_ctz(rest)});
    steps++;
}

/* ---- the file ---- */

static int compare_pcs(const void *a, const void *b)
{
    const uintptr_t pa = ((const struct place *)a)->pc, pb = ((const struct place *)b)->pc;
    return (pa > pb) - (pa < pb);
}

/* Each code address of the trace once, sorted, with its line. */
static struct place *lines_find(size_t *count)
{
    struct place *places = calloc(event_count + 1, sizeof *places);
    if (!places)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; i < event_count; i++)
        places[i].pc = events[i].pc;
    qsort(places, event_count, sizeof *places, compare_pcs);
    for (size_t i = 0; i < event_count; i++)
        if (places[i].pc && (used == 0 || places[used - 1].pc != places[i].pc))
            places[used++] = places[i];
    places_find(places, used);
    *count = used;
    return places;
}

static void print_event(FILE *file, const struct event *e, const struct place *places, size_t count)
{
    const struct place wanted = {.pc = e->pc};
    const struct place *p =
        e->pc ? bsearch(&wanted, places, count, sizeof *places, compare_pcs) : NULL;
    fprintf(file, "%u,%u,%s,%u,%u,", e->step, e->warp, e->kind, p ? p->line : e->line, e->lane);
    if (e->offset != SIZE_MAX)
        fprintf(file, "%zu", e->offset);
    fprintf(file, ",%u\n", e->bytes);
}

static void trace_write(void)
{
    size_t count = 0;
    struct place *places = lines_find(&count);
    FILE *file = fopen(path, "w");
    if (!file || !places) {
        fprintf(stderr, "simt: SIMT_TRACE: cannot write '%s'\n", path);
        return;
    }
    fprintf(file, "step,warp,kind,line,lane,address,bytes\n");
    for (size_t i = 0; i < event_count; i++)
        print_event(file, &events[i], places, count);
    fclose(file);
    free(places);
}

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

void trace_init(void)
{
    path = getenv("SIMT_TRACE");
    if (!path || !*path)
        return;
    chosen_launch = number_from("SIMT_TRACE_LAUNCH", 1);
    chosen_block = number_from("SIMT_TRACE_BLOCK", 0);
    atexit(trace_write);
}
