/* SPDX-License-Identifier: MIT */
/*
 * judge.c - runs the tests of an exercise on a submission: makes inputs, checks the outputs, and
 * gives points.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "simt/driver/inside.h"
#include "tasks.h"

enum { MOST_TIMEOUTS = 2, SECTOR_BYTES = 32, WARP_SIZE = 32 };
enum { MOST_SHOWN_BYTES = 1 << 16 }; /* of input: a page of make show holds 1 MB */
enum { MOST_IN_TURNS = 1 << 15 };    /* threads of a launch whose blocks take turns */
enum { MOST_TURN_BYTES = 1 << 20 };  /* of input, of a run in which they do */
enum { MOST_RIGHT = 128 };           /* characters of the sizes that are right */
static const char no_faults[] = "no faults";

/* One run of a test. */
struct trial {
    const struct submission *submission;
    const struct task *task;
    const struct test *test;
    size_t changed; /* lines of the file that was handed out */
    double points;  /* of earlier tests */
    struct layout layout;
    struct call call;
    struct run run;
    struct facts facts;
};

/* Draws the sizes and fills the inputs. call_free() frees the memory. */
static void trial_make(struct trial *t, const struct shape *shape, rng_t *rng)
{
    size_t size[TASK_SIZES] = {0};
    for (size_t k = 0; t->task->size_names[k]; k++)
        size[k] = range_draw(&shape->size[k], rng);
    t->layout = (struct layout){range_draw(&shape->offset, rng), shape->apart, shape->only};
    call_make(&t->call, t->task, size, &t->layout);
    t->call.job.most_work_bytes = 4 * arrays_bytes(t->task->in, size) + (1 << 20);
    t->task->make_inputs(rng, shape->data, size, t->call.in);
}

const struct verdict verdict_none = {
    .shape = "", .expected = "", .seen = "", .place = "", .code = "", .sizes = "", .hint = ""};

/* ---- what a run must be: each of these returns false and fills the verdict ---- */

/* Returns false. A caller that expects more than a result has set `expected` before. */
static bool fail(struct verdict *v, enum cause cause, const char *seen)
{
    v->cause = cause;
    v->expected = *v->expected ? v->expected : "a result";
    v->seen = seen;
    return false;
}

/* Whether it has replied that solve is done. */
static bool is_complete(const struct trial *t, struct verdict *v)
{
    const struct run *run = &t->run;
    const struct reply *reply = &run->reply;
    const bool done = run->replied && reply->state == REPLY_DONE;
    if (run->timeout)
        return fail(v, CAUSE_ENDLESS,
                    text("no answer in %g seconds", t->submission->course->seconds));
    if (*run->fault && !done)
        return fail(v, CAUSE_FINDING, run->fault);
    if (!run->replied && WIFSIGNALED(run->status))
        return fail(v, CAUSE_ERROR, text("it was killed by signal %d", WTERMSIG(run->status)));
    if (!run->replied && WIFEXITED(run->status) && WEXITSTATUS(run->status) == SANDBOX_FAILED)
        return fail(
            v, CAUSE_ERROR,
            text("the program cannot be started from the folder %s", t->submission->folder.path));
    if (!run->replied)
        return fail(v, CAUSE_ERROR, "it ended without an answer");
    if (reply->state == REPLY_ASKED_TOO_MUCH)
        return fail(v, CAUSE_SCRATCH,
                    text("it asks for %llu bytes of scratch; %llu are accepted",
                         (unsigned long long)reply->work_bytes,
                         (unsigned long long)t->call.job.most_work_bytes));
    if (!done && t->task->host && !begins(reply->error, "cudaError"))
        return fail(v, CAUSE_ERROR,
                    text("a %s fails, but run() returns cudaSuccess", reply->error));
    return done || fail(v, CAUSE_ERROR, text("solve() returned %s", reply->error));
}

/* Does this element still hold what was there before the run? */
static bool is_untouched(const struct trial *t, const struct comparison *c)
{
    const struct job *job = &t->call.job;
    size_t k = 0, same = 0;
    while (k + 1 < job->outputs && strcmp(t->task->out[k].name, c->output) != 0)
        k++;
    const size_t bytes = elem_bytes(t->task->out[k].type);
    const unsigned char *p = (const unsigned char *)t->call.out[k] + c->index * bytes;
    while (same < bytes && p[same] == (job->out[k].poison == UNWRITTEN ? 0xff : POISON))
        same++;
    return same == bytes;
}

/* A fault found by the emulator says more than the resulting value. */
static bool is_right(const struct trial *t, struct verdict *v)
{
    const char *fault = t->run.fault;
    const struct comparison c = call_check(&t->call, t->task);
    if (c.wrong == 0)
        return true;
    v->expected = text("%s[%zu] = %.9g", c.output, c.index, c.expected);
    if (c.allowed > 0)
        v->expected = text("%s (+- %.2g)", v->expected, c.allowed);
    if (is_untouched(t, &c) && !*fault)
        fail(v, CAUSE_UNTOUCHED, "nothing was written there");
    else /* a NaN has no sign here */
        fail(v, *fault ? CAUSE_FINDING : CAUSE_RESULT, text("%.9g", isnan(c.got) ? NAN : c.got));
    if (c.wrong > 1)
        v->seen = text("%s, and %zu more are wrong", v->seen, c.wrong - 1);
    if (*fault)
        v->seen = text("%s; %s", v->seen, fault);
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
    v->expected = text("kernels that load %.0f bytes of input and store %.0f of output", in, out);
    return fail(
        v, CAUSE_NOT_DONE,
        text("%.0f launches, which load %.0f and store %.0f bytes", launches, loads, stores));
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
    const char *asked = v->expected = t->test->condition[i];
    if (strcmp(asked, no_faults) == 0)
        return fail(v, *t->run.fault ? CAUSE_FINDING : CAUSE_ERROR, t->run.fault);
    const bool loads = strstr(asked, "_ld_"), stores = strstr(asked, "_st_");
    const int kind = loads == stores ? 0 : loads ? 1 : 2;
    const uint64_t worst = reply->worst[strstr(asked, "shared") != NULL][kind];
    const char *seen =
        strcmp(asked, "no leaks") == 0
            ? text(left == 1 ? "%.10g allocation is not freed" : "%.10g allocations are not freed",
                   left)
        : !*reply->error && strstr(asked, "errors")
            ? "run() makes more calls than are made to fail, one by one"
        : strstr(asked, "lost_errors")
            ? text("a %s fails, but run() does not return its error, or copies or launches "
                   "something after it",
                   reply->error)
        : strstr(asked, "leaks_after_errors")
            ? text("a %s fails, and memory stays allocated", reply->error)
        : strstr(asked, "changed_lines")
            ? text("%.10g lines were changed, the limit is %.10g", left, right)
        : strstr(asked, "points") ? text("%.10g points", left)
                                  : NULL;
    if (!seen && worst > 0)
        v->place = submission_line(t->submission, worst);
    return fail(v, CAUSE_CONDITION,
                seen ? seen : text("%.10g on the left, %.10g on the right", left, right));
}

/* ---- what is reported about a run that does not pass ---- */

/* The first `file.cu:12` in the emulator's message. */
static const char *place_of_fault(const struct trial *t)
{
    const char *name = t->submission->name, *at = strstr(t->run.fault, name);
    const size_t n = strlen(name);
    return at && at[n] == ':' ? text("%.*s", (int)(n + 1 + strspn(at + n + 1, "0123456789")), at)
                              : "";
}

/* The lines of code that a text names: at most two, each once. */
static const char *code_of(const struct submission *s, const char *from)
{
    const char *all = "";
    unsigned long before = 0;
    const size_t n = strlen(s->name);
    for (int lines = 0; lines < 2 && (from = strstr(from, s->name)) != NULL; from += n) {
        const unsigned long line = from[n] == ':' ? strtoul(from + n + 1, NULL, 10) : 0;
        const char *code = line == 0 || line == before ? "" : submission_code(s, line);
        if (!*code)
            continue;
        all = text("%s%s%lu: %s", all, lines++ ? "\n" : "", line, code);
        before = line;
    }
    return all;
}

/* Of the array that alone is moved. */
static const char *array_name(const struct trial *t)
{
    const size_t k = t->layout.only - 1, inputs = t->call.job.inputs;
    return k < inputs ? t->task->in[k].name : t->task->out[k - inputs].name;
}

/* The sizes of a run, in short: 1000, 33 x 31, 256 (offset 2). */
static const char *short_sizes(const struct trial *t)
{
    const char *all = "";
    for (size_t k = 0; t->task->size_names[k]; k++)
        all = text("%s%s%zu", all, k ? " x " : "", t->call.job.size[k]);
    if (t->layout.offset > 0)
        all = text("%s (offset %zu%s%s)", all, t->layout.offset, t->layout.only > 0 ? " of " : "",
                   t->layout.only > 0 ? array_name(t) : "");
    return all;
}

/* Counters look the same in a small launch; a finding, or a wrong value, may need these sizes. */
static void describe_sizes(const struct trial *t, struct verdict *v)
{
    const size_t *size = t->call.job.size;
    const bool needed =
        (v->cause == CAUSE_FINDING || v->cause == CAUSE_RESULT || v->cause == CAUSE_UNTOUCHED) &&
        arrays_bytes(t->task->in, size) <= MOST_SHOWN_BYTES;
    v->shape = v->sizes = "";
    for (size_t k = 0; t->task->size_names[k]; k++) {
        v->shape = text("%s%s%s = %zu", v->shape, k ? ", " : "", t->task->size_names[k], size[k]);
        if (needed)
            v->sizes = text("%s%s%zu", v->sizes, k ? "x" : "", size[k]);
    }
    if (t->layout.offset + t->layout.apart > 0)
        v->shape = text("%s, offset %zu", v->shape, t->layout.offset);
    if (t->layout.only > 0)
        v->shape = text("%s of %s alone", v->shape, array_name(t));
    if (t->layout.apart > 0)
        v->shape = text("%s, each array %zu more", v->shape, t->layout.apart);
    if (t->call.job.most_in_turns > 0)
        v->shape = text("%s, the last block first", v->shape);
}

/* What the report says about a run, beside what was expected and seen. */
static void describe(const struct trial *t, const struct test *test, struct verdict *v)
{
    if (v->cause == CAUSE_FINDING || v->cause == CAUSE_ENDLESS)
        v->place = place_of_fault(t);
    v->code = code_of(t->submission, v->cause == CAUSE_FINDING ? t->run.fault : v->place);
    describe_sizes(t, v);
    v->hint = hint_choose(test, v->cause, t->run.fault, v->expected);
}

/* The first call was right when it was alone. */
static void say_second(struct verdict *v)
{
    const bool wrong = v->cause == CAUSE_RESULT || v->cause == CAUSE_UNTOUCHED;
    v->seen = text("the second call in one program%s%s", v->cause == CAUSE_RESULT ? " gave " : ": ",
                   v->seen);
    v->cause = wrong ? CAUSE_AGAIN : v->cause;
}

/* Runs the submission, first on `first` if it is not NULL. If it does not pass, the verdict gets
 * the texts. */
static bool trial_passes(struct trial *t, const struct trial *first, struct verdict *v)
{
    const struct run *run = &t->run;
    submission_run(t->submission, first ? &first->call : NULL, &t->call, &t->run);
    t->facts = facts_of(t->task, t->call.job.size, &run->reply, *run->fault || run->status != 0,
                        t->changed, t->points);
    if (is_complete(t, v) && is_right(t, v) && is_done_in_kernels(t, v) && has_met(t, v))
        return true;
    if (first)
        say_second(v);
    describe(t, t->test, v);
    if (first)
        v->sizes = "";
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
                         enum way way, struct verdict *v, const char **sizes)
{
    struct mark *m = all->mark;
    struct trial t, first;
    shape_make(all, test, i, k, &t);
    t.call.job.most_in_turns = way == IN_TURNS ? MOST_IN_TURNS : 0;
    if (way == SECOND)
        shape_make(all, test, i, k - 1, &first);
    const bool passes = trial_passes(&t, way == SECOND ? &first : NULL, v);
    if (way == SECOND)
        call_free(&first.call);
    if (*t.run.fault && all->faults && all->found.result == RESULT_NOT_RUN) {
        all->found.result = RESULT_FAILED;
        all->found.expected = no_faults;
        fail(&all->found, CAUSE_FINDING, t.run.fault);
        describe(&t, all->faults, &all->found);
    }
    if (passes && test == &m->tests->board)
        m->score += score_of(m->tests->score, &t.facts);
    *sizes = short_sizes(&t);
    all->bytes = arrays_bytes(t.task->in, t.call.job.size);
    all->timeouts += t.run.endless;
    m->protections |= t.run.protections;
    call_free(&t.call);
    return passes;
}

/* A second call that fails is run alone as well: what is wrong there has nothing to do with the
 * first one. */
static bool shape_and_second_pass(struct trials *all, const struct test *test, size_t i, size_t k,
                                  struct verdict *v, const char **sizes)
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
    const char *sizes, *right = "";
    size_t largest = 0, most_bytes = 0;
    v->result = RESULT_PASSED;
    for (size_t k = 0; k < test->shapes && v->result == RESULT_PASSED; k++) {
        if (!shape_and_second_pass(all, test, i, k, v, &sizes))
            v->result = RESULT_FAILED;
        else if (strlen(right) + strlen(sizes) + 2 < MOST_RIGHT)
            right = text("%s%s%s", right, *right ? ", " : "", sizes);
        if (all->bytes > most_bytes && all->bytes <= MOST_TURN_BYTES) {
            largest = k;
            most_bytes = all->bytes;
        }
    }
    if (v->result == RESULT_PASSED && !m->task->host && requires_no_faults(test) &&
        !shape_passes(all, test, i, largest, IN_TURNS, v, &sizes))
        v->result = RESULT_FAILED;
    if (v->result == RESULT_FAILED && *right)
        v->shape = text("%s; right with %s", v->shape, right);
    v->points = v->result == RESULT_PASSED ? test->points : 0;
    m->points += v->points;
}

/* A submission with all points has a score: the sum over the shapes of the board. */
static void judge_board(struct trials *all)
{
    struct mark *m = all->mark;
    const struct test *board = &m->tests->board;
    struct verdict v = verdict_none;
    const char *sizes;
    bool passes = m->points == m->tests->points;
    for (size_t k = 0; passes && k < board->shapes; k++)
        passes = shape_passes(all, board, MOST_TESTS, k, ALONE, &v, &sizes);
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
    if (!m->task->file)
        return;
    const char *path = text("%s/%s/%s", s->course->root, m->task->folder, m->task->file), *why;
    const char *handed_out = source_read(AT_FDCWD, path, &why);
    if (!handed_out) {
        fprintf(stderr, "grade: '%s' %s\n", path, why);
        exit(2);
    }
    all->changed = changed_lines(handed_out, s->text);
}

static bool is_same_finding(const struct verdict *a, const struct verdict *b)
{
    return a->result == RESULT_FAILED && b->result == RESULT_FAILED && a->cause == CAUSE_FINDING &&
           b->cause == CAUSE_FINDING && *a->place && strcmp(a->place, b->place) == 0;
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
        fail(v, CAUSE_FINDING,
             text("the same as in \"%s\", at %s", m->tests->test[k].name, v->place));
        v->hint = "fix that first";
        v->code = "";
    }
}

struct mark mark_none(const struct task *task, uint64_t seed, const char *file)
{
    struct mark m = {.task = task, .tests = tests_of(task), .seed = seed, .file = file};
    m.refused = m.why = "";
    for (size_t i = 0; i < MOST_TESTS; i++)
        m.verdict[i] = verdict_none;
    return m;
}

void judge(const struct course *course, const struct task *task, const char *file, uint64_t seed,
           struct mark *m)
{
    const double start = now();
    *m = mark_none(task, seed, file);
    struct submission s;
    struct trials all = {.submission = &s, .mark = m, .found = verdict_none};
    submission_build(&s, course, file);
    m->prints = s.text && (strstr(s.text, "printf(") || strstr(s.text, "cout <<"));
    m->refused = s.refused;
    if (task->file && s.text)
        m->why = why_of(s.text);
    if (!*m->refused)
        compare_with_handed_out(&all);
    for (size_t i = m->tests->count; i-- > 0;)
        if (requires_no_faults(&m->tests->test[i]))
            all.faults = &m->tests->test[i];
    for (size_t i = 0; !*m->refused && i < m->tests->count; i++)
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
