/* SPDX-License-Identifier: MIT */
/*
 * tasks.c - the list of the exercises.
 */
#include "tasks.h"

#include <string.h>

extern const struct task task_01, task_02, task_03, task_04, task_05, task_06, task_07,
    task_capstone;

const struct task *const tasks[] = {&task_01, &task_02, &task_03, &task_04,
                                    &task_05, &task_06, &task_07, &task_capstone};
const size_t task_count = sizeof tasks / sizeof *tasks;

const struct task *task_find(const char *name)
{
    for (size_t i = 0; i < task_count; i++)
        if (strcmp(tasks[i]->name, name) == 0)
            return tasks[i];
    return NULL;
}
