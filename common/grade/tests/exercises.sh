#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exercises.sh - every exercise: the solution gets all points, exercise.cu as handed out gets those
# that its README says, and half-right files get those of their third line, which are neither none
# nor all: half_NN.cu, and naive_NN.cu, which is right without the idea of the lesson.
#
# Needs GRADE_BUILD, the built grader, and COURSE. GRADE_SEEDS lists the seeds, default one.
# Prints `ok   NAME` or `FAIL NAME`.
set -u
cd "${COURSE:?}" || exit 1
: "${GRADE_SEEDS:=1}"

grader() { "$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" "$@"; }

# Prints the verdict on one file.
check() { # NAME EXERCISE FILE EXPECTED_POINTS
    for seed in $GRADE_SEEDS; do
        log=$(grader --seed "$seed" "$2=$3" 2>&1)
        seen=$(printf '%s\n' "$log" | sed -n 's/^\([0-9.]* of [0-9.]*\) points;.*/\1/p')
        if [ "$seen" != "$4 of 100" ]; then
            printf 'FAIL %s\n    seed %s: %s points, expected %s\n' "$1" "$seed" "$seen" "$4"
            printf '%s\n' "$log" | sed 's/^/    /'
            return
        fi
    done
    echo "ok   $1"
}

check_exercise() { # EXERCISE FOLDER
    handed_out=$(tr '\n' ' ' <"$2/README.md" | sed -n 's/.* gets \([0-9]*\) points.*/\1/p')
    check "exercise $1: solution" "$1" "$2/solution.cu" 100
    check "exercise $1: as handed out" "$1" "$2/exercise.cu" "${handed_out:-a number in README.md}"
    for file in common/grade/tests/*_"$1".cu; do
        # Without FULL=1 the naive ones are left out.
        case ${FULL:-}:$file in :*/naive_*) continue ;; esac
        name="exercise $1: $(basename "$file" "_$1.cu")"
        points=$(sed -n '3s/^\/\/ Expected: \([0-9]*\) points$/\1/p' "$file")
        if [ "${points:-0}" -gt 0 ] && [ "$points" -lt 100 ]; then
            check "$name" "$1" "$file" "$points"
        else
            echo "FAIL $name"
            echo "    $file has no line 3 '// Expected: N points' with N from 1 to 99"
        fi
    done
}

if [ $# -eq 2 ]; then
    check_exercise "$1" "$2"
    exit
fi
grader --list | awk '{ print $1, $2 }' |
    xargs -r -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" -n 2 sh "$0"
