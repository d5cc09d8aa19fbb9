#!/bin/sh
# SPDX-License-Identifier: MIT
#
# list.sh TASK.C... - prints the C file that lists the exercises which these files define.
set -eu
names=$(sed -n 's/^const struct task \(task_[a-z0-9]*\) = {$/\1/p' "$@" | sort)
echo '#include "grade/tasks/task.h"'
for name in $names; do echo "extern const struct task $name;"; done
echo 'const struct task *const tasks[] = {'
for name in $names; do echo "    &$name,"; done
echo '};'
echo 'const size_t task_count = sizeof tasks / sizeof *tasks;'
