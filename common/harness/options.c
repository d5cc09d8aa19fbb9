/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "size.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

enum { DEFAULT_REPS = 40 };

/* The state of options_parse(). */
typedef struct {
    options_t *options;
    const problem_t *problem;
    char *message;
} parser_t;

/* Write the message, as printf does, and return false. */
__attribute__((format(printf, 2, 3))) static bool fail(const parser_t *parser, const char *format,
                                                       ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(parser->message, OPTIONS_MESSAGE, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- one option ----
 * Each stores `value` in parser->options. `name` is the option as given, for messages. Returns
 * true, or false with a message. Options without a value get NULL.
 */

static bool read_size(const parser_t *parser, const char *name, const char *text, size_t length,
                      size_t *size)
{
    const char *wrong = size_read(text, length, size);
    if (wrong == NULL)
        return true;
    return fail(parser,
                "%s: '%.*s' %s; give a whole number, K, M or G may follow (1000003, 4K, "
                "1M), or 2^20, 2^31+3",
                name, (int)(length < 60 ? length : 60), text, wrong);
}

static bool set_sizes(parser_t *parser, const char *name, const char *value)
{
    options_t *o = parser->options;

    o->shape_count = 0;
    while (true) {
        size_t length = strcspn(value, ","), n;
        if (!read_size(parser, name, value, length, &n))
            return false;
        if (o->shape_count == OPTIONS_MAX_SIZES)
            return fail(parser, "%s: more than %d sizes in one list", name, OPTIONS_MAX_SIZES);
        o->shapes[o->shape_count] = (shape_t){1, n};
        if (!problem_fits(o->shapes[o->shape_count]))
            return fail(parser, "%s: '%.*s' is too large: its bytes do not fit a size_t", name,
                        (int)length, value);
        o->shape_count++;
        if (value[length] == '\0')
            return true;
        value += length + 1;
    }
}

static bool set_rows(parser_t *parser, const char *name, const char *value)
{
    parser->options->rows_given = true;
    return read_size(parser, name, value, strlen(value), &parser->options->shapes[0].rows);
}

static bool set_cols(parser_t *parser, const char *name, const char *value)
{
    parser->options->cols_given = true;
    return read_size(parser, name, value, strlen(value), &parser->options->shapes[0].cols);
}

/* A list of names, each of which must be one of those offered, or "all" for all of them. */
static bool set_names(parser_t *parser, const char *name, const char *value, bool types,
                      unsigned *bits)
{
    const problem_t *p = parser->problem;
    const int count = types ? DTYPE_COUNT : problem_op_count(p->kind);
    char names[PROBLEM_NAMES];

    *bits = 0;
    while (true) {
        size_t length = strcspn(value, ",");
        bool all = length == 3 && strncmp("all", value, length) == 0;
        unsigned found = 0;
        parser->options->all = parser->options->all || all;
        for (int i = 0; i < count; i++) {
            const unsigned bit = 1u << i;
            const char *known = types ? dtype_name((dtype_t)i) : problem_op_name(p->kind, i);
            bool same = strlen(known) == length && strncmp(known, value, length) == 0;
            if ((same || all) && problem_offers(p, types ? bit : ~0u, types ? ~0u : bit))
                found |= bit;
        }
        if (found == 0)
            return fail(parser, "%s: '%.*s' is not %s of this step; it offers %s", name,
                        (int)(length < 60 ? length : 60), value, types ? "a type" : "an operator",
                        types ? problem_type_names(p, names) : problem_op_names(p, ~0u, names));
        *bits |= found;
        if (value[length] == '\0')
            return true;
        value += length + 1;
    }
}

static bool set_types(parser_t *parser, const char *name, const char *value)
{
    return set_names(parser, name, value, true, &parser->options->types);
}

static bool set_ops(parser_t *parser, const char *name, const char *value)
{
    return set_names(parser, name, value, false, &parser->options->ops);
}

static bool set_input(parser_t *parser, const char *name, const char *value)
{
    if (value[0] == '\0')
        return fail(parser, "%s: the file name is empty; give a .npy or a raw file", name);
    parser->options->input = value;
    return true;
}

/* A whole number from `low` to `high`. */
static bool read_number(const char *value, size_t low, size_t high, size_t *number)
{
    return size_read(value, strlen(value), number) == NULL && *number >= low && *number <= high;
}

static bool set_seed(parser_t *parser, const char *name, const char *value)
{
    size_t seed;
    if (!read_number(value, 0, SIZE_MAX, &seed))
        return fail(parser, "%s: '%.60s' is not a whole number", name, value);
    parser->options->seed = seed;
    return true;
}

static bool set_reps(parser_t *parser, const char *name, const char *value)
{
    if (!read_number(value, OPTIONS_MIN_REPS, OPTIONS_MAX_REPS, &parser->options->reps))
        return fail(parser, "%s: '%.60s' is not a number of samples; give %d to %d", name, value,
                    OPTIONS_MIN_REPS, OPTIONS_MAX_REPS);
    return true;
}

static bool set_offset(parser_t *parser, const char *name, const char *value)
{
    parser->options->offset_given = true;
    if (!read_number(value, 0, OPTIONS_MAX_OFFSET, &parser->options->offset))
        return fail(parser, "%s: '%.60s' is not a number of elements; give 0 to %d", name, value,
                    OPTIONS_MAX_OFFSET);
    return true;
}

static bool set_format(parser_t *parser, const char *name, const char *value)
{
    format_t format = strcmp(name, "--csv") == 0 ? FORMAT_CSV : FORMAT_JSON;
    (void)value;

    if (parser->options->format != FORMAT_TEXT && parser->options->format != format)
        return fail(parser, "%s: give one of --csv and --json, not both", name);
    parser->options->format = format;
    return true;
}

/* ---- the command line ---- */

/* First those with a value, then those without: a function, or the offset of a flag in
 * options_t. */
typedef bool (*option_fn)(parser_t *parser, const char *name, const char *value);
static const struct {
    const char *brief, *name; /* brief: NULL if there is none */
    bool takes_value;
    option_fn set;
    size_t flag;
} OPTIONS[] = {
    {"-n", "--size", true, set_sizes, 0},
    {"-t", "--type", true, set_types, 0},
    {"-o", "--op", true, set_ops, 0},
    {NULL, "--rows", true, set_rows, 0},
    {NULL, "--cols", true, set_cols, 0},
    {NULL, "--input", true, set_input, 0},
    {NULL, "--seed", true, set_seed, 0},
    {NULL, "--reps", true, set_reps, 0},
    {NULL, "--offset", true, set_offset, 0},
    {NULL, "--csv", false, set_format, 0},
    {NULL, "--json", false, set_format, 0},
    {NULL, "--warm", false, NULL, offsetof(options_t, warm)},
    {NULL, "--check", false, NULL, offsetof(options_t, check)},
    {NULL, "--quick", false, NULL, offsetof(options_t, quick)},
    {NULL, "--once", false, NULL, offsetof(options_t, once)},
    {NULL, "--list", false, NULL, offsetof(options_t, list)},
    {"-h", "--help", false, NULL, offsetof(options_t, help)},
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

/* The option that `argument` names, or -1. *value: what follows '=' or a one-letter option. */
static int find_option(const char *argument, const char **value)
{
    size_t length = strcspn(argument, "=");

    *value = argument[length] == '=' ? argument + length + 1 : NULL;
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (strlen(OPTIONS[i].name) == length && strncmp(OPTIONS[i].name, argument, length) == 0)
            return i;
        if (OPTIONS[i].brief != NULL && strncmp(OPTIONS[i].brief, argument, 2) == 0) {
            *value = argument[2] != '\0' ? argument + 2 : NULL;
            return i;
        }
    }
    return -1;
}

/* --once takes the options that choose the data, and nothing else. */
static bool check_once(const parser_t *parser)
{
    const options_t *o = parser->options;
    const char *size = problem_has_rows(parser->problem->kind) ? "--rows and --cols" : "-n";
    const char *other = o->check                   ? "--check"
                        : o->reps > 0              ? "--reps"
                        : o->warm                  ? "--warm"
                        : o->format == FORMAT_CSV  ? "--csv"
                        : o->format == FORMAT_JSON ? "--json"
                                                   : NULL;

    if (other != NULL)
        return fail(parser,
                    "--once: it neither checks nor times; leave out %s; accepted are %s, -t, -o, "
                    "--input, --seed and --offset",
                    other, size);
    if (o->shape_count == 0 && !o->rows_given && o->input == NULL)
        return fail(parser, "--once: give the size too: %s, or --input", size);
    return true;
}

/* Checks of combinations. */
static bool check_combination(const parser_t *parser)
{
    options_t *o = parser->options;
    bool rows = problem_has_rows(parser->problem->kind);

    if (o->quick && !o->check)
        return fail(parser, "--quick: it shortens --check; give both");
    if (o->once && !check_once(parser))
        return false;
    if (o->warm && (o->check || o->input != NULL))
        return fail(parser, "--warm: it is for timing; leave out %s",
                    o->check ? "--check" : "--input");
    if (o->offset_given && o->check && o->shape_count == 0 && !o->rows_given)
        return fail(parser, "--offset: --check tries all offsets itself; give %s too",
                    rows ? "--rows and --cols" : "-n");
    if (!rows && (o->rows_given || o->cols_given))
        return fail(parser, "--rows, --cols: this step has no rows; give its size with -n");
    if (rows && o->shape_count > 0)
        return fail(parser, "-n: this step takes a matrix; give --rows R --cols C");
    if (o->rows_given != o->cols_given)
        return fail(parser, "%s: give --rows and --cols together",
                    o->rows_given ? "--rows" : "--cols");
    if (o->input != NULL && (o->check || o->shape_count > 0))
        return fail(parser, "--input: the file gives the size; leave out %s",
                    o->check ? "--check" : "-n");
    if (o->rows_given) {
        o->shape_count = 1;
        if (!problem_fits(o->shapes[0]))
            return fail(parser,
                        "--rows, --cols: %zu x %zu is too large: its bytes do not fit a "
                        "size_t",
                        o->shapes[0].rows, o->shapes[0].cols);
    }
    return true;
}

bool options_parse(options_t *options, int argc, char *const *argv, const problem_t *problem,
                   char *message)
{
    parser_t parser = {options, problem, message};

    *options = (options_t){.seed = 1};
    for (int i = 1; i < argc && !options->help; i++) {
        const char *value;
        int which = find_option(argv[i], &value);
        if (which < 0)
            return fail(&parser, "'%.60s' is not an option; --help lists them", argv[i]);
        const char *name = argv[i][1] == '-' ? OPTIONS[which].name : OPTIONS[which].brief;
        if (!OPTIONS[which].takes_value && value != NULL)
            return fail(&parser, "%s: it takes no value, but was given '%.60s'", name, value);
        if (OPTIONS[which].takes_value && value == NULL) {
            if (i + 1 == argc)
                return fail(&parser, "%s: the value is missing; --help lists the accepted ones",
                            name);
            value = argv[++i];
        }
        if (OPTIONS[which].set == NULL)
            ((bool *)options)[OPTIONS[which].flag] = true;
        else if (!OPTIONS[which].set(&parser, name, value))
            return false;
    }
    if (!options->help && !check_combination(&parser))
        return false;
    options->reps = options->reps > 0 ? options->reps : DEFAULT_REPS;
    return true;
}

/* ---- which pairs are requested ---- */

bool options_offered(const options_t *options, const problem_t *problem, char *message)
{
    char names[PROBLEM_NAMES];

    for (size_t i = 0; i < problem_pairs(problem) && !options->all; i++) {
        problem_t p = problem_pair(problem, i);
        if (!(options->types >> p.type & 1) || !(options->ops >> p.op & 1) ||
            problem_why_not(&p) == NULL)
            continue;
        snprintf(message, OPTIONS_MESSAGE, "-o: this step does not offer that for %s; it offers %s",
                 dtype_name(p.type), problem_op_names(&p, 1u << p.type, names));
        return false;
    }
    return true;
}

bool options_ask(const options_t *options, const problem_t *pair, bool everything)
{
    const unsigned ops = options->ops != 0 ? options->ops : ~0u;
    const unsigned types = options->types != 0 ? options->types : ~0u;
    const unsigned type = 1u << pair->type, op = 1u << pair->op;

    if (!(types & type) || !(ops & op))
        return false;
    if (everything)
        return true;
    if (options->types == 0 &&
        (!problem_offers(pair, type, ops) || problem_offers(pair, type - 1, ops)))
        return false; /* not the first type that has such an operator */
    return options->ops != 0 ||
           (problem_offers(pair, type, op) && !problem_offers(pair, type, op - 1));
}

/* ---- the help page ---- */

void options_help(FILE *stream, const char *program, const problem_t *problem)
{
    const bool rows = problem_has_rows(problem->kind);

    problem_title(stream, program, problem->step->summary);
    fprintf(stream, "\nusage: %s [options]\n", program);
    fputs("  Without options: a quick check of everything, then times for sizes 1K to 256M.\n\n",
          stream);
    if (rows)
        fputs("  --rows R --cols C     the matrix (4096, 4K, 1M, 2^20)\n", stream);
    else
        fputs("  -n, --size SIZE,...   elements (1000003, 4K, 1M, 1G, 2^20, 2^31+3)\n", stream);
    fputs("  -t, --type TYPE,...   f32 f64 i32 f16 u8, or all\n  -o, --op OP,...       ", stream);
    for (int op = 0; op < problem_op_count(problem->kind); op++)
        fprintf(stream, "%s%s", problem_op_name(problem->kind, op),
                op % 9 == 8 ? "\n                        " : " ");
    fputs("or all\n", stream);
    fputs("  --input FILE          the elements of a .npy file, or of a raw one (with -t)\n"
          "  --seed S              another set of random inputs (default 1)\n",
          stream);
    fprintf(stream, "  --reps R              samples for each time, %d or more (default 40)\n",
            OPTIONS_MIN_REPS);
    fprintf(stream,
            "  --offset K            start each buffer K elements past 256 bytes, 0 to %d\n",
            OPTIONS_MAX_OFFSET);
    fputs("  --warm                time with the data in L2, where it fits\n"
          "  --check               check many sizes, data sets and alignments; no times\n"
          "  --quick               with --check: a short list\n"
          "  --once                run once, no check, no times: for counters and profilers\n"
          "  --csv, --json         the results in this form\n"
          "  --list                what the step offers\n"
          "  -h, --help            this page\n\n"
          "exit status: 0 all right, 1 wrong result or CUDA error, 2 usage, 77 no usable GPU\n",
          stream);
}
