/* SPDX-License-Identifier: MIT */
/*
 * options_size.c - sizes as text, and the help page.
 */
#include "alloc.h"
#include "bench.h"
#include "dtype.h"
#include "options.h"

static const char NOT_A_SIZE[] = "is not a size";
static const char TOO_LARGE[] = "is too large: it does not fit a size_t";

/* The text that is left to read. */
typedef struct {
    const char *at, *end;
} rest_t;

static bool next_is(const rest_t *rest, char c)
{
    return rest->at < rest->end && *rest->at == c;
}

static const char *read_digits(rest_t *rest, size_t *number)
{
    const char *start = rest->at;

    *number = 0;
    for (; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
        size_t digit = (size_t)(*rest->at - '0');
        if (!alloc_multiply(*number, 10, number) || *number > (size_t)-1 - digit)
            return TOO_LARGE;
        *number += digit;
    }
    return rest->at == start ? NOT_A_SIZE : NULL;
}

/* What follows the '^' of a power, and what is added to it or taken away. */
static const char *read_power(rest_t *rest, size_t base, size_t *size)
{
    size_t exponent, term = 0;
    const char *wrong = read_digits(rest, &exponent);

    *size = 1;
    for (size_t i = 0; wrong == NULL && i < exponent && base > 1; i++)
        wrong = alloc_multiply(*size, base, size) ? NULL : TOO_LARGE;
    if (base == 0 && exponent > 0)
        *size = 0;
    if (wrong != NULL || (!next_is(rest, '+') && !next_is(rest, '-')))
        return wrong;
    bool plus = *rest->at++ == '+';
    wrong = read_digits(rest, &term);
    if (wrong != NULL)
        return wrong;
    if (plus ? term > (size_t)-1 - *size : term > *size)
        return plus ? TOO_LARGE : NOT_A_SIZE;
    *size = plus ? *size + term : *size - term;
    return NULL;
}

const char *options_size(const char *text, size_t length, size_t *size)
{
    rest_t rest = {text, text + length};
    const char *wrong = read_digits(&rest, size);
    size_t unit = 1;

    if (wrong != NULL)
        return wrong;
    if (next_is(&rest, '^')) {
        rest.at++;
        wrong = read_power(&rest, *size, size);
    } else if (next_is(&rest, 'K') || next_is(&rest, 'k')) {
        unit = (size_t)1 << 10;
    } else if (next_is(&rest, 'M') || next_is(&rest, 'm')) {
        unit = (size_t)1 << 20;
    } else if (next_is(&rest, 'G') || next_is(&rest, 'g')) {
        unit = (size_t)1 << 30;
    }
    if (wrong != NULL)
        return wrong;
    if (unit > 1)
        rest.at++;
    if (rest.at != rest.end)
        return NOT_A_SIZE;
    return alloc_multiply(*size, unit, size) ? NULL : TOO_LARGE;
}

void options_help(FILE *stream, const char *program, const problem_t *problem)
{
    const bool rows = problem_has_rows(problem->kind);

    fprintf(stream, "%s: %s\n\nusage: %s [options]\n", program, problem->step->summary, program);
    fputs("  Without options: a quick check of everything, then times for sizes 1K to 256M.\n\n",
          stream);
    if (rows)
        fputs("  --rows R --cols C     the matrix (4096, 4K, 1M, 2^20)\n", stream);
    else
        fputs("  -n, --size SIZE,...   elements (1000003, 4K, 1M, 1G, 2^20, 2^31+3)\n", stream);
    fputs("  -t, --type TYPE,...   f32 f64 i32 f16, or all\n  -o, --op OP,...       ", stream);
    for (int op = 0; op < problem_op_count(problem->kind); op++)
        fprintf(stream, "%s ", problem_op_name(problem->kind, op));
    fputs("or all\n", stream);
    fputs("  --input FILE          use the elements of a .npy file, or of a raw one (with -t)\n"
          "  --seed S              another set of random inputs (default 1)\n",
          stream);
    fprintf(stream, "  --reps R              samples for each time, %d or more (default 40)\n",
            BENCH_MIN_REPS);
    fprintf(stream,
            "  --offset K            start each buffer K elements off a 256-byte boundary, "
            "0 to %d\n",
            OPTIONS_MAX_OFFSET);
    fputs("  --warm                time with the data in L2, where it fits\n"
          "  --check               check many sizes, data sets and alignments; no times\n"
          "  --quick               with --check: a short list\n"
          "  --csv, --json         the results in this form\n"
          "  --list                what the step offers\n"
          "  -h, --help            this page\n\n"
          "exit status: 0 all right, 1 wrong result or CUDA error, 2 usage, 77 no usable GPU\n",
          stream);
}
