/* SPDX-License-Identifier: MIT */
/*
 * report.h - results as text (80 columns), CSV or JSON. Owns stdout; mismatch.h reports mistakes on
 * stderr. Used by main.c and by the programs that measure peers.
 */
#ifndef REPORT_H
#define REPORT_H

#include "bench.h"
#include "cases.h"

/* The kind of table that a CSV file holds. Text and JSON hold all three. */
typedef enum { TABLE_BENCH, TABLE_CHECK, TABLE_VALUE } table_t;

/* Set all fields but the last two, which start as zero. */
typedef struct {
    FILE *stream;
    format_t format;
    table_t table;
    const char *step, *variant, *summary;
    const device_t *device;
    const char *command;
    size_t printed;  /* rows so far */
    bool bench_head; /* the names of the columns of times have been printed */
} report_t;

/* The head: the step and the device; in CSV comments and the names of the columns. */
void report_begin(report_t *report);

/* The cases of one (type, operator) pair. */
void report_check(report_t *report, const problem_t *problem, const tally_t *tally);

/* A pair that was left out, and why. op = NULL: `type` names everything left out. */
void report_skip(report_t *report, const char *type, const char *op, const char *why);

/* One run: the result of a reduction, or how many elements are right. */
void report_value(report_t *report, const input_t *input, const outcome_t *outcome, bool right);

/* The single run of --once, which is reported as text only. */
void report_once(report_t *report, const input_t *input);

/* One measurement. */
void report_bench(report_t *report, const bench_t *bench);

/* The end: closes JSON. */
void report_end(report_t *report);

#endif
