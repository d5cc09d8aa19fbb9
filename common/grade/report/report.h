/* SPDX-License-Identifier: MIT */
/*
 * report.h - the door of report/, which shows the marks that tasks/ has given.
 *
 * It owns the formats (formats.c): text for a terminal of 80 columns, CSV, and the files that
 * platforms read; and the marks of a class, several submissions at a time (class.c). grade.c calls
 * it. speed.c is a program of its own, for a GPU.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "grade/tasks/tasks.h"

/* Prints the marks of one run of the grader: one submission for each exercise. */
typedef void (*report_fn)(FILE *out, const struct mark *const *marks, size_t count);

void report_text(FILE *out, const struct mark *const *marks, size_t count);

/* The format of this name, or NULL; report_formats lists the names. */
report_fn report_find(const char *name);
extern const char report_formats[];

/* A field of CSV: in quotes where it must be. */
void report_field(FILE *out, const char *text);

struct class_options {
    const struct course *course;
    const char *folder; /* FOLDER/student/03*.cu, and with `only` FOLDER/student.cu as well */
    const char *only;   /* the name of one exercise, or NULL */
    const char *marks;  /* NULL: FOLDER/marks.csv */
    int jobs;
    uint64_t seed; /* the same inputs for all */
};

/*
 * Writes the table, a row for each submission: student,exercise,points,of,seconds,file,note. Each
 * one is judged in a process of its own, so that none can stop another. FOLDER/reports/ gets what
 * each student may read. Shows a progress bar where stderr is a terminal. Returns 0, or 2 where
 * there is nothing to grade.
 */
int class_grade(const struct class_options *o);

#endif
