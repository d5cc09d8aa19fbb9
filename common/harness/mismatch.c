/* SPDX-License-Identifier: MIT */
#include "mismatch.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { MISMATCHES_PRINTED = 10 };

/* If the emulator has named a cause, the wrong values that follow from it would bury it. */
static size_t to_print(void)
{
    return device_found() > 0 ? 1 : MISMATCHES_PRINTED;
}

/* Count a mismatch and print its first line, where it happened. False if enough were printed. */
static bool begin(mismatches_t *m, const input_t *input, size_t offset)
{
    const problem_t *p = &input->problem;
    FILE *stream = m->stream;

    if (m->count++ >= to_print())
        return false;
    fprintf(stream, "wrong: %s.%s, %s %s, ", m->step, m->variant, dtype_name(p->type),
            problem_op_name(p->kind, p->op));
    if (problem_has_rows(p->kind))
        fprintf(stream, "%zu x %zu", input->shape.rows, input->shape.cols);
    else
        fprintf(stream, "n %zu", input->shape.cols);
    fprintf(stream, ", offset %zu, set '%s'", offset, sets_name(input->set));
    if (m->device->few_sms)
        fprintf(stream, ", %d SMs", m->device->sms);
    fprintf(stream, "\n    ");
    return true;
}

void mismatches_add(mismatches_t *m, const input_t *input, size_t offset, const char *format, ...)
{
    va_list arguments;

    if (!begin(m, input, offset))
        return;
    va_start(arguments, format);
    vfprintf(m->stream, format, arguments);
    va_end(arguments);
    fputc('\n', m->stream);
}

/* Which element of the output it is. A reduction of a vector has only one. */
static void print_place(FILE *stream, const input_t *input, size_t index)
{
    switch (input->problem.kind) {
    case KIND_REDUCE:
        return;
    case KIND_ROWS:
        fprintf(stream, "row %zu: ", index);
        return;
    case KIND_COLUMNS:
        fprintf(stream, "column %zu: ", index);
        return;
    case KIND_SOFTMAX:
        fprintf(stream, "row %zu, column %zu: ", index / input->shape.cols,
                index % input->shape.cols);
        return;
    default:
        fprintf(stream, "element %zu: ", index);
    }
}

/* All NaNs are equal: the sign of the reference's depends on the machine. */
static void print_number(FILE *stream, dtype_t type, double x)
{
    if (isnan(x))
        fputs("NaN", stream);
    else
        fprintf(stream, "%.*g", type == DTYPE_F32 || type == DTYPE_F16 ? 9 : 17, x);
}

void mismatches_add_outcome(mismatches_t *m, const input_t *input, size_t offset,
                            const outcome_t *outcome)
{
    const expect_t *expect = &outcome->expect;
    const dtype_t type = input->problem.type;
    const double error = expect_error(expect, outcome->got);

    if (!begin(m, input, offset))
        return;
    print_place(m->stream, input, outcome->index);
    fputs(outcome->never_written ? "output never written" : "got ", m->stream);
    if (!outcome->never_written)
        print_number(m->stream, type, outcome->got);
    fputs(", expected ", m->stream);
    print_number(m->stream, type, expect->value.high);
    if (!outcome->never_written && !isnan(error)) /* nothing is near a NaN */
        fprintf(m->stream, ", error %.3g, allowed %.3g", error, expect->allowed);
    if (outcome->wrong > 1)
        fprintf(m->stream, " (and %zu more)", outcome->wrong - 1);
    fputc('\n', m->stream);
}

bool mismatches_shown(const mismatches_t *m)
{
    return m->count <= to_print() && device_found() == 0 && m->reported < CAUSES_REPORTED;
}

void mismatches_cause(mismatches_t *m, const input_t *input, size_t index, const char *format, ...)
{
    char cause[CAUSE_LENGTH], words[CAUSE_LENGTH]; /* words: without the numbers */
    size_t length = 0;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    for (const char *c = cause; *c != '\0' && length + 1 < sizeof words; c++) {
        if (!isdigit((unsigned char)*c) && *c != '.' && *c != '-')
            words[length++] = *c;
    }
    words[length] = '\0';
    for (size_t i = 0; i < m->reported; i++) {
        if (strcmp(m->causes[i], words) == 0)
            return;
    }
    if (m->reported == 0)
        memcpy(m->first_cause, cause, sizeof cause);
    memcpy(m->causes[m->reported++], words, sizeof words);
    fputs("wrong: cause: ", m->stream);
    if (index != NO_PLACE)
        print_place(m->stream, input, index);
    fprintf(m->stream, "%s\n", cause);
}

/* If the emulator has found a mistake in the kernel, its line comes last. */
void mismatches_finish(const mismatches_t *m)
{
    const size_t more = m->count > MISMATCHES_PRINTED ? m->count - MISMATCHES_PRINTED : 0;

    if (device_found() > 0 && m->count > 1)
        fprintf(m->stream, "wrong: %zu faults in all; the `simt:` lines say why\n", m->count);
    if (device_found() > 0 || m->count == 0)
        return;
    if (more > 0)
        fprintf(m->stream, "wrong: %zu more fault%s, not shown\n", more, more == 1 ? "" : "s");
    fprintf(m->stream, "wrong: failed: %s.%s: %s\n", m->step, m->variant,
            m->reported > 0 ? m->first_cause : "the first fault is reported above");
}
