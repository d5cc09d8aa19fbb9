/* SPDX-License-Identifier: MIT */
/*
 * options.h - the command line, the same for every step program: its options, its help page, and
 * which (type, operator) pairs -t and -o select. Used by all that run a step's modes.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "problem.h"

#include <stdint.h>
#include <stdio.h>

enum { OPTIONS_MAX_SIZES = 64, OPTIONS_MAX_OFFSET = 64, OPTIONS_MESSAGE = 600 };
enum { OPTIONS_MIN_REPS = 20, OPTIONS_MAX_REPS = 100000 };

typedef enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON } format_t;

typedef struct {
    shape_t shapes[OPTIONS_MAX_SIZES]; /* from -n, or one from --rows and --cols */
    size_t shape_count;
    bool rows_given, cols_given;
    unsigned types, ops; /* bit i: dtype_t i, operator i; 0: not given */
    bool all;            /* -t all or -o all: pairs that the step lacks are not an error */
    const char *input;   /* a file name, or NULL */
    uint64_t seed;
    size_t reps;
    bool offset_given;
    size_t offset; /* elements between a 256-byte boundary and the start of each buffer */
    bool warm;     /* data that fits L2 is timed from L2 */
    bool check, quick, once, list, help;
    format_t format;
} options_t;

/*
 * Parse the command line of a program whose step is `problem` (any pair of it). Fills *options,
 * with defaults for what is not given. Returns true, or false with one line in message
 * (OPTIONS_MESSAGE bytes) that names the option, the given value and what is accepted. Keeps
 * pointers into argv. Parsing stops at -h.
 */
bool options_parse(options_t *options, int argc, char *const *argv, const problem_t *problem,
                   char *message);

/* Print how the program is used. */
void options_help(FILE *stream, const char *program, const problem_t *problem);

/*
 * Whether every pair that -t and -o name together is offered by the step of `problem`. Else false,
 * with one line in message (OPTIONS_MESSAGE bytes).
 */
bool options_offered(const options_t *options, const problem_t *problem, char *message);

/*
 * Whether `pair`, offered or not, is requested. What -t or -o leaves open means all if `everything`
 * is true, else the first one that fits what is given.
 */
bool options_ask(const options_t *options, const problem_t *pair, bool everything);

#endif
