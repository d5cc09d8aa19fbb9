/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "judge.h"

#include <stdio.h>
#include <time.h>

#include "trial.h"

enum { MOST_TIMEOUTS = 2 };

/* All shapes of a test must pass. Each has random numbers of its own. */
static void judge_test(const struct submission *s, struct mark *m, size_t i, int *timeouts)
{
    const struct test *test = &m->table.test[i];
    struct verdict *v = &m->verdict[i];
    v->result = RESULT_PASSED;
    for (size_t k = 0; k < test->shapes && v->result == RESULT_PASSED; k++) {
        rng_t rng = {m->seed + (i * MOST_SHAPES + k) * 0x9e3779b97f4a7c15u};
        rng.state = rng_bits(&rng);
        struct trial t;
        trial_make(&t, m->task, test, &test->shape[k], &rng);
        if (!trial_passes(s, &t, v))
            v->result = RESULT_FAILED;
        *timeouts += t.run.endless;
        m->protections |= t.run.protections;
        trial_free(&t);
    }
    v->points = v->result == RESULT_PASSED ? test->points : 0;
    m->points += v->points;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool judge(const struct course *course, const struct task *task, const char *file, uint64_t seed,
           struct mark *m)
{
    char path[PATH_BYTES + 64];
    const double start = now();
    int timeouts = 0;
    *m = (struct mark){.task = task, .seed = seed};
    snprintf(m->file, sizeof m->file, "%s", file);
    snprintf(path, sizeof path, "%s/%s/tests.txt", course->root, task->folder);
    if (!table_read(path, task, &m->table, m->refused, sizeof m->refused))
        return false;
    struct submission s;
    submission_build(&s, course, file);
    snprintf(m->refused, sizeof m->refused, "%s", s.refused);
    for (size_t i = 0; !m->refused[0] && i < m->table.tests; i++) {
        if (timeouts < MOST_TIMEOUTS)
            judge_test(&s, m, i, &timeouts);
        else
            verdict_fail(&m->verdict[i], "a result", "not run: two runs before took too long");
    }
    submission_remove(&s);
    m->seconds = now() - start;
    return true;
}
