/* SPDX-License-Identifier: MIT */
/*
 * kinds.c - the kinds of questions, and those about what a change does.
 */
#include "viva.h"

#include <string.h>

#include "simt/driver/inside.h"

/* ---- a change ---- */

/* "at PATH/6.cu:31" of a copy becomes "in line 31", which is a line of the file too. Returns the
 * text. */
static char *name_lines(const run_t *run, char *said)
{
    static const char before[] = "at ", by[] = "in line ";
    const char *copy = text("%d.cu:", run->number);
    for (char *at = said, *name; (name = strstr(at, copy)) != NULL;) {
        char *const end = name + strlen(copy), *from = name;
        while (from > said && from[-1] != ' ')
            from--;
        at = end;
        from -= from - said < (long)strlen(before) ? 0 : strlen(before);
        if (name == said || (name[-1] != '/' && name[-1] != ' ') ||
            strncmp(from, before, strlen(before)) != 0)
            continue;
        at = from + strlen(by);
        memcpy(from, by, strlen(by));
        memmove(at, end, strlen(end) + 1);
    }
    return said;
}

/* The step of the first mistake, and what the emulator says of it, without its suggestion. In a
 * sandbox only the fault has lines. */
static void show_finding(const run_t *run, question_t *q)
{
    const trace_t *t = &run->trace;
    const char *said =
        *run->ran.fault || t->finding_count == 0 ? run->ran.fault : t->findings[0].text;
    for (size_t i = t->step_count; i-- > 0;)
        if (t->steps[i].kind == TRACE_FINDING)
            q->step = (int)i;
    snprintf(q->why, sizeof q->why, "%.*s", MOST_WHY - 1, name_lines(run, text("%s", said)));
    char *end = strstr(q->why, "no barrier between");
    while (end && end > q->why && strchr(" ,\n", end[-1]))
        *--end = '\0';
}

/* "no", or the two lines if all races have the same. False: they differ, or something else was
 * found. */
static bool race_lines(const trace_t *t, char *answer)
{
    char typed[MOST_ANSWER_TEXT], lines[MOST_ANSWER_TEXT];
    snprintf(answer, MOST_ANSWER_TEXT, "no");
    for (size_t i = 0; i < t->finding_count; i++) {
        const trace_finding_t *f = &t->findings[i];
        const trace_access_t *a = f->access;
        if (f->access_count != 2 || strncmp(f->title, "race", 4) != 0 || !a[0].line || !a[1].line)
            return false;
        snprintf(typed, sizeof typed, "%u %u", a[0].line, a[1].line);
        answer_read(typed, lines);
        if (i > 0 && strcmp(answer, lines) != 0)
            return false;
        snprintf(answer, MOST_ANSWER_TEXT, "%s", lines);
    }
    return true;
}

static bool ask_race(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    (void)rng;
    if (run->change != CHANGE_BARRIER || !race_lines(t, q->answer) ||
        (t->finding_count == 0 && *run->ran.fault))
        return false;
    snprintf(q->text, sizeof q->text,
             "is there a race in the block? Type no, or the line or the two lines that race.");
    q->line = run->line;
    show_finding(run, q);
    return true;
}

/* Does the whole grid do as much? */
static bool as_much(const trace_t *a, const trace_t *b)
{
    bool same = a->counter_count == b->counter_count;
    for (size_t i = 0; i < a->counter_count && same; i++)
        same = a->counters[i].value == b->counters[i].value;
    return same;
}

/* The result may be the same by chance: an element that is counted twice is 0. So "a" is an answer
 * only where the whole grid does the same work as before. */
static bool ask_edge(const run_t *run, rng_t *rng, question_t *q)
{
    const run_t *base = run->base;
    (void)rng;
    const bool found = run->trace.finding_count > 0 || *run->ran.fault;
    if (run->change != CHANGE_EDGE || !base || base->trace.finding_count > 0 || *base->ran.fault ||
        (!found && (!*base->ran.sum || !*run->ran.sum)))
        return false;
    const bool same = !found && strcmp(base->ran.sum, run->ran.sum) == 0;
    if (same && !as_much(&run->trace, &base->trace))
        return false;
    snprintf(q->answer, sizeof q->answer, "%s", found ? "c" : same ? "a" : "b");
    snprintf(
        q->text, sizeof q->text,
        "what happens?\n   a) the result stays the same, and no mistake is reported\n"
        "   b) another result, and no mistake is reported\n"
        "   c) the emulator reports a mistake (a race, a wrong address, no end, ...), whatever "
        "the result is");
    q->line = run->line;
    show_finding(run, q);
    return true;
}

/* All elements are positive. */
static bool ask_identity(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    float result = -1;
    (void)rng;
    for (size_t i = 0; i < t->step_count; i++)
        if (t->steps[i].kind == TRACE_STORE && t->steps[i].space == TRACE_GLOBAL) {
            memcpy(&result, t->steps[i].lanes[0].after, sizeof result);
            q->step = (int)i;
        }
    if (run->change != CHANGE_IDENTITY || t->finding_count > 0 || *run->ran.fault ||
        run->ran.launches != 1 || t->grid[0] != 1 || result < 0)
        return false;
    snprintf(q->answer, sizeof q->answer, "%.0f", result);
    snprintf(q->text, sizeof q->text, "which number comes out?");
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
             {"warps", ask_warps, OF_COUNTS},          {"race", ask_race, OF_CHANGES},
             {"edge", ask_edge, OF_CHANGES},           {"identity", ask_identity, OF_CHANGES}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_fair(const run_t *run, basis_t basis)
{
    const bool sound = run->trace.finding_count == 0 && !*run->ran.fault && !run->trace.full;
    if (basis == OF_CHANGES || run->change == CHANGE_NONE)
        return true;
    if (run->change == CHANGE_PADDING)
        return sound && basis == OF_BANKS;
    return sound && run->change >= CHANGE_BLOCK;
}

/* In block 0 most indices of a block are 0, so counts are of another block where one has run, but
 * for one of four. NULL: there is no run to ask about. */
static const run_t *draw_run(const viva_t *v, basis_t basis, rng_t *rng)
{
    const bool other = basis != OF_CHANGES && rng_below(rng, 4) > 0;
    const run_t *fair[MOST_RUNS];
    size_t count = 0, first = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < v->count; i++)
            if (is_fair(&v->runs[i], basis) && (block_of(&v->runs[i]) > 0) == (pass > 0)) {
                first = pass > 0 && first == 0 && other ? count : first;
                fair[count++] = &v->runs[i];
            }
    return count > 0 ? fair[first + rng_below(rng, count - first)] : NULL;
}

/* ", in the block with blockIdx.x = 5"; "" if there is one block, or all are meant. */
static const char *block_name(const run_t *run, basis_t basis)
{
    const trace_t *t = &run->trace;
    if (basis == OF_CHANGES && run->change == CHANGE_EDGE)
        return "";
    if (t->grid[1] * t->grid[2] > 1 && t->block_count > 0)
        return text(", in the block with blockIdx = (%u, %u, %u)", t->blocks[0].x, t->blocks[0].y,
                    t->blocks[0].z);
    return t->grid[0] > 1 ? text(", in the block with blockIdx.x = %u", block_of(run)) : "";
}

static bool draw(const viva_t *v, size_t kind, rng_t *rng, question_t *q)
{
    const run_t *run = draw_run(v, kinds[kind].basis, rng);
    *q = (question_t){.kind = kinds[kind].name, .run = run};
    if (!run || v->runs[0].trace.full || !kinds[kind].ask(run, rng, q))
        return false;
    const int sizes = (int)strlen(run->phrase) - (int)strlen(": ");
    char *asked = text("%s", q->text);
    snprintf(q->text, sizeof q->text, "%.*s%s: %s", sizes > 0 ? sizes : 0, run->phrase,
             block_name(run, kinds[kind].basis), asked);
    return true;
}

/* ---- which of them ---- */

typedef struct {
    question_t questions[TRIES];
    size_t count;
    int asked;
    enum { SPREAD, PLAIN, GUESSABLE } grade;
} pool_t;

/* How many questions have the answer of number k. */
static size_t alike(const pool_t *p, size_t k)
{
    size_t same = 0;
    for (size_t i = 0; i < p->count; i++)
        same += strcmp(p->questions[i].answer, p->questions[k].answer) == 0;
    return same;
}

/* Questions that a kind can ask. A kind is easy to guess if more than two thirds of them have the
 * same answer: it comes after three questions of each other kind. So does `race`, whose lines are
 * next to the barrier. A kind is spread if no answer has more than 20 %. */
static void fill(pool_t *p, const viva_t *v, size_t kind, rng_t *rng)
{
    size_t most = 0;
    *p = (pool_t){0};
    for (int i = 0; i < 2 * TRIES && p->count < TRIES; i++) {
        question_t *const q = &p->questions[p->count];
        bool is_new = draw(v, kind, rng, q);
        for (size_t k = 0; is_new && k < p->count; k++)
            is_new = strcmp(p->questions[k].text, q->text) != 0;
        p->count += is_new;
    }
    for (size_t k = 0; k < p->count; k++)
        most = alike(p, k) > most ? alike(p, k) : most;
    p->grade = kinds[kind].ask == ask_race || most * 3 > p->count * 2 ? GUESSABLE
               : most * 5 > p->count                                  ? PLAIN
                                                                      : SPREAD;
}

/* Each answer is as likely as another, however many questions have it. */
static bool take(pool_t *p, rng_t *rng, question_t *q)
{
    size_t k = 0;
    if (p->count == 0)
        return false;
    do
        k = rng_below(rng, p->count);
    while (rng_below(rng, alike(p, k)) > 0);
    *q = p->questions[k];
    p->questions[k] = p->questions[--p->count];
    p->asked++;
    return true;
}

/* What a lesson is about: the banks, else the sectors or the barrier. Not if one answer is all that
 * there is. */
static bool is_idea(const pool_t *p, size_t kind, bool banks)
{
    const bool other = kinds[kind].ask == ask_race || strcmp(kinds[kind].name, "sectors") == 0;
    return (banks ? kinds[kind].basis == OF_BANKS : other) && p->count > 0 &&
           alike(p, 0) < p->count;
}

/* First two questions of spread kinds and one of an idea, then of each kind as many as of the
 * others. */
int questions_draw(const viva_t *v, rng_t *rng, question_t *questions, int most)
{
    static pool_t pools[KINDS];
    size_t order[KINDS];
    int count = 0;
    bool has_idea = false;
    for (size_t i = 0; i < KINDS; i++) {
        const size_t k = rng_below(rng, i + 1);
        order[i] = order[k];
        order[k] = i;
        fill(&pools[i], v, i, rng);
    }
    for (int again = -4; again < most + 3; again++)
        for (size_t i = 0; i < KINDS && count < most; i++) {
            pool_t *const p = &pools[order[i]];
            const bool is_next = again == -2 || again == -1
                                     ? !has_idea && is_idea(p, order[i], again == -2)
                                 : again < 0 ? p->grade == SPREAD && count < 2
                                 : again < 3 ? p->grade != GUESSABLE && p->asked <= again
                                             : p->asked <= again - 3;
            if (!is_next || !take(p, rng, &questions[count]))
                continue;
            count++;
            has_idea = has_idea || again == -2 || again == -1;
        }
    return count;
}
