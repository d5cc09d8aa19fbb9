/* SPDX-License-Identifier: MIT */
/*
 * confined.c - runs the solve of a file that somebody else has written, once and in the grader's
 * sandbox, and leaves its trace: what once.c does for a file of one's own. `make viva` calls it.
 *
 *   confined ROOT BUILD TASK FILE TRACE [SIZES]      SIZES: 32x33, a number for each size
 *
 * With SIZES it also leaves TRACE.moved, of other inputs; and each array begins one element later.
 * TRACE.what gets a line each: the sizes; how many launches; a number that is the same for the same
 * outputs; what the emulator has found, if anything.
 * Exit: 0 there is a trace, 1 there is none, 2 usage.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/fnv.h"
#include "sizes.h"

enum { POISON = 0xa5, SECONDS = 10, WORK_BYTES = 1 << 20 };

static void *memory_of(struct job_array *job, const struct array *a, const size_t *size, bool moved)
{
    *job = (struct job_array){.bytes = array_bytes(a, size),
                              .poison = POISON,
                              .element = elem_bytes(a->type),
                              .offset = moved ? elem_bytes(a->type) : 0};
    void *memory = calloc(job->bytes + 1, 1);
    if (!memory) {
        fprintf(stderr, "viva: no memory for %s\n", a->name);
        exit(1);
    }
    return memory;
}

/* The inputs are those of once.c, so that `make show` has the same steps. */
static struct job make_job(const struct task *t, const size_t *size, bool moved, void **in,
                           void **out)
{
    struct job job = {.sms = t->sms, .most_work_bytes = WORK_BYTES};
    rng_t rng = {moved ? 2 : 1};
    char data[64];
    for (size_t k = 0; t->size_names[k]; k++)
        job.size[k] = size[k];
    for (; t->in[job.inputs].count; job.inputs++)
        in[job.inputs] = memory_of(&job.in[job.inputs], &t->in[job.inputs], size, moved);
    for (; t->out[job.outputs].count; job.outputs++)
        out[job.outputs] = memory_of(&job.out[job.outputs], &t->out[job.outputs], size, moved);
    snprintf(data, sizeof data, "%.*s", (int)strcspn(t->data_sets, " "), t->data_sets);
    t->make_inputs(&rng, data, size, in);
    return job;
}

static unsigned long long sum_of(const struct job *job, void *const *out)
{
    uint64_t sum = fnv_start;
    for (size_t k = 0; k < job->outputs; k++)
        sum = fnv_add(sum, out[k], job->out[k].bytes);
    return sum;
}

static unsigned long long launches_of(const struct reply *reply)
{
    size_t i = 0;
    while (strcmp(job_counters[i], "launches") != 0)
        i++;
    return reply->count[i];
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
    FILE *file = must_open(path, ".what");
    sizes_print(file, t, (const size_t *)job->size);
    fprintf(file, "\n%llu\n%llu\n%s\n", launches_of(&run->reply), sum_of(job, out), run->fault);
    fclose(file);
}

/* Why there is no trace; or NULL. */
static const char *trace(struct submission *s, const struct task *t, const size_t *size, bool moved,
                         const char *path)
{
    static struct run run;
    static char why[64];
    void *in[TASK_ARRAYS] = {NULL}, *out[TASK_ARRAYS] = {NULL};
    if (s->refused[0])
        return s->refused;
    const struct job job = make_job(t, size, moved, in, out);
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

int main(int argc, char **argv)
{
    static struct course course;
    static struct submission s;
    size_t size[TASK_SIZES] = {0};
    const struct task *task = argc == 6 || argc == 7 ? task_find(argv[3]) : NULL;
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
    course_init(&course, argv[1], argv[2], SECONDS);
    submission_build(&s, &course, argv[4]);
    const char *why = trace(&s, task, size, false, argv[5]);
    if (!why && argc == 7) {
        char moved[PATH_BYTES];
        snprintf(moved, sizeof moved, "%s.moved", argv[5]);
        trace(&s, task, size, true, moved);
    }
    if (why)
        fprintf(stderr, "viva: '%s': %s\n", argv[4], why);
    submission_remove(&s);
    return why != NULL;
}
