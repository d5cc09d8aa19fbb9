#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - tests of the grader: units, formats, the sandbox, the exercises, hostile submissions, the
# handout.
# Last line: N passed, N failed. BUILD is build/cpu of the course.
#
# FULL=1 adds the board of a class, the platforms, and more of all others.
# GRADE_SEEDS='1 2 3 4 5' grades each exercise with five seeds.
set -u
cd "$(dirname "$0")/../../.." || exit 1
COURSE=$(pwd -P)
: "${BUILD:=$COURSE/build/cpu}"
GRADE_BUILD=$BUILD/grade
export COURSE GRADE_BUILD
tests=common/grade/tests
. common/tests/check.sh
group='grade: '

# `make test` has built it by now. If a build failed, the program is older than its source.
if [ -z "${MAKELEVEL:-}" ]; then
    run make -s -f common/grade/grade.mk grade-tests BUILD_DIR="${BUILD%/*}"
fi
want 'it is not there; make grade-tests says why' [ -f "$GRADE_BUILD/built" ]
newer=$(find common/grade [0-9][0-9]_*/ -name '*.[ch]' -newer "$GRADE_BUILD/built")
want "it is older than its source; make grade-tests says why: $newer" [ -z "$newer" ]
verdict 'the grader builds' || finish

suite test_grade "$GRADE_BUILD/tests/test_grade"
suite test_formats "$GRADE_BUILD/tests/test_formats"
check 'each exercise.cu is made of its solution.cu' \
    sh common/grade/tasks/make_exercise.sh --check
for name in safety points exercises policy usage class ${FULL:+board platforms}; do
    suite "$name" sh "$tests/$name.sh"
done
finish
