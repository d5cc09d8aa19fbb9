/* SPDX-License-Identifier: MIT */
/*
 * confined.c - runs the solve of a file that somebody else has written, once and in the grader's
 * sandbox, and leaves its trace: what once.c does for a file of one's own. `make viva` calls it.
 *
 *   confined ROOT BUILD TASK FILE TRACE [SIZES]      SIZES: 32x33, a number for each size
 *   confined ROOT BUILD sum|gelu FILE                a changed step of the course: prints counters,
 *                                                    `,,,,barriers,80`, as in SIMT_COUNTERS
 *
 * It also leaves TRACE.1 to TRACE.4, of other inputs: floats that rise, that fall, that are small
 * and large in turn and close in on the middle, and random ones when each array begins one element
 * later. So the last float is the largest one, the smallest one, or neither.
 * TRACE.what gets a line each: the sizes; how many launches; a number that is the same for the same
 * outputs; what the emulator has found, if anything. `make lab` calls the second one, and FILE has
 * the step with a solve that calls it: lab.sh.
 * Exit: 0 there is a trace, or a right result; 1 there is none; 2 usage.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grade/tasks/tasks.h"
#include "harness/fnv.h"
#include "simt/driver/inside.h"

enum { SECONDS = 10, WORK_BYTES = 8 << 20, STEP_SECONDS = 60, STEP_N = 1 << 20 };
enum { SET_USUAL, SET_RISING, SET_FALLING, SET_CLOSING, SET_MOVED, SETS };

/* ---- what steps of the course compute ---- */

static void check_gelu(const size_t *size, const void *const *in, const void *const *out,
                       struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    for (size_t i = 0; i < size[0]; i++)
        compare(c, "d_out", i, got[i], x[i] / 2 * (1 + erf(x[i] / sqrt(2))), 1e-5);
}

static const struct task steps[] = {
    {.name = "sum", SUM},
    {.name = "gelu", MAP, .make_inputs = integers, .check = check_gelu},
};

/* ---- a run ---- */

static int compare_floats(const void *a, const void *b)
{
    const float p = *(const float *)a, q = *(const float *)b;
    return (p > q) - (p < q);
}

/* Puts the floats in the order of the set. */
static void arrange(float *x, size_t count, int set)
{
    float *const sorted = memory((count + 1) * sizeof *sorted);
    memcpy(sorted, x, count * sizeof *x);
    qsort(sorted, count, sizeof *sorted, compare_floats);
    for (size_t i = 0; i < count; i++)
        x[i] = sorted[set == SET_RISING    ? i
                      : set == SET_FALLING ? count - 1 - i
                      : i % 2              ? count - 1 - i / 2
                                           : i / 2];
    free(sorted);
}

/* The usual inputs are those of once.c, so that `make show` has the same steps. */
static void make_call(struct call *c, const struct task *t, const size_t *size, int set)
{
    call_make(c, t, size, &(struct layout){.offset = set == SET_MOVED});
    c->job.most_work_bytes = WORK_BYTES;
    for (size_t k = 0; k < c->job.inputs; k++)
        c->job.in[k].element = elem_bytes(t->in[k].type);
    for (size_t k = 0; k < c->job.outputs; k++) {
        c->job.out[k].element = elem_bytes(t->out[k].type);
        c->job.out[k].poison = POISON;
    }
    call_inputs(c, t, set == SET_USUAL ? 1 : 2);
    for (size_t k = 0; k < c->job.inputs; k++)
        if (t->in[k].type == ELEM_F32 && set >= SET_RISING && set <= SET_CLOSING)
            arrange(c->in[k], c->job.in[k].bytes / sizeof(float), set);
}

/* A number that is the same for the same outputs. */
static unsigned long long sum_of(const struct call *c)
{
    uint64_t sum = fnv_start;
    for (size_t k = 0; k < c->job.outputs; k++)
        sum = fnv_add(sum, c->out[k], c->job.out[k].bytes);
    return sum;
}

static FILE *must_open(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "viva: cannot write '%s'\n", path);
        exit(1);
    }
    return file;
}

static void write_what(const char *path, const struct task *t, const struct call *c,
                       const struct run *run)
{
    const struct facts f = facts_of(t, c->job.size, &run->reply, false, 0, 0);
    FILE *file = must_open(text("%s.what", path));
    sizes_print(file, t, c->job.size);
    fprintf(file, "\n%.0f\n%llu\n%s\n", fact(&f, "launches"), sum_of(c), run->fault);
    fclose(file);
}

/* Why there is no trace; or NULL. */
static const char *trace(struct submission *s, const struct task *t, const size_t *size, int set,
                         const char *path)
{
    struct call call;
    struct run run;
    if (*s->refused)
        return s->refused;
    make_call(&call, t, size, set);
    if (!(s->trace = tmpfile()))
        return "no temporary file";
    submission_run(s, NULL, &call, &run);
    FILE *file = must_open(path);
    submission_trace(s, file);
    fclose(file);
    write_what(path, t, &call, &run);
    return run.timeout ? text("no answer in %d seconds", SECONDS) : NULL;
}

/* Prints the counters of a step. Why there are none; or NULL. */
static const char *count(const struct submission *s, const struct task *t)
{
    struct call call;
    struct run run;
    if (*s->refused)
        return s->refused;
    make_call(&call, t, (const size_t[TASK_SIZES]){STEP_N}, SET_USUAL);
    submission_run(s, NULL, &call, &run);
    if (*run.fault || run.timeout)
        return *run.fault ? run.fault : "it does not end";
    if (!run.replied || run.reply.state != REPLY_DONE)
        return run.replied && *run.reply.error ? text("%s", run.reply.error) : "it does not run";
    if (call_check(&call, t).wrong > 0)
        return "its result is wrong";
    for (int i = 0; i < JOB_NAMES; i++)
        printf(",,,,%s,%llu\n", job_counters[i], (unsigned long long)run.reply.count[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct course course;
    static struct submission s;
    size_t size[TASK_SIZES] = {0};
    const struct task *task = argc == 6 || argc == 7 ? task_find(argv[3]) : NULL;
    if (argc == 5)
        task = &steps[strcmp(argv[3], "gelu") == 0];
    if (!task || task->host) {
        fprintf(stderr,
                task ? "viva: exercise %s has host code only: there is no trace of it\n"
                     : "usage: confined ROOT BUILD TASK FILE TRACE [SIZES]\n",
                task ? task->name : "");
        return 2;
    }
    sizes_usual(task, size);
    if (argc == 7)
        sizes_read(task, argv[6], size);
    course_init(&course, argv[1], argv[2], argc == 5 ? STEP_SECONDS : SECONDS);
    submission_build(&s, &course, argv[4]);
    const char *why = argc == 5 ? count(&s, task) : trace(&s, task, size, SET_USUAL, argv[5]);
    for (int set = SET_USUAL + 1; !why && argc > 5 && set < SETS; set++)
        why = trace(&s, task, size, set, text("%s.%d", argv[5], set));
    if (why && argc == 5)
        fprintf(stderr, "%s\n", why);
    else if (why)
        fprintf(stderr, "viva: '%s': %s\n", argv[4], why);
    submission_remove(&s);
    return why != NULL;
}
