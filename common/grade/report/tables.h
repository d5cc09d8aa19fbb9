/* SPDX-License-Identifier: MIT */
/*
 * tables.h - the rows of a class, and the files that tables.c makes of them.
 */
#ifndef TABLES_H
#define TABLES_H

#include "report.h"

/* The columns of marks_long.csv. */
enum { STUDENT, EXERCISE, POINTS, OF, SECONDS, FILE_NAME, NOTE, SEED, SCORE, CELLS };

struct cells {
    const char *cell[CELLS];
};

struct places {
    const char *marks, *long_table; /* marks.csv, marks_long.csv */
    const char *folder, *reports;   /* that they are in, and of the reports */
};

/* Reads the rows of earlier runs. A file that is not there has none; one that is not such a table
 * stops the grader. */
void table_read(const char *path);

/* Adds a row, in place of that of the same student and exercise. Keeps copies. */
void table_put(const struct cells *row);

/* A row as a line, without its end; and a row from a line, which is cut. NULL, or what is wrong. */
const char *table_line(const struct cells *row);
const char *table_add(char *line);

/* The seed of an exercise in the last row that has one, or NULL. */
const char *table_seed(const char *exercise);

/* Writes all tables. `speed` gives the ratio to the solution on a GPU of a row of the board; NULL:
 * there is no such column. */
bool tables_write(const struct places *at, const char *format,
                  const char *(*speed)(const struct cells *row));

#endif
