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

enum { POISON = 0xa5, SECONDS = 10, WORK_BYTES = 8 << 20, STEP_SECONDS = 60, STEP_N = 1 << 20 };
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

static void *memory_of(struct job_array *job, const struct array *a, const size_t *size, int set)
{
    *job = (struct job_array){.bytes = array_bytes(a, size),
                              .poison = POISON,
                              .element = elem_bytes(a->type),
                              .offset = set == SET_MOVED ? elem_bytes(a->type) : 0};
    void *memory = calloc(job->bytes + 1, 1);
    if (!memory) {
        fprintf(stderr, "viva: no memory for %s\n", a->name);
        exit(1);
    }
    return memory;
}

static int compare_floats(const void *a, const void *b)
{
    const float p = *(const float *)a, q = *(const float *)b;
    return (p > q) - (p < q);
}

/* Puts the floats in the order of the set. */
static void arrange(float *x, size_t count, int set)
{
    float *const sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted)
        exit(1);
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
static struct job make_job(const struct task *t, const size_t *size, int set, void **in, void **out)
{
    struct job job = {.sms = t->sms, .most_work_bytes = WORK_BYTES};
    rng_t rng = {set == SET_USUAL ? 1 : 2};
    char data[64];
    for (size_t k = 0; t->size_names[k]; k++)
        job.size[k] = size[k];
    for (; t->in[job.inputs].count; job.inputs++)
        in[job.inputs] = memory_of(&job.in[job.inputs], &t->in[job.inputs], size, set);
    for (; t->out[job.outputs].count; job.outputs++)
        out[job.outputs] = memory_of(&job.out[job.outputs], &t->out[job.outputs], size, set);
    snprintf(data, sizeof data, "%.*s", (int)strcspn(t->data_sets, " "), t->data_sets);
    t->make_inputs(&rng, data, size, in);
    for (size_t k = 0; k < job.inputs; k++)
        if (t->in[k].type == ELEM_F32 && set >= SET_RISING && set <= SET_CLOSING)
            arrange(in[k], job.in[k].bytes / sizeof(float), set);
    return job;
}

static unsigned long long sum_of(const struct job *job, void *const *out)
{
    uint64_t sum = fnv_start;
    for (size_t k = 0; k < job->outputs; k++)
        sum = fnv_add(sum, out[k], job->out[k].bytes);
    return sum;
}

static FILE *must_open(const char *path, const char *ending)
{
    char name[PATH_BYTES];
    snprintf(name, sizeof name, "%s%s", path, ending);
    FILE *file = fopen(name, "w");
    if (!file) {
        fprintf(stderr, "viva: cannot write '%s'\n", name);
        exit(1);
    }
    return file;
}

static void write_what(const char *path, const struct task *t, const struct job *job,
                       void *const *out, const struct run *run)
{
    const struct facts f = facts_of(t, (const size_t *)job->size, &run->reply, false, 0, 0);
    FILE *file = must_open(path, ".what");
    sizes_print(file, t, (const size_t *)job->size);
    fprintf(file, "\n%.0f\n%llu\n%s\n", fact(&f, "launches"), sum_of(job, out), run->fault);
    fclose(file);
}

/* Why there is no trace; or NULL. */
static const char *trace(struct submission *s, const struct task *t, const size_t *size, int set,
                         const char *path)
{
    static struct run run;
    static char why[64];
    void *in[TASK_ARRAYS] = {NULL}, *out[TASK_ARRAYS] = {NULL};
    if (s->refused[0])
        return s->refused;
    const struct job job = make_job(t, size, set, in, out);
    if (!(s->trace = tmpfile()))
        return "no temporary file";
    submission_run(s, &job, in, out, &run);
    FILE *file = must_open(path, "");
    submission_trace(s, file);
    fclose(file);
    write_what(path, t, &job, out, &run);
    snprintf(why, sizeof why, "no answer in %d seconds", SECONDS);
    return run.timeout ? why : NULL;
}

/* Prints the counters of a step. Why there are none; or NULL. */
static const char *count(const struct submission *s, const struct task *t)
{
    static struct run run;
    const size_t size[TASK_SIZES] = {STEP_N};
    struct comparison c = {0};
    void *in[TASK_ARRAYS] = {NULL}, *out[TASK_ARRAYS] = {NULL};
    if (s->refused[0])
        return s->refused;
    const struct job job = make_job(t, size, SET_USUAL, in, out);
    submission_run(s, &job, in, out, &run);
    if (run.fault[0] || run.timeout)
        return run.fault[0] ? run.fault : "it does not end";
    if (!run.replied || run.reply.state != REPLY_DONE)
        return run.replied && run.reply.error[0] ? run.reply.error : "it does not run";
    t->check(size, (const void *[]){in[0]}, (const void *[]){out[0]}, &c);
    if (c.wrong > 0)
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
    for (int set = SET_USUAL + 1; !why && argc > 5 && set < SETS; set++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s.%d", argv[5], set);
        why = trace(&s, task, size, set, path);
    }
    if (why && argc == 5)
        fprintf(stderr, "%s\n", why);
    else if (why)
        fprintf(stderr, "viva: '%s': %s\n", argv[4], why);
    submission_remove(&s);
    return why != NULL;
}
