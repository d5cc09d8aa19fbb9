/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "dtype.h"

#include <stdarg.h>

enum { FAULTS_PRINTED = 10 };

/* Count a fault and print its first line, where it happened. False if enough were printed. */
static bool begin(faults_t *faults, const input_t *input, size_t offset)
{
    const problem_t *p = &input->problem;
    FILE *stream = faults->stream;

    if (faults->count++ >= FAULTS_PRINTED)
        return false;
    fprintf(stream, "wrong: %s.%s, %s %s, ", faults->step, faults->variant, dtype_name(p->type),
            problem_op_name(p->kind, p->op));
    if (problem_has_rows(p->kind))
        fprintf(stream, "%zu x %zu", input->shape.rows, input->shape.cols);
    else
        fprintf(stream, "n %zu", input->shape.cols);
    fprintf(stream, ", offset %zu, set '%s'\n    ", offset, data_set_name(input->set));
    return true;
}

void faults_add(faults_t *faults, const input_t *input, size_t offset, const char *format, ...)
{
    va_list arguments;

    if (!begin(faults, input, offset))
        return;
    va_start(arguments, format);
    vfprintf(faults->stream, format, arguments);
    va_end(arguments);
    fputc('\n', faults->stream);
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
    case KIND_SOFTMAX:
        fprintf(stream, "row %zu, column %zu: ", index / input->shape.cols,
                index % input->shape.cols);
        return;
    default:
        fprintf(stream, "element %zu: ", index);
    }
}

void faults_add_outcome(faults_t *faults, const input_t *input, size_t offset,
                        const outcome_t *outcome)
{
    const expect_t *expect = &outcome->expect;
    const dtype_t type = input->problem.type;
    const int digits = type == DTYPE_F32 || type == DTYPE_F16 ? 9 : 17;

    if (!begin(faults, input, offset))
        return;
    print_place(faults->stream, input, outcome->index);
    if (outcome->never_written)
        fprintf(faults->stream, "output never written, expected %.*g", digits, expect->value.high);
    else
        fprintf(faults->stream, "got %.*g, expected %.*g, error %.3g, allowed %.3g", digits,
                outcome->got, digits, expect->value.high, expect_error(expect, outcome->got),
                expect->allowed);
    if (outcome->wrong > 1)
        fprintf(faults->stream, " (and %zu more)", outcome->wrong - 1);
    fputc('\n', faults->stream);
}

void faults_finish(const faults_t *faults)
{
    const size_t more = faults->count > FAULTS_PRINTED ? faults->count - FAULTS_PRINTED : 0;

    if (more > 0)
        fprintf(faults->stream, "wrong: %zu more fault%s, not shown\n", more, more == 1 ? "" : "s");
}
