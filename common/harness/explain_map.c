/* SPDX-License-Identifier: MIT */
#include "explain_map.h"

#include "size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 32 };

/* A whole output, and what it should be. */
typedef struct {
    mismatches_t *log;
    const input_t *input;
    const outcome_t *outcome;
    size_t n;
    dtype_t type;     /* of the output */
    double *got;      /* n */
    expect_t *expect; /* n */
    bool *wrong;      /* n */
    size_t wrong_count;
    bool ran;
} whole_t;

#define say(w, ...) mismatches_cause((w)->log, (w)->input, NO_PLACE, __VA_ARGS__)

static double x_of(const whole_t *w, size_t input, size_t i)
{
    return data_at(&w->input->data[input], i);
}

/* What element i must be if input k is taken from input sources[k]. */
static expect_t expect_from(const whole_t *w, const problem_t *p, size_t i, const size_t *sources)
{
    double x[MAX_INPUTS] = {0};

    for (size_t k = 0; k < problem_inputs(p); k++)
        x[k] = x_of(w, sources[k], i);
    return expect_map(p, x);
}

/* ---- another element, another input, another operator ---- */

/* Whether all wrong elements are right for another operator or other inputs. Three prove it. */
static bool all_are(const whole_t *w, const problem_t *p, const size_t *sources)
{
    if (w->wrong_count < 3)
        return false;
    for (size_t i = 0; i < w->n; i++) {
        const expect_t expect = expect_from(w, p, i, sources);
        if (w->wrong[i] && !expect_holds(&expect, w->type, w->got[i]))
            return false;
    }
    return true;
}

static bool explain_inputs(const whole_t *w)
{
    const size_t inputs = problem_inputs(&w->input->problem);

    for (size_t code = 0; inputs > 1 && code < 27; code++) {
        const size_t sources[] = {code % 3, code / 3 % 3, code / 9};
        if (sources[0] >= inputs || sources[1] >= inputs || sources[2] >= inputs ||
            !all_are(w, &w->input->problem, sources))
            continue;
        if (inputs == 2)
            say(w, "this is made of the inputs %zu and %zu, not 0 and 1", sources[0], sources[1]);
        else
            say(w, "this is made of the inputs %zu, %zu and %zu, not 0, 1 and 2", sources[0],
                sources[1], sources[2]);
        return true;
    }
    return false;
}

static bool explain_operator(const whole_t *w)
{
    static const size_t own[] = {0, 1, 2};

    for (int op = 0; op < problem_op_count(KIND_MAP); op++) {
        problem_t p = w->input->problem;
        p.op = op;
        if (problem_undefined(&p) != NULL || problem_out_type(&p) != w->type ||
            op == w->input->problem.op || problem_inputs(&p) > problem_inputs(&w->input->problem) ||
            !all_are(w, &p, own))
            continue;
        say(w, "this is %s, not %s", problem_op_name(p.kind, op),
            problem_op_name(p.kind, w->input->problem.op));
        return true;
    }
    return false;
}

/* ---- which elements are wrong ---- */

typedef bool (*class_fn)(const whole_t *w, size_t i);

static bool has_nan(const whole_t *w, size_t i)
{
    bool nan = false;
    for (size_t k = 0; k < problem_inputs(&w->input->problem); k++)
        nan = nan || isnan(x_of(w, k, i));
    return nan;
}

static bool has_inf(const whole_t *w, size_t i)
{
    bool inf = false;
    for (size_t k = 0; k < problem_inputs(&w->input->problem); k++)
        inf = inf || isinf(x_of(w, k, i));
    return inf;
}

static bool is_no_number(const whole_t *w, size_t i)
{
    return !isfinite(w->got[i]) && isfinite(w->expect[i].value.high);
}

static double smallest_normal(dtype_t type)
{
    return type == DTYPE_F16 ? 0x1p-14 : type == DTYPE_F32 ? 0x1p-126 : 0x1p-1022;
}

static bool is_subnormal(const whole_t *w, size_t i)
{
    const double x = fabs(x_of(w, 0, i)), y = fabs(w->expect[i].value.high);
    const dtype_t in = w->input->problem.type;
    return (dtype_is_float(in) && x > 0 && x < smallest_normal(in)) ||
           (dtype_is_float(w->type) && y > 0 && y < smallest_normal(w->type));
}

static bool is_beyond(const whole_t *w, size_t i)
{
    const double x = x_of(w, 0, i);
    return w->type != w->input->problem.type &&
           (x > dtype_largest(w->type) || x < (w->type == DTYPE_U8 ? 0 : -dtype_largest(w->type)));
}

static bool is_close(const whole_t *w, size_t i)
{
    const double ulp = dtype_is_float(w->type) ? dtype_ulp(w->type, w->expect[i].value.high) : 1;
    return w->input->problem.kind == KIND_MAP &&
           expect_error(&w->expect[i], w->got[i]) <= 2 * ulp + w->expect[i].allowed;
}

static bool has_three_digits(const whole_t *w, size_t i)
{
    const double error = expect_error(&w->expect[i], w->got[i]);
    return error <= fabs(w->expect[i].value.high) * 0x1p-8;
}

/* The inputs of all wrong elements, and of no right one, are in an interval. */
static bool explain_interval(const whole_t *w)
{
    double low = INFINITY, high = -(double)INFINITY;
    bool near = false; /* a right element has the same sign */

    for (size_t i = 0; i < w->n; i++) {
        low = w->wrong[i] ? fmin(low, x_of(w, 0, i)) : low;
        high = w->wrong[i] ? fmax(high, x_of(w, 0, i)) : high;
    }
    for (size_t i = 0; i < w->n; i++) {
        const double x = x_of(w, 0, i);
        if (!w->wrong[i] && x >= low && x <= high && x != 0)
            return false;
        near = near || (!w->wrong[i] && (x < 0 ? high < 0 : x > 0 && low > 0));
    }
    if (w->wrong_count == w->n || !(low <= high))
        return false;
    if (!near && high < 0)
        say(w, "wrong where the input is below 0, and only there");
    else if (!near && low > 0)
        say(w, "wrong where the input is above 0, and only there");
    else if (w->wrong_count >= 3) {
        say(w, "wrong where the input is from %.3g to %.3g, right elsewhere", low, high);
    }
    return true;
}

/* All wrong elements are of one class, and other classes were tried too. */
static bool explain_class(const whole_t *w)
{
    static const struct {
        class_fn is;
        const char *cause;
        bool all; /* even if everything is wrong */
    } classes[] = {
        {has_nan, "wrong where an input is NaN, and only there", false},
        {has_inf, "wrong where an input is infinite, and only there", false},
        {is_beyond, "wrong where the input is beyond the range of the output", false},
        {is_subnormal, "wrong where values are subnormal: they are treated as 0", false},
        {is_close, "wrong in the last digit: rounded twice, or truncated, not rounded", true},
        {has_three_digits,
         "only the first digits are right: a narrower type in between,\n"
         "    or a constant that is not quite right",
         true},
        {is_no_number,
         "the result is NaN or Inf: Inf - Inf, 0 * Inf, 0 / 0, too large an exponent,\n"
         "    or memory that was never written",
         true},
    };

    for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
        size_t of_class = 0, others = 0;
        for (size_t i = 0; i < w->n; i++) {
            of_class += w->wrong[i] && classes[c].is(w, i);
            others += !w->wrong[i];
        }
        if (of_class < w->wrong_count || (others == 0 && !classes[c].all))
            continue;
        say(w, "%s", classes[c].cause);
        return true;
    }
    return false;
}

/* At least say what f does: where the error is largest, among values of moderate size. */
static void explain_formula(const whole_t *w)
{
    double worst = 0;
    size_t at = 0;

    for (size_t i = 0; i < w->n && problem_inputs(&w->input->problem) == 1; i++) {
        const double size = fabs(x_of(w, 0, i)), error = expect_error(&w->expect[i], w->got[i]);
        if (!w->wrong[i] || !(size > 0.25 && size < 8) || !(error > worst))
            continue;
        worst = error;
        at = i;
    }
    if (worst == 0)
        return;
    say(w,
        "the places are right, the formula is not: %.7g gives\n"
        "    %.7g, not %.7g",
        x_of(w, 0, at), w->got[at] + 0, w->expect[at].value.high);
}

/* ---- softmax ---- */

static bool explain_softmax(const whole_t *w)
{
    const size_t cols = w->input->shape.cols, first = w->outcome->index / cols * cols;
    double least = INFINITY, most = 0, sum = 0;

    for (size_t i = first; i < first + cols; i++) {
        const double factor = w->got[i] / w->expect[i].value.high;
        sum += w->got[i];
        if (fabs(w->expect[i].value.high) < 0x1p-12 || isnan(factor))
            continue;
        if (isinf(factor))
            return false;
        least = fmin(least, factor);
        most = fmax(most, factor);
    }
    if (isfinite(sum) && fabs(sum - 1) < 1e-3 && most > 1.01 * least) {
        say(w, "the row adds up to 1, but its shares are wrong: is the same maximum\n"
               "    subtracted everywhere?");
        return true;
    }
    if (!isfinite(sum) || least <= 0 || most > least * 1.01 || fabs(sum - 1) < 1e-3)
        return false;
    say(w,
        "the row adds up to %.4g, not to 1: terms are missing\n"
        "    from the sum in the denominator, or counted twice",
        sum);
    return true;
}

/* ---- the whole ---- */

/* Run a case again and compare all of its output: the checker kept only one element. */
static whole_t open_whole(mismatches_t *log, const case_t *test, const outcome_t *outcome)
{
    static const size_t own[] = {0, 1, 2};
    const problem_t *p = &test->input->problem;
    const size_t cols = test->input->shape.cols, n = problem_n(test->input->shape);
    whole_t w = {log, test->input, outcome, n, problem_out_type(p), NULL, NULL, NULL, 0, false};
    void *h_out = alloc_array(n, dtype_size(w.type));
    softmax_row_t row = {0};

    w.got = alloc_array(n, sizeof *w.got);
    w.expect = alloc_array(n, sizeof *w.expect);
    w.wrong = alloc_array(n, sizeof *w.wrong);
    log->spent += probe_cost(log->device, n);
    const bool ran = log->spent <= PROBE_BUDGET && probe_run(test, &PROBE_USUAL, h_out);
    for (size_t i = 0; i < n && ran; i++) {
        if (p->kind == KIND_SOFTMAX && i % cols == 0)
            row = softmax_row(&w.input->data[0], i, i + cols);
        w.got[i] = dtype_load(w.type, h_out, i);
        w.expect[i] = p->kind == KIND_SOFTMAX ? softmax_element(&row, w.type, x_of(&w, 0, i))
                                              : expect_from(&w, p, i, own);
        w.wrong[i] = !expect_holds(&w.expect[i], w.type, w.got[i]);
        w.wrong_count += w.wrong[i];
    }
    w.ran = ran;
    free(h_out);
    return w;
}

static void close_whole(whole_t *w)
{
    free(w->got);
    free(w->expect);
    free(w->wrong);
}

/* Where else the value of element i belongs: the distance, or 0 if no place nearby fits, or several
 * do. */
static ptrdiff_t origin(const whole_t *w, size_t i)
{
    ptrdiff_t found = 0;

    for (ptrdiff_t distance = -NEAR; distance <= NEAR; distance++) {
        const size_t from = i + (size_t)distance; /* below 0 is beyond n */
        if (from >= w->n || !expect_holds(&w->expect[from], w->type, w->got[i]))
            continue;
        if (found != 0)
            return 0;
        found = distance;
    }
    return found;
}

/*
 * All wrong values belong elsewhere: all at the same distance, or swapped. `names` is the output of
 * a run on elements that differ from all nearby ones.
 */
static bool explain_shift(const whole_t *names)
{
    size_t proofs = 0, first = 0;
    ptrdiff_t shift = 0;
    bool equal = true;

    for (size_t i = 0; i < names->n; i++) {
        if (!names->wrong[i])
            continue;
        const ptrdiff_t distance = origin(names, i);
        if (distance == 0)
            return false;
        equal = equal && (proofs == 0 || distance == shift);
        first = proofs == 0 ? i : first;
        shift = proofs == 0 ? distance : shift;
        proofs++;
    }
    if (proofs < 3)
        return false;
    if (equal)
        say(names, "each has what belongs %td element%s %s", shift < 0 ? -shift : shift,
            shift == 1 || shift == -1 ? "" : "s", shift > 0 ? "further on" : "before");
    else
        say(names, "elements are in each other's places: %zu has what belongs to %zu", first,
            first + (size_t)shift);
    return true;
}

/* Where the wrong ones are: consecutive, or at equal distances. Not if all are wrong, and four
 * prove it. */
static bool explain_pattern(const whole_t *names)
{
    size_t first = names->n, second = names->n, last = 0;
    bool run = true, equal = true;

    for (size_t i = 0; i < names->n; i++) {
        if (!names->wrong[i])
            continue;
        second = first < names->n && second == names->n ? i : second;
        first = first == names->n ? i : first;
        last = i;
    }
    if (names->wrong_count < 4 || names->wrong_count == names->n)
        return false;
    for (size_t i = first; i < names->n; i++) {
        run = run && names->wrong[i] == (i <= last);
        equal = equal && names->wrong[i] == ((i - first) % (second - first) == 0);
    }
    if (run)
        say(names, "elements %zu to %zu of %zu are wrong, whatever their value", first, last,
            names->n);
    else if (equal)
        say(names, "elements %zu, %zu, ... %zu are wrong, whatever their value", first, second,
            last);
    else
        return false;
    return true;
}

/* The same with elements that identify themselves: 1 to 251, well mixed, so that a mistake for
 * values from 3 to 5, say, does not look like a position; the other inputs are all 1. */
static bool explain_places(mismatches_t *log, const case_t *test, const outcome_t *outcome)
{
    input_t input = *test->input;
    case_t named = *test;
    const size_t n = problem_n(input.shape);

    named.input = &input;
    for (size_t k = 0; k < problem_inputs(&input.problem); k++) {
        void *elements = alloc_array(n, dtype_size(input.problem.type));
        for (size_t i = 0; i < n; i++)
            dtype_store(input.problem.type, elements, i, k > 0 ? 1 : 1 + (double)(i * 97 % 251));
        data_adopt(&input.data[k], input.problem.type, n, elements);
    }
    whole_t w = open_whole(log, &named, outcome);
    const bool found = explain_shift(&w) || explain_pattern(&w);
    close_whole(&w);
    input_free(&input);
    return found;
}

void explain_map(mismatches_t *log, const case_t *test, const outcome_t *outcome)
{
    const bool map = test->input->problem.kind == KIND_MAP;

    if (map && explain_places(log, test, outcome))
        return;
    whole_t w = open_whole(log, test, outcome);
    bool found;

    if (!w.ran) {
        found = true; /* stop here */
    } else if (w.wrong_count == 0) {
        say(&w, "the same input again gives the right result: threads race, or\n"
                "    state is kept from the previous run");
        found = true;
    } else {
        found = map ? explain_inputs(&w) || explain_operator(&w) : explain_softmax(&w);
    }
    if (!found && !explain_class(&w) && map && !explain_interval(&w))
        explain_formula(&w);
    close_whole(&w);
}
