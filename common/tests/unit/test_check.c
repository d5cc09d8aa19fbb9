/* SPDX-License-Identifier: MIT */
/*
 * test_check.c - the checker must accept right kernels and refuse wrong ones, and say why.
 */
#include "alloc.h"
#include "cases.h"
#include "guard.h"
#include "problem.h"
#include "steps.h"
#include "test.h"

static device_t device = {.resident_threads = 8192, .emulated = true};
static char text[20000];

/* Run a whole check of one pair with a fault planted; what is printed goes to `text`. */
static tally_t check(const step_t *lesson, dtype_t type, int op, level_t level, fault_t fault)
{
    FILE *stream = tmpfile();
    faults_t faults = {"test", "kernel", &device, stream, 0};
    problem_t p;
    tally_t tally = {0};

    memset(text, 0, sizeof text);
    if (stream == NULL || problem_open(&p, lesson) != NULL)
        return (tally_t){.failed = 1};
    p.type = type;
    p.op = op;
    steps_fault = fault;
    tally = cases_run(&p, false, level, NULL, 0, 1, &faults);
    steps_fault = FAULT_NONE;
    faults_finish(&faults);
    rewind(stream);
    if (fread(text, 1, sizeof text - 1, stream) == 0)
        text[0] = '\0';
    fclose(stream);
    return tally;
}

static tally_t check_f32(int op, fault_t fault)
{
    return check(&steps_reduce, DTYPE_F32, op, LEVEL_QUICK, fault);
}

static bool found(const char *words)
{
    return strstr(text, words) != NULL;
}

static void right_steps_pass(void)
{
    for (int op = OP_SUM; op <= OP_MAX; op++) {
        tally_t t = check(&steps_reduce, DTYPE_F32, op, LEVEL_FULL, FAULT_NONE);
        CHECK(t.cases > 100 && t.failed == 0 && text[0] == '\0');
        t = check(&steps_reduce, DTYPE_I32, op, LEVEL_FULL, FAULT_NONE);
        CHECK(t.cases > 50 && t.failed == 0);
    }
    tally_t t = check(&steps_rows, DTYPE_F32, OP_SUM, LEVEL_FULL, FAULT_NONE);
    CHECK(t.cases > 50 && t.failed == 0);
    for (int op = MAP_GELU; op <= MAP_FMA; op++) {
        t = check(&steps_map, DTYPE_F32, op, LEVEL_FULL, FAULT_NONE);
        CHECK(t.cases > 40 && t.failed == 0);
    }
    t = check(&steps_map, DTYPE_F16, MAP_RELU, LEVEL_FULL, FAULT_NONE);
    CHECK(t.cases > 80 && t.failed == 0);
    t = check(&steps_map, DTYPE_F16, MAP_CAST, LEVEL_FULL, FAULT_NONE);
    CHECK(t.cases > 80 && t.failed == 0);
}

/* Each planted fault is found by the short list, in both operators where it touches both. */
static void faults_are_found(void)
{
    static const fault_t planted[] = {
        FAULT_NOTHING_RUN,   FAULT_LAST_MISSING,    FAULT_ONE_TOO_MANY,  FAULT_ONE_BEFORE,
        FAULT_OUTPUT_BEFORE, FAULT_OUTPUT_AFTER,    FAULT_SCRATCH_AFTER, FAULT_INPUT_CHANGED,
        FAULT_RUNS_AT_QUERY, FAULT_NO_SCRATCH_SIZE, FAULT_LAUNCH_ERROR};

    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        CHECK(check_f32(OP_SUM, planted[i]).failed > 0);
        CHECK(check_f32(OP_MAX, planted[i]).failed > 0);
        CHECK(check(&steps_reduce, DTYPE_I32, OP_SUM, LEVEL_QUICK, planted[i]).failed > 0);
        CHECK(check(&steps_reduce, DTYPE_I32, OP_MAX, LEVEL_QUICK, planted[i]).failed > 0);
    }
    CHECK(check_f32(OP_MAX, FAULT_ZERO_IDENTITY).failed > 0);
    CHECK(check_f32(OP_MAX, FAULT_NAN_LOST).failed > 0);
    CHECK(check_f32(OP_SUM, FAULT_ROUNDED).failed > 0);
    CHECK(check(&steps_rows, DTYPE_F32, OP_SUM, LEVEL_QUICK, FAULT_ROUNDED).failed > 0);
    CHECK(check(&steps_map, DTYPE_F32, MAP_GELU, LEVEL_QUICK, FAULT_LAST_MISSING).failed > 0);
    CHECK(check(&steps_map, DTYPE_F16, MAP_CAST, LEVEL_QUICK, FAULT_LAST_MISSING).failed > 0);
}

static void messages_say_what_is_wrong(void)
{
    check_f32(OP_SUM, FAULT_NOTHING_RUN);
    CHECK(found("output never written"));
    check_f32(OP_SUM, FAULT_OUTPUT_BEFORE);
    CHECK(found("wrote outside the output: byte 1 before its start"));
    check_f32(OP_SUM, FAULT_OUTPUT_AFTER);
    CHECK(found("wrote outside the output: byte 0 after its end"));
    check_f32(OP_SUM, FAULT_SCRATCH_AFTER);
    CHECK(found("wrote outside the scratch: byte 0 after its end"));
    check_f32(OP_SUM, FAULT_INPUT_CHANGED);
    CHECK(found("changed its input: element 0 of input 0"));
    check_f32(OP_SUM, FAULT_RUNS_AT_QUERY);
    CHECK(found("asking for the scratch size ran the kernel"));
    check_f32(OP_SUM, FAULT_NO_SCRATCH_SIZE);
    CHECK(found("did not set *work_bytes"));
    check_f32(OP_SUM, FAULT_LAUNCH_ERROR);
    CHECK(found("the launch failed"));
    check_f32(OP_SUM, FAULT_ROUNDED);
    CHECK(found("step test, variant kernel, f32 sum, n ") && found("offset ") && found("set '"));
    CHECK(found("got ") && found("expected ") && found("error ") && found("allowed "));
}

/* The poison of an f32 is -2.9e-16: within the bound of a sum that is 0, and still not a result. */
static void poison_close_to_the_result_is_seen(void)
{
    float *elements = alloc_array(2, sizeof *elements), d_out[1];
    input_t input = {.shape = {1, 2}, .set = SET_UNIFORM};

    elements[0] = 1;
    elements[1] = -1;
    memset(d_out, POISON_OUTPUT, sizeof d_out);
    CHECK(problem_open(&input.problem, &steps_reduce) == NULL);
    data_adopt(&input.data[0], DTYPE_F32, 2, elements);
    outcome_t outcome = compare_output(&input, &device, d_out, NULL);
    CHECK(outcome.wrong == 1 && outcome.never_written);
    CHECK(expect_holds(&outcome.expect, DTYPE_F32, outcome.got));
    d_out[0] = 1e-8f;
    outcome = compare_output(&input, &device, d_out, NULL);
    CHECK(outcome.wrong == 0);
    input_free(&input);
}

static void ten_faults_are_printed_and_the_rest_counted(void)
{
    size_t lines = 0;
    tally_t t = check_f32(OP_SUM, FAULT_NOTHING_RUN);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    CHECK(t.failed == t.cases && t.cases > 10 && lines == 11 && found("more faults, not shown"));
}

static void unsupported_is_not_a_fault(void)
{
    tally_t t = check_f32(OP_SUM, FAULT_UNSUPPORTED);
    CHECK(t.unsupported && t.failed == 0 && t.cases == 0 && text[0] == '\0');
}

static void a_step_fills_one_table(void)
{
    step_t none = {.summary = "none"}, two = steps_reduce;
    problem_t p;
    two.rows[DTYPE_F32][OP_SUM] = steps_rows.rows[DTYPE_F32][OP_SUM];
    CHECK(strstr(problem_open(&p, &none), "offers nothing") != NULL);
    CHECK(strstr(problem_open(&p, &two), "more than one") != NULL);
    CHECK(problem_open(&p, &steps_map) == NULL && p.kind == KIND_MAP && p.op == MAP_RELU);
}

static void bytes_that_must_move(void)
{
    problem_t p = {.kind = KIND_REDUCE, .type = DTYPE_F64, .op = OP_SUM};
    CHECK(problem_bytes(&p, (shape_t){1, 10}) == 88);
    p = (problem_t){.kind = KIND_ROWS, .type = DTYPE_F32, .op = OP_SUM};
    CHECK(problem_bytes(&p, (shape_t){3, 10}) == 132);
    p = (problem_t){.kind = KIND_MAP, .type = DTYPE_F32, .op = MAP_FMA};
    CHECK(problem_bytes(&p, (shape_t){1, 10}) == 160);
    p.op = MAP_CAST;
    CHECK(problem_bytes(&p, (shape_t){1, 10}) == 60 && problem_out_type(&p) == DTYPE_F16);
    CHECK(problem_fits((shape_t){1, (size_t)1 << 50}) && !problem_fits((shape_t){1, SIZE_MAX / 8}));
    CHECK(!problem_fits((shape_t){SIZE_MAX, SIZE_MAX}) && !problem_fits((shape_t){SIZE_MAX, 0}));
}

int main(void)
{
    RUN(right_steps_pass);
    RUN(faults_are_found);
    RUN(messages_say_what_is_wrong);
    RUN(poison_close_to_the_result_is_seen);
    RUN(ten_faults_are_printed_and_the_rest_counted);
    RUN(unsupported_is_not_a_fault);
    RUN(a_step_fills_one_table);
    RUN(bytes_that_must_move);
    return test_wrong != 0;
}
