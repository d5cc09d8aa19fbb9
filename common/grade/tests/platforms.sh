#!/bin/sh
# SPDX-License-Identifier: MIT
#
# platforms.sh - the handout holds no solution and grades; the scripts for Gradescope and
# PrairieLearn write the results that they should. Needs GRADE_BUILD, the built grader, and COURSE,
# which must be a git repository: otherwise the test is skipped.
set -u
cd "${COURSE:?}" || exit 1
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"

check() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok   platforms: $1"
    else
        echo "FAIL platforms: $1"
        sed 's/^/    /' "$folder/log"
        failed=1
    fi
}

if ! git rev-parse --git-dir >/dev/null 2>&1; then
    echo 'ok   platforms: skipped, this is no git repository'
    exit 0
fi

# The archives, unpacked. They use the grader that is built already.
sh common/grade/platforms/handout.sh "$folder/out" >"$folder/log" 2>&1 &&
    tar -xzf "$folder/out/cuda_course.tar.gz" -C "$folder"
check 'make handout' $?
course=$folder/cuda_course
mkdir -p "$course/build" && ln -s "${GRADE_BUILD%/grade}" "$course/build/cpu"
find "$course" -name solution.cu -o -name 'ANSWERS*' -o -path '*/grade/tests' -o -name hostile \
    >"$folder/log"
[ -f "$course/Makefile" ] && [ ! -s "$folder/log" ]
check 'no solution, no answer in the handout' $?
missing=$(for file in [0-9][0-9]_*/*/solution.cu; do
    for part in exercise.cu tests.txt; do
        [ -f "$course/${file%/*}/$part" ] || echo "${file%/*}/$part is missing"
    done
done)
echo "$missing" >"$folder/log"
[ -z "$missing" ]
check 'every exercise in the handout' $?
"$GRADE_BUILD/grade" --course "$course" --build "${GRADE_BUILD%/grade}" --seed 1 \
    01=01_naive/exercise/solution.cu >"$folder/log" 2>&1
check 'the handout grades' $?

# In the handout the script says what it is.
says=$(cd "$course" && sh common/grade/platforms/handout.sh "$folder/out" 2>&1)
[ "${says#handout: this is a handout already}" != "$says" ]
check 'no handout of a handout' $?

# Gradescope: one exercise that is named, then by the name of the file, two files, no file.
gradescope() { # TASK FILE_NAME...
    rm -rf "$folder/auto" && mkdir -p "$folder/auto/source" "$folder/auto/submission"
    ln -s "$course" "$folder/auto/source/cuda_course"
    echo "$1" >"$folder/auto/source/task"
    shift
    for name in "$@"; do cp 01_naive/exercise/solution.cu "$folder/auto/submission/$name"; done
    AUTOGRADER=$folder/auto sh common/grade/platforms/gradescope_run.sh >"$folder/log" 2>&1
    cat "$folder/auto/results/results.json" >>"$folder/log"
}
gradescope 01 my.cu
grep -q '^  "score": 100,' "$folder/auto/results/results.json"
check 'Gradescope, one exercise' $?
gradescope '' 01_count.cu
grep -q '^  "score": 100,' "$folder/auto/results/results.json"
check 'Gradescope, by name' $?
gradescope '' 01_count.cu 01_again.cu
grep -q '"score": 0,.*One .cu file is expected for exercise 01' "$folder/auto/results/results.json"
check 'Gradescope, an exercise twice' $?
gradescope ''
grep -q '"score": 0,.*no .cu file' "$folder/auto/results/results.json"
check 'Gradescope, no file' $?

# PrairieLearn
mkdir -p "$folder/grade/student" && cp 01_naive/exercise/solution.cu "$folder/grade/student/my.cu"
prairielearn() { # TASK
    rm -rf "$folder/grade/results"
    GRADE=$folder/grade TASK=$1 BUILD_DIR=${GRADE_BUILD%/cpu/grade} \
        sh common/grade/platforms/prairielearn.sh >"$folder/log" 2>&1
}
prairielearn 01
grep -q '^  "score": 1,' "$folder/grade/results/results.json"
check 'PrairieLearn' $?
prairielearn 99
grep -q 'false.*could not run' "$folder/grade/results/results.json"
check 'PrairieLearn, an exercise that is not there' $?
rm "$folder"/grade/student/*
prairielearn 01
grep -q 'false.*no .cu file' "$folder/grade/results/results.json"
check 'PrairieLearn, no file' $?
exit $failed
