/* SPDX-License-Identifier: MIT */
/*
 * report.h - the interface of report/, which shows the marks that tasks/ has given.
 *
 * It owns the submissions (find.c), the marks of a class, several submissions at a time (class.c),
 * and its tables (tables.c); how marks are shown, as text and CSV (show.c); text of students
 * (text.c). grade.c calls it. platforms/ has the JSON of platforms, beside the scripts that they
 * start. speed.sh is for a GPU: it times what once/ runs.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "grade/tasks/tasks.h"

/* Prints why, and ends the grader with 2. */
void stop(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The list with room for one element more than it has. */
void *longer(void *list, size_t count, size_t bytes);

/* ---- text of a student: a name, a line of code, a message ---- */

/* The bytes of the character at `text` if it is valid UTF-8 and printable, else 0. */
size_t text_character(const char *text);

/* One printable line, with escapes as in C; with line ends, for a terminal; in JSON, with its
 * quotes; a field of CSV, which no spreadsheet takes for a formula; a word for the shell. None of
 * them is freed. */
const char *text_shown(const char *text);
const char *text_plain(const char *text);
const char *text_json(const char *text);
const char *csv_quote(const char *text);
const char *text_quoted(const char *word);

/* Is it one of these words? They are separated by spaces or commas. */
bool has_word(const char *words, const char *word);

/* Splits a line of CSV into at most so many fields, in place; returns their number. */
size_t csv_split(char *line, char **field, size_t most);

/* ---- marks ---- */

struct marks {
    struct mark *mark;
    size_t count;
    const char *remark;     /* on other files, or empty */
    const char *visibility; /* for Gradescope, of all tests but the first of each exercise */
};

extern const char *const result_names[]; /* by enum result */

struct sums {
    double points, of, seconds;
};
struct sums marks_sum(const struct marks *all);

/* The sentence of a repair; what to do if there is none; empty for other exercises. */
const char *why_of_mark(const struct mark *m);

void show_text(const struct marks *all, FILE *out, const char *indent);
void show_csv(const struct marks *all, FILE *out);    /* a row for each test */
void show_github(const struct marks *all, FILE *out); /* the summary of a job */

/* platforms/json.c */
void show_gradescope(const struct marks *all, FILE *out);
void show_prairielearn(const struct marks *all, FILE *out);

/* ---- a class, or the folder of one student ---- */

/* The options of grade.c that have these names. */
struct class_options {
    const struct course *course;
    const char *folder, *marks, *format, *quiz, *questions, *speed, *viva, *student;
    const char *asked;   /* --only */
    bool best, has_seed; /* of several files; a seed was given */
    uint64_t seed;       /* the same inputs for all */
    size_t jobs;
};

/*
 * Grades FOLDER, a row for each student and exercise, and writes the tables of the class beside it:
 * marks_long.csv keeps the rows from run to run. No file in FOLDER is read as marks, and nothing is
 * written there. Each row is made by its own process, so that none can stop another. Shows progress
 * if stderr is a terminal. Returns 0, or 2 if a row has no points because the grader failed, or
 * something could not be written.
 */
int class_grade(const struct class_options *o);

/* Grades what one student has handed in: each exercise that is requested, or has a file. Returns 0:
 * full points, 1: fewer, 2: stderr says why there are none. */
int folder_grade(const struct class_options *o, struct marks *all);

/*
 * What has been handed in: find.c, for class.c.
 *
 * Files are found in folders of any depth. No link is followed, and only plain files are opened.
 * The exercise follows from the first lines of the handed-out file, then from the file's name
 * (03_transpose.cu, ex3 final.cu), the name of a folder, or the only requested exercise. Of several
 * files for one exercise those count whose names say it, and then those with the word `solve`.
 */

enum { MOST_TRIED = 8 };

struct file {
    const char *path, *shown; /* from the folder, as it is and as text_shown() */
    const char *why;          /* it cannot be graded, or empty */
    const char *head;         /* of its text, in lower case */
    bool solve;               /* the word is in it */
    size_t student;           /* whose it is; SIZE_MAX: nobody's */
    int task, sure;           /* of `tasks`, or -1; and how sure that is */
    uint64_t device, inode;   /* of a file that has more than one name; else 0 */
};

struct student {
    const char *name, *maker; /* of the name: a folder, Moodle, ... */
};

/* A student and an exercise that is graded. */
struct row {
    const char *student;          /* as shown */
    const struct task *task;      /* the quiz is one that has a name alone */
    const char *file[MOST_TRIED]; /* their paths from the folder, the last by name at the end */
    size_t files;
    const char *instead; /* what was handed in but cannot be graded */
    const char *remark;  /* on the files, or empty */
};

struct finding {
    int folder; /* open */
    bool class, quiz;
    const struct task *const *task; /* all that there are */
    int tasks;
    const char *asked; /* exercises, "01 02" */
    int only;          /* the one that is asked for, or -1 */
    struct file *file;
    struct student *student;
    struct row *row;
    size_t files, students, rows;
    const char *remark; /* for one student, on other files */
};

/* Finds what is to be graded. In a class each folder is a student; so is each file beside them,
 * with what Moodle and Canvas write into its name, or student.cu. Else the folder is one student.
 * With `quiz` it finds the answers of a quiz, files named quiz.csv. False: there is nothing, and
 * stderr says why, but for a quiz. */
bool find_rows(struct finding *f, const struct class_options *o, bool class, bool quiz);

/* Opens the folder that a path is in; `name` is the path's last part. */
int find_open(const struct finding *f, const char *path, const char **name);

#endif
