#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - tests of the grader: units, formats, the exercises, hostile submissions, the handout.
# Prints `ok   NAME` or `FAIL NAME`; status 1 if one failed. BUILD is build/cpu of the course.
#
# GRADE_SEEDS='1 2 3 4 5' grades each exercise with five seeds.
set -u
cd "$(dirname "$0")/../../.." || exit 1
COURSE=$(pwd -P)
: "${BUILD:=$COURSE/build/cpu}"
GRADE_BUILD=$BUILD/grade
export COURSE GRADE_BUILD
tests=common/grade/tests
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

report() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok   grade: $1"
    else
        echo "FAIL grade: $1"
        sed 's/^/    /' "$log"
        failed=1
    fi
}

# Passes the lines of a program that prints its own.
lines() { # COMMAND...
    "$@" >"$log" 2>&1 || failed=1
    sed -e 's/^ok   /ok   grade: /' -e 's/^FAIL /FAIL grade: /' "$log"
    if grep -q '^FAIL ' "$log"; then failed=1; fi
    grep -q '^ok ' "$log" || report "$*" 1
}

# `make test` has built it by now. What could not be built is older than its source.
if [ -z "${MAKELEVEL:-}" ]; then
    make -s -f common/grade/grade.mk grade-tests BUILD_DIR="${BUILD%/*}" >"$log" 2>&1
else
    echo 'make grade-tests says why' >"$log"
fi
[ -f "$GRADE_BUILD/built" ] &&
    [ -z "$(find common/grade -name '*.[ch]' -newer "$GRADE_BUILD/built")" ]
status=$?
report 'the grader builds' $status
[ $status -eq 0 ] || exit 1

lines "$GRADE_BUILD/tests/test_grade"
lines "$GRADE_BUILD/tests/test_formats"
sh common/grade/tasks/make_exercise.sh --check >"$log" 2>&1
report 'each exercise.cu is made of its solution.cu' $?
lines sh $tests/points.sh
lines sh $tests/exercises.sh
lines sh $tests/hostile.sh
lines sh $tests/usage.sh
lines sh $tests/platforms.sh
exit $failed
