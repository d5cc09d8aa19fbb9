/* SPDX-License-Identifier: MIT */
/*
 * race.c - the picture of a race (01): how two threads conflict on an element of shared memory,
 * time downwards, in a kernel that lacks a barrier and in one that has it.
 */
#include <stdio.h>
#include <string.h>

#include "pictures.h"
#include "svg.h"

enum { EVENTS_MAX = 8, ROW = 44, BOX = 36, WIDE = 150, PANEL = 340, LEFT = 14, TOP = 88 };

typedef enum { READER, WRITER, BOTH } who_t;

/* The load or store of one of the two threads; a barrier that both have passed has no lane. */
typedef struct {
    who_t who;
    const trace_step_t *step;
    const trace_lane_t *lane;
} event_t;

/* The race is on an element of a shared array; a finding says who writes it and who reads it. */
typedef struct {
    unsigned thread[BOTH];
    long long offset;
    int array;
} race_t;

static bool find_race(const trace_t *t, race_t *race)
{
    for (size_t i = 0; i < t->finding_count; i++) {
        const trace_finding_t *f = &t->findings[i];
        if (f->access_count != 2 || f->access[0].kind == f->access[1].kind ||
            f->access[0].array < 0 || t->arrays[f->access[0].array].space != TRACE_SHARED)
            continue;
        const int write = f->access[0].kind == TRACE_STORE ? 0 : 1;
        race->thread[WRITER] = f->access[write].thread;
        race->thread[READER] = f->access[1 - write].thread;
        race->offset = f->access[0].offset;
        race->array = f->access[0].array;
        return true;
    }
    return false;
}

static const trace_lane_t *lane_of(const trace_step_t *s, unsigned thread)
{
    for (unsigned l = 0; s->warp == thread / TRACE_LANES && l < s->lane_count; l++)
        if (s->lanes[l].lane == thread % TRACE_LANES)
            return &s->lanes[l];
    return NULL;
}

/* The access of a thread that the race is about: the reader's load of the element, or the last time
 * that the writer stores it. steps: none. */
static size_t access_of(const trace_t *t, const race_t *race, who_t who, event_t *event)
{
    const unsigned kind = who == WRITER ? TRACE_STORE : TRACE_LOAD;
    size_t at = t->step_count;
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        const trace_lane_t *lane = lane_of(s, race->thread[who]);
        if (s->block != 0 || s->space != TRACE_SHARED || s->kind != kind || lane == NULL ||
            lane->offset != race->offset)
            continue;
        at = i;
        *event = (event_t){who, s, lane};
    }
    return at;
}

/* The two accesses in the order of time, and the barriers between; 0: too many, or none. */
static int find_events(const trace_t *t, const race_t *race, event_t *events)
{
    event_t met[BOTH];
    size_t at[BOTH];
    for (who_t who = READER; who < BOTH; who++)
        if ((at[who] = access_of(t, race, who, &met[who])) == t->step_count)
            return 0;
    const who_t first = at[WRITER] < at[READER] ? WRITER : READER, last = BOTH - 1 - first;
    int n = 0;
    events[n++] = met[first];
    for (size_t i = at[first]; i < at[last] && n < EVENTS_MAX - 1; i++) {
        const trace_step_t *s = &t->steps[i];
        if (s->block == 0 && s->kind == TRACE_LEAVE && s->warp == met[last].step->warp)
            events[n++] = (event_t){BOTH, s, NULL};
    }
    events[n++] = met[last];
    return n;
}

static void draw_event(const trace_t *t, const event_t *e, bool wrong, int x, int y)
{
    char element[TRACE_TEXT], value[TRACE_TEXT];
    const trace_lane_t *lane = e->lane;
    if (lane == NULL) {
        svg_rect("back", x, y + 8, 2 * WIDE + 8, BOX - 14);
        svg_line("edge", x, y + 8, x + 2 * WIDE + 8, y + 8);
        svg_line("edge", x, y + BOX - 6, x + 2 * WIDE + 8, y + BOX - 6);
        svg_text("bold middle", x + WIDE + 4, y + 24, "__syncthreads()");
        return;
    }
    const int left = x + (e->who == WRITER) * (WIDE + 8);
    svg_rect("back", left + 0.5, y + 0.5, WIDE - 1, BOX - 1);
    svg_rect(wrong ? "bad" : "act", left + 0.5, y + 0.5, WIDE - 1, BOX - 1);
    trace_element(t, lane->array, lane->index, element);
    trace_value(t->arrays[lane->array].type, lane->after, lane->bytes, value);
    svg_text("small on middle", left + WIDE / 2.0, y + 15, "%s %s",
             e->step->kind == TRACE_LOAD ? "reads" : "writes", element);
    svg_text("small on middle", left + WIDE / 2.0, y + 30, "%s", value);
}

bool draw_race(const source_t *sources, int count)
{
    race_t race;
    event_t events[2][EVENTS_MAX];
    int n[2], rows = 0;
    if (count != 2 || !find_race(&sources[0].trace, &race))
        return false;
    for (int i = 0; i < 2; i++) {
        n[i] = find_events(&sources[i].trace, &race, events[i]);
        if (n[i] == 0)
            return false;
        rows = n[i] > rows ? n[i] : rows;
    }
    char says[500], element[TRACE_TEXT];
    trace_element(&sources[0].trace, race.array, race.offset / 4, element);
    snprintf(says, sizeof says,
             "Two threads, time downwards. %s: thread %u reads %s before thread %u has written its "
             "last sum there. %s: both wait at the barrier after the writing, and the read comes "
             "after it.",
             sources[0].name, race.thread[READER], element, race.thread[WRITER], sources[1].name);
    svg_open(TOP + ROW * rows + 8, "A race", says);
    for (int i = 0; i < 2; i++) {
        const int x = LEFT + 16 + i * PANEL;
        svg_text("bold", x, 22, "%s", sources[i].name);
        for (who_t who = READER; who < BOTH; who++) {
            const double at = x + WIDE / 2.0 + (who == WRITER) * (WIDE + 8);
            svg_text("middle", at, 52, "thread %u", race.thread[who]);
            svg_line("edge", at, 60, at, TOP + ROW * rows);
        }
        for (int e = 0; e < n[i]; e++)
            draw_event(&sources[i].trace, &events[i][e], i == 0, x, TOP - 12 + ROW * e);
    }
    svg_text("soft end", SVG_WIDTH - 12, 22, "time runs down");
    svg_close();
    return true;
}
