/* SPDX-License-Identifier: MIT */
/*
 * require.h - what a test asks of a run beside the right result:
 *
 *   shared_wavefronts <= 1.00 * shared_wavefronts_ideal; shared_ld_requests == 0; no faults
 *
 * Each condition is `no faults`, or two expressions with <= >= == != < > between. An expression is
 * made of numbers, + - * / and brackets, the counters of protect/job.h, the sizes of the task by
 * name, and in_bytes, out_bytes and work_bytes, all in bytes. Division is that of real numbers.
 */
#ifndef REQUIRE_H
#define REQUIRE_H

#include "task.h"

struct facts {
    const struct task *task;
    const size_t *size;
    const struct reply *reply;
    double in_bytes, out_bytes;
    bool faults; /* the emulator found one */
};

/* Can the conditions be read? Otherwise `why` says what cannot. */
bool require_valid(const char *conditions, const struct task *task, char *why, size_t bytes);

/*
 * Are all conditions met? Otherwise `expected` gets the text of the first that is not, and `seen`
 * gets the values of its two sides.
 */
bool require_met(const char *conditions, const struct facts *facts, char *expected, char *seen,
                 size_t bytes);

#endif
