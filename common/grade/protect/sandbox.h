/* SPDX-License-Identifier: MIT */
/*
 * sandbox.h - runs another program with access to nothing but what it needs, for a limited time,
 * and makes sure that nothing of it is left, even if the grader itself is killed.
 *
 * There are three levels: bubblewrap (the program bwrap), namespaces (the program unshare), and
 * neither: sandbox.sh. SAFETY.md says what each of them guarantees.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

enum sandbox_level { SANDBOX_LIMITS, SANDBOX_NAMESPACES, SANDBOX_BWRAP, SANDBOX_LEVELS };
extern const char *const sandbox_names[SANDBOX_LEVELS]; /* as in the variable SANDBOX */

enum { SANDBOX_FILES = 5 };

struct box {
    enum sandbox_level level;
    double seconds;             /* of processor time; a sleeping one has four times as many */
    size_t file_bytes;          /* of each file that it writes */
    size_t memory_bytes;        /* addresses; 0: no limit */
    int files[SANDBOX_FILES];   /* its files 0 to 4; -1: none */
    const char *script, *enter; /* sandbox.sh, and the built enter.c */
    const char *folder;         /* where it runs */
    const char *shared;         /* a tool: it writes its folder, and reads the paths in these lines
                                   and the system's programs. NULL: it is folder/program, it may
                                   read its folder, and has the filter of filter.c */
    unsigned user;              /* becomes this user; 0: unchanged */
};

struct ended {
    bool timeout;
    int status; /* as from waitpid() */
};

/* Runs `argv`, found by PATH, with this environment. Returns when all its processes are gone. If it
 * cannot start, it writes why to file 2, and exits with SANDBOX_FAILED. */
enum { SANDBOX_FAILED = 126 };
struct ended sandbox_run(char *const argv[], char *const environment[], const struct box *b);

/* filter.c: from now on this process, and what it executes, can make only few system calls. False:
 * this system has no filter. */
bool filter_set(bool start);

double now(void); /* seconds of a clock */

/* Removes the folder when this process calls folder_end(), or ends in any way. */
struct folder {
    char path[256];
    int held, cleaner;
    unsigned user; /* its own user, which no other process has, if we are root; else 0 */
};
bool folder_make(struct folder *f, const char *where, bool own_user);
void folder_end(struct folder *f);

#endif
