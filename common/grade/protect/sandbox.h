/* SPDX-License-Identifier: MIT */
/*
 * sandbox.h - runs other programs with access to nothing but what they need, each for a limited
 * time, and makes sure that nothing of them is left, even if the grader itself is killed.
 *
 * A sandbox is set up once, and then runs one program after another: enter.c, its first process,
 * starts each of them and ends what it leaves. There are three levels: bubblewrap (the program
 * bwrap), namespaces (system calls), and neither. SAFETY.md says what each of them guarantees.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum sandbox_level { SANDBOX_LIMITS, SANDBOX_NAMESPACES, SANDBOX_BWRAP, SANDBOX_LEVELS };
extern const char *const sandbox_names[SANDBOX_LEVELS]; /* as in the variable SANDBOX */

/* What a sandbox shows. */
struct box {
    enum sandbox_level level;
    const char *enter;  /* the built enter.c */
    const char *folder; /* where programs run */
    const char *shared; /* for tools, which write the folder and read the paths in these lines and
                           the system's programs. NULL: for folder/program, which reads its folder,
                           and has the filter of filter.c */
    unsigned user;      /* becomes this user; 0: unchanged */
};

struct sandbox {
    pid_t keeper; /* of all its processes; 0: it is not open */
    int control;  /* a socket, to enter.c */
    bool filtered;
};

/* One program in it. */
enum { SANDBOX_FILES = 5 };
struct limits {
    double seconds;           /* of processor time; a sleeping one has four times as many */
    size_t file_bytes;        /* of each file that it writes */
    size_t memory_bytes;      /* addresses; 0: no limit */
    int files[SANDBOX_FILES]; /* its files 0 to 4; -1: none, or /dev/null for 0 to 2 */
};

struct ended {
    bool timeout;
    int status; /* as from waitpid() */
};

/* Sets it up for programs with this environment. Returns NULL, or why this system cannot. */
const char *sandbox_open(struct sandbox *s, const struct box *b, char *const environment[]);

/* Runs `argv`, found by PATH. Returns when all its processes are gone. If it cannot start, it
 * writes why to file 2, and exits with SANDBOX_FAILED. After a timeout the sandbox is closed. */
enum { SANDBOX_FAILED = 126 };
struct ended sandbox_run(struct sandbox *s, char *const argv[], const struct limits *l);

/* Ends all that is in it. */
void sandbox_close(struct sandbox *s);

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

/* ---- what enter.c and sandbox.c share ---- */

/* What enter.c gets for each program, with as many files as `has` names, and its answer: a status.
 * Before the first one it sends a byte. */
enum { CONTROL_FD = 3, REQUEST_BYTES = 8192 };
struct request {
    unsigned long long seconds, file_bytes, memory_bytes;
    bool has[SANDBOX_FILES], filtered;
    char arguments[REQUEST_BYTES]; /* each ends with a 0, and after the last one is another */
};

#endif
