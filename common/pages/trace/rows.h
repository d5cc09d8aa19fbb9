/* SPDX-License-Identifier: MIT */
/*
 * rows.h - a trace as rows: the requests of each source line, round by round. report.c prints all
 * of them, and common/viva/predict.c asks about one.
 */
#ifndef ROWS_H
#define ROWS_H

#include "trace.h"

/* The sum over the steps of one line, kind and round. */
typedef struct {
    const trace_step_t *first;
    unsigned round; /* 0: of all rounds */
    unsigned long long requests, wavefronts, sectors, ideal, lanes, steps;
} row_t;

typedef struct {
    row_t *rows; /* free them */
    size_t count;
} table_t;

/* By line and kind, as in the source, then by round. With `barriers` also how often a warp passed
 * them. False: out of memory. */
bool table_make(table_t *table, const trace_t *t, bool barriers);

/* Lines and kinds in the order of the source; 0: the same. */
int compare_places(const trace_step_t *a, const trace_step_t *b);
void add_row(row_t *sum, const row_t *row);

/* "shared load, 4 B"; "__shfl_down_sync, 4 B". Returns `text`. */
const char *kind_of(const trace_step_t *s, char text[TRACE_TEXT]);

/* Line `number` of a file, trimmed, in `text`; "" if there is none. */
const char *source_line(const char *path, unsigned number, char *text, int bytes);

/* What record.sh leaves beside a trace: "f32 sum n 256". The sandbox also leaves a sum of the
 * outputs, and its first fault; else they are "". False: it did not count the launches. */
typedef struct {
    char what[200], sum[32], fault[1024];
    unsigned long long launches;
} ran_t;
bool what_ran(const char *path, ran_t *ran);

#endif
