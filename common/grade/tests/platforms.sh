#!/bin/sh
# SPDX-License-Identifier: MIT
#
# platforms.sh - the handout holds no solution and grades; the scripts for Gradescope and
# PrairieLearn write the results that they should. Needs GRADE_BUILD, the built grader, and COURSE,
# which must be a git repository: otherwise the test is skipped.
set -u
cd "${COURSE:?}" || exit 1
. common/tests/check.sh
group='platforms: '
folder=$tmp/folder
mkdir "$folder"
chmod 755 "$tmp" "$folder"

if ! git rev-parse --git-dir >/dev/null 2>&1; then
    echo 'skip platforms: this is no git repository'
    exit 0
fi

# The archives, unpacked. They use the grader that is built already.
run sh common/grade/platforms/handout.sh "$folder/out"
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'the archive cannot be read' tar -xzf "$folder/out/cuda_course.tar.gz" -C "$folder"
verdict 'make handout'
course=$folder/cuda_course
mkdir -p "$course/build" && ln -s "${GRADE_BUILD%/grade}" "$course/build/cpu"
want 'it has no Makefile' [ -f "$course/Makefile" ]
empty 'no solution, no answer in the handout' "$(find "$course" -name solution.cu \
    -o -name 'ANSWERS*' -o -path '*/grade/tests' -o -name hostile)"
empty 'every exercise in the handout' "$(for file in [0-9][0-9]_*/*/solution.cu; do
    for part in exercise.cu tests.txt; do
        [ -f "$course/${file%/*}/$part" ] || echo "${file%/*}/$part is missing"
    done
done)"
check 'the handout grades' "$GRADE_BUILD/grade" --course "$course" \
    --build "${GRADE_BUILD%/grade}" --seed 1 01=01_naive/exercise/solution.cu

# In the handout the script says what it is.
run sh -c 'cd "$1" && sh common/grade/platforms/handout.sh "$2" 2>&1' sh "$course" "$folder/out"
want 'it does not say so' holds out '^handout: this is a handout already'
verdict 'no handout of a handout'

# Gradescope: one exercise that is named, then by the name of the file, two files, no file.
gradescope() { # NAME REGEX TASK FILE_NAME...
    test=$1 regex=$2
    rm -rf "$folder/auto" && mkdir -p "$folder/auto/source" "$folder/auto/submission"
    ln -s "$course" "$folder/auto/source/cuda_course"
    echo "$3" >"$folder/auto/source/task"
    shift 3
    for name in "$@"; do cp 01_naive/exercise/solution.cu "$folder/auto/submission/$name"; done
    run env AUTOGRADER="$folder/auto" sh common/grade/platforms/gradescope_run.sh
    cat "$folder/auto/results/results.json" >>"$tmp/out"
    want "no $regex in the results" grep -q "$regex" "$folder/auto/results/results.json"
    verdict "Gradescope, $test"
}
gradescope 'one exercise' '^  "score": 100,' 01 my.cu
gradescope 'by name' '^  "score": 100,' '' 01_count.cu
gradescope 'an exercise twice' '"score": 0,.*One .cu file is expected for exercise 01' '' \
    01_count.cu 01_again.cu
gradescope 'no file' '"score": 0,.*no .cu file' ''

# PrairieLearn
mkdir -p "$folder/grade/student" && cp 01_naive/exercise/solution.cu "$folder/grade/student/my.cu"
prairielearn() { # NAME REGEX TASK
    rm -rf "$folder/grade/results"
    run env GRADE="$folder/grade" TASK="$3" BUILD_DIR="${GRADE_BUILD%/cpu/grade}" \
        sh common/grade/platforms/prairielearn.sh
    want "no $2 in the results" grep -q "$2" "$folder/grade/results/results.json"
    verdict "PrairieLearn$1"
}
prairielearn '' '^  "score": 1,' 01
prairielearn ', an exercise that is not there' 'false.*could not run' 99
rm "$folder"/grade/student/*
prairielearn ', no file' 'false.*no .cu file' 01
finish
