/* SPDX-License-Identifier: MIT */
/*
 * main.c - the program of a step: it reads the options, opens the device, and does what they ask
 * for. The top of the harness: nothing calls it. A program with its own main leaves it out.
 */
#include "cases.h"
#include "file.h"
#include "report.h"
#include "size.h"

#include <stdlib.h>
#include <string.h>

/* The exit codes of a step program. */
enum { EXIT_RIGHT = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_NO_GPU = 77 };

/* Everything a mode needs. */
typedef struct {
    const char *program;
    options_t options;
    problem_t lead; /* the first pair that the step offers */
    device_t device;
    report_t report;
    mismatches_t mismatches;
    bool supported, unsupported; /* any pair was, on this device */
} run_t;

/* What the step offers. Needs no device. */
static void print_list(const run_t *run, FILE *stream)
{
    problem_title(stream, run->program, run->lead.step->summary);
    for (size_t i = 0; i < problem_pairs(&run->lead); i++) {
        problem_t p = problem_pair(&run->lead, i);
        if (problem_why_not(&p) == NULL)
            fprintf(stream, "%s %s\n", dtype_name(p.type), problem_op_name(p.kind, p.op));
    }
}

/* ---- actions for a pair ---- */

/* Whether the memory for a given size is available; else a message and false. */
static bool fits_memory(const run_t *run, const problem_t *p, shape_t shape)
{
    size_t needed = check_bytes(p, shape), free_bytes = device_free_bytes();

    if (needed <= free_bytes / 10 * 9)
        return true;
    fprintf(stderr, "%s: %zu elements of %s need %zu bytes of device memory; %zu are free\n",
            run->program, problem_n(shape), dtype_name(p->type), needed, free_bytes);
    return false;
}

/* Times follow, not only checks. */
static bool is_timed(const run_t *run)
{
    const options_t *o = &run->options;
    return !o->check && !o->once && o->input == NULL && !run->device.emulated;
}

/* Report a pair that has no row, and why. */
static void skip(run_t *run, const problem_t *p, const char *why)
{
    report_skip(&run->report, dtype_name(p->type), problem_op_name(p->kind, p->op), why);
}

static void skip_unsupported(run_t *run, const problem_t *p)
{
    run->unsupported = true;
    skip(run, p, "not supported on this device");
}

/* Sizes that are timed are not checked here: bench_run() does that, in the buffers that it
 * times. */
static int check_pair(run_t *run, const problem_t *p)
{
    const options_t *o = &run->options;
    const size_t given = is_timed(run) ? 0 : o->shape_count;
    level_t level = o->check && !o->quick ? LEVEL_FULL : LEVEL_QUICK;
    const size_t *offset = o->offset_given && o->shape_count > 0 ? &o->offset : NULL;

    for (size_t i = 0; i < o->shape_count; i++) {
        if (!fits_memory(run, p, o->shapes[i]))
            return EXIT_WRONG;
    }
    tally_t tally = cases_run(p, p->type == run->lead.type && p->op == run->lead.op, level,
                              o->shapes, given, offset, o->seed, &run->mismatches);
    run->supported = run->supported || !tally.unsupported;
    if (tally.unsupported)
        skip_unsupported(run, p);
    else
        report_check(&run->report, p, &tally);
    return tally.failed > 0 ? EXIT_WRONG : EXIT_RIGHT;
}

/* The consequence of a run without a result or a time. */
static int skip_status(run_t *run, const problem_t *p, bench_status_t status)
{
    if (status == BENCH_UNSUPPORTED)
        skip_unsupported(run, p);
    if (status == BENCH_NO_MEMORY)
        skip(run, p, "too large for the free device memory");
    return status == BENCH_WRONG ? EXIT_WRONG : EXIT_RIGHT;
}

/* Run the step once on an input and report the result; with --once, that it ran. */
static int show_value(run_t *run, const input_t *input)
{
    const problem_t *p = &input->problem;
    const size_t offset = run->options.offset;
    case_t test = {.input = input, .out_offset = offset};
    outcome_t outcome = {0};

    if (!fits_memory(run, p, input->shape))
        return EXIT_WRONG;
    if (run->options.once) {
        bench_status_t status = bench_once(input, offset, &run->mismatches);
        if (status != BENCH_DONE)
            return skip_status(run, p, status);
        run->supported = true;
        report_once(&run->report, input);
        return EXIT_RIGHT;
    }
    for (size_t i = 0; i < MAX_INPUTS; i++)
        test.in_offset[i] = offset;
    verdict_t verdict = check_case(&test, &run->mismatches, NULL, &outcome);
    run->supported = run->supported || verdict != CHECK_UNSUPPORTED;
    if (verdict == CHECK_UNSUPPORTED)
        skip_unsupported(run, p);
    else
        report_value(&run->report, input, &outcome, verdict == CHECK_RIGHT);
    return verdict == CHECK_WRONG ? EXIT_WRONG : EXIT_RIGHT;
}

static int show_pair(run_t *run, const problem_t *p)
{
    int code = EXIT_RIGHT;

    for (size_t i = 0; i < run->options.shape_count; i++) {
        input_t input;
        input_make(&input, p, run->options.shapes[i], run->options.once ? SET_DIGITS : SET_UNIFORM,
                   run->options.seed);
        int result = show_value(run, &input);
        input_free(&input);
        code = result > code ? result : code;
    }
    return code;
}

static int bench_shape(run_t *run, const problem_t *p, shape_t shape)
{
    bench_t bench;

    if (problem_n(shape) == 0) {
        skip(run, p, "n = 0 leaves nothing to time");
        return EXIT_RIGHT;
    }
    bench_status_t status =
        bench_run(&bench, p, shape, SET_UNIFORM, &run->options, &run->mismatches);
    if (status != BENCH_DONE)
        return skip_status(run, p, status);
    report_bench(&run->report, &bench);
    return EXIT_RIGHT;
}

static int bench_pair(run_t *run, const problem_t *p)
{
    static const int powers[] = {10, 14, 18, 20, 22, 24, 26, 28};
    const options_t *o = &run->options;
    const size_t cols = 1024; /* of the default matrices */
    int code = EXIT_RIGHT;

    for (size_t i = 0; i < o->shape_count && code == EXIT_RIGHT; i++)
        code = bench_shape(run, p, o->shapes[i]);
    if (o->shape_count > 0)
        return code;
    for (size_t i = 0; i < sizeof powers / sizeof powers[0] && code == EXIT_RIGHT; i++) {
        size_t n = (size_t)1 << powers[i];
        shape_t shape = problem_has_rows(p->kind) ? (shape_t){n / cols, cols} : (shape_t){1, n};
        code = bench_shape(run, p, shape);
    }
    return code;
}

/* ---- modes ---- */

/* Call `action` for each pair that is requested and offered. Returns the worst exit code. */
static int for_each_pair(run_t *run, bool everything, int (*action)(run_t *, const problem_t *))
{
    int code = EXIT_RIGHT;

    for (size_t i = 0; i < problem_pairs(&run->lead); i++) {
        problem_t p = problem_pair(&run->lead, i);
        if (!options_ask(&run->options, &p, everything) || problem_why_not(&p) != NULL)
            continue;
        int result = action(run, &p);
        code = result > code ? result : code;
    }
    return code;
}

/* "a, b": appends `name` to `names`. */
static void add_name(char *names, const char *name)
{
    const size_t used = strlen(names);
    snprintf(names + used, PROBLEM_NAMES - used, "%s%s", used > 0 ? ", " : "", name);
}

/* Report the types and the operators of which nothing is offered: as text on a line or two. */
static void report_absent(run_t *run, unsigned types, unsigned ops)
{
    static const char why[] = "not offered here";
    const size_t line = 45; /* and the rest of it: 80 columns at most */
    const int op_count = problem_op_count(run->lead.kind);
    char names[PROBLEM_NAMES] = "";

    for (int i = 0; i < DTYPE_COUNT + op_count; i++) {
        const bool is_type = i < DTYPE_COUNT;
        const int number = is_type ? i : i - DTYPE_COUNT;
        const char *name =
            is_type ? dtype_name((dtype_t)number) : problem_op_name(run->lead.kind, number);
        if (!((is_type ? types : ops) >> number & 1))
            continue;
        if (strlen(names) > line) {
            report_skip(&run->report, names, NULL, why);
            names[0] = '\0';
        }
        if (run->options.format == FORMAT_TEXT)
            add_name(names, name);
        else
            report_skip(&run->report, is_type ? name : "all", is_type ? NULL : name, why);
    }
    if (names[0] != '\0')
        report_skip(&run->report, names, NULL, why);
}

/* Why pair i, which is requested, is left out on its own; else NULL. */
static const char *why_missing(const run_t *run, size_t i, bool everything)
{
    problem_t p = problem_pair(&run->lead, i);
    const char *why = problem_why_not(&p);
    const bool somewhere =
        problem_offers(&p, 1u << p.type, ~0u) && problem_offers(&p, ~0u, 1u << p.op);

    if (why == NULL || !options_ask(&run->options, &p, everything))
        return NULL;
    if (problem_undefined(&p) != NULL && (somewhere || strcmp(why, PROBLEM_NOT_OFFERED) != 0))
        return problem_undefined(&p);
    return somewhere ? why : NULL;
}

/* Report the pairs that are requested but not offered: as text, those with the same type and reason
 * on one line. */
static void report_missing(run_t *run, bool everything)
{
    unsigned types = 0, ops = 0; /* of which nothing is offered */
    char names[PROBLEM_NAMES] = "";

    for (size_t i = 0; i < problem_pairs(&run->lead); i++) {
        problem_t p = problem_pair(&run->lead, i);
        const char *why = why_missing(run, i, everything);
        const char *next =
            i + 1 < problem_pairs(&run->lead) ? why_missing(run, i + 1, everything) : NULL;
        const bool ends = problem_pair(&run->lead, i + 1).type != p.type || next != why ||
                          run->options.format != FORMAT_TEXT;
        if (why != NULL) {
            add_name(names, problem_op_name(p.kind, p.op));
            if (ends) {
                report_skip(&run->report, dtype_name(p.type), names, why);
                names[0] = '\0';
            }
        } else if (problem_why_not(&p) != NULL && options_ask(&run->options, &p, everything)) {
            if (!problem_offers(&p, 1u << p.type, ~0u))
                types |= 1u << p.type;
            else
                ops |= 1u << p.op;
        }
    }
    report_absent(run, types, ops);
}

/* The elements of a file go through every requested operator. */
static int show_file(run_t *run, const file_t *file)
{
    const unsigned ops = run->options.ops;
    int code = EXIT_RIGHT;

    for (size_t k = 0; k < problem_pairs(&run->lead); k++) {
        input_t input = {
            .problem = problem_pair(&run->lead, k), .shape = file->shape, .set = SET_FILE};
        const problem_t *p = &input.problem;
        if (p->type != file->data.type || (ops != 0 && !(ops >> p->op & 1)) ||
            problem_why_not(p) != NULL)
            continue;
        for (size_t i = 0; i < MAX_INPUTS; i++)
            input.data[i] = file->data; /* for each input of the step */
        int result = show_value(run, &input);
        code = result > code ? result : code;
    }
    return code;
}

static int run_file(run_t *run)
{
    char message[OPTIONS_MESSAGE];
    const options_t *o = &run->options;
    file_t file;

    if (!file_read(&file, o, &run->lead, message)) {
        fprintf(stderr, "%s: %s\n", run->program, message);
        return EXIT_USAGE;
    }
    int code = EXIT_USAGE;
    if (problem_offers(&run->lead, 1u << file.data.type, o->ops != 0 ? o->ops : ~0u)) {
        report_begin(&run->report);
        code = show_file(run, &file);
        report_end(&run->report);
    } else {
        fprintf(stderr, "%s: --input: '%s': this step has no such operator for its type, %s\n",
                run->program, o->input, dtype_name(file.data.type));
    }
    data_free(&file.data);
    return code;
}

/* Do what the options request, on an open device. Returns the exit code. */
static int run_modes(run_t *run)
{
    const options_t *o = &run->options;
    const bool timed = is_timed(run);
    const bool shown = !timed || o->format != FORMAT_CSV; /* a CSV of times has no values */
    const bool everything = o->check || (o->shape_count == 0 && o->types == 0 && o->ops == 0);
    int code;

    run->report.table = o->input != NULL ? TABLE_VALUE : timed ? TABLE_BENCH : TABLE_CHECK;
    if (o->input != NULL) {
        code = run_file(run);
    } else {
        report_begin(&run->report);
        code = o->once ? EXIT_RIGHT : for_each_pair(run, everything, check_pair);
        report_missing(run, everything);
        if (!o->check && shown && code == EXIT_RIGHT)
            code = for_each_pair(run, false, show_pair);
        if (timed && code == EXIT_RIGHT) /* a wrong kernel has no time */
            code = for_each_pair(run, false, bench_pair);
        report_end(&run->report);
    }
    if (code == EXIT_RIGHT && run->unsupported && !run->supported) {
        fprintf(stderr, "wrong: %s.%s: nothing was run: it supports none of this here\n",
                run->mismatches.step, run->mismatches.variant);
        code = EXIT_WRONG;
    }
    mismatches_finish(&run->mismatches);
    return code;
}

/* ---- the program ---- */

/* The last part of a path. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* "05_warp_shuffle.one_pass" is the variant one_pass of step 05_warp_shuffle. The caller frees. */
static char *split_name(const char *program, const char **variant)
{
    char *step_name = alloc_array(strlen(program) + 1, 1);
    strcpy(step_name, program);
    char *dot = strchr(step_name, '.');
    *variant = "kernel";
    if (dot != NULL) {
        *dot = '\0';
        *variant = dot + 1;
    }
    return step_name;
}

/* The command line as one string, its program without folders. The caller frees it. */
static char *join_command(int argc, char *const *argv, const char *program)
{
    size_t length = strlen(program) + 1;
    for (int i = 1; i < argc; i++)
        length += strlen(argv[i]) + 1;
    char *command = alloc_array(length, 1);
    strcat(command, program);
    for (int i = 1; i < argc; i++) {
        strcat(command, " ");
        strcat(command, argv[i]);
    }
    return command;
}

/* Everything after the command line has been read. */
static int start(run_t *run, int argc, char *const *argv)
{
    const char *variant, *why;

    if (!device_open(&run->device, &why)) {
        fprintf(stderr, "%s: no usable GPU: %s; DEVICE=cpu runs the emulator\n", run->program, why);
        return EXIT_NO_GPU;
    }
    char *step_name = split_name(run->program, &variant);
    char *command = join_command(argc, argv, run->program);
    run->mismatches = (mismatches_t){
        .step = step_name, .variant = variant, .device = &run->device, .stream = stderr};
    run->report = (report_t){.stream = stdout,
                             .format = run->options.format,
                             .step = step_name,
                             .variant = variant,
                             .summary = run->lead.step->summary,
                             .device = &run->device,
                             .command = command};
    int code = run_modes(run);
    free(step_name);
    free(command);
    return code;
}

static int run_program(int argc, char **argv)
{
    char message[OPTIONS_MESSAGE];
    run_t run = {.program = argc > 0 ? base_name(argv[0]) : "step"};

    const char *wrong = problem_open(&run.lead, &step);
    if (wrong != NULL) {
        fprintf(stderr, "%s: %s\n", run.program, wrong);
        return EXIT_USAGE;
    }
    if (!options_parse(&run.options, argc, argv, &run.lead, message) ||
        (!run.options.help && !options_offered(&run.options, &run.lead, message))) {
        fprintf(stderr, "%s: %s\n", run.program, message);
        return EXIT_USAGE;
    }
    if (run.options.help) {
        options_help(stdout, run.program, &run.lead);
        return EXIT_RIGHT;
    }
    if (run.options.list) {
        print_list(&run, stdout);
        return EXIT_RIGHT;
    }
    return start(&run, argc, argv);
}

/* A report that did not reach its file, because the disk is full say, must not look like a
 * success. */
int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* in a pipe, what is on stderr comes in its place too */
    int code = run_program(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: the results could not be written to stdout\n", base_name(argv[0]));
        return EXIT_WRONG;
    }
    return code;
}
