#!/bin/sh
# SPDX-License-Identifier: MIT
#
# github.sh FOLDER - grades a student's repository in a job of GitHub Actions: TASK names the
# exercises. The report goes to the summary of the job, as a table and as text. Ends with 0 where
# all points are reached: that is the check. Only this course's files are run, none of FOLDER.
set -u
here=$(dirname "$0")
course=$(cd "$here/../../.." && pwd)
build=${BUILD_DIR:-$course/build}
summary=${GITHUB_STEP_SUMMARY:-/dev/stdout}
report=$(mktemp) || exit 2
trap 'rm -f "$report"' EXIT

sh "$here/build.sh" "$build" || exit 2
"$build/cpu/grade/grade" --course "$course" --build "$build/cpu" --folder "$1" \
    ${TASK:+--only "$TASK"} --output "$report"
status=$?
if [ "$status" -gt 1 ]; then exit 2; fi

# Lines of the report that begin in the first column are the grader's own. Indented by four they are
# shown as they are, whatever a student has put into them.
awk '
    BEGIN {
        print "| exercise | result | points | of | test |"
        print "| --- | --- | ---: | ---: | --- |"
    }
    /^exercise / { exercise = $2; sub(/:$/, "", exercise) }
    /^(passed|FAILED|not run) +[0-9.]+ of +[0-9.]+  / {
        result = $1 == "not" ? "not run" : $1
        at = $1 == "not" ? 3 : 2
        name = $0
        sub(/^[a-zA-Z ]+[0-9.]+ of +[0-9.]+  /, "", name)
        print "| " exercise " | " result " | " $at " | " $(at + 2) " | " name " |"
    }
    /^refused$/ { print "| " exercise " | refused | 0 | | |" }
    /^[0-9.]+ of [0-9.]+ points/ { print "| " exercise " | all | " $1 " | " $3 " | |" }
    { text = text "\n    " $0 }
    END { print text }' "$report" >>"$summary" || exit 2
exit "$status"
