#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run_autograder - Gradescope runs this for each submission. AUTOGRADER is the folder that
# Gradescope has set up; source/task and source/visibility are the settings of `make gradescope`.
set -u
: "${AUTOGRADER:=/autograder}"
course=$AUTOGRADER/source/cuda_course
build=$course/build/cpu
results=$AUTOGRADER/results/results.json
task=$(cat "$AUTOGRADER/source/task")
visibility=$(cat "$AUTOGRADER/source/visibility")
mkdir -p "$AUTOGRADER/results"
rm -f "$results"

"$build/grade/grade" --course "$course" --build "$build" --folder "$AUTOGRADER/submission" \
    ${task:+--only "$task"} ${visibility:+--visibility "$visibility"} \
    --format gradescope --output "$results"
status=$?

# Without a result Gradescope reports that the autograder failed: no mark, rather than a mark of 0.
if [ "$status" -gt 1 ]; then
    rm -f "$results"
    echo 'The grader could not run. Please tell your teacher.' >&2
    exit 1
fi
exit 0
