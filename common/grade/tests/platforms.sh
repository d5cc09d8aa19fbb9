#!/bin/sh
# SPDX-License-Identifier: MIT
#
# platforms.sh - the handout holds no solution and grades; the scripts for Gradescope, PrairieLearn
# and GitHub write the results that they should. Called with FULL=1. Needs
# GRADE_BUILD, the built grader, and COURSE, which must be a git repository: otherwise the test is
# skipped. So is what needs python3, if there is none.
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

# The archives, unpacked. They use the grader that is built already. Students' submissions, which
# are not in git, are left out.
stray=$COURSE/01_naive/exercise/handed_in_$$.cu
trap 'rm -rf "$tmp" "$stray"' EXIT
echo 'of a student' >"$stray"
run sh common/grade/platforms/handout.sh "$folder/out"
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'the archive cannot be read' tar -xzf "$folder/out/cuda_course.tar.gz" -C "$folder"
verdict 'make handout'
course=$folder/cuda_course
mkdir -p "$course/build" && ln -s "${GRADE_BUILD%/grade}" "$course/build/cpu"
want 'it has no Makefile' [ -f "$course/Makefile" ]
empty 'no solution, no answer in the handout' "$(find "$course" -name solution.cu \
    -o -name 'ANSWERS*' -o -path '*/grade/tests' -o -name 'hostile*' -o -name '.ci' \
    -o -name ci.yml)"
empty 'only files that git tracks' "$(cd "$course" && find . -type f ! -path './build/*' |
    sed 's,^\./,,' | sort >"$folder/packed"
    cd "$COURSE" && git ls-files | sort | comm -13 - "$folder/packed" |
        grep -vx -e .github/workflows/grade.yml -e AGENTS.md)"
want 'no page for assistants' cmp -s common/grade/platforms/tutor.md "$course/AGENTS.md"
want 'no workflow' [ -f "$course/.github/workflows/grade.yml" ]
want 'another workflow' [ "$(ls "$course/.github/workflows")" = grade.yml ]
verdict 'the workflow of the handout'
empty 'every exercise in the handout' "$(for file in [0-9][0-9]_*/*/solution.cu; do
    for part in exercise.cu tests.txt; do
        [ -f "$course/${file%/*}/$part" ] || echo "${file%/*}/$part is missing"
    done
done)"
check 'the handout grades' "$GRADE_BUILD/grade" --course "$course" \
    --build "${GRADE_BUILD%/grade}" --seed 1 01=01_naive/exercise/solution.cu

# In the handout the script says that it is one.
run sh -c 'cd "$1" && sh common/grade/platforms/handout.sh "$2" 2>&1' sh "$course" "$folder/out"
want 'it does not say so' holds out '^handout: this is a handout already'
verdict 'no handout of a handout'

has_python() { python3 -c 'import json, zipfile' 2>/dev/null; }

# A zip for Gradescope: the same files.
if has_python; then
    run env TASK='01 02' VISIBILITY=hidden \
        sh common/grade/platforms/handout.sh "$folder/out" gradescope
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    mkdir "$folder/zip" &&
        (cd "$folder/zip" && python3 -m zipfile -e "$folder/out/gradescope.zip" .)
    want 'no setup.sh' [ -f "$folder/zip/setup.sh" ]
    want 'no run_autograder' [ -f "$folder/zip/run_autograder" ]
    want 'not these exercises' [ "$(cat "$folder/zip/task" "$folder/zip/visibility")" = '01 02
hidden' ]
    want 'a file that git does not track' \
        [ -z "$(find "$folder/zip" -name 'handed_in*' -o -name solution.cu)" ]
    verdict 'make gradescope'
else
    echo "skip ${group}make gradescope: python3 was not found"
fi
rm "$stray"

solution=01_naive/exercise/solution.cu
# Its fields are those in formats.txt.
is_json() { ! has_python || python3 -m json.tool "$1" >/dev/null; }

# What a student has handed in, in the folder $folder/in; then a platform's script and its results.
hand_in() { # FILE...
    rm -rf "$folder/in" && mkdir -p "$folder/in"
    for name in "$@"; do
        mkdir -p "$(dirname "$folder/in/$name")" && cp $solution "$folder/in/$name"
    done
}
gradescope() { # NAME TASK REGEX...
    name=$1
    rm -rf "$folder/auto" && mkdir -p "$folder/auto/source"
    ln -s "$course" "$folder/auto/source/cuda_course"
    ln -s "$folder/in" "$folder/auto/submission"
    echo "$2" >"$folder/auto/source/task"
    echo "${VISIBILITY:-}" >"$folder/auto/source/visibility"
    shift 2
    run env AUTOGRADER="$folder/auto" sh common/grade/platforms/gradescope_run.sh
    results=$folder/auto/results/results.json
    want 'this is no JSON' is_json "$results"
    for regex in "$@"; do want "no $regex in the results" grep -q "$regex" "$results"; done
    verdict "Gradescope, $name"
}
hand_in my.cu
gradescope 'one exercise' 01 '^  "score": 100,' '^  "stdout_visibility": "hidden"'
hand_in exercise.cu
gradescope 'by content' '' '^  "score": 100,'
hand_in 01_a.cu 01_b.cu
gradescope 'an exercise twice: the last' '' '^  "score": 100,'
hand_in project/src/01_count.cu
gradescope 'two exercises, one missing' '01 02' '^  "score": 100,' '"02: .*"score": 0,' \
    'missing: there is no file of exercise 02'
hand_in 01.cu && cp 02_no_divergence/exercise/solution.cu "$folder/in/02.cu"
VISIBILITY=after_due_date gradescope 'one that is not asked for' '01' '^  "score": 100,' \
    'exercise 02 was handed in but is not accepted' '"visibility": "after_due_date"'
hand_in
gradescope 'no file' '' '^  "score": 0,' 'there is no .cu file here'
hand_in && (cd "$folder" && ln -s /etc/passwd in/01.cu && echo zip >in/all.zip)
gradescope 'a link, a zip' 01 '^  "score": 0,' '01.cu is a link' 'all.zip is an archive'
hand_in && printf '#include "no.h"\nint x = y;\nint 和 = 1;\n' >"$folder/in/01.cu"
gradescope 'what does not compile' 01 '^  "score": 0,' '01.cu:1.*no.h'

# If the grader itself fails, no one gets a 0.
echo 99 >"$folder/auto/source/task"
run env AUTOGRADER="$folder/auto" sh common/grade/platforms/gradescope_run.sh
want 'a result' [ ! -e "$folder/auto/results/results.json" ]
want "exit $status, expected 1" [ "$status" -eq 1 ]
verdict 'Gradescope, a grader that cannot grade'

# PrairieLearn
prairielearn() { # NAME REGEX TASK
    rm -rf "$folder/grade" && mkdir -p "$folder/grade" && ln -s "$folder/in" "$folder/grade/student"
    run env GRADE="$folder/grade" TASK="$3" BUILD_DIR="${GRADE_BUILD%/cpu/grade}" \
        sh common/grade/platforms/prairielearn.sh
    results=$folder/grade/results/results.json
    want 'this is no JSON' is_json "$results"
    want "no $2 in the results" grep -q "$2" "$results"
    verdict "PrairieLearn$1"
}
hand_in 01.cu
prairielearn '' '^  "score": 1,' 01
prairielearn ', an exercise that is not there' 'false.*could not run' 99
hand_in
prairielearn ', no file is an attempt' '^  "score": 0,' 01
want 'no attempt' grep -q '"gradable": true' "$results"
verdict 'PrairieLearn, no file'

# GitHub: the summary and the check. A student's files cannot change them.
github() { # NAME STATUS REGEX TASK
    : >"$folder/summary"
    run env GITHUB_STEP_SUMMARY="$folder/summary" TASK="$4" BUILD_DIR="${GRADE_BUILD%/cpu/grade}" \
        sh common/grade/platforms/github.sh "$folder/in"
    cat "$folder/summary" >>"$tmp/out"
    want "exit $status, expected $2" [ "$status" -eq "$2" ]
    want "no $3 in the summary" grep -q "$3" "$folder/summary"
    want 'a line of a command' lacks out '^ *::'
    verdict "GitHub, $1"
}
hand_in 01_naive/exercise/exercise.cu
github 'all points' 0 '^| 01 | all | 100 | 100 | |$' 01
cp 01_naive/exercise/exercise.cu "$folder/in/01_naive/exercise/exercise.cu"
mkdir -p "$folder/in/common/grade/platforms" "$folder/in/common/simt" "$folder/in/build/cpu/grade"
for file in Makefile common/grade/grade.mk common/grade/platforms/github.sh common/simt/simtcc \
    build/cpu/grade/grade; do
    printf '#!/bin/sh\nexit 0\n' >"$folder/in/$file" && chmod +x "$folder/in/$file"
done
printf 'name: grade\n' >"$folder/in/.github"
printf '// ::error::x\n::set-output name=x::y\n' >>"$folder/in/01_naive/exercise/exercise.cu"
github 'a repository with a grader of its own' 1 '^| 01 | all | 0 | 100 | |$' 01
hand_in
github 'no file' 1 '^| 01 | refused | 0 | | |$' 01
workflow=common/grade/platforms/github.yml
want 'another grader' grep -q 'sh course/common/grade/platforms/github.sh submission' $workflow
want 'something of the submission is run' [ "$(grep -c 'run:' $workflow)" = 2 ]
verdict 'GitHub, the workflow runs the grader of the teacher'
finish
