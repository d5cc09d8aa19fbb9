/* SPDX-License-Identifier: MIT */
#include "mismatch.h"

#include <stdarg.h>

enum { MISMATCHES_PRINTED = 10 };

/* Count a mismatch and print its first line, where it happened. False if enough were printed. */
static bool begin(mismatches_t *m, const input_t *input, size_t offset)
{
    const problem_t *p = &input->problem;
    FILE *stream = m->stream;

    if (m->count++ >= MISMATCHES_PRINTED)
        return false;
    fprintf(stream, "wrong: %s.%s, %s %s, ", m->step, m->variant, dtype_name(p->type),
            problem_op_name(p->kind, p->op));
    if (problem_has_rows(p->kind))
        fprintf(stream, "%zu x %zu", input->shape.rows, input->shape.cols);
    else
        fprintf(stream, "n %zu", input->shape.cols);
    fprintf(stream, ", offset %zu, set '%s'\n    ", offset, sets_name(input->set));
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

void mismatches_add_outcome(mismatches_t *m, const input_t *input, size_t offset,
                            const outcome_t *outcome)
{
    const expect_t *expect = &outcome->expect;
    const dtype_t type = input->problem.type;
    const int digits = type == DTYPE_F32 || type == DTYPE_F16 ? 9 : 17;

    if (!begin(m, input, offset))
        return;
    print_place(m->stream, input, outcome->index);
    if (outcome->never_written)
        fprintf(m->stream, "output never written, expected %.*g", digits, expect->value.high);
    else
        fprintf(m->stream, "got %.*g, expected %.*g, error %.3g, allowed %.3g", digits,
                outcome->got, digits, expect->value.high, expect_error(expect, outcome->got),
                expect->allowed);
    if (outcome->wrong > 1)
        fprintf(m->stream, " (and %zu more)", outcome->wrong - 1);
    fputc('\n', m->stream);
}

void mismatches_finish(const mismatches_t *m)
{
    const size_t more = m->count > MISMATCHES_PRINTED ? m->count - MISMATCHES_PRINTED : 0;

    if (more > 0)
        fprintf(m->stream, "wrong: %zu more fault%s, not shown\n", more, more == 1 ? "" : "s");
}
