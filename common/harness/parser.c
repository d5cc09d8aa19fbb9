/* SPDX-License-Identifier: MIT */
#include "parser.h"

#include "bench.h"
#include "dtype.h"

#include <stdarg.h>
#include <string.h>

enum { NAMES_LENGTH = 200 };

bool parser_fail(const parser_t *parser, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(parser->message, OPTIONS_MESSAGE, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_size(const parser_t *parser, const char *name, const char *text, size_t length,
                      size_t *size)
{
    const char *wrong = options_size(text, length, size);
    if (wrong == NULL)
        return true;
    return parser_fail(parser,
                       "%s: '%.*s' %s; give a whole number, K, M or G may follow (1000003, 4K, "
                       "1M), or 2^20, 2^31+3",
                       name, (int)(length < 60 ? length : 60), text, wrong);
}

bool parser_set_sizes(parser_t *parser, const char *name, const char *value)
{
    options_t *o = parser->options;

    o->shape_count = 0;
    while (true) {
        size_t length = strcspn(value, ","), n;
        if (!read_size(parser, name, value, length, &n))
            return false;
        if (o->shape_count == OPTIONS_MAX_SIZES)
            return parser_fail(parser, "%s: more than %d sizes in one list", name,
                               OPTIONS_MAX_SIZES);
        o->shapes[o->shape_count] = (shape_t){1, n};
        if (!problem_fits(o->shapes[o->shape_count]))
            return parser_fail(parser, "%s: '%.*s' is too large: its bytes do not fit a size_t",
                               name, (int)length, value);
        o->shape_count++;
        if (value[length] == '\0')
            return true;
        value += length + 1;
    }
}

bool parser_set_rows(parser_t *parser, const char *name, const char *value)
{
    parser->options->rows_given = true;
    return read_size(parser, name, value, strlen(value), &parser->options->shapes[0].rows);
}

bool parser_set_cols(parser_t *parser, const char *name, const char *value)
{
    parser->options->cols_given = true;
    return read_size(parser, name, value, strlen(value), &parser->options->shapes[0].cols);
}

/* The types or operators that have an entry in the step, as "f32 f64". */
static const char *offered(const parser_t *parser, bool types, char *names)
{
    const int types_n = DTYPE_COUNT, ops_n = problem_op_count(parser->problem->kind);

    names[0] = '\0';
    for (int i = 0; i < (types ? types_n : ops_n); i++) {
        bool any = false;
        for (int k = 0; k < (types ? ops_n : types_n); k++) {
            problem_t p = *parser->problem;
            p.type = (dtype_t)(types ? i : k);
            p.op = types ? k : i;
            any = any || problem_why_not(&p) == NULL;
        }
        if (!any)
            continue;
        size_t used = strlen(names);
        snprintf(names + used, NAMES_LENGTH - used, "%s%s", used > 0 ? " " : "",
                 types ? dtype_name((dtype_t)i) : problem_op_name(parser->problem->kind, i));
    }
    return names;
}

/* A list of names, each of which must be one of those offered, or "all" for all of them. */
static bool set_names(parser_t *parser, const char *name, const char *value, bool types,
                      unsigned *bits)
{
    char names[NAMES_LENGTH];
    const char *what = types ? "type" : "operator";
    offered(parser, types, names);

    *bits = 0;
    while (true) {
        size_t length = strcspn(value, ",");
        int count = types ? DTYPE_COUNT : problem_op_count(parser->problem->kind);
        unsigned found = 0;
        for (int i = 0; i < count; i++) {
            const char *known =
                types ? dtype_name((dtype_t)i) : problem_op_name(parser->problem->kind, i);
            bool same = strlen(known) == length && strncmp(known, value, length) == 0;
            bool all = length == 3 && strncmp("all", value, length) == 0;
            parser->options->all = parser->options->all || all;
            if ((same || all) && strstr(names, known) != NULL)
                found |= 1u << i;
        }
        if (found == 0)
            return parser_fail(parser, "%s: '%.*s' is not %s %s of this step; it offers %s", name,
                               (int)(length < 60 ? length : 60), value, types ? "a" : "an", what,
                               names);
        *bits |= found;
        if (value[length] == '\0')
            return true;
        value += length + 1;
    }
}

bool parser_set_types(parser_t *parser, const char *name, const char *value)
{
    return set_names(parser, name, value, true, &parser->options->types);
}

bool parser_set_ops(parser_t *parser, const char *name, const char *value)
{
    return set_names(parser, name, value, false, &parser->options->ops);
}

bool parser_set_input(parser_t *parser, const char *name, const char *value)
{
    if (value[0] == '\0')
        return parser_fail(parser, "%s: the file name is empty; give a .npy or a raw file", name);
    parser->options->input = value;
    return true;
}

bool parser_set_seed(parser_t *parser, const char *name, const char *value)
{
    size_t seed;
    if (options_size(value, strlen(value), &seed) != NULL)
        return parser_fail(parser, "%s: '%.60s' is not a whole number", name, value);
    parser->options->seed = seed;
    return true;
}

bool parser_set_reps(parser_t *parser, const char *name, const char *value)
{
    size_t reps;
    if (options_size(value, strlen(value), &reps) != NULL || reps < BENCH_MIN_REPS ||
        reps > PARSER_MAX_REPS)
        return parser_fail(parser, "%s: '%.60s' is not a number of samples; give %d to %d", name,
                           value, BENCH_MIN_REPS, PARSER_MAX_REPS);
    parser->options->reps = reps;
    return true;
}

bool parser_set_offset(parser_t *parser, const char *name, const char *value)
{
    options_t *o = parser->options;

    if (options_size(value, strlen(value), &o->offset) != NULL || o->offset > OPTIONS_MAX_OFFSET)
        return parser_fail(parser, "%s: '%.60s' is not a number of elements; give 0 to %d", name,
                           value, OPTIONS_MAX_OFFSET);
    o->offset_given = true;
    return true;
}

/* ---- options without a value ---- */

bool parser_set_flag(parser_t *parser, const char *name, const char *value)
{
    options_t *o = parser->options;
    (void)value;

    o->check = o->check || strcmp(name, "--check") == 0;
    o->quick = o->quick || strcmp(name, "--quick") == 0;
    o->warm = o->warm || strcmp(name, "--warm") == 0;
    o->list = o->list || strcmp(name, "--list") == 0;
    o->help = o->help || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    return true;
}

bool parser_set_format(parser_t *parser, const char *name, const char *value)
{
    format_t format = strcmp(name, "--csv") == 0 ? FORMAT_CSV : FORMAT_JSON;
    (void)value;

    if (parser->options->format != FORMAT_TEXT && parser->options->format != format)
        return parser_fail(parser, "%s: give one of --csv and --json, not both", name);
    parser->options->format = format;
    return true;
}
