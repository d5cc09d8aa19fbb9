/* SPDX-License-Identifier: MIT */
/*
 * trial.h - one run of a test: makes its inputs, and says whether what came back passes.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "judge.h"

/* One run of a test: what solve gets, and what it gives. */
struct trial {
    const struct task *task;
    const struct test *test;
    size_t size[TASK_SIZES], offset;
    struct job job;
    void *in[TASK_ARRAYS], *out[TASK_ARRAYS];
    struct run run;
};

/* Draws the sizes and fills the inputs. trial_free() gives the memory back. */
void trial_make(struct trial *t, const struct task *task, const struct test *test,
                const struct shape *shape, rng_t *rng);
void trial_free(struct trial *t);

/* Runs the submission. Where it does not pass, the verdict gets the texts. */
bool trial_passes(const struct submission *s, struct trial *t, struct verdict *v);

/* Fills the texts of a verdict. */
void verdict_fail(struct verdict *v, const char *expected, const char *seen);

#endif
