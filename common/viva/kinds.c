/* SPDX-License-Identifier: MIT */
/*
 * kinds.c - the kinds of questions, and those about what a change does.
 */
#include "viva.h"

#include <string.h>

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

static bool ask_edge(const run_t *run, rng_t *rng, question_t *q)
{
    const run_t *base = run->base;
    (void)rng;
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
             "what happens with %s?\n   a  the result stays the same\n   b  another result\n"
             "   c  the emulator reports a mistake: a race, a wrong address, no end, ...",
             base->what);
    q->line = run->line;
    show_finding(run, q);
    return true;
}

/* All elements are negative, and the first, -1, is the largest. */
static bool ask_identity(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    float result = 1;
    (void)rng;
    for (size_t i = 0; i < t->step_count; i++)
        if (t->steps[i].kind == TRACE_STORE && t->steps[i].space == TRACE_GLOBAL) {
            memcpy(&result, t->steps[i].lanes[0].after, sizeof result);
            q->step = (int)i;
        }
    if (run->change != CHANGE_IDENTITY || t->finding_count > 0 || *run->fault ||
        run->launches != 1 || t->grid[0] != 1 || (result != -1 && result != 0))
        return false;
    snprintf(q->answer, sizeof q->answer, "%s", result == 0 ? "yes" : "no");
    snprintf(q->text, sizeof q->text,
             "for an input of %u negative numbers, does the result change? Type no or yes.",
             elements_of(run));
    q->line = run->line;
    return true;
}

/* ---- all kinds ---- */

/* What an answer follows from decides of which copies a kind asks: one that has a mistake has no
 * counts that follow from the source, and without a padding only the banks are others. */
typedef enum { OF_COUNTS, OF_BANKS, OF_CHANGES } basis_t;

static const struct {
    const char *name;
    ask_fn *ask;
    basis_t basis;
} kinds[] = {{"wavefronts", ask_wavefronts, OF_BANKS}, {"bank", ask_place, OF_BANKS},
             {"sectors", ask_place, OF_COUNTS},        {"lanes", ask_place, OF_COUNTS},
             {"shuffle", ask_place, OF_COUNTS},        {"writer", ask_place, OF_COUNTS},
             {"holds", ask_holds, OF_COUNTS},          {"times", ask_times, OF_COUNTS},
             {"warps", ask_warps, OF_COUNTS},          {"last", ask_last, OF_COUNTS},
             {"barriers", ask_barriers, OF_COUNTS},    {"race", ask_race, OF_CHANGES},
             {"edge", ask_edge, OF_CHANGES},           {"identity", ask_identity, OF_CHANGES}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_fair(const run_t *run, basis_t basis)
{
    const bool sound = run->trace.finding_count == 0 && !*run->fault && !run->trace.full;
    if (basis == OF_CHANGES || run->change == CHANGE_NONE)
        return true;
    if (run->change == CHANGE_PADDING)
        return sound && basis == OF_BANKS;
    return sound && run->change >= CHANGE_BLOCK;
}

static bool draw(const viva_t *v, size_t kind, rng_t *rng, question_t *q)
{
    const run_t *run = &v->runs[rng_below(rng, (size_t)v->count)];
    char text[MOST_TEXT - MOST_PLACE];
    *q = (question_t){.kind = kinds[kind].name, .run = run};
    if (v->runs[0].trace.full || !is_fair(run, kinds[kind].basis) || !kinds[kind].ask(run, rng, q))
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
