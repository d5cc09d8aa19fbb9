/* SPDX-License-Identifier: MIT */
/*
 * job.h - what the grader sends to the child that runs a submission, and the reply.
 *
 * The job is a file that the child finds open as JOB_FD: this struct and then the inputs, and maybe
 * a second job. The reply goes to REPLY_FD: first the active protections (uint64_t), before solve
 * is called; at the end the other struct and then the outputs, of the last job. Neither file has a
 * name. The job holds no reference, no tolerance and no points.
 */
#ifndef JOB_H
#define JOB_H

#include <stdint.h>

#include "simt/include/simt/inspect.h"

/* The order of reply.count; names of simt/inspect.h, and what host.h counts. */
#define JOB_NAME(name, text) text,
static const char *const job_counters[] = {"launches",
                                           SIMT_COUNTER_LIST(JOB_NAME) "global_atomic_sectors",
                                           "most_alone",
                                           "most_in_turn",
                                           "most_loads",
                                           "most_block_bytes",
                                           "arrivals",
                                           "counting_barriers",
                                           "votes",
                                           "partial_masks",
                                           "local_ld_requests",
                                           "local_st_requests",
                                           "leaks",
                                           "lost_errors",
                                           "leaks_after_errors"};
#undef JOB_NAME

enum { JOB_FD = 3, REPLY_FD = 4, JOB_SIZES = 3, JOB_ARRAYS = 4 };
enum { JOB_NAMES = sizeof job_counters / sizeof job_counters[0] };

struct job_array {
    uint64_t bytes, offset; /* `offset` bytes past an address that is aligned to 256 */
    uint64_t poison;        /* fills an output with this byte; 256: unwritten memory */
    uint64_t element;       /* its bytes, for a trace; 0: not needed */
};

struct job {
    uint64_t token; /* random: the reply repeats it */
    uint64_t size[JOB_SIZES];
    uint64_t inputs, outputs;
    struct job_array in[JOB_ARRAYS], out[JOB_ARRAYS];
    uint64_t most_work_bytes;
    uint64_t sms;           /* multiprocessors that the device shows; 0: all */
    uint64_t host;          /* the arrays are in host memory: see host.h */
    uint64_t most_in_turns; /* the blocks of launches up to so many threads take turns; 0: none */
    uint64_t more;          /* another job follows, for the same process */
};

/* How far the child got. */
enum reply_state {
    REPLY_ASKED_TOO_MUCH, /* of scratch */
    REPLY_ERROR,          /* solve or a launch returned an error */
    REPLY_DONE
};

/* What is enforced. The child knows only the first two. */
enum protection {
    PROTECT_CALLS = 1,  /* a filter of system calls */
    PROTECT_MEMORY = 2, /* a limit on memory, after the emulator has taken its own */
    PROTECT_USER = 4,   /* its own user */
    PROTECT_LEVEL = 8   /* times enum sandbox_level */
};

struct reply {
    uint64_t token;
    uint64_t state; /* enum reply_state */
    uint64_t work_bytes;
    char error[64];
    uint64_t count[JOB_NAMES];
    uint64_t worst[2][3]; /* [shared][kind] of simt_worst_access() */
};

#endif
