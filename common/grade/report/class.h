/* SPDX-License-Identifier: MIT */
/*
 * class.h - grades a whole class, several submissions at a time.
 */
#ifndef CLASS_H
#define CLASS_H

#include "grade/tasks/judge.h"

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
