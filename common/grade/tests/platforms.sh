#!/bin/sh
# SPDX-License-Identifier: MIT
#
# platforms.sh - the handout holds no solution and grades; the scripts for Gradescope, PrairieLearn
# and GitHub write the results that they should. Called with FULL=1. Needs
# GRADE_BUILD, the built grader, and COURSE, which must be a git repository: otherwise the test is
# skipped. So is what needs python3, if there is none.
cd "${COURSE:?}" || exit 1
. common/grade/tests/programs.sh
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
ends 0 sh common/grade/platforms/handout.sh "$folder/out"
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
    ends 0 env TASK='01 02' VISIBILITY=hidden \
        sh common/grade/platforms/handout.sh "$folder/out" gradescope
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

# What a student has handed in, in the folder $folder/in.
solution=01_naive/exercise/solution.cu
hand_in() { # FILE...
    rm -rf "$folder/in" && mkdir -p "$folder/in"
    for name in "$@"; do
        mkdir -p "$(dirname "$folder/in/$name")" && cp $solution "$folder/in/$name"
    done
}
# A platform's script grades it. Its results have these lines; without one there are no results. The
# fields of JSON are those in formats.txt. Nothing in them may be a command for GitHub.
at=$folder/at
results=$at/results/results.json
graded() { # SCRIPT NAME STATUS TASK REGEX...
    script=$1 name=$2 expected=$3
    rm -rf "$at" && mkdir -p "$at/source" "$at/results"
    ln -s "$course" "$at/source/cuda_course"
    ln -s "$folder/in" "$at/submission"
    ln -s "$folder/in" "$at/student"
    echo "$4" >"$at/source/task"
    echo "${VISIBILITY:-}" >"$at/source/visibility"
    run env AUTOGRADER="$at" GRADE="$at" GITHUB_STEP_SUMMARY="$results" TASK="$4" \
        BUILD_DIR="${GRADE_BUILD%/cpu/grade}" sh "common/grade/platforms/$script.sh" "$folder/in"
    shift 4
    want "exit $status, expected $expected" [ "$status" -eq "$expected" ]
    [ $# -gt 0 ] || want 'there are results' [ ! -e "$results" ]
    for regex in "$@"; do want "no $regex in the results" grep -q "$regex" "$results"; done
    if [ $# -gt 0 ] && [ "$script" != github ] && has_python; then
        want 'this is no JSON' python3 -m json.tool "$results" "$tmp/json"
    fi
    want 'a line of a command' [ -z "$(grep -s '^ *::' "$results")" ]
    verdict "$script, $name"
}
hand_in my.cu
graded gradescope_run 'one exercise' 0 01 '^  "score": 100,' '^  "stdout_visibility": "hidden"'
hand_in exercise.cu
graded gradescope_run 'by content' 0 '' '^  "score": 100,'
hand_in 01_a.cu 01_b.cu
graded gradescope_run 'an exercise twice: the last' 0 '' '^  "score": 100,'
hand_in project/src/01_count.cu
graded gradescope_run 'two exercises, one missing' 0 '01 02' '^  "score": 100,' \
    '"02: .*"score": 0,' 'missing: there is no file of exercise 02'
hand_in 01.cu && cp 02_no_divergence/exercise/solution.cu "$folder/in/02.cu"
VISIBILITY=after_due_date graded gradescope_run 'one that is not asked for' 0 '01' \
    '^  "score": 100,' 'exercise 02 was handed in but is not accepted' \
    '"visibility": "after_due_date"'
hand_in && (cd "$folder" && ln -s /etc/passwd in/01.cu && echo zip >in/all.zip)
graded gradescope_run 'a link, a zip' 0 01 '^  "score": 0,' '01.cu is a link' \
    'all.zip is an archive'
hand_in && printf '#include "no.h"\nint x = y;\nint 和 = 1;\n' >"$folder/in/01.cu"
graded gradescope_run 'what does not compile' 0 01 '^  "score": 0,' '01.cu:1.*no.h'
hand_in
graded gradescope_run 'no file' 0 '' '^  "score": 0,' 'there is no .cu file here'
graded prairielearn 'no file is an attempt' 0 01 '^  "score": 0,' '"gradable": true'
graded github 'no file' 1 01 '^| 01 | refused | 0 | | |$'
# If the grader itself fails, no one gets a 0.
graded gradescope_run 'a grader that cannot grade' 1 99
graded prairielearn 'a grader that cannot grade' 0 99 'false.*could not run'
hand_in 01_naive/exercise/exercise.cu
graded prairielearn 'all points' 0 01 '^  "score": 1,'
graded github 'all points' 0 01 '^| 01 | all | 100 | 100 | |$'

# A student's files cannot change the summary and the check.
cp 01_naive/exercise/exercise.cu "$folder/in/01_naive/exercise/exercise.cu"
mkdir -p "$folder/in/common/grade/platforms" "$folder/in/common/simt" "$folder/in/build/cpu/grade"
for file in Makefile common/grade/grade.mk common/grade/platforms/github.sh common/simt/simtcc \
    build/cpu/grade/grade; do
    printf '#!/bin/sh\nexit 0\n' >"$folder/in/$file" && chmod +x "$folder/in/$file"
done
printf 'name: grade\n' >"$folder/in/.github"
printf '// ::error::x\n::set-output name=x::y\n' >>"$folder/in/01_naive/exercise/exercise.cu"
graded github 'a repository with a grader of its own' 1 01 '^| 01 | all | 0 | 100 | |$'
workflow=common/grade/platforms/github.yml
want 'another grader' grep -q 'sh course/common/grade/platforms/github.sh submission' $workflow
want 'something of the submission is run' [ "$(grep -c 'run:' $workflow)" = 2 ]
verdict 'github, the workflow runs the grader of the teacher'
finish
