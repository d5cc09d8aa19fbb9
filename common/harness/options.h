/* SPDX-License-Identifier: MIT */
/*
 * options.h - the command line, the same for every step program.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "problem.h"

#include <stdint.h>
#include <stdio.h>

enum { OPTIONS_MAX_SIZES = 64, OPTIONS_MAX_OFFSET = 64, OPTIONS_MESSAGE = 600 };

typedef enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON } format_t;

typedef struct {
    shape_t shapes[OPTIONS_MAX_SIZES]; /* from -n, or one from --rows and --cols */
    size_t shape_count;
    bool rows_given, cols_given;
    unsigned types, ops; /* bit i: dtype_t i, operator i; 0: not given */
    bool all;            /* -t all or -o all: pairs that the step lacks are no error */
    const char *input;   /* a file name, or NULL */
    uint64_t seed;
    size_t reps;
    bool offset_given;
    size_t offset; /* elements between a 256-byte boundary and the start of each buffer */
    bool warm;     /* what fits L2 is timed out of it */
    bool check, quick, list, help;
    format_t format;
} options_t;

/*
 * Read the command line of a program whose step is `problem` (any pair of it). Fills *options, with
 * defaults where nothing is given. Returns true, or false with one line in message (room for
 * OPTIONS_MESSAGE bytes) that names the option, the value given and what is accepted. Keeps
 * pointers into argv. Reading stops at -h.
 */
bool options_parse(options_t *options, int argc, char *const *argv, const problem_t *problem,
                   char *message);

/*
 * A size: a whole number, K, M or G (2^10, 2^20, 2^30) may follow; or a power and what is added,
 * 2^20 or 2^31+3. Reads the `length` characters at `text`. NULL and *size, or what is wrong.
 */
const char *options_size(const char *text, size_t length, size_t *size);

/* Print how the program is used. */
void options_help(FILE *stream, const char *program, const problem_t *problem);

#endif
