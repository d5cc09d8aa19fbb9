/* SPDX-License-Identifier: MIT */
/*
 * find.h - which files a class or one student has handed in, and of which exercise each is.
 *
 * Files are found in folders of any depth. No link is followed, and nothing but a plain file is
 * opened. The exercise is what the file's name says (03_transpose.cu), the first lines of the file
 * that was handed out, a number in the name (ex3 final.cu), the name of a folder, or the only
 * exercise that is asked for; what comes first in this list counts, and of files whose names do not
 * say it those with the word `solve`. find.awk decides this.
 */
#ifndef FIND_H
#define FIND_H

#include "report.h"

enum { MOST_TRIED = 8 };

/* A student and an exercise that is graded. */
struct row {
    const char *student; /* as it is shown: text_show() */
    const struct task *task;
    const char *file[MOST_TRIED]; /* their paths from the folder, the last by name at the end */
    size_t files;
    const char *instead; /* what was handed in and is no file to grade */
};

struct finding {
    int folder; /* open */
    char **path;
    struct row *row;
    size_t paths, rows;
    const char *remark; /* of one student, on other files */
};

/* Finds what is graded. In a class each folder is a student; so is each file beside them, with what
 * Moodle and Canvas write into its name, or student.cu. Else the folder is one student. False:
 * there is nothing, and stderr says why. */
bool find_rows(struct finding *f, const struct class_options *o, bool class);

/* Opens the folder that a path is in; `name` is the path's last part. */
int find_open(const struct finding *f, const char *path, const char **name);

/* Makes the folder of the reports: reports, or reports_2 where a student has that name. Returns the
 * open folder, or -1. A folder that was made here is no student. */
int find_reports(const struct finding *f, char *name, size_t bytes);

#endif
