/* SPDX-License-Identifier: MIT */
/*
 * task.c - what the files of this folder should compute: a sum.
 */
#include "grade/tasks/simple.h"

const struct task task_bug06a = {
    BUG("bug-06a", "06_cub", 12, "find the bug: the sum of n floats"),
    SUM,
};

const struct task task_bug06b = {
    BUG("bug-06b", "06_cub", 4, "find the bug: the sum of n floats"),
    SUM,
};
