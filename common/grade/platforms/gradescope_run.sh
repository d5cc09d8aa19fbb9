#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run_autograder - Gradescope runs this for each submission. Takes every .cu file of it; its name
# begins with its exercise, 03_transpose.cu, unless the autograder was made for one exercise.
# AUTOGRADER is the folder that Gradescope has set up.
set -u
: "${AUTOGRADER:=/autograder}"
course=$AUTOGRADER/source/cuda_course
build=$course/build/cpu
results=$AUTOGRADER/results/results.json
task=$(cat "$AUTOGRADER/source/task")
mkdir -p "$AUTOGRADER/results"

# What a student reads where nothing could be graded.
nothing() {
    printf '{"score": 0, "visibility": "visible", "output": "%s"}\n' "$1" >"$results"
    exit 0
}

graded=''
known=$("$build/grade/grade" --list | awk '{ print $1 }')
set --
for file in "$AUTOGRADER"/submission/*.cu; do
    [ -f "$file" ] || nothing 'There is no .cu file in this submission.'
    exercise=$task
    for name in $known; do
        case ${file##*/} in "$name"*) if [ -z "$task" ]; then exercise=$name; fi ;; esac
    done
    [ -n "$exercise" ] || nothing 'The name of a file begins with its exercise: 03_transpose.cu.'
    # Two files would have the points twice.
    case " $graded " in
    *" $exercise "*) nothing "One .cu file is expected for exercise $exercise, there are more." ;;
    esac
    graded="$graded $exercise"
    set -- "$@" "$exercise=$file"
done

"$build/grade/grade" --course "$course" --build "$build" --format gradescope \
    --output "$results" "$@"
[ -s "$results" ] || nothing 'The grader could not run. Please tell your teacher.'
exit 0
