/* SPDX-License-Identifier: MIT */
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct tests *tests_of(const struct task *task)
{
    size_t i = 0;
    while (tasks[i] != task)
        i++;
    return &tests[i];
}

size_t range_draw(const struct range *r, rng_t *rng)
{
    return r->low + rng_below(rng, r->high - r->low + 1);
}

/* ---- conditions ---- */

static void add_fact(struct facts *f, const char *name, double value)
{
    f->name[f->count] = name;
    f->value[f->count++] = value;
}

struct facts facts_of(const struct task *task, const size_t *size, const struct reply *reply,
                      bool faults, size_t changed, double points)
{
    struct facts f = {.count = 0};
    for (int i = 0; i < JOB_NAMES; i++)
        add_fact(&f, job_counters[i], (double)reply->count[i]);
    for (size_t k = 0; task->size_names[k]; k++)
        add_fact(&f, task->size_names[k], (double)size[k]);
    add_fact(&f, "in_bytes", (double)arrays_bytes(task->in, size));
    add_fact(&f, "out_bytes", (double)arrays_bytes(task->out, size));
    add_fact(&f, "work_bytes", (double)reply->work_bytes);
    add_fact(&f, "faults", faults);
    add_fact(&f, "points", points);
    if (task->file) {
        add_fact(&f, "changed_lines", (double)changed);
        add_fact(&f, "repair", (double)task->repair);
    }
    return f;
}

double fact(const struct facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(name, facts->name[i]) == 0)
            return facts->value[i];
    fprintf(stderr, "grade: tests.txt requires '%s'; accepted are", name);
    for (size_t i = 0; i < facts->count; i++)
        fprintf(stderr, " %s", facts->name[i]);
    fprintf(stderr, "\n");
    exit(2);
}

/* ---- hints ---- */

/* The test's own hint for `when`, or the one without a WHEN if `when` is empty. */
static const struct hint *own(const struct test *test, const char *when)
{
    for (const struct hint *h = test->hint; h < test->hint + test->hints; h++)
        if (!h->when[0] == !when[0] && strncmp(when, h->when, strlen(h->when)) == 0)
            return h;
    return NULL;
}

const char *hint_choose(const struct test *test, enum cause cause, const char *fault,
                        const char *condition)
{
    static const char *const names[] = {
        [CAUSE_FINDING] = "finding",   [CAUSE_ENDLESS] = "timeout",     [CAUSE_ERROR] = "error",
        [CAUSE_SCRATCH] = "scratch",   [CAUSE_UNTOUCHED] = "untouched", [CAUSE_RESULT] = "result",
        [CAUSE_NOT_DONE] = "not_done", [CAUSE_CONDITION] = "condition"};
    const bool finding = cause == CAUSE_FINDING;
    const struct hint *kind = hint_kinds, *const last = kind + hint_kind_count - 1;
    while (kind < last &&
           (finding ? !strstr(fault, kind->part) : strcmp(kind->when, names[cause]) != 0))
        kind++;
    const struct hint *hint = own(test, cause == CAUSE_CONDITION ? condition : kind->when);
    if (!hint && (cause == CAUSE_CONDITION || (cause == CAUSE_RESULT && test->conditions == 0)))
        hint = own(test, "");
    return (hint ? hint : kind)->text;
}
