/* SPDX-License-Identifier: MIT */
/*
 * values.c - who wrote a word, and of which inputs a word of shared memory is made.
 */
#include "viva.h"

#include <string.h>

enum { MOST_PARTS = 8, MOST_LOADS = 2 };

/* What one lane did in a step. */
typedef struct {
    const trace_step_t *step;
    const trace_lane_t *lane; /* NULL: there is none */
} access_t;

static bool is_write(const trace_step_t *s)
{
    return s->kind == TRACE_STORE || s->kind == TRACE_ATOMIC;
}

/* The last store, or atomic, before a step to any of these bytes. */
static access_t last_write(const trace_t *t, const trace_step_t *before, const trace_lane_t *own)
{
    for (const trace_step_t *s = before; s-- > t->steps;)
        for (unsigned k = is_write(s) ? s->lane_count : 0; k-- > 0;) {
            const trace_lane_t *l = &s->lanes[k];
            if (l->array == own->array && l->offset < own->offset + own->bytes &&
                own->offset < l->offset + l->bytes)
                return (access_t){s, l};
        }
    return (access_t){0};
}

/* What the thread of a store has loaded since the one before, the last first. Returns how many. */
static unsigned loads_of(const trace_t *t, access_t store, access_t loads[MOST_LOADS])
{
    unsigned count = 0;
    for (const trace_step_t *s = store.step; s-- > t->steps;) {
        const trace_lane_t *l = s->warp == store.step->warp ? lane_of(s, store.lane->lane) : NULL;
        if (l && is_write(s))
            break;
        if (l && s->kind == TRACE_LOAD && ++count <= MOST_LOADS)
            loads[count - 1] = (access_t){s, l};
    }
    return count;
}

const char *writer_of(const trace_t *t, const trace_step_t *s, unsigned lane)
{
    const trace_lane_t *own = lane_of(s, lane);
    if (!own || own->array == TRACE_NONE || t->finding_count > 0)
        return NULL;
    const access_t w = last_write(t, s, own);
    if (!w.lane || w.lane->offset != own->offset || w.lane->bytes != own->bytes ||
        w.step->kind == TRACE_ATOMIC)
        return NULL; /* perhaps several threads */
    const bool itself = w.step->warp == s->warp && w.lane->lane == lane;
    return itself ? "" : text("%u", w.step->warp * TRACE_LANES + w.lane->lane);
}

void explain_store(const trace_t *t, const trace_lane_t *element, question_t *q)
{
    const access_t w = last_write(t, &t->steps[q->step], element);
    access_t loads[MOST_LOADS];
    const char *from = "";
    if (!w.lane)
        return;
    const unsigned count = loads_of(t, w, loads);
    for (unsigned k = count <= MOST_LOADS ? count : 0; k-- > 0;)
        from = text("%s%s%s", from, *from ? " and " : ", after it has loaded ",
                    element_name(t, loads[k].lane->array, loads[k].lane->index));
    q->step = (int)(w.step - t->steps);
    q->why = text("Thread %u writes %s%s%s.", w.step->warp * TRACE_LANES + w.lane->lane,
                  element_name(t, element->array, element->index),
                  w.step->line > 0 ? text(" in line %u", w.step->line) : "", from);
}

/* ---- what an element is made of ---- */

/* Elements of an array that is only read: one, or the sum of some. */
typedef struct {
    int array, count;
    long long index[MOST_PARTS];
} parts_t;

/* Of a float, or of what may be one. False: it is neither. */
static bool add_value(const trace_t *t, const trace_lane_t *l, double *sum)
{
    const trace_array_t *a = l->array == TRACE_NONE ? NULL : &t->arrays[l->array];
    float value;
    memcpy(&value, l->after, sizeof value);
    *sum += value;
    return a && l->bytes == 4 && a->element_bytes == 4 &&
           (a->type == TRACE_F32 || a->type == TRACE_UNKNOWN);
}

static bool is_written(const trace_t *t, int array)
{
    for (const trace_step_t *s = t->steps; s < t->steps + t->step_count; s++)
        for (unsigned k = 0; k < s->lane_count; k++)
            if (s->kind != TRACE_LOAD && s->lanes[k].array == array)
                return true;
    return false;
}

/* At first an array that is only read holds its own elements. */
static bool add_part(const trace_t *t, const trace_lane_t *element, parts_t *p)
{
    const int array = element->array;
    if (t->arrays[array].space != TRACE_GLOBAL || is_written(t, array) || p->count == MOST_PARTS ||
        (p->count > 0 && p->array != array))
        return false;
    p->array = array;
    p->index[p->count++] = element->index;
    return true;
}

/* Adds what an element holds before a step. A stored value is known if it is the one that the
 * thread has loaded, or the sum of its two. */
static bool add_parts(const trace_t *t, const trace_step_t *before, const trace_lane_t *element,
                      parts_t *p)
{
    const access_t w = last_write(t, before, element);
    access_t loads[MOST_LOADS];
    double value = 0, sum = 0;
    if (!w.lane)
        return add_part(t, element, p);
    const unsigned count = loads_of(t, w, loads);
    bool known = add_value(t, w.lane, &value) && w.step->kind == TRACE_STORE &&
                 w.lane->index == element->index && count > 0 && count <= MOST_LOADS;
    for (unsigned k = 0; known && k < count; k++)
        known = add_value(t, loads[k].lane, &sum);
    known = known && (double)(float)sum == value;
    for (unsigned k = count; known && k-- > 0;)
        known = add_parts(t, loads[k].step, loads[k].lane, p);
    return known;
}

/* Asks about an element at the opening of the barrier that q->step is. */
static bool ask_element(const trace_t *t, rng_t *rng, const char *passed, question_t *q)
{
    char name[TRACE_TEXT];
    const char *typed = "";
    parts_t p = {0};
    trace_lane_t element = {.array = (int)rng_below(rng, t->array_count)};
    const trace_array_t *a = &t->arrays[element.array];
    if (a->space != TRACE_SHARED || a->length == 0 || !passed)
        return false;
    element.index = (long long)rng_below(rng, a->length);
    element.bytes = a->element_bytes;
    element.offset = element.index * element.bytes;
    trace_element(t, element.array, element.index, name);
    if (*name == '(' || !add_parts(t, &t->steps[q->step], &element, &p) ||
        (p.count == 1 && p.index[0] == element.index))
        return false; /* not known, or too simple; "(dynamic)" is no name of the source */
    for (int k = 0; k < p.count; k++)
        typed = text("%s %lld", typed, p.index[k]);
    q->answer = answer_read(typed); /* in order */
    const char *from = until(element_name(t, p.array, p.index[0]), "[");
    q->text = text("all threads have reached their %s and none has gone on: which element%s of %s "
                   "%s in %s? Give %s of %s[i].",
                   passed, p.count == 1 ? "" : "s", from, p.count == 1 ? "is" : "are summed", name,
                   p.count == 1 ? "i" : "each i", from);
    if (q->answer)
        explain_store(t, &element, q);
    return q->answer != NULL;
}

bool ask_holds(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const unsigned count = openings(t);
    bool asked = false;
    if (count == 0 || t->finding_count > 0)
        return false;
    const unsigned opening = (unsigned)rng_below(rng, count < 4 ? count : 4) + 1;
    const trace_step_t *s = t->steps;
    while (s->kind != TRACE_LEAVE || s->epoch + 1 != opening)
        s++;
    q->step = (int)(s - t->steps);
    q->line = s->line;
    for (int i = 0; i < TRIES && !asked && q->line > 0; i++)
        asked = ask_element(t, rng, name_opening(t, opening), q);
    return asked;
}
