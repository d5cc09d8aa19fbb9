#!/bin/sh
# SPDX-License-Identifier: MIT
#
# list.sh TASK.C... - prints a C file that lists the exercises which these files define, and the
# lines of hints.txt.
set -eu
names=$(sed -n 's/^const struct task \(task_[a-z0-9]*\) = {$/\1/p' "$@" | sort)
echo '#include "grade/tasks/tests.h"'
for name in $names; do echo "extern const struct task $name;"; done
echo 'const struct task *const tasks[] = {'
for name in $names; do echo "    &$name,"; done
echo '};'
echo 'const size_t task_count = sizeof tasks / sizeof *tasks;'
awk -F ' *[|] *' '
    BEGIN { print "const struct hint hint_kinds[] = {" }
    /^#/ || NF == 0 { next }
    NF != 3 { print FILENAME ":" FNR ": accepted are 3 columns" >"/dev/stderr"; exit 1 }
    !known[$1]++ { words = words " " $1 }
    { gsub(/[\\"]/, "\\\\&"); printf "    {\"%s\", \"%s\", \"%s\"},\n", $1, $2, $3 }
    END {
        print "};\nconst size_t hint_kind_count = sizeof hint_kinds / sizeof *hint_kinds;"
        print "const char hint_words[] = \"" words "\";"
    }
    ' "$(dirname "$0")/hints.txt"
