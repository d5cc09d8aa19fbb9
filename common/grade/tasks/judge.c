/* SPDX-License-Identifier: MIT */
/*
 * judge.c - runs the tests of an exercise on a submission: makes inputs, looks at what comes back,
 * and gives points.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "require.h"
#include "tasks.h"

enum { MOST_TIMEOUTS = 2, SECTOR_BYTES = 32, WARP_SIZE = 32, POISON = 0xa5, UNWRITTEN = 256 };
enum { MOST_SHOWN_BYTES = 1 << 16 }; /* of input: a page of make show holds 1 MB */

/* One run of a test: what solve gets, and what it gives. */
struct trial {
    const struct task *task;
    const struct test *test;
    size_t size[TASK_SIZES], offset;
    struct job job;
    void *in[TASK_ARRAYS], *out[TASK_ARRAYS];
    struct run run;
};

/* ---- inputs and outputs ---- */

static void *allocate(size_t bytes)
{
    void *p = calloc(bytes + 1, 1);
    if (!p) {
        fprintf(stderr, "grade: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    return p;
}

static void add_array(struct job_array *job, void **memory, const struct array *a,
                      const struct trial *t, uint64_t poison)
{
    job->bytes = array_bytes(a, t->size);
    job->offset = t->offset * elem_bytes(a->type);
    job->poison = poison;
    *memory = allocate(job->bytes);
}

/* A float that nobody wrote is NaN already. Of integers no value is wrong by itself. */
static uint64_t poison_of(elem_t type)
{
    return type == ELEM_F32 || type == ELEM_F16 ? UNWRITTEN : POISON;
}

/* Draws the sizes and fills the inputs. trial_free() gives the memory back. */
static void trial_make(struct trial *t, const struct task *task, const struct test *test,
                       const struct shape *shape, rng_t *rng)
{
    *t = (struct trial){.task = task, .test = test};
    for (size_t k = 0; task->size_names[k]; k++)
        t->job.size[k] = t->size[k] = range_draw(&shape->size[k], rng);
    t->offset = range_draw(&shape->offset, rng);
    for (const struct array *a = task->in; a->count; a++, t->job.inputs++)
        add_array(&t->job.in[t->job.inputs], &t->in[t->job.inputs], a, t, UNWRITTEN);
    for (const struct array *a = task->out; a->count; a++, t->job.outputs++)
        add_array(&t->job.out[t->job.outputs], &t->out[t->job.outputs], a, t, poison_of(a->type));
    t->job.most_work_bytes = 4 * arrays_bytes(task->in, t->size) + (1 << 20);
    task->make_inputs(rng, test->data, t->size, t->in);
}

static void trial_free(struct trial *t)
{
    for (size_t k = 0; k < TASK_ARRAYS; k++) {
        free(t->in[k]);
        free(t->out[k]);
    }
}

/* ---- what a run must be: each of these returns false and fills the verdict ---- */

static void verdict_fail(struct verdict *v, enum cause cause, const char *expected,
                         const char *seen)
{
    v->cause = cause;
    snprintf(v->expected, sizeof v->expected, "%s", expected);
    snprintf(v->seen, sizeof v->seen, "%s", seen);
}

/* The first `file.cu:12` in the emulator's message. */
static void place_of_fault(const struct run *run, const char *name, struct verdict *v)
{
    const char *at = strstr(run->fault, name);
    const size_t n = strlen(name);
    if (at && at[n] == ':')
        snprintf(v->place, sizeof v->place, "%.*s", (int)(n + 1 + strspn(at + n + 1, "0123456789")),
                 at);
}

/* The lines of code that a text names: at most two, each once. */
static void code_of(const struct submission *s, const char *text, struct verdict *v)
{
    unsigned long before = 0;
    const size_t n = strlen(s->name);
    for (int lines = 0; lines < 2 && (text = strstr(text, s->name)) != NULL; text += n) {
        char code[TEXT_BYTES - 24];
        const unsigned long line = text[n] == ':' ? strtoul(text + n + 1, NULL, 10) : 0;
        if (line == 0 || line == before || !submission_code(s, line, code, sizeof code))
            continue;
        snprintf(v->code + strlen(v->code), sizeof v->code - strlen(v->code), "%s%lu: %s",
                 lines++ ? "\n" : "", line, code);
        before = line;
    }
}

static bool is_complete(const struct trial *t, struct verdict *v, const struct submission *s)
{
    const struct run *run = &t->run;
    char text[MESSAGE_BYTES];
    const bool found = run->fault[0] && (!run->replied || run->reply.state != REPLY_DONE);
    if (run->timeout)
        snprintf(text, sizeof text, "no answer in %g seconds", s->course->seconds);
    else if (found)
        snprintf(text, sizeof text, "%s", run->fault);
    else if (!run->replied && WIFSIGNALED(run->status))
        snprintf(text, sizeof text, "it was ended by signal %d", WTERMSIG(run->status));
    else if (!run->replied && WIFEXITED(run->status) && WEXITSTATUS(run->status) == SANDBOX_FAILED)
        snprintf(text, sizeof text, "the program cannot be started from its folder %s",
                 s->folder.path);
    else if (!run->replied)
        snprintf(text, sizeof text, "it ended without an answer");
    else if (run->reply.state == REPLY_ASKED_TOO_MUCH)
        snprintf(text, sizeof text, "it asks for %llu bytes of scratch, accepted are %llu",
                 (unsigned long long)run->reply.work_bytes,
                 (unsigned long long)t->job.most_work_bytes);
    else if (run->reply.state != REPLY_DONE)
        snprintf(text, sizeof text, "solve() returned %s", run->reply.error);
    else
        return true;
    verdict_fail(v,
                 run->timeout                                               ? CAUSE_ENDLESS
                 : found                                                    ? CAUSE_FINDING
                 : run->replied && run->reply.state == REPLY_ASKED_TOO_MUCH ? CAUSE_SCRATCH
                                                                            : CAUSE_ERROR,
                 "a result", text);
    place_of_fault(run, s->name, v);
    return false;
}

/* Does this element still hold what was there before the run? */
static bool is_untouched(const struct trial *t, const struct comparison *c)
{
    for (size_t k = 0; k < t->job.outputs; k++) {
        const struct array *a = &t->task->out[k];
        const size_t bytes = elem_bytes(a->type);
        const unsigned char *p = (const unsigned char *)t->out[k] + c->index * bytes;
        const unsigned char poison = t->job.out[k].poison == UNWRITTEN ? 0xff : POISON;
        size_t same = 0;
        while (same < bytes && strcmp(a->name, c->output) == 0 && p[same] == poison)
            same++;
        if (same == bytes)
            return true;
    }
    return false;
}

/* A fault that the emulator found says more than the value that came of it. */
static bool is_right(const struct trial *t, struct verdict *v, const struct submission *s)
{
    const char *fault = t->run.fault;
    struct comparison c = {0};
    const void *in[TASK_ARRAYS], *out[TASK_ARRAYS];
    memcpy(in, t->in, sizeof in);
    memcpy(out, t->out, sizeof out);
    t->task->check(t->size, in, out, &c);
    if (c.wrong == 0)
        return true;
    v->cause = fault[0] ? CAUSE_FINDING : CAUSE_RESULT;
    snprintf(v->expected, sizeof v->expected, "%s[%zu] = %.9g", c.output, c.index, c.expected);
    if (c.allowed > 0)
        snprintf(v->expected + strlen(v->expected), sizeof v->expected - strlen(v->expected),
                 " (+- %.2g)", c.allowed);
    if (is_untouched(t, &c) && !fault[0])
        snprintf(v->seen, sizeof v->seen, "nothing was written there");
    else /* a NaN has no sign here */
        snprintf(v->seen, sizeof v->seen, "%.9g", isnan(c.got) ? NAN : c.got);
    if (c.wrong > 1)
        snprintf(v->seen + strlen(v->seen), sizeof v->seen - strlen(v->seen),
                 ", and %zu more are wrong", c.wrong - 1);
    if (fault[0])
        snprintf(v->seen + strlen(v->seen), sizeof v->seen - strlen(v->seen), "; %s", fault);
    place_of_fault(&t->run, s->name, v);
    return false;
}

static uint64_t counted(const struct trial *t, const char *name)
{
    for (int i = 0; i < JOB_NAMES; i++)
        if (strcmp(job_counters[i], name) == 0)
            return t->run.reply.count[i];
    return 0;
}

/*
 * The work must be done in kernels: their loads cover the inputs, their stores the outputs. An
 * atomic may write one sector for each lane. With empty inputs there may be nothing to launch.
 */
static bool is_done_in_kernels(const struct trial *t, struct verdict *v)
{
    const uint64_t in = arrays_bytes(t->task->in, t->size);
    const uint64_t out = arrays_bytes(t->task->out, t->size);
    const uint64_t loads = SECTOR_BYTES * (counted(t, "global_ld_sectors") +
                                           WARP_SIZE * counted(t, "atomic_requests"));
    const uint64_t stores = SECTOR_BYTES * (counted(t, "global_st_sectors") +
                                            WARP_SIZE * counted(t, "atomic_requests"));
    if (in == 0 || (counted(t, "launches") > 0 && loads >= in && stores >= out))
        return true;
    v->cause = CAUSE_NOT_DONE;
    snprintf(v->expected, sizeof v->expected,
             "kernels that load %llu bytes of input and store %llu of output",
             (unsigned long long)in, (unsigned long long)out);
    snprintf(v->seen, sizeof v->seen, "%llu launches, which load %llu and store %llu bytes",
             (unsigned long long)counted(t, "launches"), (unsigned long long)loads,
             (unsigned long long)stores);
    return false;
}

static bool has_met(const struct trial *t, struct verdict *v, const struct submission *s)
{
    const struct run *run = &t->run;
    const struct facts facts = {.task = t->task,
                                .size = t->size,
                                .reply = &run->reply,
                                .in_bytes = (double)arrays_bytes(t->task->in, t->size),
                                .out_bytes = (double)arrays_bytes(t->task->out, t->size),
                                .faults = run->fault[0] || run->status != 0};
    if (require_met(t->test->requires, &facts, v->expected, v->seen, sizeof v->expected))
        return true;
    v->cause = CAUSE_CONDITION;
    const uint64_t worst =
        strstr(v->expected, "shared") ? run->reply.worst_shared : run->reply.worst_global;
    if (strcmp(v->expected, "no faults") == 0) {
        v->cause = run->fault[0] ? CAUSE_FINDING : CAUSE_ERROR;
        snprintf(v->seen, sizeof v->seen, "%s", run->fault);
        place_of_fault(run, s->name, v);
    } else if (worst > 0) {
        submission_line(s, worst, v->place, sizeof v->place);
    }
    return false;
}

static void describe_shape(const struct trial *t, struct verdict *v)
{
    size_t used = 0;
    for (size_t k = 0; t->task->size_names[k]; k++)
        used += (size_t)snprintf(v->shape + used, sizeof v->shape - used, "%s%s = %zu",
                                 k ? ", " : "", t->task->size_names[k], t->size[k]);
    if (t->offset > 0)
        snprintf(v->shape + used, sizeof v->shape - used, ", offset %zu", t->offset);
}

/* What is counted looks the same in a small launch; what was found may need these sizes. */
static void sizes_to_show(const struct trial *t, struct verdict *v)
{
    size_t used = 0;
    if (v->cause != CAUSE_FINDING || arrays_bytes(t->task->in, t->size) > MOST_SHOWN_BYTES)
        return;
    for (size_t k = 0; t->task->size_names[k]; k++)
        used += (size_t)snprintf(v->sizes + used, sizeof v->sizes - used, "%s%zu", k ? "x" : "",
                                 t->size[k]);
}

/* Runs the submission. Where it does not pass, the verdict gets the texts. */
static bool trial_passes(const struct submission *s, struct trial *t, struct verdict *v)
{
    submission_run(s, &t->job, t->in, t->out, &t->run);
    if (is_complete(t, v, s) && is_right(t, v, s) && is_done_in_kernels(t, v) && has_met(t, v, s))
        return true;
    describe_shape(t, v);
    sizes_to_show(t, v);
    code_of(s, v->cause == CAUSE_FINDING ? t->run.fault : v->place, v);
    snprintf(v->hint, sizeof v->hint, "%s",
             hint_choose(&t->test->hints, v->cause, t->run.fault, v->expected));
    return false;
}

/* ---- all tests ---- */

/* All shapes of a test must pass. Each has random numbers of its own. */
static void judge_test(const struct submission *s, struct mark *m, size_t i, int *timeouts)
{
    const struct test *test = &m->tests.test[i];
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

/* One mistake fails many tests: what was found at a place is told where it was found first. */
static void tell_once(struct mark *m)
{
    for (size_t i = 0; i < m->tests.count; i++)
        for (size_t k = 0; k < i; k++) {
            struct verdict *v = &m->verdict[i];
            if (v->result != RESULT_FAILED || m->verdict[k].result != RESULT_FAILED ||
                v->cause != CAUSE_FINDING || m->verdict[k].cause != CAUSE_FINDING || !v->place[0] ||
                strcmp(v->place, m->verdict[k].place) != 0)
                continue;
            snprintf(v->seen, sizeof v->seen, "the same as in \"%s\", at %s", m->tests.test[k].name,
                     v->place);
            snprintf(v->hint, sizeof v->hint, "mend that first");
            v->code[0] = '\0';
            break;
        }
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
    if (!tests_read(path, task, &m->tests, m->refused, sizeof m->refused))
        return false;
    struct submission s;
    submission_build(&s, course, file);
    snprintf(m->refused, sizeof m->refused, "%s", s.refused);
    for (size_t i = 0; !m->refused[0] && i < m->tests.count; i++) {
        if (timeouts < MOST_TIMEOUTS)
            judge_test(&s, m, i, &timeouts);
        else
            verdict_fail(&m->verdict[i], CAUSE_ENDLESS, "a result",
                         "not run: two runs before took too long");
    }
    tell_once(m);
    submission_remove(&s);
    m->seconds = now() - start;
    return true;
}
