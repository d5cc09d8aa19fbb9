/* SPDX-License-Identifier: MIT */
/*
 * judge.c - runs the tests of an exercise on a submission: makes inputs, checks the outputs, and
 * gives points.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tasks.h"

enum { MOST_TIMEOUTS = 2, SECTOR_BYTES = 32, WARP_SIZE = 32, POISON = 0xa5, UNWRITTEN = 256 };
enum { MOST_SHOWN_BYTES = 1 << 16 }; /* of input: a page of make show holds 1 MB */
enum { MOST_IN_TURNS = 1 << 15 };    /* threads of a launch whose blocks take turns */
enum { MOST_TURN_BYTES = 1 << 20 };  /* of input, of a run in which they do */
static const char no_faults[] = "no faults";

/* One run of a test: what solve gets, and what it returns. */
struct trial {
    const struct submission *submission;
    const struct task *task;
    const struct test *test;
    size_t changed;                               /* lines of the file that was handed out */
    double points;                                /* of earlier tests */
    size_t size[TASK_SIZES], offset, apart, only; /* as in struct shape */
    struct job job;
    void *in[TASK_ARRAYS], *out[TASK_ARRAYS];
    struct run run;
    struct facts facts;
};

/* ---- inputs and outputs ---- */

/* An unwritten float is already NaN. For integers no value is wrong by itself. */
static void *add_array(struct job_array *job, const struct array *a, const struct trial *t,
                       bool is_input)
{
    const bool is_float = a->type == ELEM_F32 || a->type == ELEM_F16;
    job->bytes = array_bytes(a, t->size);
    const size_t before = t->job.inputs + t->job.outputs;
    const bool is_moved = t->only == 0 || t->only == before + 1;
    job->offset = is_moved ? (t->offset + before * t->apart) * elem_bytes(a->type) : 0;
    job->poison = is_input || is_float ? UNWRITTEN : POISON;
    void *memory = calloc(job->bytes + 1, 1);
    if (!memory) {
        fprintf(stderr, "grade: no memory for %llu bytes\n", (unsigned long long)job->bytes);
        exit(2);
    }
    return memory;
}

/* Draws the sizes and fills the inputs. trial_free() frees the memory. */
static void trial_make(struct trial *t, const struct shape *shape, rng_t *rng)
{
    const struct array *a;
    for (size_t k = 0; t->task->size_names[k]; k++)
        t->job.size[k] = t->size[k] = range_draw(&shape->size[k], rng);
    t->offset = range_draw(&shape->offset, rng);
    t->apart = shape->apart;
    t->only = shape->only;
    for (size_t k = 0; (a = &t->task->in[k])->count; k++, t->job.inputs++)
        t->in[k] = add_array(&t->job.in[k], a, t, true);
    for (size_t k = 0; (a = &t->task->out[k])->count; k++, t->job.outputs++)
        t->out[k] = add_array(&t->job.out[k], a, t, false);
    t->job.host = t->task->host;
    t->job.most_work_bytes = 4 * arrays_bytes(t->task->in, t->size) + (1 << 20);
    t->job.sms = t->task->sms;
    t->task->make_inputs(rng, shape->data, t->size, t->in);
}

static void trial_free(struct trial *t)
{
    for (size_t k = 0; k < TASK_ARRAYS; k++) {
        free(t->in[k]);
        free(t->out[k]);
    }
}

/* ---- what a run must be: each of these returns false and fills the verdict ---- */

/* Adds to the end of a text that is an array. */
#define ADD(text, ...) snprintf((text) + strlen(text), sizeof(text) - strlen(text), __VA_ARGS__)

/* Returns false. A caller that expects more than a result has set `expected` before. */
static bool fail(struct verdict *v, enum cause cause, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    v->cause = cause;
    if (!v->expected[0])
        snprintf(v->expected, sizeof v->expected, "a result");
    vsnprintf(v->seen, sizeof v->seen, format, values);
    va_end(values);
    return false;
}

/* Whether it has replied that solve is done. */
static bool is_complete(const struct trial *t, struct verdict *v)
{
    const struct run *run = &t->run;
    const bool done = run->replied && run->reply.state == REPLY_DONE;
    if (run->timeout)
        return fail(v, CAUSE_ENDLESS, "no answer in %g seconds", t->submission->course->seconds);
    if (run->fault[0] && !done)
        return fail(v, CAUSE_FINDING, "%s", run->fault);
    if (!run->replied && WIFSIGNALED(run->status))
        return fail(v, CAUSE_ERROR, "it was killed by signal %d", WTERMSIG(run->status));
    if (!run->replied && WIFEXITED(run->status) && WEXITSTATUS(run->status) == SANDBOX_FAILED)
        return fail(v, CAUSE_ERROR, "the program cannot be started from the folder %s",
                    t->submission->folder.path);
    if (!run->replied)
        return fail(v, CAUSE_ERROR, "it ended without an answer");
    if (run->reply.state == REPLY_ASKED_TOO_MUCH)
        return fail(v, CAUSE_SCRATCH, "it asks for %llu bytes of scratch; %llu are accepted",
                    (unsigned long long)run->reply.work_bytes,
                    (unsigned long long)t->job.most_work_bytes);
    if (!done && t->task->host && strncmp(run->reply.error, "cudaError", 9) != 0)
        return fail(v, CAUSE_ERROR, "a %s fails, but run() returns cudaSuccess", run->reply.error);
    return done || fail(v, CAUSE_ERROR, "solve() returned %s", run->reply.error);
}

/* Does this element still hold what was there before the run? */
static bool is_untouched(const struct trial *t, const struct comparison *c)
{
    size_t k = 0, same = 0;
    while (k + 1 < t->job.outputs && strcmp(t->task->out[k].name, c->output) != 0)
        k++;
    const size_t bytes = elem_bytes(t->task->out[k].type);
    const unsigned char *p = (const unsigned char *)t->out[k] + c->index * bytes;
    while (same < bytes && p[same] == (t->job.out[k].poison == UNWRITTEN ? 0xff : POISON))
        same++;
    return same == bytes;
}

/* A fault found by the emulator says more than the resulting value. */
static bool is_right(const struct trial *t, struct verdict *v)
{
    const char *fault = t->run.fault;
    struct comparison c = {0};
    const void *in[TASK_ARRAYS], *out[TASK_ARRAYS];
    memcpy(in, t->in, sizeof in);
    memcpy(out, t->out, sizeof out);
    t->task->check(t->size, in, out, &c);
    if (c.wrong == 0)
        return true;
    snprintf(v->expected, sizeof v->expected, "%s[%zu] = %.9g", c.output, c.index, c.expected);
    if (c.allowed > 0)
        ADD(v->expected, " (+- %.2g)", c.allowed);
    if (is_untouched(t, &c) && !fault[0])
        fail(v, CAUSE_UNTOUCHED, "nothing was written there");
    else /* a NaN has no sign here */
        fail(v, fault[0] ? CAUSE_FINDING : CAUSE_RESULT, "%.9g", isnan(c.got) ? NAN : c.got);
    if (c.wrong > 1)
        ADD(v->seen, ", and %zu more are wrong", c.wrong - 1);
    if (fault[0])
        ADD(v->seen, "; %s", fault);
    return false;
}

/*
 * The work must be done in kernels: their loads cover the inputs, their stores the outputs. An
 * atomic may write one sector for each lane. With empty inputs there may be nothing to launch.
 */
static bool is_done_in_kernels(const struct trial *t, struct verdict *v)
{
    const struct facts *f = &t->facts;
    const double in = fact(f, "in_bytes"), out = fact(f, "out_bytes");
    const double launches = fact(f, "launches"), atomics = WARP_SIZE * fact(f, "atomic_requests");
    const double loads = SECTOR_BYTES * (fact(f, "global_ld_sectors") + atomics);
    const double stores = SECTOR_BYTES * (fact(f, "global_st_sectors") + atomics);
    if (in == 0 || (launches > 0 && loads >= in && stores >= out))
        return true;
    snprintf(v->expected, sizeof v->expected,
             "kernels that load %.0f bytes of input and store %.0f of output", in, out);
    return fail(v, CAUSE_NOT_DONE, "%.0f launches, which load %.0f and store %.0f bytes", launches,
                loads, stores);
}

static bool has_met(const struct trial *t, struct verdict *v)
{
    const struct reply *reply = &t->run.reply;
    size_t i = 0;
    double left, right;
    while (i < t->test->conditions &&
           condition_holds(t->test->condition[i], &t->facts, &left, &right) == HOLDS)
        i++;
    if (i == t->test->conditions)
        return true;
    snprintf(v->expected, sizeof v->expected, "%s", t->test->condition[i]);
    if (strcmp(v->expected, no_faults) == 0)
        return fail(v, t->run.fault[0] ? CAUSE_FINDING : CAUSE_ERROR, "%s", t->run.fault);
    if (strcmp(v->expected, "no leaks") == 0)
        return fail(v, CAUSE_CONDITION,
                    left == 1 ? "%.10g allocation is not freed" : "%.10g allocations are not freed",
                    left);
    if (!reply->error[0] && strstr(v->expected, "errors"))
        return fail(v, CAUSE_CONDITION, "run() makes more calls than are made to fail, one by one");
    if (strstr(v->expected, "lost_errors"))
        return fail(v, CAUSE_CONDITION,
                    "a %s fails, but run() does not return its error, or copies or launches "
                    "something after it",
                    reply->error);
    if (strstr(v->expected, "leaks_after_errors"))
        return fail(v, CAUSE_CONDITION, "a %s fails, and memory stays allocated", reply->error);
    if (strstr(v->expected, "changed_lines"))
        return fail(v, CAUSE_CONDITION, "%.10g lines were changed, the limit is %.10g", left,
                    right);
    if (strstr(v->expected, "points"))
        return fail(v, CAUSE_CONDITION, "%.10g points", left);
    const bool loads = strstr(v->expected, "_ld_"), stores = strstr(v->expected, "_st_");
    const int kind = loads == stores ? 0 : loads ? 1 : 2;
    const uint64_t worst = reply->worst[strstr(v->expected, "shared") != NULL][kind];
    if (worst > 0)
        submission_line(t->submission, worst, v->place, sizeof v->place);
    return fail(v, CAUSE_CONDITION, "%.10g on the left, %.10g on the right", left, right);
}

/* ---- what is reported about a run that does not pass ---- */

/* The first `file.cu:12` in the emulator's message. */
static void place_of_fault(const struct trial *t, struct verdict *v)
{
    const char *name = t->submission->name, *at = strstr(t->run.fault, name);
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
        ADD(v->code, "%s%lu: %s", lines++ ? "\n" : "", line, code);
        before = line;
    }
}

/* Of the array that alone is moved. */
static const char *array_name(const struct trial *t)
{
    const size_t k = t->only - 1;
    return k < t->job.inputs ? t->task->in[k].name : t->task->out[k - t->job.inputs].name;
}

/* The sizes of a run, in short: 1000, 33 x 31, 256 (offset 2). */
static void short_sizes(const struct trial *t, char text[64])
{
    text[0] = '\0';
    for (size_t k = 0; t->task->size_names[k]; k++)
        snprintf(text + strlen(text), 64 - strlen(text), "%s%zu", k ? " x " : "", t->size[k]);
    if (t->offset > 0)
        snprintf(text + strlen(text), 64 - strlen(text), " (offset %zu%s%s)", t->offset,
                 t->only > 0 ? " of " : "", t->only > 0 ? array_name(t) : "");
}

/* Counters look the same in a small launch; a finding, or a wrong value, may need these sizes. */
static void describe_sizes(const struct trial *t, struct verdict *v)
{
    const bool needed =
        (v->cause == CAUSE_FINDING || v->cause == CAUSE_RESULT || v->cause == CAUSE_UNTOUCHED) &&
        arrays_bytes(t->task->in, t->size) <= MOST_SHOWN_BYTES;
    for (size_t k = 0; t->task->size_names[k]; k++) {
        ADD(v->shape, "%s%s = %zu", k ? ", " : "", t->task->size_names[k], t->size[k]);
        if (needed)
            ADD(v->sizes, "%s%zu", k ? "x" : "", t->size[k]);
    }
    if (t->offset + t->apart > 0)
        ADD(v->shape, ", offset %zu", t->offset);
    if (t->only > 0)
        ADD(v->shape, " of %s alone", array_name(t));
    if (t->apart > 0)
        ADD(v->shape, ", each array %zu more", t->apart);
    if (t->job.most_in_turns > 0)
        ADD(v->shape, ", the last block first");
}

/* What the report says about a run, beside what was expected and seen. */
static void describe(const struct trial *t, const struct test *test, struct verdict *v)
{
    const char *fault = t->run.fault;
    if (v->cause == CAUSE_FINDING || v->cause == CAUSE_ENDLESS)
        place_of_fault(t, v);
    code_of(t->submission, v->cause == CAUSE_FINDING ? fault : v->place, v);
    describe_sizes(t, v);
    snprintf(v->hint, sizeof v->hint, "%s", hint_choose(test, v->cause, fault, v->expected));
}

/* The first call was right when it was alone. */
static void say_second(struct verdict *v)
{
    char seen[sizeof v->seen - 40];
    const bool wrong = v->cause == CAUSE_RESULT || v->cause == CAUSE_UNTOUCHED;
    snprintf(seen, sizeof seen, "%.*s", (int)sizeof seen - 1, v->seen);
    snprintf(v->seen, sizeof v->seen, "the second call in one program%s%s",
             v->cause == CAUSE_RESULT ? " gave " : ": ", seen);
    v->cause = wrong ? CAUSE_AGAIN : v->cause;
}

/* Runs the submission, first on `first` if it is not NULL. If it does not pass, the verdict gets
 * the texts. */
static bool trial_passes(struct trial *t, const struct trial *first, struct verdict *v)
{
    const struct run *run = &t->run;
    submission_run_second(t->submission, first ? &first->job : NULL, first ? first->in : NULL,
                          &t->job, t->in, t->out, &t->run);
    t->facts = facts_of(t->task, t->size, &run->reply, run->fault[0] || run->status != 0,
                        t->changed, t->points);
    if (is_complete(t, v) && is_right(t, v) && is_done_in_kernels(t, v) && has_met(t, v))
        return true;
    if (first)
        say_second(v);
    describe(t, t->test, v);
    if (first)
        v->sizes[0] = '\0';
    return false;
}

/* ---- all tests ---- */

/* A file that is judged. */
struct trials {
    const struct submission *submission;
    struct mark *mark;
    size_t changed;
    int timeouts;
    const struct test *faults; /* the first test that requires "no faults", or NULL */
    size_t bytes;              /* of the inputs of the last run */
    struct verdict found;      /* of it, by the first run of any test that has a fault */
};

static bool requires_no_faults(const struct test *test)
{
    size_t i = 0;
    while (i < test->conditions && strcmp(test->condition[i], no_faults) != 0)
        i++;
    return i < test->conditions;
}

/* Shape k of test number i. Each has its own random numbers. */
static void shape_make(const struct trials *all, const struct test *test, size_t i, size_t k,
                       struct trial *t)
{
    const struct mark *m = all->mark;
    rng_t rng = {m->seed + (i * MOST_SHAPES + k) * 0x9e3779b97f4a7c15u};
    rng.state = rng_bits(&rng);
    *t = (struct trial){.submission = all->submission, .task = m->task, .test = test};
    t->changed = all->changed;
    t->points = m->points;
    trial_make(t, &test->shape[k], &rng);
}

/* How a shape is run. */
enum way { ALONE, IN_TURNS, SECOND /* after the shape before it, in the same process */ };

/* Runs shape k of test number i. `sizes` are for the report. */
static bool shape_passes(struct trials *all, const struct test *test, size_t i, size_t k,
                         enum way way, struct verdict *v, char sizes[64])
{
    struct mark *m = all->mark;
    struct trial t, first;
    shape_make(all, test, i, k, &t);
    t.job.most_in_turns = way == IN_TURNS ? MOST_IN_TURNS : 0;
    if (way == SECOND)
        shape_make(all, test, i, k - 1, &first);
    const bool passes = trial_passes(&t, way == SECOND ? &first : NULL, v);
    if (way == SECOND)
        trial_free(&first);
    if (t.run.fault[0] && all->faults && all->found.result == RESULT_NOT_RUN) {
        all->found.result = RESULT_FAILED;
        snprintf(all->found.expected, sizeof all->found.expected, "%s", no_faults);
        fail(&all->found, CAUSE_FINDING, "%s", t.run.fault);
        describe(&t, all->faults, &all->found);
    }
    if (passes && test == &m->tests->board)
        m->score += score_of(m->tests->score, &t.facts);
    short_sizes(&t, sizes);
    all->bytes = arrays_bytes(t.task->in, t.size);
    all->timeouts += t.run.endless;
    m->protections |= t.run.protections;
    trial_free(&t);
    return passes;
}

/* A second call that fails is run alone as well: what is wrong there has nothing to do with the
 * first one. */
static bool shape_and_second_pass(struct trials *all, const struct test *test, size_t i, size_t k,
                                  struct verdict *v, char sizes[64])
{
    struct verdict second = *v;
    if (test->shape[k].again && shape_passes(all, test, i, k, SECOND, &second, sizes))
        return true;
    if (!shape_passes(all, test, i, k, ALONE, v, sizes))
        return false;
    if (test->shape[k].again)
        *v = second;
    return !test->shape[k].again;
}

/* All shapes of a test must pass. If one does not, the sizes that did are reported too. Where no
 * faults are accepted, the blocks of the largest run, up to 1 MiB, in another order as well: it
 * must not matter which one is last. */
static void judge_test(struct trials *all, size_t i)
{
    struct mark *m = all->mark;
    const struct test *test = &m->tests->test[i];
    struct verdict *v = &m->verdict[i];
    char sizes[64], right[sizeof v->shape / 2] = "";
    size_t largest = 0, most_bytes = 0;
    v->result = RESULT_PASSED;
    for (size_t k = 0; k < test->shapes && v->result == RESULT_PASSED; k++) {
        if (!shape_and_second_pass(all, test, i, k, v, sizes))
            v->result = RESULT_FAILED;
        else if (strlen(right) + strlen(sizes) + 2 < sizeof right)
            ADD(right, "%s%s", right[0] ? ", " : "", sizes);
        if (all->bytes > most_bytes && all->bytes <= MOST_TURN_BYTES) {
            largest = k;
            most_bytes = all->bytes;
        }
    }
    if (v->result == RESULT_PASSED && !m->task->host && requires_no_faults(test) &&
        !shape_passes(all, test, i, largest, IN_TURNS, v, sizes))
        v->result = RESULT_FAILED;
    if (v->result == RESULT_FAILED && right[0])
        ADD(v->shape, "; right with %s", right);
    v->points = v->result == RESULT_PASSED ? test->points : 0;
    m->points += v->points;
}

/* A submission with all points has a score: the sum over the shapes of the board. */
static void judge_board(struct trials *all)
{
    struct mark *m = all->mark;
    const struct test *board = &m->tests->board;
    struct verdict v = {.result = RESULT_PASSED};
    char sizes[64];
    bool passes = m->points == m->tests->points;
    for (size_t k = 0; passes && k < board->shapes; k++)
        passes = shape_passes(all, board, MOST_TESTS, k, ALONE, &v, sizes);
    if (!passes)
        m->score = 0;
}

/* A fault in any run costs the points of each test that accepts none. */
static void fail_by_faults(struct trials *all)
{
    struct mark *m = all->mark;
    for (size_t i = 0; i < m->tests->count && all->found.result == RESULT_FAILED; i++) {
        struct verdict *v = &m->verdict[i];
        if (v->result != RESULT_PASSED || !requires_no_faults(&m->tests->test[i]))
            continue;
        m->points -= v->points;
        *v = all->found;
    }
}

/* What was changed in the handed-out file. */
static void compare_with_handed_out(struct trials *all)
{
    const struct submission *s = all->submission;
    struct mark *m = all->mark;
    char path[PATH_BYTES + 256];
    const char *why;
    if (!m->task->file)
        return;
    snprintf(path, sizeof path, "%s/%s/%s", s->course->root, m->task->folder, m->task->file);
    char *text = source_read(AT_FDCWD, path, &why);
    if (!text) {
        fprintf(stderr, "grade: '%s' %s\n", path, why);
        exit(2);
    }
    all->changed = changed_lines(text, s->text);
    why_of(s->text, m->why, sizeof m->why);
    free(text);
}

static bool is_same_finding(const struct verdict *a, const struct verdict *b)
{
    return a->result == RESULT_FAILED && b->result == RESULT_FAILED && a->cause == CAUSE_FINDING &&
           b->cause == CAUSE_FINDING && a->place[0] && strcmp(a->place, b->place) == 0;
}

/* One mistake fails many tests: a finding at a place is reported only in the first of them. */
static void report_once(struct mark *m)
{
    for (size_t i = 0; i < m->tests->count; i++) {
        struct verdict *v = &m->verdict[i];
        size_t k = 0;
        while (k < i && !is_same_finding(v, &m->verdict[k]))
            k++;
        if (k == i)
            continue;
        fail(v, CAUSE_FINDING, "the same as in \"%s\", at %s", m->tests->test[k].name, v->place);
        snprintf(v->hint, sizeof v->hint, "fix that first");
        v->code[0] = '\0';
    }
}

void judge(const struct course *course, const struct task *task, const char *file, uint64_t seed,
           struct mark *m)
{
    const double start = now();
    *m = (struct mark){.task = task, .tests = tests_of(task), .seed = seed};
    snprintf(m->file, sizeof m->file, "%s", file);
    struct submission s;
    struct trials all = {.submission = &s, .mark = m};
    submission_build(&s, course, file);
    m->prints = s.text && (strstr(s.text, "printf(") || strstr(s.text, "cout <<"));
    snprintf(m->refused, sizeof m->refused, "%s", s.refused);
    if (!m->refused[0])
        compare_with_handed_out(&all);
    else if (task->file && s.text) /* a refused file keeps its sentence */
        why_of(s.text, m->why, sizeof m->why);
    for (size_t i = m->tests->count; i-- > 0;)
        if (requires_no_faults(&m->tests->test[i]))
            all.faults = &m->tests->test[i];
    for (size_t i = 0; !m->refused[0] && i < m->tests->count; i++)
        if (all.timeouts < MOST_TIMEOUTS)
            judge_test(&all, i);
        else
            fail(&m->verdict[i], CAUSE_ENDLESS, "not run: two runs before took too long");
    fail_by_faults(&all);
    judge_board(&all);
    report_once(m);
    submission_remove(&s);
    m->seconds = now() - start;
}
