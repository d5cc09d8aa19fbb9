/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "explain_reduce.h"

#include "buffers.h"
#include "size.h"

#include <math.h>
#include <stdlib.h>

/* A wrong result of a reduction: of `length` elements, element k of it being first + k * stride. */
typedef struct {
    mismatches_t *log;
    const input_t *input;
    const case_t *test;
    const outcome_t *outcome;
    size_t first, stride, length;
} wrong_t;

#define say(w, ...) mismatches_cause((w)->log, (w)->input, (w)->outcome->index, __VA_ARGS__)

static reduce_op_t op_of(const wrong_t *w)
{
    return (reduce_op_t)w->input->problem.op;
}

static double element(const wrong_t *w, size_t k)
{
    return data_at(&w->input->data[0], w->first + k * w->stride);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/*
 * The result with these elements (all n, freed here, or NULL: those of the case) in these
 * surroundings. False if there is none.
 */
static bool run(wrong_t *w, void *elements, const surroundings_t *around, double *result)
{
    const problem_t *p = &w->input->problem;
    const size_t n = problem_n(w->input->shape);
    input_t input = *w->input;
    case_t test = *w->test;

    if (elements != NULL)
        data_adopt(&input.data[0], p->type, n, elements);
    test.input = &input;
    w->log->spent += probe_cost(w->log->device, n);
    void *h_out = alloc_array(problem_out_n(p, input.shape), dtype_size(p->type));
    const bool ran = w->log->spent <= PROBE_BUDGET && probe_run(&test, around, h_out);
    if (ran)
        *result = dtype_load(p->type, h_out, w->outcome->index);
    free(h_out);
    free(elements);
    return ran;
}

/* ---- marks ---- */

/* Elements begin .. end - 1 of the result: all, or the first `width` of each `period`. */
typedef struct {
    size_t begin, end, period, width;
} part_t;

static bool in_part(const part_t *part, size_t k)
{
    return k >= part->begin && k < part->end &&
           (part->period == 0 || (k - part->begin) % part->period < part->width);
}

/*
 * A mark must be visible among elements that change nothing. For a sum they are 1 to 7, and
 * neighbours differ, so that an element in another's place shows. A sum of them is exact in f32.
 */
static double mark(reduce_op_t op, size_t k)
{
    return op == OP_SUM ? 1 + (double)(k * 5 % 7) : op == OP_MAX ? 1 : op == OP_MIN ? -1 : 0;
}

/*
 * How often the elements of a part are counted, if equally often: 0 if they are missing. A maximum,
 * a minimum and a product show 1 for any of them. NAN: not equally often.
 */
static bool ask(wrong_t *w, part_t part, double *times)
{
    const problem_t *p = &w->input->problem;
    const reduce_op_t op = op_of(w);
    const size_t n = problem_n(w->input->shape);
    void *elements = alloc_array(n, dtype_size(p->type));
    double marks = 0, result;

    for (size_t i = 0; i < n; i++)
        dtype_store(p->type, elements, i, op == OP_PROD);
    for (size_t k = 0; k < w->length; k++) {
        if (in_part(&part, k)) {
            dtype_store(p->type, elements, w->first + k * w->stride, mark(op, k));
            marks += mark(op, k);
        }
    }
    if (!run(w, elements, &PROBE_USUAL, &result))
        return false;
    if (op != OP_SUM)
        *times = result == mark(op, 0) ? 1 : result == (op == OP_PROD) ? 0 : (double)NAN;
    else
        *times = result / marks == rint(result / marks) ? result / marks : (double)NAN;
    return true;
}

static bool is_counted(wrong_t *w, part_t part, double times, bool *answer)
{
    double got = 0;
    const bool ran = ask(w, part, &got);
    *answer = got == times;
    return ran;
}

/* Move the end up as far as the part has that count. It has it now, or is empty. */
static bool extend(wrong_t *w, part_t *part, double times)
{
    size_t beyond = w->length + 1;
    bool yes;

    while (part->end + 1 < beyond) {
        const size_t middle = part->end + (beyond - part->end) / 2;
        if (!is_counted(w, (part_t){part->begin, middle, 0, 0}, times, &yes))
            return false;
        if (yes)
            part->end = middle;
        else
            beyond = middle;
    }
    return true;
}

/* The same with the begin, downwards, of a part that is missing. */
static bool extend_back(wrong_t *w, part_t *part)
{
    size_t low = 0;
    bool yes;

    while (low < part->begin) {
        const size_t middle = low + (part->begin - low) / 2;
        if (!is_counted(w, (part_t){middle, part->end, 0, 0}, 0, &yes))
            return false;
        if (yes)
            part->begin = middle;
        else
            low = middle + 1;
    }
    return true;
}

/* ---- what is missing, or counted more often ---- */

typedef enum { FOUND, ALL_COUNTED, UNKNOWN } answer_t;

/* From element `from` on, the next part of a sum that is not counted once, and how often it is. */
static answer_t next_part(wrong_t *w, size_t from, part_t *part, double *times)
{
    part_t right = {from, from, 0, 0};

    if (!extend(w, &right, 1))
        return UNKNOWN;
    if (right.end == w->length)
        return ALL_COUNTED;
    *part = (part_t){right.end, right.end + 1, 0, 0};
    if (!ask(w, *part, times) || *times == 1 || isnan(*times)) /* its surroundings matter */
        return UNKNOWN;
    return extend(w, part, *times) ? FOUND : UNKNOWN;
}

/* A part that is missing from a maximum, a minimum or a product: it has the winner, or an end. */
static answer_t missing_part(wrong_t *w, part_t *part)
{
    size_t candidates[3] = {0, w->length - 1, 0};
    bool missing = false;

    for (size_t k = 0; k < w->length; k++) {
        if (same(element(w, k), w->outcome->expect.value.high))
            candidates[0] = k;
    }
    for (size_t i = 0; i < 3 && !missing; i++) {
        *part = (part_t){candidates[i], candidates[i] + 1, 0, 0};
        if (!is_counted(w, *part, 0, &missing))
            return UNKNOWN;
    }
    if (!missing)
        return ALL_COUNTED;
    return extend(w, part, 0) && extend_back(w, part) ? FOUND : UNKNOWN;
}

/* Whether the part repeats, in each part->period elements. `next`: the next one. */
static bool find_period(wrong_t *w, part_t *part, size_t next, double times)
{
    const size_t width = part->end - part->begin;
    bool yes = false;

    for (size_t period = next > 0 ? next - part->begin : 2 * width; !yes && period <= w->length / 2;
         period *= 2) {
        part_t all = {next > 0 ? part->begin : part->begin % period, w->length, period, width};
        if (!is_counted(w, all, times, &yes))
            return false;
        if (yes)
            *part = all;
        if (next > 0)
            break;
    }
    return yes;
}

/* "the last 3 elements", "element 5". */
static void name_part(FILE *text, const part_t *part, size_t length)
{
    const size_t begin = part->begin, count = part->end - begin, next = begin + part->period;

    if (part->period > 0 && part->width == 1)
        fprintf(text, "elements %zu, %zu, %zu, ...", begin, next, next + part->period);
    else if (part->period > 0)
        fprintf(text, "elements %zu to %zu, %zu to %zu, ...", begin, begin + part->width - 1, next,
                next + part->width - 1);
    else if (count == length)
        fputs(length == 1 ? "the only element" : "every element", text);
    else if (count == 1 && part->end == length)
        fputs("the last element", text);
    else if (count == 1)
        fprintf(text, "element %zu", begin);
    else if (part->end == length)
        fprintf(text, "the last %zu elements", count);
    else if (begin == 0)
        fprintf(text, "the first %zu elements", count);
    else
        fprintf(text, "elements %zu to %zu", begin, part->end - 1);
}

/* The part, and what is wrong with it. */
static void describe_part(FILE *text, const part_t *part, size_t length, double times)
{
    const size_t count = part->period > 0 ? part->width : part->end - part->begin;
    const bool one = part->period == 0 && (count == 1 || count == length);

    name_part(text, part, length);
    if (times == 0)
        fputs(one ? " is missing" : " are missing", text);
    else if (times == 2)
        fputs(one ? " is counted twice" : " are counted twice", text);
    else
        fprintf(text, one ? " is counted %g times" : " are counted %g times", times);
}

/* A power of two that a block may have as threads: it is often the share of a block. */
static void describe_share(FILE *text, size_t count, size_t length)
{
    if (length > 65536 && count == length % 65536)
        fprintf(text, " (%zu modulo 65536: 16 bits?)", length);
    else if (count == 32)
        fputs(" (32: the lanes of a warp?)", text);
    else if (count >= 64 && count <= 1024 && (count & (count - 1)) == 0)
        fprintf(text, " (%zu: the share of a block?)", count);
}

/* Which elements are missing from the result, or counted too often. */
static answer_t explain_elements(wrong_t *w)
{
    const bool sum = op_of(w) == OP_SUM;
    const size_t all = w->length;
    char *cause;
    size_t bytes;
    part_t part, more;
    double times = 0, others = 0;
    const answer_t answer = sum ? next_part(w, 0, &part, &times) : missing_part(w, &part);

    if (answer != FOUND)
        return answer;
    const size_t count = part.end - part.begin;
    const bool second = sum && part.end < all && next_part(w, part.end, &more, &others) == FOUND;
    if (second ? others == times : !sum)
        find_period(w, &part, second ? more.begin : 0, times);

    FILE *text = open_memstream(&cause, &bytes);
    if (times == 0 && part.begin > 0 && part.begin < count && part.end == all) {
        fprintf(text,
                part.begin == 1 ? "only element 0 is in the result"
                                : "only the first %zu elements are in the result",
                part.begin);
        describe_share(text, part.begin, all);
    } else {
        describe_part(text, &part, all, times);
        if (!second && count < all)
            describe_share(text, count, all);
    }
    if (second && part.period == 0) {
        fputs(", ", text);
        describe_part(text, &more, all, others);
    }
    fclose(text);
    say(w, "%s", cause);
    free(cause);
    return FOUND;
}

/* ---- what else may be in the result ---- */

/* The result of another operator, or of the elements without their signs. */
static bool explain_operator(wrong_t *w)
{
    const problem_t *p = &w->input->problem;
    if (p->op == OP_PROD) /* of factors near 1: too many things are close to it */
        return false;
    const double got = w->outcome->got;
    double sum = 0;

    for (int op = 0; op < REDUCE_OPS; op++) {
        input_t other = *w->input;
        other.problem.op = op;
        const expect_t expect = w->stride == 1
                                    ? expect_reduce(&other.problem, &other.data[0], other.set,
                                                    w->log->device, w->first, w->first + w->length)
                                    : expect_column(&other.problem, &other.data[0], other.set,
                                                    other.shape, w->outcome->index);
        if (op == p->op || isnan(got) || isinf(expect.allowed) || (op == OP_PROD && got == 0) ||
            w->length < 3 || !expect_holds(&expect, p->type, got))
            continue;
        say(w, "this is the %s of the elements, not their %s", problem_op_name(p->kind, op),
            problem_op_name(p->kind, p->op));
        return true;
    }
    for (size_t k = 0; k < w->length; k++)
        sum += fabs(element(w, k));
    if (p->op != OP_SUM || p->type == DTYPE_I32 ||
        !(fabs(got - sum) <= 2 * w->outcome->expect.allowed) || isinf(sum))
        return false;
    say(w, "this is the sum of |x|: the signs are lost");
    return true;
}

/* What check.c puts around an input: it changes every result. */
static double usual_zone(const problem_t *p)
{
    if (dtype_is_float(p->type))
        return NAN;
    return p->op == OP_MAX ? INT32_MAX : p->op == OP_MIN ? INT32_MIN : 0x5a3c96e1;
}

/* Whether the result depends on memory that holds no element. */
static bool explain_surroundings(wrong_t *w)
{
    static const double nothing[REDUCE_OPS] = {0, -1e4, 1e4, 1};
    static const char *const causes[] = {
        ("the same input again gives another result: threads race, or\n"
         "    state is kept from the previous run"),
        "the old contents of d_out are in the result: set d_out first",
        "scratch is read before it is written",
        "elements before or after the input are in the result"};
    const double zone = usual_zone(&w->input->problem), got = w->outcome->got;
    const surroundings_t tries[] = {{POISON_SCRATCH, POISON_OUTPUT, zone},
                                    {POISON_SCRATCH, 0, zone},
                                    {0, POISON_OUTPUT, zone},
                                    {POISON_SCRATCH, POISON_OUTPUT, nothing[op_of(w)]}};

    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        double result;
        if (!run(w, NULL, &tries[i], &result))
            return false;
        if (same(result, got) || fabs(result - got) <= w->outcome->expect.allowed)
            continue;
        say(w, "%s", causes[i]);
        return true;
    }
    return false;
}

/* Whether a sum of zeros is not 0: something is added that is not an element. */
static bool explain_zeros(wrong_t *w)
{
    const problem_t *p = &w->input->problem;
    const size_t n = problem_n(w->input->shape);
    double result = 0;

    if (op_of(w) != OP_SUM || !run(w, alloc_array(n, dtype_size(p->type)), &PROBE_USUAL, &result) ||
        result == 0)
        return false;
    say(w, "zeros alone add up to %.4g: something is added that is not an element, or was not set",
        result);
    return true;
}

/* Whether elements of other rows, or columns, are in this one's result: only they are marked. */
static bool explain_others(wrong_t *w)
{
    const problem_t *p = &w->input->problem;
    const size_t n = problem_n(w->input->shape);
    const double nothing = op_of(w) == OP_PROD;
    double result;

    if (p->kind == KIND_REDUCE)
        return false;
    void *elements = alloc_array(n, dtype_size(p->type));
    for (size_t i = 0; i < n; i++)
        dtype_store(p->type, elements, i, mark(op_of(w), 0));
    for (size_t k = 0; k < w->length; k++)
        dtype_store(p->type, elements, w->first + k * w->stride, nothing);
    if (!run(w, elements, &PROBE_USUAL, &result) || result == nothing)
        return false;
    say(w, p->kind == KIND_ROWS ? "elements of other rows are in its result"
                                : "elements of other columns are in its result");
    return true;
}

/* Whether a row, or a column, has the result of another one: all elements hold its number. */
static bool explain_swapped(wrong_t *w)
{
    enum { NAMES = 1000 };
    const problem_t *p = &w->input->problem;
    const shape_t shape = w->input->shape;
    const size_t n = problem_n(shape), outputs = problem_out_n(p, shape);
    const size_t own = w->outcome->index;
    const char *kind = p->kind == KIND_ROWS ? "row" : "column";
    double got;

    if (p->kind == KIND_REDUCE || op_of(w) == OP_PROD)
        return false;
    void *elements = alloc_array(n, dtype_size(p->type));
    for (size_t i = 0; i < n; i++)
        dtype_store(p->type, elements, i,
                    (double)(1 + (p->kind == KIND_ROWS ? i / shape.cols : i % shape.cols) % NAMES));
    if (!run(w, elements, &PROBE_USUAL, &got))
        return false;
    got = op_of(w) == OP_SUM ? got / (double)w->length - 1 : got - 1;
    if (got != rint(got) || got < 0 || got >= (double)outputs || got == (double)(own % NAMES))
        return false;
    say(w, "this is the result of %s %.0f", kind, got);
    return true;
}

/* ---- what becomes of a value ---- */

static void explain_digits(wrong_t *w)
{
    const dtype_t type = w->input->problem.type;
    double sum = 0;

    for (size_t k = 0; k < w->length; k++)
        sum += fabs(element(w, k));
    const double share = expect_error(&w->outcome->expect, w->outcome->got) / sum;
    if (type == DTYPE_I32)
        say(w, "small numbers add up, numbers of 32 bits do not: a float holds 24 bits");
    else if (type == DTYPE_F64 && share > 0x1p-44 && share < 0x1p-18)
        say(w, "only about 7 digits are right: does a double pass through a float?");
    else if (type != DTYPE_F64 && share > 0x1p-17 && share < 0x1p-6)
        say(w, "only about 3 digits are right: do the values pass through a half?");
    else if (share < 0x1p-17)
        say(w, "each element is counted once, but too many digits are rounded off:\n"
               "    one long chain of additions?");
    else
        say(w, "whole numbers up to 7 add up, and these do not: is each value kept\n"
               "    as it is, with sign, fraction and exponent?");
}

/* Every element takes part, as far as marks can show. */
static void explain_value(wrong_t *w, bool counted)
{
    const problem_t *p = &w->input->problem;
    const double got = w->outcome->got, wanted = w->outcome->expect.value.high;
    bool among = false;

    for (size_t k = 0; k < w->length && !among; k++)
        among = same(element(w, k), got);
    if (p->type == DTYPE_I32 && got != wanted && got == (double)(float)wanted) {
        say(w, "this is the result rounded to a float: i32 has 32 bits, a float holds 24");
    } else if (got == -wanted) {
        say(w, "the sign is wrong");
    } else if (isnan(wanted) && !isnan(got) && p->op != OP_PROD) {
        say(w, p->op == OP_SUM ? "a NaN among the elements does not reach the result"
                               : "a NaN is lost: < and > are false with a NaN, a != a finds it");
    } else if (isnan(got)) {
        say(w, "the result is NaN, but no input is: memory that was never written,\n"
               "    or Inf - Inf, or 0 * Inf");
    } else if ((p->op == OP_MAX || p->op == OP_MIN) && !among) {
        const bool wins = p->op == OP_MAX ? got > wanted : got < wanted;
        say(w,
            wins ? "%.9g is not an element, yet it wins: the identity of %s is %.10g"
                 : "%.9g is not an element of the input: is its value truncated?",
            got, problem_op_name(p->kind, p->op), problem_identity(p));
    } else if (p->op == OP_SUM && counted) {
        explain_digits(w);
    }
}

static void explain_wrong(wrong_t *w)
{
    const problem_t *p = &w->input->problem;
    /* An f16 result above 2048 is rounded: a missing mark would not show. */
    const bool marks = p->type != DTYPE_F16 || p->op != OP_SUM || w->length <= 512;

    if (w->length == 0) {
        say(w, "the result for no elements is the identity of %s, %.10g",
            problem_op_name(p->kind, p->op), problem_identity(p));
        return;
    }
    if (explain_operator(w) || explain_surroundings(w) || explain_swapped(w) || explain_zeros(w) ||
        explain_others(w))
        return;
    const answer_t answer = marks ? explain_elements(w) : UNKNOWN;
    if (answer != FOUND)
        explain_value(w, answer == ALL_COUNTED);
}

void explain_reduce(mismatches_t *log, const case_t *test, const outcome_t *outcome)
{
    const kind_t kind = test->input->problem.kind;
    const shape_t shape = test->input->shape;
    wrong_t w = {.log = log, .input = test->input, .test = test, .outcome = outcome};

    w.length = kind == KIND_COLUMNS ? shape.rows : shape.cols;
    w.first = kind == KIND_ROWS ? outcome->index * shape.cols : outcome->index;
    w.stride = kind == KIND_COLUMNS ? shape.cols : 1;
    explain_wrong(&w);
}
