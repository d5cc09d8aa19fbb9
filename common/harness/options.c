/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "parser.h"

#include <string.h>

static const struct {
    const char *brief, *name; /* brief: NULL where there is none */
    bool takes_value;
    option_fn set;
} OPTIONS[] = {
    {"-n", "--size", true, parser_set_sizes},    {"-t", "--type", true, parser_set_types},
    {"-o", "--op", true, parser_set_ops},        {NULL, "--rows", true, parser_set_rows},
    {NULL, "--cols", true, parser_set_cols},     {NULL, "--input", true, parser_set_input},
    {NULL, "--seed", true, parser_set_seed},     {NULL, "--reps", true, parser_set_reps},
    {NULL, "--offset", true, parser_set_offset}, {NULL, "--warm", false, parser_set_flag},
    {NULL, "--check", false, parser_set_flag},   {NULL, "--quick", false, parser_set_flag},
    {NULL, "--list", false, parser_set_flag},    {"-h", "--help", false, parser_set_flag},
    {NULL, "--csv", false, parser_set_format},   {NULL, "--json", false, parser_set_format},
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

/* ---- the command line ---- */

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

/* What no single option can see. */
static bool check_combination(const parser_t *parser)
{
    options_t *o = parser->options;
    bool rows = problem_has_rows(parser->problem->kind);

    if (o->quick && !o->check)
        return parser_fail(parser, "--quick: it shortens --check; give both");
    if (o->warm && (o->check || o->input != NULL))
        return parser_fail(parser, "--warm: it is for times; leave out %s",
                           o->check ? "--check" : "--input");
    if (o->offset_given && o->check && o->shape_count == 0 && !o->rows_given)
        return parser_fail(parser, "--offset: --check goes through the offsets itself; give %s too",
                           rows ? "--rows and --cols" : "-n");
    if (!rows && (o->rows_given || o->cols_given))
        return parser_fail(parser, "--rows, --cols: this step has no rows; give its size with -n");
    if (rows && o->shape_count > 0)
        return parser_fail(parser, "-n: this step takes a matrix; give --rows R --cols C");
    if (o->rows_given != o->cols_given)
        return parser_fail(parser, "%s: give --rows and --cols together",
                           o->rows_given ? "--rows" : "--cols");
    if (o->input != NULL && (o->check || o->shape_count > 0))
        return parser_fail(parser, "--input: the file gives the size; leave out %s",
                           o->check ? "--check" : "-n");
    if (o->rows_given) {
        o->shape_count = 1;
        if (!problem_fits(o->shapes[0]))
            return parser_fail(parser,
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

    *options = (options_t){.seed = 1, .reps = PARSER_DEFAULT_REPS};
    for (int i = 1; i < argc && !options->help; i++) {
        const char *value;
        int which = find_option(argv[i], &value);
        if (which < 0)
            return parser_fail(&parser, "'%.60s' is not an option; --help lists them", argv[i]);
        const char *name = argv[i][1] == '-' ? OPTIONS[which].name : OPTIONS[which].brief;
        if (!OPTIONS[which].takes_value && value != NULL)
            return parser_fail(&parser, "%s: it takes no value, and was given '%.60s'", name,
                               value);
        if (OPTIONS[which].takes_value && value == NULL) {
            if (i + 1 == argc)
                return parser_fail(&parser, "%s: its value is missing; --help tells what it can be",
                                   name);
            value = argv[++i];
        }
        if (!OPTIONS[which].set(&parser, name, value))
            return false;
    }
    return options->help || check_combination(&parser);
}
