/* SPDX-License-Identifier: MIT */
/*
 * find.h - which files a class or one student has handed in, and of which exercise each is.
 *
 * Files are found in folders of any depth. No link is followed, and nothing but a plain file is
 * opened. The exercise is what the file's name says (03_transpose.cu), the first lines of the file
 * that was handed out, a number in the name (ex3 final.cu), the name of a folder, or the only
 * exercise that is asked for; what comes first in this list counts, and of files whose names do not
 * say it those with the word `solve`.
 */
#ifndef FIND_H
#define FIND_H

#include "report.h"

/* A file that was handed in. */
struct found {
    size_t student;          /* its index */
    char *path;              /* from the folder, as the system has it */
    const struct task *task; /* NULL: nothing tells the exercise */
    int sure;                /* how well the exercise is known; 0: it is no file to grade */
    const char *why;         /* then: what it is instead */
};

struct finding {
    int folder;     /* open */
    task_set asked; /* the exercises that are asked for, 0: all */
    struct found *file;
    char **student; /* their names as they are shown: text_show() */
    size_t files, students;
};

/*
 * Finds the files of a class: each folder is a student; so is each file beside them, with what
 * Moodle and Canvas write into its name, or student.cu. Or those of one student, whose folder it
 * is. False: it is not a folder, and stderr says so.
 */
bool find_class(struct finding *f, const char *folder, task_set asked);
bool find_student(struct finding *f, const char *folder, task_set asked);

/* The files of a student for an exercise, only those of which this is best known, the last by name
 * first. Returns their number, at most `most`. */
size_t find_files(const struct finding *f, size_t student, const struct task *task,
                  const struct found **files, size_t most);

/* What was handed in and is no file to grade; with a task, what may stand for a file of it. */
void find_instead(const struct finding *f, size_t student, const struct task *task, char *text,
                  size_t bytes);

/* The exercises of which there is a file. */
task_set find_tasks(const struct finding *f);

/* Opens the folder that a path is in; `name` is the path's last part. */
int find_open(const struct finding *f, const char *path, const char **name);

/* Makes the folder of the reports: reports, or reports_2 where a student has that name. Returns the
 * open folder, or -1. A folder that was made here is no student. */
int find_reports(const struct finding *f, char *name, size_t bytes);

#endif
