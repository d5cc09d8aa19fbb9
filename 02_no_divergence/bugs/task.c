/* SPDX-License-Identifier: MIT */
/*
 * task.c - what the files of this folder should compute: sums of blocks, a sum.
 */
#include "grade/tasks/simple.h"

const struct task task_bug02a = {
    BUG("bug-02a", "02_no_divergence", 4, "find the bug: a sum for each block"),
    BLOCK_SUMS,
};

const struct task task_bug02b = {
    BUG("bug-02b", "02_no_divergence", 0, "find the bug: a sum for each block"),
    BLOCK_SUMS,
};

const struct task task_bug02c = {
    BUG("bug-02c", "02_no_divergence", 4, "find the bug: the sum of n floats"),
    SUM,
};
