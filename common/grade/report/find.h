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
    int folder; /* open */
    struct found *file;
    char **student; /* their names as they are shown: text_show() */
    size_t files, students;
};

/*
 * Finds the files of a class: each folder is a student; so is each file beside them, with what
 * Moodle and Canvas write into its name, or student.cu. Or those of one student, whose folder it
 * is. `asked` are the exercises that are asked for, 0: all. False: it is not a folder.
 */
bool find_class(struct finding *f, const char *folder, task_set asked);
bool find_student(struct finding *f, const char *folder, task_set asked);

/* The files of a student for an exercise, only those of which this is best known, in the order of
 * their names. Returns their number, at most `most`: the last ones. */
size_t find_files(const struct finding *f, size_t student, const struct task *task,
                  const struct found **files, size_t most);

/* What was handed in and is no file to grade; with a task, what may stand for a file of it. */
void find_instead(const struct finding *f, size_t student, const struct task *task, char *text,
                  size_t bytes);

/* Is this folder of the class one that the grader has made for its reports? It holds this file. */
extern const char find_our_sign[];
bool find_is_ours(int folder, const char *name);

/* The exercises of which there is a file. */
task_set find_tasks(const struct finding *f);

/* Judges a file that was found; or with file == NULL makes the mark of a missing one, 0 points.
 * False: the exercise cannot be read, and `m->refused` says why. */
bool find_judge(const struct finding *f, const struct found *file, size_t student,
                const struct task *task, const struct course *course, uint64_t seed,
                struct mark *m);

#endif
