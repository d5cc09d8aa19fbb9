/* SPDX-License-Identifier: MIT */
/*
 * task.c - what the files of this folder should compute: a sum, a maximum.
 */
#include "grade/tasks/simple.h"

const struct task task_bug05a = {
    BUG("bug-05a", "05_warp_shuffle", 6, "find the bug: the sum of n floats"),
    SUM,
};

const struct task task_bug05b = {
    BUG("bug-05b", "05_warp_shuffle", 0, "find the bug: the sum of n floats"),
    SUM,
};

const struct task task_bug05c = {
    BUG("bug-05c", "05_warp_shuffle", 4, "find the bug: the largest of n floats"),
    MAXIMUM,
};
