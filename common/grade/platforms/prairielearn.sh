#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prairielearn.sh - the entrypoint of an external grader: grades a student's submission for the
# exercises that the environment variable TASK names. The question's info.json is in
# common/grade/README.md. GRADE is the folder that PrairieLearn has set up.
set -u
: "${GRADE:=/grade}" "${TASK:?TASK: name the exercise in the environment of info.json}"
here=$(dirname "$0")
course=$(cd "$here/../../.." && pwd)
results=$GRADE/results/results.json
mkdir -p "$GRADE/results"
rm -f "$results"

# The folder of the question may be read-only, so the grader is built elsewhere.
export BUILD_DIR="${BUILD_DIR:-/tmp/cuda_course}"
status=2
if sh "$here/build.sh" "$BUILD_DIR"; then
    status=0
    "$BUILD_DIR/cpu/grade/grade" --course "$course" --build "$BUILD_DIR/cpu" \
        --folder "$GRADE/student" --only "$TASK" --format prairielearn --output "$results" ||
        status=$?
fi

# A failure of the grader does not cost the student an attempt.
if [ "$status" -gt 1 ]; then
    printf '{"gradable": false, "format_errors": "%s"}\n' \
        'The grader could not run. Please tell your teacher.' >"$results"
fi
