/* SPDX-License-Identifier: MIT */
/*
 * protect.h - the interface of protect/, which runs an untrusted program and believes nothing that
 * it says except its results.
 *
 * It owns the student's file, from its copy in a temporary folder to the reply of its process
 * (submission.c, build.c), what a file may contain and call (accepted.txt, policy.c, symbols.c),
 * what it may access (sandbox.c, enter.c, filter.c), and the program that it is linked with
 * (child.c, called.c; job.h is the protocol). It knows no exercise and no points.
 * tasks/ calls it to run a test; grade.c and report/ use its limits and text lengths.
 */
#ifndef PROTECT_H
#define PROTECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "job.h"
#include "sandbox.h"

enum { PATH_BYTES = 4096, NAME_BYTES = 256 };
enum { COMPILE_SECONDS = 30 }; /* of a processor, for all steps of build.c */

/* Where things are, and what a run may take. */
struct course {
    const char *root;   /* of the course */
    const char *common; /* what a compiler may read of it */
    const char *build;  /* what grade.mk has built */
    double seconds;     /* for one run */
    enum sandbox_level level;
    bool own_user; /* for each submission, because we are root */
};

struct submission {
    const struct course *course;
    const char *file;        /* as it was given */
    char *text;              /* of it */
    struct folder folder;    /* temporary */
    struct sandbox *sandbox; /* two: to compile it, and for its runs */
    const char *name;        /* of the file, without its folder */
    const char *refused;     /* why it is not run; empty: it can run */
    bool is_trial;           /* not a submission: a file of ours */
    FILE *trace;             /* of its runs, see simt/trace_format.h; NULL: none */
};

/* What solve gets, and what it returns: out[k] has room for job.out[k].bytes bytes. */
struct call {
    struct job job;
    void *in[JOB_ARRAYS], *out[JOB_ARRAYS];
};

/* The result of one run. */
struct run {
    bool replied; /* the reply is complete and carries the token */
    bool timeout;
    bool endless; /* or the emulator has stopped an endless loop */
    int status;   /* as from waitpid() */
    unsigned protections;
    struct reply reply;
    const char *fault; /* the emulator's first message, with its source line; or empty */
};

/*
 * Finds the best sandbox of this system; `seconds` is the limit of one run. If nothing can be
 * compiled, or STRICT=1 is set and there are no namespaces, it says what is missing and exits with
 * 2. SANDBOX=namespaces and SANDBOX=limits request less.
 */
void course_init(struct course *c, const char *root, const char *build, double seconds);

/* Whether any submission could be built so far, here or in a forked process. */
bool course_works(void);

/* The text of a student's file, to be freed. NULL, and why: it is a link, a pipe, a device, a
 * folder, empty, not text, or has 1 MiB or more. */
char *source_read(int folder, const char *path, const char **why);

/* Compiles and links a file. Check `refused` next. submission_remove() removes everything again. */
void submission_build(struct submission *s, const struct course *course, const char *file);
void submission_remove(struct submission *s);

/* Runs solve once in a new process. The outputs are there if it has replied. With `first` solve is
 * called for that before, in the same process; its outputs are lost. */
void submission_run(const struct submission *s, const struct call *first, const struct call *call,
                    struct run *run);

/* Copies s->trace, in which code has addresses: they become lines of the file s->name. */
void submission_trace(const struct submission *s, FILE *out);

/* The source line, `my.cu:33`, of a return address in the program. */
const char *submission_line(const struct submission *s, unsigned long address);

/* The text of a line of the file, trimmed; empty: there is no such line. */
const char *submission_code(const struct submission *s, unsigned long line);

/* Enum protection in words, for the last line of a report. */
const char *protections_text(unsigned protections);

#endif
