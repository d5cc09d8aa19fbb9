/* SPDX-License-Identifier: MIT */
/*
 * results.h - the rows of common/results/GPU/NAME.csv, whose columns are read by name, and numbers
 * that are made of them. A file is read when it is first asked for. Texts are never freed.
 */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdbool.h>

typedef struct row row_t;

/* The rows of a file; NULL after the last one, or if there is no such file. */
const row_t *first_row(const char *gpu, const char *name);
const row_t *next_row(const row_t *row);

/* What a line `# FIELD: ...` at the head of a row's file says, or `; FIELD: ...` within one; or "".
 */
const char *head_of(const row_t *row, const char *field);

/* A field of a row; NULL if the file has no such column. */
const char *field_of(const row_t *row, const char *column);
double number(const row_t *row, const char *column);

/* A CELL is NAME(KEY,KEY...) or GPU/NAME(KEY,KEY...): the rows of that file that have all keys. A
 * key is the value of any column, or column=value, or column!=value; 2^28 is 268435456, and seg*
 * what begins with seg. The first of these rows, or the next one. */
const row_t *find(const char *gpu, const char *cell);
const row_t *find_next(const row_t *row, const char *cell);

/*
 * The value of a formula, terms with + - * / between them, from left to right:
 *
 *   12, 0.5, 2^28                a number
 *   CELL.gbps                    a field of the one row of a cell, ladder(01_naive,...).gbps
 *   last CELL.gbps               of several rows the last one. Or of all their numbers the least,
 *                                the most, or rank0.25: a quarter are less
 *   ratio(peers;KEYS;KEYS).most  of all pairs of rows that have the first and the second keys and
 *                                the same type, op, n and cols, the quotient of their median_us:
 *                                the least, the most, or the geometric mean
 *   ladder.memory                the number in the head of that file
 *
 * *wrong is why it has none, or NULL.
 */
double formula_value(const char *gpu, const char *formula, const char **wrong);

/* Ends the program with a message. */
void stop(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
