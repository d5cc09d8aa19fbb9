/* SPDX-License-Identifier: MIT */
/*
 * report.h - the door of report/, which shows the marks that tasks/ has given.
 *
 * It owns what has been handed in (find.h), the formats (formats.c): text for a terminal of 80
 * columns, CSV, and the files that platforms read; the marks of a class, several submissions at a
 * time (class.c), and their tables (class.sh, table.awk). grade.c calls it. speed.c is a program of
 * its own, for a GPU.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "grade/tasks/tasks.h"

/* ---- text of a student: a name, a line of code, a message ---- */

/* The bytes of the character at `text` where it is valid UTF-8 and can be shown, else 0. */
size_t text_character(const char *text);

/* A name as one line that can be shown: \n and \x1b stand for what a terminal would obey. */
void text_show(char *shown, size_t bytes, const char *text);

/* ---- formats ---- */

/* What is shown: one mark for each exercise, and remarks on files that were left out. */
struct shown {
    const struct mark *const *marks;
    size_t count;
    const char *remarks;    /* empty: none */
    const char *visibility; /* Gradescope: of all tests but the first of each exercise */
};
typedef void (*report_fn)(FILE *out, const struct shown *shown);

void report_text(FILE *out, const struct shown *shown);

/* The format of this name, or NULL; report_formats lists the names. */
report_fn report_find(const char *name);
extern const char report_formats[];

/* A field of CSV: in quotes where it must be, and no formula for a spreadsheet. */
void report_field(FILE *out, const char *text);

/* ---- a class, or the folder of one student ---- */

typedef uint32_t task_set; /* exercises: bit i is tasks[i] */

struct class_options {
    const struct course *course;
    const char *folder;
    task_set asked;      /* 0: all of which there is a file */
    const char *student; /* of a class: only this one; NULL: all */
    bool best;           /* of several files of one exercise; else the last by name */
    uint64_t seed;       /* the same inputs for all */
    int jobs;
};

/*
 * Grades FOLDER and prints a row for each student and exercise, which class.sh makes tables of:
 * student,exercise,points,of,seconds,file,note,seed. Each submission is judged in a process of its
 * own, so that none can stop another. FOLDER/reports/ gets what each student may read. Shows a
 * progress bar where stderr is a terminal. Returns 0, or 2 where by the grader's own fault a row
 * has no points, or nothing could be written.
 */
int class_grade(const struct class_options *o);

/* Grades what one student has handed in: a mark for each exercise that is asked for, or that there
 * is a file of; `remarks` tells of other files. Returns how many marks, -1: stderr says why. */
int folder_grade(const struct class_options *o, struct mark *marks, char *remarks, size_t bytes);

#endif
