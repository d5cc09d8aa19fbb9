/* SPDX-License-Identifier: MIT */
/*
 * kinds.c - the kinds of questions, those about what a change does, and which are asked.
 */
#include "viva.h"

#include <string.h>

/* ---- a change ---- */

static bool is_found(const run_t *run)
{
    return run->trace.finding_count > 0 || *run->ran.fault;
}

/* The step of the first mistake, and what the emulator says of it, without its suggestion. In a
 * sandbox only the fault has lines. " at PATH/6.cu:31" of a copy is in line 31 of the file, too. */
static void show_finding(question_t *q)
{
    const trace_t *t = &q->run->trace;
    const char *const fault = q->run->ran.fault, *part[PARTS];
    const char *said = *fault || t->finding_count == 0 ? fault : t->findings[0].text;
    for (size_t i = t->step_count; i-- > 0;)
        if (t->steps[i].kind == TRACE_FINDING)
            q->step = (int)i;
    for (const char *at; (at = match(" at ([^ ]*/)?[0-9]+\\.cu:", said, part)) != NULL;)
        said = text("%.*s in line %s", (int)(at - said), said, at + strlen(part[0]));
    const char *end = strstr(said, "no barrier between");
    size_t length = end ? (size_t)(end - said) : strlen(said);
    while (end && length > 0 && strchr(" ,\n", said[length - 1]))
        length--;
    q->why = text("%.*s", (int)length, said);
}

static bool ask_race(const run_t *run, rng_t *rng, question_t *q)
{
    (void)rng;
    q->answer = run->race;
    q->text =
        "is there a race in the block? Give no, or the numbers of the lines that race: one if "
        "a line races with itself, else two.";
    return run->race != NULL;
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
 * only where the whole grid does the same work as before. NULL: there is no answer. */
static const char *edge_answer(const run_t *run, const run_t *base)
{
    if (run->change != CHANGE_EDGE || !base || is_found(base))
        return NULL;
    if (is_found(run))
        return "c";
    if (!*base->ran.sum || !*run->ran.sum)
        return NULL;
    if (strcmp(base->ran.sum, run->ran.sum) != 0)
        return "b";
    return as_much(&run->trace, &base->trace) ? "a" : NULL;
}

static bool ask_edge(const run_t *run, rng_t *rng, question_t *q)
{
    (void)rng;
    q->answer = edge_answer(run, run->base);
    q->text = "what happens?\n   a) the result stays the same, and no mistake is reported\n"
              "   b) another result, and no mistake is reported\n"
              "   c) the emulator reports a mistake (a race, a wrong address, a read of shared "
              "memory that nobody wrote, no end), whatever the result is";
    return q->answer != NULL;
}

/* Does this lane do the same there? A line that nobody executes may have been dropped. */
static bool does_too(const trace_t *t, const trace_step_t *s, unsigned lane)
{
    bool any = false;
    for (const trace_step_t *o = t->steps; o < t->steps + t->step_count; o++) {
        any = any || is_like(o, s);
        if (is_like(o, s) && o->warp == s->warp && o->round == s->round && (o->act >> lane & 1))
            return true;
    }
    return !any;
}

/* The first access of the block that one of both does alone. */
static const char *explain_edge(const run_t *run)
{
    const trace_t *const both[] = {&run->base->trace, &run->trace};
    for (int k = 0; k < 2; k++)
        for (const trace_step_t *s = both[k]->steps; s < both[k]->steps + both[k]->step_count; s++)
            for (unsigned i = 0; s->kind <= TRACE_ATOMIC && s->line > 0 && i < s->lane_count; i++) {
                const trace_lane_t *const l = &s->lanes[i];
                if (!does_too(both[!k], s, l->lane))
                    return text("In line %u thread %u of block %u uses %s only %s the change.",
                                s->line, s->warp * TRACE_LANES + l->lane, block_of(run),
                                element_name(both[k], l->array, l->index), k ? "with" : "without");
            }
    return "";
}

/* ---- all kinds ---- */

static const kind_t kinds[] = {
    {"wavefronts", ask_place, OF_BANKS, 1, 1, "", SHARED | WORD, "how many wavefronts are needed?",
     wavefronts_of, false},
    {"bank", ask_place, OF_BANKS, 1, 16, "none", SHARED | WORD,
     "which lanes want another word of the bank that lane %u uses? Give their numbers, or none.",
     meets_of, true},
    {"shuffle", ask_place, OF_COUNTS, 2, 1, "", SHUFFLED,
     "from which lane does lane %u get a value? It may be its own.", source_of, true},
    {"race", ask_race, OF_CHANGES, 3, 2, "no", 0, NULL, NULL, false},
    {"sectors", ask_place, OF_COUNTS, 4, 1, "", GLOBAL,
     "how many sectors of 32 bytes are asked for? Here each array in global memory begins at a "
     "multiple of 128 bytes.",
     sectors_of, false},
    {"lanes", ask_place, OF_COUNTS, 0, 1, "", COUNTED, "how many lanes take part?", lanes_of,
     false},
    {"writer", ask_place, OF_COUNTS, 0, 1, "", SHARED | LOAD,
     "which thread wrote what lane %u reads? Give its threadIdx.x%s.", writer_of, true},
    {"holds", ask_holds, OF_COUNTS, 0, 16, "", 0, NULL, NULL, false},
    {"times", ask_times, OF_COUNTS, 0, 1, "", 0, NULL, NULL, false},
    {"warps", ask_warps, OF_COUNTS, 0, 1, "", 0, NULL, NULL, false},
    {"edge", ask_edge, OF_CHANGES, 0, 0, "a b c", 0, NULL, NULL, false}};
enum { KINDS = sizeof kinds / sizeof *kinds, IDEAS = 4, EXAM = 5 };

static bool is_fair(const run_t *run, basis_t basis)
{
    const bool sound = !is_found(run) && !run->trace.full;
    if (basis == OF_CHANGES || run->change == CHANGE_NONE)
        return true;
    if (run->change == CHANGE_PADDING)
        return sound && basis == OF_BANKS;
    return sound && run->change >= CHANGE_BLOCK;
}

/* In block 0 most indices of a block are 0, so counts are of another block where one has run, but
 * for one of eight. NULL: there is no run to ask about. */
static const run_t *draw_run(const viva_t *v, basis_t basis, rng_t *rng)
{
    const bool other = basis != OF_CHANGES && rng_below(rng, 8) > 0;
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

/* ", in block 5 (of 0 to 6)"; "" if there is one block, or all are meant. */
static const char *block_name(const run_t *run, basis_t basis)
{
    const trace_t *t = &run->trace;
    if (basis == OF_CHANGES && run->change == CHANGE_EDGE)
        return "";
    if (t->grid[1] * t->grid[2] > 1 && t->block_count > 0)
        return text(", in the block with blockIdx = (%u, %u, %u)", t->blocks[0].x, t->blocks[0].y,
                    t->blocks[0].z);
    return t->grid[0] > 1 ? text(", in block %u (of 0 to %u)", block_of(run), t->grid[0] - 1) : "";
}

/* Is it the answer for other inputs too? For a change they may also begin elsewhere. */
static bool is_of_source(const question_t *q, rng_t then)
{
    for (int k = 1; k < INPUTS - (q->kind->basis != OF_CHANGES); k++) {
        question_t other = {.kind = q->kind, .run = q->run->inputs[k]};
        rng_t rng = then;
        if (!other.run || !q->kind->ask(other.run, &rng, &other) ||
            strcmp(other.text, q->text) != 0 || strcmp(other.answer, q->answer) != 0)
            return false;
    }
    return true;
}

static bool draw(const viva_t *v, const kind_t *kind, rng_t *rng, question_t *q)
{
    const run_t *run = draw_run(v, kind->basis, rng);
    *q = (question_t){.kind = kind, .run = run, .why = ""};
    const rng_t then = *rng;
    if (!run || v->runs[0].trace.full || !kind->ask(run, rng, q) || !is_of_source(q, then))
        return false;
    if (kind->basis == OF_CHANGES) {
        q->line = run->line;
        show_finding(q);
    }
    const int sizes = (int)strlen(run->phrase) - (int)strlen(": ");
    q->text = text("%.*s%s: %s", sizes > 0 ? sizes : 0, run->phrase, block_name(run, kind->basis),
                   q->text);
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
 * same answer: it comes after two questions of each other kind. So does `race`, whose lines are
 * next to the barrier. A kind is spread if no answer has more than 20 %. */
static void fill(pool_t *p, const viva_t *v, size_t kind, rng_t *rng)
{
    size_t most = 0;
    *p = (pool_t){0};
    for (int i = 0; i < 2 * TRIES && p->count < TRIES; i++) {
        question_t *const q = &p->questions[p->count];
        bool is_new = draw(v, &kinds[kind], rng, q);
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

/* Each answer is as likely as another, however many questions have it. No answer of a kind is asked
 * for twice in an exam, nor of a kind and line after that. */
static bool take(pool_t *p, rng_t *rng, question_t *questions, int count)
{
    while (p->count > 0) {
        size_t k;
        do
            k = rng_below(rng, p->count);
        while (rng_below(rng, alike(p, k)) > 0);
        questions[count] = p->questions[k];
        p->questions[k] = p->questions[--p->count];
        bool is_new = true;
        for (int i = 0; i < count; i++)
            is_new = is_new && (questions[i].kind != questions[count].kind ||
                                (count >= EXAM && questions[i].line != questions[count].line) ||
                                strcmp(questions[i].answer, questions[count].answer) != 0);
        p->asked += is_new;
        if (is_new)
            return true;
    }
    return false;
}

/* First two questions of spread kinds and one of an idea, if it has not one answer alone; then of
 * each kind as many as of the others. */
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
    for (size_t i = 0; i < KINDS && count < 2 && count < most; i++)
        if (pools[order[i]].grade == SPREAD)
            count += take(&pools[order[i]], rng, questions, count);
    for (size_t i = 0; i < IDEAS * KINDS && !has_idea && count < most; i++) {
        const size_t kind = order[i % KINDS];
        pool_t *const p = &pools[kind];
        has_idea = kinds[kind].idea == 1 + (int)(i / KINDS) &&
                   (p->asked > 0 || p->count > (kinds[kind].ask == ask_race ? 0 : alike(p, 0)));
        if (has_idea && p->asked == 0)
            count += take(p, rng, questions, count);
    }
    /* Those that are easy to guess are two turns behind. */
    for (int turn = 1; turn <= most + 2; turn++)
        for (size_t i = 0; i < KINDS && count < most; i++) {
            pool_t *const p = &pools[order[i]];
            if (p->asked < (p->grade == GUESSABLE ? turn - 2 : turn))
                count += take(p, rng, questions, count);
        }
    for (int i = 0; i < count; i++)
        if (!*questions[i].why && questions[i].run->change == CHANGE_EDGE)
            questions[i].why = explain_edge(questions[i].run);
    return count;
}
