/* SPDX-License-Identifier: MIT */
/*
 * values.c - the kind of questions that asks of which inputs a word of shared memory is made.
 */
#include "viva.h"

#include <stdlib.h>
#include <string.h>

#include "simt/driver/inside.h"

enum { MOST_PARTS = 8, MOST_LOADS = 2, MOST_CELLS = 1 << 20 };

/* A value that is an element of an array that is only read, or the sum of some. */
typedef struct {
    int array, count; /* 0: not known */
    int index[MOST_PARTS];
} parts_t;

/* What a thread has loaded since its last store. */
typedef struct {
    parts_t parts[MOST_LOADS];
    double value[MOST_LOADS];
    unsigned count;
} loads_t;

/* Of a float, or of what may be one. */
static bool value_of(const trace_t *t, const trace_lane_t *l, const uint8_t *bytes, double *value)
{
    const trace_array_t *a = l->array == TRACE_NONE ? NULL : &t->arrays[l->array];
    float single;
    memcpy(&single, bytes, sizeof single);
    *value = single;
    return a && l->bytes == 4 && a->element_bytes == 4 &&
           (a->type == TRACE_F32 || a->type == TRACE_UNKNOWN);
}

static parts_t joined(const parts_t *a, const parts_t *b)
{
    parts_t sum = *a;
    if (a->count == 0 || b->count == 0 || a->array != b->array || a->count + b->count > MOST_PARTS)
        return (parts_t){0};
    for (int i = 0; i < b->count; i++)
        sum.index[sum.count++] = b->index[i];
    return sum;
}

/* A stored value is known if it is the one that the thread has loaded, or the sum of its two. */
static parts_t stored(const loads_t *l, double value)
{
    if (l->count == 1 && l->value[0] == value)
        return l->parts[0];
    if (l->count == 2 && (double)(float)(l->value[0] + l->value[1]) == value)
        return joined(&l->parts[0], &l->parts[1]);
    return (parts_t){0};
}

typedef struct {
    const trace_t *t;
    parts_t *cells; /* of all arrays, each as long as the longest */
    size_t longest;
    loads_t *loads; /* of each thread */
} flow_t;

static bool flow_make(flow_t *f, const trace_t *t)
{
    *f = (flow_t){.t = t};
    for (size_t i = 0; i < t->array_count; i++)
        if (t->arrays[i].length > f->longest)
            f->longest = t->arrays[i].length;
    f->cells = f->longest * t->array_count < MOST_CELLS
                   ? calloc(f->longest * t->array_count + 1, sizeof *f->cells)
                   : NULL;
    f->loads = calloc(t->warps * TRACE_LANES + 1, sizeof *f->loads);
    return f->cells && f->loads;
}

static parts_t *cell_of(const flow_t *f, int array, long long index)
{
    const bool inside =
        array != TRACE_NONE && index >= 0 && (size_t)index < f->t->arrays[array].length;
    return inside ? &f->cells[(size_t)array * f->longest + (size_t)index] : NULL;
}

static bool is_written(const trace_t *t, int array)
{
    for (size_t i = 0; i < t->step_count; i++)
        for (unsigned k = 0; k < t->steps[i].lane_count; k++)
            if (t->steps[i].kind != TRACE_LOAD && t->steps[i].lanes[k].array == array)
                return true;
    return false;
}

static void flow_lane(flow_t *f, const trace_step_t *s, const trace_lane_t *l)
{
    loads_t *loads = &f->loads[s->warp * TRACE_LANES + l->lane];
    double value = 0;
    const bool known = value_of(f->t, l, l->after, &value);
    parts_t *const cell = cell_of(f, l->array, l->index);
    if (s->kind == TRACE_LOAD) {
        if (known && cell && loads->count < MOST_LOADS) {
            loads->parts[loads->count] = *cell;
            loads->value[loads->count] = value;
        }
        loads->count += known && cell ? 1 : MOST_LOADS + 1;
        return;
    }
    if (cell)
        *cell = known && s->kind == TRACE_STORE ? stored(loads, value) : (parts_t){0};
    loads->count = 0;
}

/* At first an array that is only read holds its own elements. */
static void flow_begin(flow_t *f)
{
    const trace_t *t = f->t;
    for (size_t a = 0; a < t->array_count; a++) {
        const bool read_only = t->arrays[a].space == TRACE_GLOBAL && !is_written(t, (int)a);
        for (size_t i = 0; read_only && i < t->arrays[a].length; i++)
            *cell_of(f, (int)a, (long long)i) = (parts_t){(int)a, 1, {(int)i}};
    }
}

/* All until the barrier opens for the n-th time; returns that step. */
static int flow_run(flow_t *f, unsigned opening)
{
    const trace_t *t = f->t;
    flow_begin(f);
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        if (s->kind == TRACE_LEAVE && s->epoch + 1 == opening)
            return (int)i;
        for (unsigned k = 0; s->kind <= TRACE_ATOMIC && k < s->lane_count; k++)
            flow_lane(f, s, &s->lanes[k]);
    }
    return TRACE_NONE;
}

static bool ask_cell(const flow_t *f, rng_t *rng, unsigned opening, question_t *q)
{
    const trace_t *t = f->t;
    char element[TRACE_TEXT], typed[MOST_PARTS * 12];
    size_t used = 0;
    const int array = (int)rng_below(rng, t->array_count);
    const trace_array_t *a = &t->arrays[array];
    const char *passed = name_opening(t, opening);
    if (a->space != TRACE_SHARED || a->length == 0 || !passed)
        return false;
    const size_t i = rng_below(rng, a->length);
    const parts_t *p = cell_of(f, array, (long long)i);
    trace_element(t, array, (long long)i, element);
    if (*element == '(' || p->count == 0 || (p->count == 1 && p->index[0] == (int)i))
        return false; /* not known, or too simple; "(dynamic)" is no name of the source */
    for (int k = 0; k < p->count; k++)
        used += (size_t)snprintf(typed + used, sizeof typed - used, " %d", p->index[k]);
    if (!answer_read(typed, q->answer)) /* in order */
        return false;
    const char *name = until(element_name(t, p->array, p->index[0]), "[");
    snprintf(q->text, sizeof q->text,
             "all threads have reached their %s and none has gone on: which element%s of %s %s in "
             "%s? Give %s of %s[i].",
             passed, p->count == 1 ? "" : "s", name, p->count == 1 ? "is" : "are summed", element,
             p->count == 1 ? "i" : "each i", name);
    explain_store(t, array, (long long)i, q);
    return true;
}

bool ask_holds(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const unsigned count = openings(t);
    flow_t f;
    bool asked = false;
    if (count == 0 || t->finding_count > 0)
        return false;
    const unsigned opening = (unsigned)rng_below(rng, count < 4 ? count : 4) + 1;
    if (flow_make(&f, t) && (q->step = flow_run(&f, opening)) != TRACE_NONE) {
        q->line = t->steps[q->step].line;
        for (int i = 0; i < TRIES && !asked && q->line > 0; i++) {
            q->answer[0] = '\0';
            asked = ask_cell(&f, rng, opening, q);
        }
    }
    free(f.cells);
    free(f.loads);
    return asked;
}
