#!/bin/sh
# SPDX-License-Identifier: MIT
#
# github.sh FOLDER - grades a student's repository in a job of GitHub Actions: TASK names the
# exercises. The report goes to the summary of the job, as a table and as text. Exits with 0 if all
# points are scored: that is the check. Only this course's files are run, none of FOLDER.
set -u
here=$(dirname "$0")
course=$(cd "$here/../../.." && pwd)
build=${BUILD_DIR:-$course/build}
summary=${GITHUB_STEP_SUMMARY:-/dev/stdout}

sh "$here/build.sh" "$build" || exit 2
"$build/cpu/grade/grade" --course "$course" --build "$build/cpu" --folder "$1" \
    ${TASK:+--only "$TASK"} --format github >>"$summary"
