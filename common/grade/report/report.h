/* SPDX-License-Identifier: MIT */
/*
 * report.h - the interface of report/, which shows the marks that tasks/ has given.
 *
 * It owns the submissions (find.c), the marks of a class, several submissions at a time (class.c),
 * and how marks are shown: as records, a line each (records.c), from which formats.awk makes the
 * formats, and class.sh with table.awk the tables of a class. grade.c calls it. speed.sh is for a
 * GPU: it times what once/ runs.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "grade/tasks/tasks.h"

/* ---- text of a student: a name, a line of code, a message ---- */

/* The bytes of the character at `text` if it is valid UTF-8 and printable, else 0. */
size_t text_character(const char *text);

/* A text as one printable line: control characters are escaped as in C. */
void text_show(char *shown, size_t bytes, const char *text);

/* ---- records ---- */

/* A mark with its tests. */
void report_mark(FILE *records, const struct mark *m);

/* Ends a record with these texts of any content; NULL after the last one. */
void report_texts(FILE *records, ...);

/* Runs a script of this folder with this input; its output goes to `out`. False: it failed, and
 * stderr says why. */
bool report_awk(const struct course *course, const char *script, const char *input, FILE *out);

/* Shows records on stdout: format is text, csv, gradescope, prairielearn, github, or rows.
 * `visibility` is for Gradescope, for all tests but the first of each exercise. False: it failed,
 * and stderr says why. */
bool report_show(const struct course *course, const char *format, const char *visibility,
                 const char *records);

/* ---- a class, or the folder of one student ---- */

struct class_options {
    const struct course *course;
    const char *folder;
    const char *reports; /* the folder for the students' reports; empty: none */
    const char *asked;   /* exercises, "01 02"; empty: all that have a file */
    const char *student; /* of a class: only this one; empty: all */
    bool best;           /* of several files of one exercise; else the last by name */
    uint64_t seed;       /* the same inputs for all */
    size_t jobs;         /* so many submissions at a time */
};

/*
 * Grades FOLDER and prints a row for each student and exercise, from which class.sh makes tables:
 * student,exercise,points,of,seconds,file,note,seed,score. Each row is made by its own process, so
 * that none can stop another. Nothing is written in FOLDER. Shows progress if stderr is a terminal.
 * Returns 0, or 2 if a row has no points because the grader failed, or nothing could be written.
 */
int class_grade(const struct class_options *o);

/* Grades what one student has handed in: writes the mark of each exercise that is requested, or has
 * a file, and a remark on other files. Returns 0: full points, 1: fewer, 2: stderr says why there
 * are none. */
int folder_grade(const struct class_options *o, FILE *records);

/*
 * What has been handed in: find.c, for class.c.
 *
 * Files are found in folders of any depth. No link is followed, and only plain files are opened.
 * The exercise follows from the file's name (03_transpose.cu), the first lines of the handed-out
 * file, a number in the name (ex3 final.cu), the name of a folder, or the only requested exercise;
 * the first of these counts, and of files whose names do not say it those with the word `solve`.
 * find.awk decides this.
 */

enum { MOST_TRIED = 8 };

/* A student and an exercise that is graded. */
struct row {
    const char *student; /* as shown: text_show() */
    const struct task *task;
    const char *file[MOST_TRIED]; /* their paths from the folder, the last by name at the end */
    size_t files;
    const char *instead; /* what was handed in but cannot be graded */
};

struct finding {
    int folder; /* open */
    char **path;
    struct row *row;
    size_t paths, rows;
    const char *remark; /* for one student, on other files */
};

/* Finds what is to be graded. In a class each folder is a student; so is each file beside them,
 * with what Moodle and Canvas write into its name, or student.cu. Else the folder is one student.
 * False: there is nothing, and stderr says why. */
bool find_rows(struct finding *f, const struct class_options *o, bool class);

/* Opens the folder that a path is in; `name` is the path's last part. */
int find_open(const struct finding *f, const char *path, const char **name);

#endif
