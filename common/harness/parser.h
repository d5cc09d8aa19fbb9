/* SPDX-License-Identifier: MIT */
/*
 * parser.h - one option at a time. Used by options.c alone.
 */
#ifndef PARSER_H
#define PARSER_H

#include "options.h"

enum { PARSER_DEFAULT_REPS = 40, PARSER_MAX_REPS = 100000 };

/* The state of options_parse(). */
typedef struct {
    options_t *options;
    const problem_t *problem;
    char *message;
} parser_t;

/*
 * One option: put `value` where it belongs in parser->options. `name` is the option as it was
 * given, for messages. Returns true, or false with a message. Options without a value get NULL.
 */
typedef bool (*option_fn)(parser_t *parser, const char *name, const char *value);

bool parser_set_sizes(parser_t *parser, const char *name, const char *value);
bool parser_set_rows(parser_t *parser, const char *name, const char *value);
bool parser_set_cols(parser_t *parser, const char *name, const char *value);
bool parser_set_types(parser_t *parser, const char *name, const char *value);
bool parser_set_ops(parser_t *parser, const char *name, const char *value);
bool parser_set_input(parser_t *parser, const char *name, const char *value);
bool parser_set_seed(parser_t *parser, const char *name, const char *value);
bool parser_set_reps(parser_t *parser, const char *name, const char *value);
bool parser_set_offset(parser_t *parser, const char *name, const char *value);
bool parser_set_flag(parser_t *parser, const char *name, const char *value);
bool parser_set_format(parser_t *parser, const char *name, const char *value);

/* Write the message, as printf does, and return false. */
__attribute__((format(printf, 2, 3))) bool parser_fail(const parser_t *parser, const char *format,
                                                       ...);

#endif
