/* SPDX-License-Identifier: MIT */
/*
 * kinds.c - the kinds of questions. A kind draws a place of the trace, and asks about it only if
 * all that the words fit has the same answer: `if all the loads of line 41 by warp 0 in its second
 * round`, for instance, take as many sectors.
 */
#include "viva.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 64, MOST_LANES_TYPED = 8, BANKS = 32 };

/* ---- steps ---- */

static bool is_memory(const trace_step_t *s, trace_space_t space)
{
    return s->line > 0 && s->kind <= TRACE_ATOMIC && s->space == space && s->requests == 1;
}

static bool is_shared(const trace_step_t *s)
{
    return is_memory(s, TRACE_SHARED);
}

static bool is_conflict(const trace_step_t *s)
{
    return is_shared(s) && s->bytes == 4 && s->wavefronts > 1;
}

static bool is_word(const trace_step_t *s)
{
    return is_shared(s) && s->bytes == 4;
}

static bool is_shared_load(const trace_step_t *s)
{
    return is_shared(s) && s->kind == TRACE_LOAD;
}

static bool is_global(const trace_step_t *s)
{
    return is_memory(s, TRACE_GLOBAL);
}

static bool is_counted(const trace_step_t *s)
{
    return is_shared(s) || is_global(s) || (s->line > 0 && s->kind == TRACE_SHUFFLE);
}

static bool is_partly(const trace_step_t *s)
{
    return is_counted(s) && s->lane_count < TRACE_LANES;
}

static bool is_shuffle(const trace_step_t *s)
{
    return s->line > 0 && s->kind == TRACE_SHUFFLE;
}

static const trace_step_t *pick(const run_t *run, rng_t *rng, bool (*fits)(const trace_step_t *))
{
    const trace_t *t = &run->trace;
    for (int i = 0; i < TRIES && t->step_count > 0; i++) {
        const trace_step_t *s = &t->steps[rng_below(rng, t->step_count)];
        if (fits(s))
            return s;
    }
    return NULL;
}

/* Do the same words describe both? */
static bool is_like(const trace_step_t *a, const trace_step_t *b)
{
    return a->line == b->line && a->kind == b->kind && (is_shuffle(a) || a->space == b->space);
}

static bool is_same(const trace_step_t *a, const trace_step_t *b)
{
    return is_like(a, b) && a->warp == b->warp && a->round == b->round;
}

/* "load from shared memory" */
static const char *name_of(const trace_step_t *s)
{
    static const char *const names[][2] = {{"load from shared memory", "load from global memory"},
                                           {"store to shared memory", "store to global memory"},
                                           {"atomic on shared memory", "atomic on global memory"}};
    return is_shuffle(s) ? "shuffle" : names[s->kind][s->space == TRACE_GLOBAL];
}

static const char *ending(unsigned n)
{
    const bool teen = n / 10 % 10 == 1;
    return !teen && n % 10 == 1   ? "st"
           : !teen && n % 10 == 2 ? "nd"
           : !teen && n % 10 == 3 ? "rd"
                                  : "th";
}

static int step_of(const run_t *run, const trace_step_t *s)
{
    return (int)(s - run->trace.steps);
}

/* ---- one answer for all steps that the words fit ---- */

/* Writes the answer; "" if the words do not fit this step after all. False: it has none. */
typedef bool answer_fn(const run_t *run, const trace_step_t *s, unsigned lane, char *answer);

/* The common answer of all steps that are the same as this one. */
static bool agreed(const run_t *run, const trace_step_t *wanted, unsigned lane, answer_fn *of,
                   question_t *q)
{
    const trace_t *t = &run->trace;
    char answer[MOST_ANSWER_TEXT];
    q->answer[0] = '\0';
    for (size_t i = 0; i < t->step_count; i++) {
        if (!is_same(&t->steps[i], wanted))
            continue;
        answer[0] = '\0';
        if (!of(run, &t->steps[i], lane, answer) ||
            (*answer && *q->answer && strcmp(answer, q->answer) != 0))
            return false;
        if (*answer && !*q->answer)
            q->step = (int)i;
        if (*answer)
            snprintf(q->answer, sizeof q->answer, "%s", answer);
    }
    q->line = wanted->line;
    return *q->answer != '\0';
}

static const trace_lane_t *lane_of(const trace_step_t *s, unsigned lane)
{
    for (unsigned k = 0; k < s->lane_count; k++)
        if (s->lanes[k].lane == lane)
            return &s->lanes[k];
    return NULL;
}

static bool sectors_of(const run_t *run, const trace_step_t *s, unsigned lane, char *answer)
{
    (void)run, (void)lane;
    snprintf(answer, MOST_ANSWER_TEXT, "%u", s->sectors);
    return s->requests == 1;
}

static bool lanes_of(const run_t *run, const trace_step_t *s, unsigned lane, char *answer)
{
    (void)run, (void)lane;
    snprintf(answer, MOST_ANSWER_TEXT, "%u", s->lane_count);
    return true;
}

/* The word of shared memory that a lane asks for. */
static long long word_of(const run_t *run, const trace_lane_t *l)
{
    return (run->trace.arrays[l->array].phase + l->offset) / 4;
}

static bool meets_of(const run_t *run, const trace_step_t *s, unsigned lane, char *answer)
{
    const trace_lane_t *own = lane_of(s, lane);
    unsigned count = 0;
    if (!own || s->bytes != 4 || s->requests != 1 || own->array == TRACE_NONE)
        return false;
    for (unsigned k = 0; k < s->lane_count; k++) {
        const trace_lane_t *l = &s->lanes[k];
        if (l->array != own->array)
            return false;
        const long long word = word_of(run, l), wanted = word_of(run, own);
        if (word == wanted || (word - wanted) % BANKS != 0)
            continue;
        if (++count > MOST_LANES_TYPED)
            return false;
        snprintf(answer + strlen(answer), MOST_ANSWER_TEXT - strlen(answer), "%s%u",
                 *answer ? " " : "", l->lane);
    }
    if (count == 0)
        snprintf(answer, MOST_ANSWER_TEXT, "none");
    return true;
}

static bool source_of(const run_t *run, const trace_step_t *s, unsigned lane, char *answer)
{
    const trace_lane_t *l = lane_of(s, lane);
    (void)run;
    if (l && l->source >= 0)
        snprintf(answer, MOST_ANSWER_TEXT, "%d", l->source);
    return l && l->source >= 0;
}

/* The last store to these bytes before the step: its thread. */
static bool writer_of(const run_t *run, const trace_step_t *s, unsigned lane, char *answer)
{
    const trace_lane_t *own = lane_of(s, lane);
    if (!own || own->array == TRACE_NONE)
        return false;
    for (const trace_step_t *w = s; w-- > run->trace.steps;) {
        if (w->kind != TRACE_STORE && w->kind != TRACE_ATOMIC)
            continue;
        for (unsigned k = w->lane_count; k-- > 0;) {
            const trace_lane_t *l = &w->lanes[k];
            if (l->array != own->array || l->offset >= own->offset + own->bytes ||
                own->offset >= l->offset + l->bytes)
                continue;
            if (l->offset != own->offset || l->bytes != own->bytes || w->kind == TRACE_ATOMIC)
                return false;                          /* perhaps several threads */
            if (w->warp != s->warp || l->lane != lane) /* not the thread itself */
                snprintf(answer, MOST_ANSWER_TEXT, "%u", w->warp * TRACE_LANES + l->lane);
            return true;
        }
    }
    return false;
}

/* A kind that asks about a step, and perhaps one of its lanes. The text gets the place, the lane
 * and the last thread. */
typedef struct {
    bool (*fits)(const trace_step_t *s), (*else_fits)(const trace_step_t *s);
    answer_fn *of;
    const char *text;
} place_t;

static const place_t sectors = {is_global, NULL, sectors_of,
                                "%s: how many sectors of 32 bytes does it ask for?"};
static const place_t lanes = {is_partly, is_counted, lanes_of,
                              "%s: how many of its lanes take part?"};
static const place_t bank = {is_conflict, is_word, meets_of,
                             "%s: which lanes want another word of the bank that lane %u uses? "
                             "Type their numbers, or none."};
static const place_t shuffled = {is_shuffle, NULL, source_of,
                                 "%s: from which lane does lane %u get a value?"};
static const place_t writer = {is_shared_load, NULL, writer_of,
                               "%s, its lane %u reads what another thread has written. Which "
                               "thread of the block, from 0 to %u, wrote it?"};

static bool ask_place(const run_t *run, rng_t *rng, const place_t *kind, question_t *q)
{
    char at[MOST_PLACE];
    const trace_step_t *s = pick(run, rng, kind->fits);
    if (!s && kind->else_fits)
        s = pick(run, rng, kind->else_fits);
    const unsigned lane = s ? s->lanes[rng_below(rng, s->lane_count)].lane : 0;
    if (!s || (kind == &writer && run->trace.finding_count > 0) ||
        !agreed(run, s, lane, kind->of, q))
        return false;
    snprintf(at, sizeof at, "when warp %u gets to the %s in line %u for the %u%s time", s->warp,
             name_of(s), s->line, s->round, ending(s->round));
    snprintf(q->text, sizeof q->text, kind->text, at, lane, run->trace.threads - 1);
    return true;
}

/* ---- counts ---- */

static bool ask_wavefronts(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const trace_step_t *s = pick(run, rng, is_shared), *worst = s;
    for (size_t i = 0; s && i < t->step_count; i++) {
        if (!is_like(&t->steps[i], s))
            continue;
        if (t->steps[i].requests != 1)
            return false;
        worst = t->steps[i].wavefronts > worst->wavefronts ? &t->steps[i] : worst;
    }
    if (!s)
        return false;
    snprintf(q->answer, sizeof q->answer, "%u", worst->wavefronts);
    snprintf(q->text, sizeof q->text,
             "how many wavefronts does one %s in line %u take at its worst?", name_of(s), s->line);
    q->line = s->line;
    q->step = step_of(run, worst);
    return true;
}

/* How often a warp has executed an instruction. */
static unsigned times_of(const trace_t *t, const trace_step_t *s)
{
    unsigned times = 0;
    for (size_t i = 0; i < t->step_count; i++)
        times += t->steps[i].instruction == s->instruction && t->steps[i].warp == s->warp &&
                 t->steps[i].kind == s->kind;
    return times;
}

static bool ask_times(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const trace_step_t *s = pick(run, rng, is_counted);
    const unsigned times = s ? times_of(t, s) : 0;
    unsigned round = 0;
    for (size_t i = 0; s && i < t->step_count; i++)
        if (is_like(&t->steps[i], s) && t->steps[i].warp == s->warp) {
            /* Two loads of a line take turns; those of two calls of a function begin again. */
            if (times_of(t, &t->steps[i]) != times || t->steps[i].round < round)
                return false;
            round = t->steps[i].round;
            q->step = (int)i;
        }
    if (!s)
        return false;
    snprintf(q->answer, sizeof q->answer, "%u", times);
    snprintf(q->text, sizeof q->text,
             "how many times does warp %u get to the %s in line %u, with at least one lane?",
             s->warp, name_of(s), s->line);
    q->line = s->line;
    return true;
}

static unsigned openings(const trace_t *t)
{
    unsigned count = 0;
    for (size_t i = 0; i < t->step_count; i++)
        count += t->steps[i].kind == TRACE_LEAVE && t->steps[i].warp == 0;
    return count;
}

static bool ask_warps(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const trace_step_t *s = pick(run, rng, is_counted);
    bool has[TRACE_LANES * TRACE_LANES] = {false};
    unsigned warps = 0;
    if (!s || t->warps < 2 || s->epoch == 0 || openings(t) == 0)
        return false;
    for (size_t i = 0; i < t->step_count; i++)
        if (is_like(&t->steps[i], s) && t->steps[i].epoch == s->epoch) {
            warps += !has[t->steps[i].warp];
            has[t->steps[i].warp] = true;
        }
    snprintf(q->answer, sizeof q->answer, "%u", warps);
    snprintf(q->text, sizeof q->text,
             "between the barrier's %u%s opening and the next, or the end: how many warps execute "
             "the %s in line %u?",
             s->epoch, ending(s->epoch), name_of(s), s->line);
    q->line = s->line;
    q->step = step_of(run, s);
    return true;
}

static bool ask_barriers(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const unsigned count = openings(t);
    (void)rng;
    for (size_t i = 0; i < t->step_count; i++)
        if (t->steps[i].kind == TRACE_LEAVE && t->steps[i].warp == 0) {
            if (t->steps[i].line == 0) /* of a library */
                return false;
            q->line = t->steps[i].line;
            q->step = (int)i;
        }
    if (count == 0)
        return false;
    snprintf(q->answer, sizeof q->answer, "%u", count);
    snprintf(q->text, sizeof q->text,
             "how many times does __syncthreads() open for block 0, in all its lines together?");
    return true;
}

/* ---- which inputs a word of shared memory is made of ---- */

enum { MOST_PARTS = 8, MOST_LOADS = 2 };

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

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static parts_t joined(const parts_t *a, const parts_t *b)
{
    parts_t sum = *a;
    if (a->count == 0 || b->count == 0 || a->array != b->array || a->count + b->count > MOST_PARTS)
        return (parts_t){0};
    for (int i = 0; i < b->count; i++)
        sum.index[sum.count++] = b->index[i];
    qsort(sum.index, (size_t)sum.count, sizeof *sum.index, compare_ints);
    return sum;
}

/* A stored value is known if it is the one that the thread has loaded, or the sum of its two. */
static parts_t stored(const loads_t *l, double value)
{
    if (l->count == 1 && l->value[0] == value)
        return l->parts[0];
    if (l->count == 2 && (double)(float)(l->value[0] + l->value[1]) == value && l->value[0] != 0 &&
        l->value[1] != 0)
        return joined(&l->parts[0], &l->parts[1]);
    return (parts_t){0};
}

typedef struct {
    const trace_t *t;
    parts_t *cells; /* of all arrays, from first[array] */
    size_t *first, count;
    loads_t *loads; /* of each thread */
} flow_t;

static bool flow_make(flow_t *f, const trace_t *t)
{
    *f = (flow_t){.t = t};
    f->first = calloc(t->array_count + 1, sizeof *f->first);
    for (size_t i = 0; f->first && i < t->array_count; i++) {
        f->first[i] = f->count;
        f->count += t->arrays[i].space == TRACE_CONSTANT ? 0 : t->arrays[i].length;
    }
    f->cells = f->count < 1 << 20 ? calloc(f->count + 1, sizeof *f->cells) : NULL;
    f->loads = calloc(t->warps * TRACE_LANES + 1, sizeof *f->loads);
    return f->first && f->cells && f->loads;
}

static void flow_free(flow_t *f)
{
    free(f->first);
    free(f->cells);
    free(f->loads);
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
    parts_t *cell =
        l->array == TRACE_NONE || l->index < 0 || (size_t)l->index >= f->t->arrays[l->array].length
            ? NULL
            : &f->cells[f->first[l->array] + (size_t)l->index];
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

/* All until the barrier opens for the n-th time; returns that step. */
static int flow_run(flow_t *f, unsigned opening)
{
    const trace_t *t = f->t;
    for (size_t a = 0; a < t->array_count; a++)
        for (size_t i = 0; t->arrays[a].space == TRACE_GLOBAL && !is_written(t, (int)a) &&
                           i < t->arrays[a].length;
             i++)
            f->cells[f->first[a] + i] = (parts_t){(int)a, 1, {(int)i}};
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
    char element[TRACE_TEXT];
    const int array = (int)rng_below(rng, t->array_count);
    const trace_array_t *a = &t->arrays[array];
    if (a->space != TRACE_SHARED || a->length == 0)
        return false;
    const size_t i = rng_below(rng, a->length);
    const parts_t *p = &f->cells[f->first[array] + i];
    if (p->count == 0 || (p->count == 1 && p->index[0] == (int)i))
        return false;
    for (int k = 0; k < p->count; k++)
        snprintf(q->answer + strlen(q->answer), sizeof q->answer - strlen(q->answer), "%s%d",
                 k ? " " : "", p->index[k]);
    snprintf(q->text, sizeof q->text,
             "when the barrier opens for the %u%s time, %s holds %s of %s. Which? Type %s.",
             opening, ending(opening), trace_element(t, array, (long long)i, element),
             p->count == 1 ? "one element" : "the sum of some elements", t->arrays[p->array].name,
             p->count == 1 ? "its index" : "their indices");
    return true;
}

static bool ask_holds(const run_t *run, rng_t *rng, question_t *q)
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
    flow_free(&f);
    return asked;
}

/* ---- a change ---- */

/* The step of the first mistake, and what the emulator says of it. */
static void show_finding(const run_t *run, question_t *q)
{
    const trace_t *t = &run->trace;
    for (size_t i = t->step_count; i-- > 0;)
        if (t->steps[i].kind == TRACE_FINDING)
            q->step = (int)i;
    snprintf(q->why, sizeof q->why, "%.150s",
             t->finding_count > 0 ? t->findings[0].title : run->fault);
}

/* The two lines, the same for all races; else "yes". False: something else was found. */
static bool race_lines(const trace_t *t, char *answer)
{
    unsigned low = 0, high = 0;
    bool one = true;
    for (size_t i = 0; i < t->finding_count; i++) {
        const trace_access_t *a = t->findings[i].access;
        if (t->findings[i].access_count != 2 || strncmp(t->findings[i].title, "race", 4) != 0)
            return false;
        const unsigned l = a[0].line < a[1].line ? a[0].line : a[1].line;
        const unsigned h = a[0].line < a[1].line ? a[1].line : a[0].line;
        one = one && l > 0 && (i == 0 || (l == low && h == high));
        low = l;
        high = h;
    }
    if (t->finding_count == 0)
        snprintf(answer, MOST_ANSWER_TEXT, "no");
    else if (!one)
        snprintf(answer, MOST_ANSWER_TEXT, "yes");
    else if (low == high)
        snprintf(answer, MOST_ANSWER_TEXT, "%u", low);
    else
        snprintf(answer, MOST_ANSWER_TEXT, "%u %u", low, high);
    return true;
}

static bool ask_race(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    (void)rng;
    if (run->change != CHANGE_BARRIER || !race_lines(t, q->answer) ||
        (t->finding_count == 0 && *run->fault))
        return false;
    const bool some = strcmp(q->answer, "yes") == 0;
    snprintf(q->text, sizeof q->text, "is there a race in block 0? Type no%s.",
             some ? " or yes" : ", or the line or the two lines that race");
    q->line = run->line;
    show_finding(run, q);
    return true;
}

static bool ask_edge(const run_t *run, const run_t *base, question_t *q)
{
    const trace_t *t = &run->trace;
    const bool found = t->finding_count > 0 || *run->fault;
    if (run->change != CHANGE_EDGE || base->trace.finding_count > 0 || *base->fault ||
        (!found && (!*base->sum || !*run->sum)))
        return false;
    snprintf(q->answer, sizeof q->answer, "%s",
             found                              ? "c"
             : strcmp(base->sum, run->sum) == 0 ? "a"
                                                : "b");
    snprintf(q->text, sizeof q->text,
             "what happens?\n   a  the result stays the same\n   b  another result\n"
             "   c  the emulator reports a mistake: a race, a wrong address, no end, ...");
    q->line = run->line;
    show_finding(run, q);
    return true;
}

/* ---- all kinds ---- */

static const struct {
    const char *name;
    bool (*ask)(const run_t *run, rng_t *rng, question_t *q); /* NULL: about a place, or ask_edge */
    const place_t *place;
} kinds[] = {{"wavefronts", ask_wavefronts, NULL},
             {"bank", NULL, &bank},
             {"sectors", NULL, &sectors},
             {"lanes", NULL, &lanes},
             {"shuffle", NULL, &shuffled},
             {"writer", NULL, &writer},
             {"holds", ask_holds, NULL},
             {"times", ask_times, NULL},
             {"warps", ask_warps, NULL},
             {"barriers", ask_barriers, NULL},
             {"race", ask_race, NULL},
             {"edge", NULL, NULL}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool ask(const viva_t *v, size_t kind, const run_t *run, rng_t *rng, question_t *q)
{
    if (kinds[kind].place)
        return ask_place(run, rng, kinds[kind].place, q);
    return kinds[kind].ask ? kinds[kind].ask(run, rng, q) : ask_edge(run, &v->runs[0], q);
}

/* A copy that has a mistake has no counts that follow from the source, and without a padding only
 * the banks are others. */
static bool is_fair(const run_t *run, size_t kind)
{
    const bool sound = run->trace.finding_count == 0 && !*run->fault && !run->trace.full;
    const bool counts = kinds[kind].place || (kinds[kind].ask && kinds[kind].ask != ask_race);
    if (!counts || run->change == CHANGE_NONE)
        return true;
    if (run->change == CHANGE_PADDING)
        return sound && (kinds[kind].place == &bank || kinds[kind].ask == ask_wavefronts);
    return sound && run->change >= CHANGE_BLOCK;
}

static bool draw(const viva_t *v, size_t kind, rng_t *rng, question_t *q)
{
    const run_t *run = &v->runs[rng_below(rng, (size_t)v->count)];
    char text[MOST_TEXT - MOST_PLACE];
    *q = (question_t){.kind = kinds[kind].name, .run = run};
    if (v->runs[0].trace.full || !is_fair(run, kind) || !ask(v, kind, run, rng, q))
        return false;
    snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, q->text);
    snprintf(q->text, sizeof q->text, "%s%s", run->phrase, text);
    char *const first = q->text + (*run->phrase ? strlen(run->phrase) : 0);
    if (!*run->phrase || first[-2] == '.')
        *first = (char)(*first >= 'a' && *first <= 'z' ? *first - 'a' + 'A' : *first);
    return true;
}

static bool is_new(const question_t *questions, int count, const question_t *q)
{
    for (int i = 0; i < count; i++)
        if (strcmp(questions[i].text, q->text) == 0)
            return false;
    return true;
}

/* A kind comes a second time only if there are too few. */
int questions_draw(const viva_t *v, rng_t *rng, question_t *questions, int most)
{
    size_t order[KINDS];
    int count = 0;
    for (size_t i = 0; i < KINDS; i++) {
        const size_t k = rng_below(rng, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (int again = 0; again < most; again++)
        for (size_t i = 0; i < KINDS && count < most; i++)
            for (int tries = 0; tries < TRIES; tries++)
                if (draw(v, order[i], rng, &questions[count]) &&
                    is_new(questions, count, &questions[count])) {
                    count++;
                    break;
                }
    return count;
}
