/* SPDX-License-Identifier: MIT */
/*
 * counts.c - kinds of questions about steps and what they cost. A kind draws a place of the trace,
 * and asks about it only if all that the words fit has the same answer: if all the loads of line 41
 * by warp 0 in its second round, for instance, take as many sectors.
 */
#include "viva.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "simt/driver/inside.h"

enum { MOST_LANES_TYPED = 8, BANKS = 32 };

/* ---- steps ---- */

/* What a step must be: one of the first four, and all of the others. */
enum { SHARED = 1 << TRACE_SHARED, GLOBAL = 1 << TRACE_GLOBAL, SHUFFLED = 8, COUNTED = 11 };
enum { LOAD = 16, WORD = 32 };

static bool fits(const trace_step_t *s, unsigned wanted)
{
    const bool memory = s->kind <= TRACE_ATOMIC && s->requests == 1;
    const unsigned is = s->kind == TRACE_SHUFFLE ? SHUFFLED : memory ? 1u << s->space : 0;
    return s->line > 0 && (is & wanted) && (!(wanted & LOAD) || s->kind == TRACE_LOAD) &&
           (!(wanted & WORD) || s->bytes == 4);
}

static const trace_step_t *pick(const run_t *run, rng_t *rng, unsigned wanted)
{
    const trace_t *t = &run->trace;
    size_t count = 0;
    for (size_t i = 0; i < t->step_count; i++)
        count += fits(&t->steps[i], wanted);
    size_t left = count > 0 ? rng_below(rng, count) + 1 : 0;
    for (const trace_step_t *s = t->steps; left > 0; s++)
        if (fits(s, wanted) && --left == 0)
            return s;
    return NULL;
}

bool is_like(const trace_step_t *a, const trace_step_t *b)
{
    return a->line == b->line && a->kind == b->kind &&
           (a->kind == TRACE_SHUFFLE || a->space == b->space);
}

static bool is_same(const trace_step_t *a, const trace_step_t *b)
{
    return is_like(a, b) && a->warp == b->warp && a->round == b->round;
}

/* "load from shared memory"; "loads" if the line has several of them. */
static const char *name_of(const trace_step_t *s, bool several)
{
    static const char *const words[][2] = {{"load", "from"}, {"store", "to"}, {"atomic", "on"}};
    const char *const plural = several ? "s" : "";
    if (s->kind == TRACE_SHUFFLE)
        return text("shuffle%s", plural);
    return text("%s%s %s %s memory", words[s->kind][0], plural, words[s->kind][1],
                s->space == TRACE_GLOBAL ? "global" : "shared");
}

const char *ending(unsigned n)
{
    const bool teen = n / 10 % 10 == 1;
    return !teen && n % 10 == 1   ? "st"
           : !teen && n % 10 == 2 ? "nd"
           : !teen && n % 10 == 3 ? "rd"
                                  : "th";
}

/* As in the source: all files of the course call the input d_in. */
const char *element_name(const trace_t *t, int array, long long index)
{
    static const char input[] = "the input";
    char name[TRACE_TEXT];
    trace_element(t, array, index, name);
    const bool is_input = strncmp(name, input, strlen(input)) == 0;
    return text("%s%s", is_input ? "d_in" : "", name + (is_input ? strlen(input) : 0));
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

/* The question says where an array begins. */
static bool sectors_of(const run_t *run, const trace_step_t *s, unsigned lane, char *answer)
{
    (void)lane;
    for (unsigned k = 0; k < s->lane_count; k++) {
        const int array = s->lanes[k].array;
        if (array == TRACE_NONE || run->trace.arrays[array].phase != 0)
            return false;
    }
    snprintf(answer, MOST_ANSWER_TEXT, "%u", s->sectors);
    return s->requests == 1;
}

static bool wavefronts_of(const run_t *run, const trace_step_t *s, unsigned lane, char *answer)
{
    (void)run, (void)lane;
    snprintf(answer, MOST_ANSWER_TEXT, "%u", s->wavefronts);
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
    if (!own || own->array == TRACE_NONE || run->trace.finding_count > 0)
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

/* In s[i] + s[j] a line has two loads: what fits both is asked about each of them. */
static bool has_twin(const run_t *run, const trace_step_t *s)
{
    for (size_t i = 0; i < run->trace.step_count; i++)
        if (is_same(&run->trace.steps[i], s) && run->trace.steps[i].instruction != s->instruction)
            return true;
    return false;
}

/* "d_in[873]", "lane 19's value" */
static const char *used(const run_t *run, const trace_lane_t *l)
{
    return l->array == TRACE_NONE ? text("lane %d's value", l->source)
                                  : element_name(&run->trace, l->array, l->index);
}

/* " Sectors of the array: 657 to 661." */
static const char *sectors_named(const trace_step_t *s)
{
    long long first = s->lanes[0].offset / 32, end = first;
    for (unsigned k = 0; k < s->lane_count; k++) {
        const long long from = s->lanes[k].offset / 32;
        first = from < first ? from : first;
        if ((s->lanes[k].offset + s->bytes - 1) / 32 >= end)
            end = (s->lanes[k].offset + s->bytes - 1) / 32 + 1;
    }
    return text(" Sectors of the array: %s%lld to %lld.",
                end - first > s->sectors ? "some of " : "", first, end - 1);
}

static void explain(const run_t *run, const trace_step_t *s, const trace_lane_t *l, char *why)
{
    const trace_lane_t *const last = &s->lanes[s->lane_count - 1];
    snprintf(why, MOST_WHY,
             l == last ? "Lane %u uses %s." : "Lane %u uses %s; the last one, lane %u, uses %s.",
             l->lane, used(run, l), last->lane, used(run, last));
}

/* Kinds that ask about a step, and perhaps one of its lanes. The text gets the lane and the rest of
 * a thread's number. */
static const struct {
    const char *kind;
    unsigned wanted;
    bool asks_lane;
    answer_fn *of;
    const char *text;
} places[] = {
    {"sectors", GLOBAL, false, sectors_of,
     "how many sectors of 32 bytes are asked for? Here each array in global memory begins at a "
     "multiple of 128 bytes."},
    {"wavefronts", SHARED | WORD, false, wavefronts_of, "how many wavefronts are needed?"},
    {"lanes", COUNTED, false, lanes_of, "how many lanes take part?"},
    {"bank", SHARED | WORD, true, meets_of,
     "which lanes want another word of the bank that lane %u uses? Give their numbers, or none."},
    {"shuffle", SHUFFLED, true, source_of,
     "from which lane does lane %u get a value? It may be its own."},
    {"writer", SHARED | LOAD, true, writer_of,
     "which thread wrote what lane %u reads? Give its threadIdx.x%s."}};

/* "warp 3 (threadIdx.y = 3)" */
static const char *warp_name(const trace_t *t, unsigned warp)
{
    const bool is_row = t->block_dim[0] == TRACE_LANES && t->block_dim[1] > 1;
    return is_row && t->block_dim[2] == 1 ? text("warp %u (threadIdx.y = %u)", warp, warp)
                                          : text("warp %u", warp);
}

/* In the first round the writer often has the number of the lane and of the warp swapped. */
static const trace_step_t *pick_place(const run_t *run, rng_t *rng, unsigned wanted, bool writer,
                                      unsigned *lane)
{
    const trace_step_t *s = NULL;
    for (int i = 0; i < TRIES; i++) {
        s = pick(run, rng, wanted);
        *lane = s ? s->lanes[rng_below(rng, s->lane_count)].lane : 0;
        if (!writer || !s || (*lane >= 8 && s->round > 1))
            break;
    }
    return s;
}

/* ", after it has loaded d_in[873]": since its last store, if that was not much. */
static const char *source_of_value(const trace_t *t, const trace_step_t *s, const trace_lane_t *own)
{
    char *list = "";
    unsigned count = 0;
    for (const trace_step_t *w = s; w-- > t->steps;) {
        const trace_lane_t *l = w->warp == s->warp ? lane_of(w, own->lane) : NULL;
        if (l && (w->kind == TRACE_STORE || w->kind == TRACE_ATOMIC))
            break;
        if (l && w->kind == TRACE_LOAD && ++count <= 2)
            list = text("%s%s%s", element_name(t, l->array, l->index), *list ? " and " : "", list);
    }
    return count == 0 || count > 2 ? "" : text(", after it has loaded %s", list);
}

void explain_store(const trace_t *t, int array, long long index, question_t *q)
{
    for (int i = q->step; i-- > 0;)
        for (unsigned k = 0; t->steps[i].kind == TRACE_STORE && k < t->steps[i].lane_count; k++) {
            const trace_step_t *s = &t->steps[i];
            const trace_lane_t *l = &s->lanes[k];
            if (l->array != array || l->index != index)
                continue;
            q->step = i;
            snprintf(q->why, sizeof q->why, "Thread %u writes %s%s%s.",
                     s->warp * TRACE_LANES + l->lane, element_name(t, array, index),
                     s->line > 0 ? text(" in line %u", s->line) : "", source_of_value(t, s, l));
            return;
        }
}

bool ask_place(const run_t *run, rng_t *rng, question_t *q)
{
    const char *rows = "";
    unsigned lane = 0;
    size_t k = 0;
    while (strcmp(places[k].kind, q->kind) != 0)
        k++;
    const bool writer = places[k].of == writer_of;
    const trace_step_t *s = pick_place(run, rng, places[k].wanted, writer, &lane);
    if (!s || !agreed(run, s, lane, places[k].of, q) || (writer && run->trace.block_dim[2] > 1))
        return false;
    if (run->trace.block_dim[1] > 1)
        rows = text(" + %u * threadIdx.y", run->trace.block_dim[0]);
    const bool several = has_twin(run, s);
    char *asked = text(places[k].text, lane, rows);
    if (!several)
        *asked = (char)toupper((unsigned char)*asked);
    snprintf(q->text, sizeof q->text,
             "%s executes the %s in line %u for the %u%s time (passes in which no lane takes part "
             "don't count). %s%s",
             warp_name(&run->trace, s->warp), name_of(s, several), s->line, s->round,
             ending(s->round),
             !several ? ""
             : writer ? "One of them reads what another thread has written: "
                      : "For each of them: ",
             asked);
    s = &run->trace.steps[q->step];
    const trace_lane_t *const own = places[k].asks_lane ? lane_of(s, lane) : s->lanes;
    if (writer)
        explain_store(&run->trace, own->array, own->index, q);
    else
        explain(run, s, own, q->why);
    if (places[k].of == sectors_of)
        strncat(q->why, sectors_named(s), sizeof q->why - strlen(q->why) - 1);
    return true;
}

/* ---- counts ---- */

/* What the first lane accesses each time. */
static void explain_times(const run_t *run, const trace_step_t *wanted, unsigned times, char *why)
{
    const trace_t *t = &run->trace;
    char *list = "";
    unsigned round = 0;
    for (size_t i = 0; i < t->step_count && times <= MOST_LANES_TYPED; i++) {
        const trace_step_t *s = &t->steps[i];
        if (!is_like(s, wanted) || s->warp != wanted->warp || s->round == round)
            continue;
        round = s->round;
        list = text("%s%s%s", list, *list ? ", " : "", used(run, &s->lanes[0]));
    }
    if (*list)
        snprintf(why, MOST_WHY, "The first lane that takes part uses %s.", list);
}

bool ask_times(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const trace_step_t *s = pick(run, rng, COUNTED);
    unsigned times = 0;
    for (size_t i = 0; s && i < t->step_count; i++)
        if (is_like(&t->steps[i], s) && t->steps[i].warp == s->warp) {
            times = t->steps[i].round;
            q->step = (int)i;
        }
    if (!s)
        return false;
    snprintf(q->answer, sizeof q->answer, "%u", times);
    snprintf(
        q->text, sizeof q->text,
        "how often does %s execute the %s in line %u (passes in which no lane takes part don't "
        "count)?",
        warp_name(t, s->warp), name_of(s, has_twin(run, s)), s->line);
    explain_times(run, s, times, q->why);
    q->line = s->line;
    return true;
}

unsigned openings(const trace_t *t)
{
    unsigned count = 0;
    for (size_t i = 0; i < t->step_count; i++)
        count += t->steps[i].kind == TRACE_LEAVE && t->steps[i].warp == 0;
    return count;
}

/* In a loop each turn is one. */
const char *name_opening(const trace_t *t, unsigned opening)
{
    unsigned first = 0;
    for (size_t i = t->step_count; i-- > 0;)
        if (t->steps[i].kind == TRACE_LEAVE && t->steps[i].epoch == 0)
            first = t->steps[i].line;
    if (first == 0)
        return NULL;
    return text("%u%s __syncthreads() (%s line %u)", opening, ending(opening),
                opening == 1 ? "in" : "the 1st is in", first);
}

bool ask_warps(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const trace_step_t *s = pick(run, rng, COUNTED);
    bool has[TRACE_LANES * TRACE_LANES] = {false};
    const char *passed = s && s->epoch > 0 ? name_opening(t, s->epoch) : NULL;
    unsigned warps = 0;
    if (!s || t->warps < 2 || !passed)
        return false;
    for (size_t i = 0; i < t->step_count; i++)
        if (is_like(&t->steps[i], s) && t->steps[i].epoch == s->epoch) {
            warps += !has[t->steps[i].warp];
            has[t->steps[i].warp] = true;
        }
    snprintf(q->answer, sizeof q->answer, "%u", warps);
    snprintf(q->text, sizeof q->text,
             "between the block's %s and %s, how many warps execute the %s in line %u?", passed,
             s->epoch < openings(t) ? "the next one" : "the end of the kernel",
             name_of(s, has_twin(run, s)), s->line);
    char *list = "";
    for (unsigned warp = 0; warp < t->warps; warp++)
        list = has[warp] ? text("%s %u", list, warp) : list;
    snprintf(q->why, sizeof q->why, "The warps:%s.", list);
    q->line = s->line;
    q->step = (int)(s - t->steps);
    return true;
}
