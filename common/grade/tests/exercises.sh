#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exercises.sh - every exercise: the solution gets all points, and on the board the score that its
# README states; exercise.cu as handed out gets the points that README states, and a solution with
# the change in a line of changes.txt gets the points in that line.
#
#   exercises.sh                  all; last line: N passed, N failed
#   exercises.sh EXERCISE FOLDER  one of them
#
# GRADE_BUILD is the built grader, build/cpu/grade of the course. GRADE_SEEDS lists the seeds,
# default one.
set -u
cd "$(dirname "$0")/../../.." || exit 1
: "${COURSE:=$(pwd -P)}"
: "${GRADE_BUILD:=$COURSE/build/cpu/grade}"
export COURSE GRADE_BUILD
: "${GRADE_SEEDS:=1}"
. common/tests/check.sh

grader() { "$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" "$@"; }

# Every seed gives the file these points, and the report has this text.
gets() { # NAME EXERCISE FILE EXPECTED_POINTS [TEXT]
    for seed in $GRADE_SEEDS; do
        run grader --seed "$seed" "$2=$3"
        seen=$(sed -n 's/^\([0-9.]* of [0-9.]*\) points;.*/\1/p' "$tmp/out")
        want "seed $seed: $seen points, expected $4" [ "$seen" = "$4 of 100" ]
        tr -s ' \n' '  ' <"$tmp/out" >"$tmp/report"
        want "seed $seed: the report does not say '${5:-}'" names report "${5:-}"
        [ -z "$why" ] || break
    done
    verdict "$1"
}

# The solutions with the changes of changes.txt. Without FULL=1 every 15th line is used.
check_changes() { # EXERCISE FOLDER
    awk -v full="${FULL:-}" -v exercise="$1" '
        /^[^#]/ && (full != "" || ++lines % 15 == 0) && $1 == exercise
    ' common/grade/tests/changes.txt >"$tmp/changes"
    while read -r exercise points name text script; do
        sed -e "$script" "$2/solution.cu" >"$tmp/$name.cu"
        if cmp -s "$2/solution.cu" "$tmp/$name.cu"; then why='sed changes nothing'; fi
        [ "$text" != - ] || text=''
        gets "exercise $1: $name" "$exercise" "$tmp/$name.cu" "$points" "$(echo "$text" | tr . ' ')"
    done <"$tmp/changes"
}

check_exercise() { # EXERCISE FOLDER
    handed_out=$(tr '\n' ' ' <"$2/README.md" | sed -n 's/.* gets \([0-9]*\) points.*/\1/p')
    score=$(tr '\n' ' ' <"$2/README.md" | tr -d , |
        sed -n 's/.*[Oo]ur solution scores \([0-9.]*[0-9]\)[. ].*/score on the board: \1;/p')
    case $1 in open-*) : "${score:=a score in README.md}" ;; esac
    want 'no half-right program of it' grep -qE "^(=== $1 [a-z_]*:|$1) +[1-9][0-9]?[: ]" \
        common/grade/tests/changes.txt common/grade/tests/hostile.txt
    gets "exercise $1: solution" "$1" "$2/solution.cu" 100 "$score"
    [ -z "${FULL:-}" ] || gets "exercise $1: as handed out" "$1" "$2/exercise.cu" \
        "${handed_out:-a number in README.md}"
    check_changes "$1" "$2"
}

if [ $# -eq 2 ]; then
    check_exercise "$1" "$2"
    ! grep -q '^FAIL' "$tmp/verdicts"
    exit
fi
grader --list | awk -v full="${FULL:-}" '/^bug-/ { next } # bugs.sh has them
    full != "" || !/^open-/ || /^open-scan/ { print $1, $2 }' |
    xargs -r -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" -n 2 sh "$0" |
    tee -a "$tmp/verdicts"
finish
