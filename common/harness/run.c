/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "dtype.h"
#include "file.h"
#include "pairs.h"

typedef int (*pair_fn)(run_t *run, const problem_t *problem);

void run_list(const run_t *run, FILE *stream)
{
    fprintf(stream, "%s: %s\n", run->program, run->lead.step->summary);
    for (int type = 0; type < DTYPE_COUNT; type++) {
        for (int op = 0; op < problem_op_count(run->lead.kind); op++) {
            problem_t p = {run->lead.step, run->lead.kind, (dtype_t)type, op};
            if (problem_why_not(&p) == NULL)
                fprintf(stream, "%s %s\n", dtype_name(p.type), problem_op_name(p.kind, op));
        }
    }
}

/* ---- what is done with a pair ---- */

/* The memory that a given size needs is there; else a message and false. */
static bool fits_memory(const run_t *run, const problem_t *p, shape_t shape)
{
    size_t needed = check_bytes(p, shape), free_bytes = device_free_bytes();

    if (needed <= free_bytes / 10 * 9)
        return true;
    fprintf(stderr, "%s: %zu elements of %s need %zu bytes of device memory; %zu are free\n",
            run->program, problem_n(shape), dtype_name(p->type), needed, free_bytes);
    return false;
}

/* What follows are times, not only checks. */
static bool is_timed(const run_t *run)
{
    return !run->options.check && run->options.input == NULL && !run->device.emulated;
}

/* Sizes that are timed are not checked here: bench_run() does that, in the buffers it times. */
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
                              o->shapes, given, offset, o->seed, &run->faults);
    if (tally.unsupported)
        report_skip(&run->report, dtype_name(p->type), problem_op_name(p->kind, p->op),
                    "not supported on this device");
    else
        report_check(&run->report, p, &tally);
    return tally.failed > 0 ? EXIT_WRONG : EXIT_RIGHT;
}

/* Run the step once on an input and report what came out. */
static int show_value(run_t *run, const input_t *input)
{
    const problem_t *p = &input->problem;
    case_t test = {.input = input, .out_offset = run->options.offset};
    outcome_t outcome = {0};

    if (!fits_memory(run, p, input->shape))
        return EXIT_WRONG;
    for (size_t i = 0; i < MAX_INPUTS; i++)
        test.in_offset[i] = run->options.offset;
    verdict_t verdict = check_case(&test, &run->faults, &outcome);
    if (verdict == CHECK_UNSUPPORTED)
        report_skip(&run->report, dtype_name(p->type), problem_op_name(p->kind, p->op),
                    "not supported on this device");
    else
        report_value(&run->report, input, &outcome, verdict == CHECK_RIGHT);
    return verdict == CHECK_WRONG ? EXIT_WRONG : EXIT_RIGHT;
}

static int show_pair(run_t *run, const problem_t *p)
{
    int code = EXIT_RIGHT;

    for (size_t i = 0; i < run->options.shape_count; i++) {
        input_t input;
        input_make(&input, p, run->options.shapes[i], SET_UNIFORM, run->options.seed);
        int result = show_value(run, &input);
        input_free(&input);
        code = result > code ? result : code;
    }
    return code;
}

static int bench_shape(run_t *run, const problem_t *p, shape_t shape)
{
    const char *type = dtype_name(p->type), *op = problem_op_name(p->kind, p->op);
    bench_t bench;

    if (problem_n(shape) == 0) {
        report_skip(&run->report, type, op, "n = 0 leaves nothing to time");
        return EXIT_RIGHT;
    }
    switch (bench_run(&bench, p, shape, &run->options, &run->faults)) {
    case BENCH_DONE:
        report_bench(&run->report, &bench);
        return EXIT_RIGHT;
    case BENCH_UNSUPPORTED:
        report_skip(&run->report, type, op, "not supported on this device");
        return EXIT_RIGHT;
    case BENCH_NO_MEMORY:
        report_skip(&run->report, type, op, "too large for the free device memory");
        return EXIT_RIGHT;
    default:
        return EXIT_WRONG;
    }
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

/* Call `visit` for each pair that is asked for and offered. Returns the worst exit code. */
static int for_each_pair(run_t *run, bool everything, pair_fn visit)
{
    int code = EXIT_RIGHT;

    for (int type = 0; type < DTYPE_COUNT; type++) {
        problem_t p = {run->lead.step, run->lead.kind, (dtype_t)type, 0};
        for (; p.op < problem_op_count(p.kind); p.op++) {
            if (!pairs_asked(&run->options, &p, everything) || problem_why_not(&p) != NULL)
                continue;
            int result = visit(run, &p);
            code = result > code ? result : code;
        }
    }
    return code;
}

/* Report the pairs that are asked for and not offered; a type without any in one line. */
static void report_missing(run_t *run, bool everything)
{
    for (int type = 0; type < DTYPE_COUNT; type++) {
        problem_t p = {run->lead.step, run->lead.kind, (dtype_t)type, 0};
        bool none = !pairs_offer_type(&run->lead, p.type, ~0u);
        for (; p.op < problem_op_count(p.kind); p.op++) {
            const char *why = problem_why_not(&p), *op = problem_op_name(p.kind, p.op);
            if (why == NULL || !pairs_asked(&run->options, &p, everything))
                continue;
            report_skip(&run->report, dtype_name(p.type), none ? NULL : op, why);
            if (none)
                break;
        }
    }
}

/* The elements of a file go through every operator that is asked for. */
static int show_file(run_t *run, const file_t *file)
{
    const options_t *o = &run->options;
    problem_t p = {run->lead.step, run->lead.kind, file->data.type, 0};
    int code = EXIT_RIGHT;

    for (; p.op < problem_op_count(p.kind); p.op++) {
        if ((o->ops != 0 && !(o->ops >> p.op & 1)) || problem_why_not(&p) != NULL)
            continue;
        input_t input = {.problem = p, .shape = file->shape, .set = SET_FILE};
        for (size_t i = 0; i < MAX_INPUTS; i++)
            input.data[i] = file->data; /* steps with more inputs get the file for each of them */
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
    if (pairs_offer_type(&run->lead, file.data.type, o->ops != 0 ? o->ops : ~0u)) {
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

int run_all(run_t *run)
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
        code = for_each_pair(run, everything, check_pair);
        report_missing(run, everything);
        if (!o->check && shown && code == EXIT_RIGHT)
            code = for_each_pair(run, false, show_pair);
        if (timed && code == EXIT_RIGHT) /* a wrong kernel has no time */
            code = for_each_pair(run, false, bench_pair);
        report_end(&run->report);
    }
    faults_finish(&run->faults);
    return code;
}
