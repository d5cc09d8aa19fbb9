#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prairielearn.sh - the entrypoint of an external grader: grades the student's one .cu file as the
# exercise that the environment variable TASK names. The question's info.json is in
# common/grade/README.md. GRADE is the folder that PrairieLearn has set up.
set -u
: "${GRADE:=/grade}" "${TASK:?TASK: name the exercise in the environment of info.json}"
course=$(cd "$(dirname "$0")/../../.." && pwd)
results=$GRADE/results/results.json
mkdir -p "$GRADE/results"

# The folder of the question may be read-only, so the grader is built elsewhere.
export BUILD_DIR="${BUILD_DIR:-/tmp/cuda_course}"
make -C "$course" -s -f common/grade/grade.mk grader BUILD_DIR="$BUILD_DIR" >&2

set -- "$GRADE"/student/*.cu
message='The grader could not run. Please tell your teacher.'
if [ -f "$1" ]; then
    "$BUILD_DIR/cpu/grade/grade" --course "$course" --build "$BUILD_DIR/cpu" \
        --format prairielearn --output "$results" "$TASK=$1"
else
    message='There is no .cu file.'
fi
[ -s "$results" ] || printf '{"gradable": false, "format_errors": "%s"}\n' "$message" >"$results"
