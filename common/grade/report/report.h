/* SPDX-License-Identifier: MIT */
/*
 * report.h - shows marks: text for a terminal of 80 columns, and the files that platforms read.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "grade/tasks/judge.h"

/* Prints the marks of one run of the grader: one submission for each exercise. */
typedef void (*report_fn)(FILE *out, const struct mark *const *marks, size_t count);

void report_text(FILE *out, const struct mark *const *marks, size_t count);

/* student,exercise,test,result,points,of,seed,... One row for each test, with a head. */
void report_csv(FILE *out, const struct mark *const *marks, size_t count);

/* results.json: gradescope-autograders.readthedocs.io/en/latest/specs/ */
void report_gradescope(FILE *out, const struct mark *const *marks, size_t count);

/* The result of a grader that github.com/classroom-resources/autograding-grading-reporter takes,
 * before base64. */
void report_classroom(FILE *out, const struct mark *const *marks, size_t count);

/* results.json of an external grader: docs.prairielearn.com/externalGrading */
void report_prairielearn(FILE *out, const struct mark *const *marks, size_t count);

/* The format of this name, or NULL; report_formats lists the names. */
report_fn report_find(const char *name);
extern const char report_formats[];

/* What is enforced, and on a line of its own what is not. */
void report_protections(FILE *out, unsigned protections);

/* A field of CSV: in quotes where it must be. */
void report_field(FILE *out, const char *text);

#endif
