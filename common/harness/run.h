/* SPDX-License-Identifier: MIT */
/*
 * run.h - what a step program does when it is run: the modes behind the options.
 */
#ifndef RUN_H
#define RUN_H

#include "report.h"

/* The exit codes of a step program. */
enum { EXIT_RIGHT = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_NO_GPU = 77 };

/* Everything a mode needs. */
typedef struct {
    const char *program;
    options_t options;
    problem_t lead; /* the first pair that the step offers */
    device_t device;
    report_t report;
    faults_t faults;
} run_t;

/* Print what the step offers. Needs no device. */
void run_list(const run_t *run, FILE *stream);

/* Do what the options ask for, on an open device. Returns the exit code. */
int run_all(run_t *run);

#endif
