/* SPDX-License-Identifier: MIT */
/*
 * task.c - what the files of this folder should compute: a sum, a maximum, sums of blocks.
 */
#include "grade/tasks/simple.h"

const struct task task_bug01a = {
    BUG("bug-01a", "01_naive", 3, "find the bug: the sum of n floats"),
    SUM,
};

const struct task task_bug01b = {
    BUG("bug-01b", "01_naive", 4, "find the bug: the largest of n floats"),
    MAXIMUM,
};

const struct task task_bug01c = {
    BUG("bug-01c", "01_naive", 4, "find the bug: a sum for each block"),
    BLOCK_SUMS,
};
