/* SPDX-License-Identifier: MIT */
/*
 * protect.h - the door of protect/, which runs a program that nobody trusts and believes nothing of
 * what it says but its results.
 *
 * It owns the student's file, from its copy in a temporary folder to the reply of its process
 * (submission.c, build.sh, told.sh), what a file may say and call (accepted.txt, source.awk,
 * symbols.awk), what it may reach (sandbox.c, sandbox.sh, enter.c, filter.c), and the program that
 * it is linked with (child.c, called.c; job.h is what they say to each other). It knows no exercise
 * and no points. tasks/ calls it to run a test; grade.c and report/ take the limits and the lengths
 * of the texts.
 */
#ifndef PROTECT_H
#define PROTECT_H

#include <stdbool.h>
#include <stddef.h>

#include "job.h"
#include "sandbox.h"

enum { MESSAGE_BYTES = 1024, PATH_BYTES = 4096, NAME_BYTES = 256 };

/* Where things are, and what a run may take. */
struct course {
    char root[PATH_BYTES];       /* of the course */
    char common[PATH_BYTES + 8]; /* what a compiler may read of it */
    char build[PATH_BYTES];      /* what grade.mk has built */
    double seconds;              /* for one run */
    enum sandbox_level level;
    bool own_user; /* for each submission, as we are root */
};

struct submission {
    const struct course *course;
    const char *file;            /* as it was given */
    char *text;                  /* of it */
    struct folder folder;        /* temporary */
    char name[NAME_BYTES];       /* of the file, without its folder */
    char refused[MESSAGE_BYTES]; /* why it is not run; empty: it can run */
    bool is_trial;               /* it is none: a file of ours */
};

/* What one run gave. */
struct run {
    bool replied; /* the reply is complete and carries the token */
    bool timeout;
    bool endless; /* or the emulator has stopped a loop that does not end */
    int status;   /* as from waitpid() */
    unsigned protections;
    struct reply reply;
    char fault[MESSAGE_BYTES]; /* the emulator's first message, with its source line; or empty */
};

/*
 * Finds the best sandbox that this system has; `seconds` is the limit of one run. If nothing can be
 * compiled, or STRICT=1 is set and there is no namespace, it says what is missing and exits with 2.
 * SANDBOX=namespaces and SANDBOX=limits ask for less.
 */
void course_init(struct course *c, const char *root, const char *build, double seconds);

/* Whether any submission could be built so far, here or in a process that was forked. */
bool course_works(void);

/* The text of a student's file, for free(). NULL, and why: it is a link, a pipe, a device, a
 * folder, empty, no text, or has 1 MiB or more. */
char *source_read(int folder, const char *path, const char **why);

/* Compiles and links a file. Look at `refused` next. submission_remove() takes all away again. */
void submission_build(struct submission *s, const struct course *course, const char *file);
void submission_remove(struct submission *s);

/* Runs solve once in a new process. out[k] gets job->out[k].bytes bytes when it has replied. */
void submission_run(const struct submission *s, const struct job *job, void *const *in,
                    void *const *out, struct run *run);

/* The source line, `my.cu:33`, of a return address in the program. */
void submission_line(const struct submission *s, unsigned long address, char *place, size_t bytes);

/* What stands in a line of the file, without blanks around it. False: there is no such line. */
bool submission_code(const struct submission *s, unsigned long line, char *code, size_t bytes);

/* Enum protection in words, for the last line of a report. */
void protections_text(unsigned protections, char *text, size_t bytes);

#endif
