/* SPDX-License-Identifier: MIT */
/*
 * limited.h - runs another program for a limited time, and sees to it that nothing of it is left.
 */
#ifndef LIMITED_H
#define LIMITED_H

#include <stdbool.h>
#include <stddef.h>

enum { LIMITED_FILES = 5 };

struct limits {
    double seconds;           /* on the clock */
    unsigned cpu_seconds;     /* of the processor: then SIGXCPU ends it; 0: as `seconds` */
    size_t file_bytes;        /* of each file that it writes */
    size_t memory_bytes;      /* addresses; 0: no limit */
    int files[LIMITED_FILES]; /* what it gets as files 0 to 4; -1: none */
    const char *folder;       /* where it runs */
    bool other_user;          /* becomes nobody; needs root */
};

struct ended {
    bool timeout;
    int status;           /* as from waitpid(); 127 << 8 where the program could not be started */
    unsigned protections; /* enum protection in job.h: user and network */
};

/* Runs `argv`, found by PATH, with this environment. Returns when all its processes are gone. */
struct ended limited_run(char *const argv[], char *const environment[], const struct limits *l);

/* Whether nobody, the other user, can read this file. False where we are not root. */
bool limited_nobody_reads(const char *path);

/* The file belongs to nobody from now on, where we are root. */
void limited_give_to_nobody(const char *path);

#endif
