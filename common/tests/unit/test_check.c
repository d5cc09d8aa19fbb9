/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: check - the checker must accept right kernels and refuse wrong ones, and say why.
 * Run: $BUILD/unit/test_check
 */
#include "buffers.h"
#include "cases.h"
#include "size.h"
#include "steps.h"
#include "test.h"

#include <stdlib.h>

static device_t device = {.sms = 4, .resident_threads = 8192, .emulated = true};
static char text[20000];

/* Run a whole check of one pair with a fault planted; what is printed goes to `text`. */
static tally_t check(const step_t *lesson, dtype_t type, int op, level_t level, fault_t fault)
{
    FILE *stream = tmpfile();
    mismatches_t mismatches = {
        .step = "test", .variant = "kernel", .device = &device, .stream = stream};
    problem_t p;
    tally_t tally = {0};

    memset(text, 0, sizeof text);
    if (stream == NULL || problem_open(&p, lesson) != NULL)
        return (tally_t){.failed = 1};
    p.type = type;
    p.op = op;
    steps_fault = fault;
    tally = cases_run(&p, false, level, NULL, 0, NULL, 1, &mismatches);
    steps_fault = FAULT_NONE;
    mismatches_finish(&mismatches);
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

TEST(right_steps_pass)
{
    static const struct {
        const step_t *lesson;
        dtype_t type;
        int op;
        size_t cases; /* more than these */
    } right[] = {
        {&steps_reduce, DTYPE_F32, OP_SUM, 100}, {&steps_reduce, DTYPE_F32, OP_MAX, 100},
        {&steps_reduce, DTYPE_I32, OP_SUM, 50},  {&steps_reduce, DTYPE_I32, OP_MAX, 50},
        {&steps_rows, DTYPE_F32, OP_SUM, 50},    {&steps_map, DTYPE_F32, MAP_GELU, 40},
        {&steps_map, DTYPE_F32, MAP_MUL, 40},    {&steps_map, DTYPE_F32, MAP_FMA, 40},
        {&steps_map, DTYPE_F32, MAP_ADD, 40},    {&steps_map, DTYPE_F16, MAP_RELU, 80},
        {&steps_map, DTYPE_F16, MAP_CAST, 80},   {&steps_softmax, DTYPE_F32, 0, 300},
        {&steps_softmax, DTYPE_F16, 0, 300},     {&steps_columns, DTYPE_F32, OP_SUM, 50},
        {&steps_cast, DTYPE_F32, MAP_TO_U8, 40}, {&steps_cast, DTYPE_U8, MAP_TO_F32, 80},
    };

    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        tally_t t = check(right[i].lesson, right[i].type, right[i].op, LEVEL_FULL, FAULT_NONE);
        CHECK(t.cases > right[i].cases && t.failed == 0 && text[0] == '\0');
    }
}

/* Each planted fault is found by the short list, for both types and operators. */
TEST(faults_are_found)
{
    for (int i = FAULT_NONE + 1; i < FAULT_OF_SOME; i++) {
        CHECK(check_f32(OP_SUM, (fault_t)i).failed > 0);
        CHECK(check_f32(OP_MAX, (fault_t)i).failed > 0);
        CHECK(check(&steps_reduce, DTYPE_I32, OP_SUM, LEVEL_QUICK, (fault_t)i).failed > 0);
        CHECK(check(&steps_reduce, DTYPE_I32, OP_MAX, LEVEL_QUICK, (fault_t)i).failed > 0);
    }
}

/* And the message says these words. Each cause is reported once, even if many cases have it. */
TEST(messages_say_what_is_wrong)
{
    static const struct {
        const step_t *lesson;
        dtype_t type;
        int op;
        fault_t fault;
        const char *words[4];
    } said[] = {
#define SUM &steps_reduce, DTYPE_F32, OP_SUM
#define MAX &steps_reduce, DTYPE_F32, OP_MAX
        {SUM, FAULT_NOTHING_RUN, {"output never written", "cause: nothing is written to d_out\n"}},
        {SUM, FAULT_OUTPUT_BEFORE, {"wrote outside the output: byte 1 before its start"}},
        {SUM, FAULT_OUTPUT_AFTER, {"wrote outside the output: byte 0 after its end"}},
        {SUM, FAULT_SCRATCH_AFTER, {"wrote outside the scratch: byte 0 after its end"}},
        {SUM, FAULT_INPUT_CHANGED, {"changed its input: element 0 of input 0"}},
        {SUM, FAULT_INPUT_BEFORE, {"wrote outside the input: byte 1 before its start"}},
        {SUM, FAULT_SCRATCH_HUGE, {" bytes of scratch; "}},
        {SUM, FAULT_RUNS_AT_QUERY, {"asking for the scratch size ran the kernel"}},
        {SUM, FAULT_NO_SCRATCH_SIZE, {"did not set *work_bytes"}},
        {SUM, FAULT_LAUNCH_ERROR, {"the launch failed"}},
        {SUM, FAULT_LAST_MISSING, {"cause: the last element is missing\n"}},
        {MAX, FAULT_LAST_MISSING, {"cause: the last element is missing\n"}},
        {SUM, FAULT_ONE_TOO_MANY, {"cause: elements before or after the input"}},
        {SUM, FAULT_ONE_BEFORE, {"cause: elements before or after the input"}},
        {SUM, FAULT_ROUNDED, {"wrong: test.kernel, f32 sum, n ", "offset ", "set '", "got "}},
        {SUM, FAULT_ROUNDED, {"expected ", "error ", "allowed "}},
        {MAX, FAULT_ZERO_IDENTITY, {"0 is not an element, yet it wins: the identity"}},
        {MAX, FAULT_NAN_LOST, {", expected NaN\n", "cause: a NaN is lost"}},
        {&steps_rows, DTYPE_F32, OP_SUM, FAULT_ROUNDED, {"25 x 255, offset ", "row 0: got "}},
        {&steps_columns, DTYPE_F32, OP_SUM, FAULT_ROUNDED, {"255 x 25, ", "column 0: got "}},
        {&steps_columns,
         DTYPE_F32,
         OP_SUM,
         FAULT_LAST_MISSING,
         {"cause: column 0: the last element is miss"}},
        {&steps_softmax,
         DTYPE_F32,
         0,
         FAULT_LAST_MISSING,
         {"1 x 1, offset ", "row 0, column 0: output never written"}},
        {&steps_softmax, DTYPE_F16, 0, FAULT_LAST_MISSING, {"output never written"}},
        {&steps_softmax, DTYPE_F32, 0, FAULT_NAN_LOST, {"got "}},
        {&steps_softmax, DTYPE_F32, 0, FAULT_ROUNDED, {"got "}},
        {&steps_map,
         DTYPE_F32,
         MAP_MUL,
         FAULT_LAST_MISSING,
         {"cause: the last element of 33 is not written\n"}},
        {&steps_map, DTYPE_F32, MAP_GELU, FAULT_LAST_MISSING, {"output never written"}},
        {&steps_map, DTYPE_F16, MAP_CAST, FAULT_LAST_MISSING, {"output never written"}},
        {&steps_cast, DTYPE_F32, MAP_TO_U8, FAULT_LAST_MISSING, {"output never written"}},
        {&steps_cast, DTYPE_U8, MAP_TO_F32, FAULT_LAST_MISSING, {"output never written"}},
        {&steps_map, DTYPE_F32, MAP_GELU, FAULT_INPUT_CHANGED, {"element 0 of input 0"}},
        {&steps_map, DTYPE_F32, MAP_FMA, FAULT_INPUT_CHANGED, {"element 0 of input 2"}},
    };

    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        CHECK(check(said[i].lesson, said[i].type, said[i].op, LEVEL_QUICK, said[i].fault).failed);
        for (size_t k = 0; k < 4 && said[i].words[k] != NULL; k++) {
            const char *words = said[i].words[k], *first = strstr(text, words);
            const bool is_cause = strncmp(words, "cause:", 6) == 0;
            CHECK(first != NULL && !(is_cause && strstr(first + 1, words) != NULL));
            if (first == NULL)
                printf("    no '%s' in\n%s", words, text);
        }
        CHECK(!found("nan"));
    }
}

/* Zones around large buffers are filled and checked in a different way. */
TEST(writes_beside_a_buffer_are_seen)
{
    static const size_t sizes[] = {0, 40, 1 << 16, (1 << 16) + 8};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const ptrdiff_t end = (ptrdiff_t)sizes[i];
        const ptrdiff_t places[] = {-1, -GUARD_BYTES, end, end + GUARD_BYTES - 1};
        for (size_t k = 0; k <= sizeof places / sizeof places[0]; k++) {
            guard_t guard = guard_open(sizes[i], 8, DTYPE_F64, 0x5a);
            ptrdiff_t where = 0;
            guard_fill(&guard, NULL, POISON_OUTPUT, NULL);
            if (k > 0)
                guard.d_data[places[k - 1]] ^= 1;
            guard_fetch(&guard, NULL);
            CHECK(guard_intact(&guard, NULL, &where) == (k == 0));
            CHECK(k == 0 || where == places[k - 1]);
            guard_close(&guard);
        }
    }
}

/* The poison of an f32 is -2.9e-16: within the bound of a sum that is 0, but still not a result. */
TEST(poison_close_to_the_result_is_seen)
{
    float *elements = alloc_array(2, sizeof *elements), d_out[1];
    input_t input = {.shape = {1, 2}, .set = SET_UNIFORM};

    elements[0] = 1;
    elements[1] = -1;
    memset(d_out, POISON_OUTPUT, sizeof d_out);
    CHECK(problem_open(&input.problem, &steps_reduce) == NULL);
    data_adopt(&input.data[0], DTYPE_F32, 2, elements);
    outcome_t outcome = compare_output(&input, &device, d_out, NULL, NULL, NULL);
    CHECK(outcome.wrong == 1 && outcome.never_written);
    CHECK(expect_holds(&outcome.expect, DTYPE_F32, outcome.got));
    d_out[0] = 1e-8f;
    outcome = compare_output(&input, &device, d_out, NULL, NULL, NULL);
    CHECK(outcome.wrong == 0);
    input_free(&input);
}

static bool has_tile_without_patch(const data_t *data)
{
    for (size_t begin = 0; begin + DATA_TILE <= data->n; begin += DATA_TILE) {
        bool found = false;
        for (size_t p = 0; p < data->patch_count; p++)
            found = found || data->patches[p].index / DATA_TILE == begin / DATA_TILE;
        if (!found)
            return true;
    }
    return false;
}

/*
 * Outputs that repeat with the tile of the input are compared bit by bit with one tile without
 * patches. One wrong element must show: in the last row, which has patches, in the row after the
 * last whole tile, which has none, and among those that are known.
 */
static void repeated_rows_are_compared(const step_t *lesson)
{
    const shape_t shape = {4 * (size_t)DATA_TILE / 1024 + 3, 1024};
    problem_t p;
    input_t input;
    known_t known = {0};
    size_t work_bytes;
    char work[1];

    CHECK(problem_open(&p, lesson) == NULL);
    input_make(&input, &p, shape, SET_UNIFORM, 1);
    CHECK(has_tile_without_patch(&input.data[0]));
    float *d_in = alloc_array(problem_n(shape), sizeof *d_in);
    float *d_out = alloc_array(problem_n(shape), sizeof *d_out);
    const void *d_inputs[] = {d_in};
    data_upload(&input.data[0], d_in, NULL);
    problem_launch(&p, d_inputs, d_out, shape, work, &work_bytes, NULL);
    CHECK(compare_output(&input, &device, d_out, NULL, &known, NULL).wrong == 0);
    CHECK(known.n > 0 && memcmp(known.h_out, d_out, known.n * sizeof *d_out) == 0);

    const size_t each = problem_out_n(&p, shape) / shape.rows; /* outputs of a row */
    const size_t places[] = {(shape.rows - 1) * each, (shape.rows - 3) * each, 1};
    for (size_t i = 0; i < 3; i++) {
        float right = d_out[places[i]];
        d_out[places[i]] += 1;
        outcome_t outcome = compare_output(&input, &device, d_out, NULL, &known, NULL);
        CHECK(outcome.wrong == 1 && outcome.index == places[i]);
        d_out[places[i]] = right;
    }
    free(known.h_out);
    free(d_in);
    free(d_out);
    input_free(&input);
}

TEST(repeated_sums)
{
    repeated_rows_are_compared(&steps_rows);
}

TEST(repeated_softmax)
{
    repeated_rows_are_compared(&steps_softmax);
}

/*
 * Wide matrices: the columns c and c + tile are of the same elements. One wrong element must show:
 * in the last column, which has a patch, and in one that repeats.
 */
TEST(repeated_columns)
{
    const shape_t shape = {2, 2 * (size_t)DATA_TILE + 500};
    const size_t places[] = {shape.cols - 1, 2 * (size_t)DATA_TILE + 7};
    problem_t p;
    input_t input;

    CHECK(problem_open(&p, &steps_columns) == NULL && p.kind == KIND_COLUMNS);
    input_make(&input, &p, shape, SET_UNIFORM, 1);
    float *d_out = alloc_array(shape.cols, sizeof *d_out);
    for (size_t c = 0; c < shape.cols; c++)
        d_out[c] = (float)(data_at(&input.data[0], c) + data_at(&input.data[0], shape.cols + c));
    CHECK(compare_output(&input, &device, d_out, NULL, NULL, NULL).wrong == 0);
    for (size_t i = 0; i < 2; i++) {
        float right = d_out[places[i]];
        d_out[places[i]] += 1;
        outcome_t outcome = compare_output(&input, &device, d_out, NULL, NULL, NULL);
        CHECK(outcome.wrong == 1 && outcome.index == places[i]);
        d_out[places[i]] = right;
    }
    free(d_out);
    input_free(&input);
}

TEST(ten_faults_are_printed_and_the_rest_counted)
{
    size_t lines = 0;
    tally_t t = check_f32(OP_SUM, FAULT_NOTHING_RUN);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    CHECK(t.failed == t.cases && t.cases > 10 && lines == 23 && found("more faults, not shown"));
    CHECK(found("wrong: failed: test.kernel: nothing is written to d_out\n"));
}

TEST(unsupported_is_not_a_fault)
{
    tally_t t = check_f32(OP_SUM, FAULT_UNSUPPORTED);
    CHECK(t.unsupported && t.failed == 0 && t.cases == 0 && text[0] == '\0');
}

TEST(a_step_fills_one_table)
{
    step_t none = {.summary = "none"}, two = steps_reduce;
    problem_t p;
    two.rows[DTYPE_F32][OP_SUM] = steps_rows.rows[DTYPE_F32][OP_SUM];
    CHECK(strstr(problem_open(&p, &none), "offers nothing") != NULL);
    CHECK(strstr(problem_open(&p, &two), "more than one") != NULL);
    two = steps_rows;
    two.softmax[DTYPE_F32] = steps_softmax.softmax[DTYPE_F32];
    CHECK(strstr(problem_open(&p, &two), "more than one") != NULL);
    CHECK(problem_open(&p, &steps_softmax) == NULL && p.kind == KIND_SOFTMAX && p.op == 0);
    CHECK(problem_why_not(&p) == NULL && problem_op_count(p.kind) == 1);
    CHECK(problem_has_rows(p.kind) && !problem_has_rows(KIND_MAP));
    p.type = DTYPE_F64;
    CHECK(strcmp(problem_why_not(&p), "not offered by this step") == 0);
    CHECK(problem_open(&p, &steps_map) == NULL && p.kind == KIND_MAP && p.op == MAP_RELU);
}

TEST(bytes_that_must_move)
{
    problem_t p = {.kind = KIND_REDUCE, .type = DTYPE_F64, .op = OP_SUM};
    CHECK(problem_bytes(&p, (shape_t){1, 10}) == 88);
    p = (problem_t){.kind = KIND_ROWS, .type = DTYPE_F32, .op = OP_SUM};
    CHECK(problem_bytes(&p, (shape_t){3, 10}) == 132);
    p.kind = KIND_COLUMNS;
    CHECK(problem_bytes(&p, (shape_t){3, 10}) == 160 && problem_out_n(&p, (shape_t){0, 10}) == 10);
    p = (problem_t){.kind = KIND_SOFTMAX, .type = DTYPE_F16};
    CHECK(problem_bytes(&p, (shape_t){3, 10}) == 120 && problem_out_n(&p, (shape_t){3, 10}) == 30);
    p = (problem_t){.kind = KIND_MAP, .type = DTYPE_F32, .op = MAP_FMA};
    CHECK(problem_bytes(&p, (shape_t){1, 10}) == 160);
    p.op = MAP_CAST;
    CHECK(problem_bytes(&p, (shape_t){1, 10}) == 60 && problem_out_type(&p) == DTYPE_F16);
    CHECK(problem_fits((shape_t){1, (size_t)1 << 50}) && !problem_fits((shape_t){1, SIZE_MAX / 8}));
    CHECK(!problem_fits((shape_t){SIZE_MAX, SIZE_MAX}) && !problem_fits((shape_t){SIZE_MAX, 0}));
    CHECK(!problem_fits((shape_t){0, SIZE_MAX}));
}

int main(void)
{
    return test_all();
}
