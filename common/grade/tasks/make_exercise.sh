#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make_exercise.sh - makes exercise.cu from solution.cu.
#
#   make_exercise.sh           rewrites exercise.cu in every folder that has a solution.cu
#   make_exercise.sh --check   changes nothing; names the files that differ, and exits with 1
#
# In solution.cu the student's parts are marked by three comments:
#
#     // >>> solution
#     sum += x;
#     // --- exercise
#     // // Add the element here.
#     // <<<
#
# exercise.cu has what follows `---`, without its first `// `, between two comments.
set -eu
cd "$(dirname "$0")/../../.."

skeleton() { # SOLUTION
    awk '
        function mark(text) {
            match($0, /^ */)
            print substr($0, 1, RLENGTH) text
        }
        /^ *\/\/ >>> solution$/ { part = "solution"; mark("// --- your part"); next }
        /^ *\/\/ --- exercise$/ && part == "solution" { part = "exercise"; next }
        /^ *\/\/ <<<$/ && part == "exercise" {
            mark("// --- end of your part")
            part = ""
            parts++
            next
        }
        part == "solution" { next }
        part == "exercise" && !sub(/\/\/ ?/, "") {
            print FILENAME ":" FNR ": a line of an exercise begins with //" > "/dev/stderr"
            wrong = 1
        }
        { print }
        END {
            if (part != "" || parts == 0) {
                print FILENAME ": the marks are >>> solution, --- exercise, <<<" > "/dev/stderr"
                wrong = 1
            }
            exit wrong
        }' "$1"
}

new=$(mktemp)
trap 'rm -f "$new"' EXIT
differ=0
for solution in [0-9][0-9]_*/*/solution.cu; do
    exercise=${solution%/*}/exercise.cu
    skeleton "$solution" >"$new"
    if cmp -s "$new" "$exercise"; then continue; fi
    if [ "${1:-}" = --check ]; then
        echo "$exercise is not what $solution gives: run common/grade/tasks/make_exercise.sh" >&2
        differ=1
    else
        cat "$new" >"$exercise"
        echo "$exercise"
    fi
done
exit $differ
