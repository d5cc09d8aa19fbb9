#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage.sh - the command line of the grader: messages name the given value and what is accepted, a
# seed repeats a run, a class's files are found. Needs GRADE_BUILD, the built grader, and COURSE.
# Last line: N passed, N failed.
cd "${COURSE:?}" || exit 1
. common/grade/tests/programs.sh
group='usage: '
BUILD=${GRADE_BUILD%/grade}
folder=$tmp/folder
mkdir "$folder"

# shellcheck disable=SC2317 # run calls it
said() { grader "$@" 2>&1; }

# Exits with this status, and its output contains the text.
replies() { # NAME STATUS TEXT ARGUMENTS...
    name=$1 expected=$2 text=$3
    shift 3
    ends "$expected" said "$@"
    want "it does not say '$text'" names out "$text"
    verdict "$name"
}

solution=01_naive/exercise/solution.cu
replies 'nothing to do' 2 'usage: grade'
replies 'an exercise that is not there' 2 "exercise: '99'; accepted: 01" 99=my.cu
replies 'no exercise' 2 "submission: 'my.cu'; accepted: EXERCISE=FILE" my.cu
replies 'a seed that is no number' 2 "'x'; accepted: a whole number" --seed x 01=$solution
replies 'no time' 2 "--seconds: '0'; accepted: a number from 0.001" --seconds 0 01=$solution
replies 'no end' 2 "'inf'; accepted: a number from 0.001 to 3600" --seconds inf 01=$solution
replies 'no jobs' 2 "'0'; accepted: a number from 1 to 1024" --jobs 0 01=$solution
replies 'an unknown format' 2 "accepted: text csv gradescope" --format xml 01=$solution
replies 'an unknown option' 2 "option: '--fast'" --fast 1 01=$solution
replies 'a file that is not there' 2 "submission: 'no.cu'; accepted: a file that exists" 01=no.cu
printf 'a\000b' >"$folder/binary"
replies 'a file that is no text' 1 'is not a text file' 01="$folder/binary"
rm "$folder/binary"
replies 'a device' 1 'is not a plain file' 01=/dev/zero
replies 'a folder as a file' 1 'is not a plain file' 01="$folder"
replies 'an output that cannot be written' 2 "'/no/such/file'" --output /no/such/file \
    01=common/grade/tests/texts.txt
replies 'an empty class' 2 "no submission in '$folder'" --class "$folder"
replies 'a class that is not there' 2 "'/no/class' is not a folder" --class /no/class
replies 'an unknown pick' 2 "--pick: 'first'; accepted: last best" --pick first 01=$solution
replies 'an unknown visibility' 2 "accepted: visible hidden" --visibility never 01=$solution
replies 'one of two is unknown' 2 "--only: '99'; accepted: 01" --only '01 99' --class "$folder"
replies 'an empty folder' 1 'there is no .cu file here' --folder "$folder"

# A message quotes text as written, but without terminal control characters.
{
    cat $solution
    printf 'static_assert(sizeof(int) == 1, "gr\303\266\303\237e \345\217\230 \033[31m");\n'
} >"$folder/words.cu"
replies 'words of other languages' 1 "$(printf 'gr\303\266\303\237e \345\217\230 ')\\x1b[31m" \
    --format csv 01="$folder/words.cu"

# A seed repeats sizes and numbers; another one changes them.
first=$(grader --seed 7 01=01_naive/exercise/exercise.cu)
again=$(grader --seed 7 01=01_naive/exercise/exercise.cu)
other=$(grader --seed 8 01=01_naive/exercise/exercise.cu)
want 'the same seed gave another report' [ "$first" = "$again" ]
want 'another seed gave the same sizes' [ "${first%SEED*}" != "${other%SEED*}" ]
verdict 'a seed repeats a run'

# What a file prints is dropped, and the report says so. A hint is given once.
sed 's/^{/{ printf("here");/' 01_naive/host/exercise.cu >"$folder/prints.cu"
run grader host="$folder/prints.cu"
says out 'the grader drops what a file prints'
want 'the hint is not there once' [ "$(grep -c 'which thread of the last' "$tmp/out")" -eq 1 ]
want 'the other tests have none' [ "$(grep -c 'hint *as above' "$tmp/out")" -ge 4 ]
verdict 'a file that prints'

# Without its barrier the transpose reads unwritten elements. The report names the race.
grep -v '__syncthreads' 03_no_bank_conflict/exercise/solution.cu >"$folder/racy.cu"
ends 1 grader --format csv 03="$folder/racy.cu"
says out 'racy.cu,03,whole tiles,failed | race on s_tile['
verdict 'a race beside a wrong value'
# Whatever a test is about, it reports the line of the race and a hint about barriers.
run grader --seed 3 03="$folder/racy.cu"
line=$(grep -n 's_tile\[y\]\[x\] = ' "$folder/racy.cu" | cut -d: -f1)
want 'not the line of code' holds out "^ *line *$line: s_tile\[y\]\[x\] = d_in"
want 'a hint about banks' lacks out 'hint.*bank'
about=$(grep -cE 'barrier (belongs|is) between' "$tmp/out")
want "$about hints about a barrier, expected 1: the others refer to it" [ "$about" = 1 ]
want 'not four tests that say so' [ "$(grep -c 'the same as in "whole tiles"' "$tmp/out")" = 4 ]
says out "to step through \"whole tiles\", where f goes to what was found: |   make show TASK=03 \
SUBMISSION='$folder/racy.cu' N=32x32"
verdict 'hints for a race, and its line'
rm "$folder/racy.cu"

make_in() { # FOLDER ARGUMENTS...
    (cd "$1" && shift && mk -s "$@") 2>&1
}
# make accepts paths with spaces, relative to where it is called.
mkdir "$folder/a b"
cp $solution "$folder/a b/my count.cu"
ends 0 make_in "$folder" -f "$COURSE/common/grade/grade.mk" grade TASK=01 FORMAT=csv \
    SUBMISSION='a b/my count.cu' OUTPUT='a b/out.csv'
want 'the test has not passed' grep -q 'my count.cu,01,one block,passed' "$folder/a b/out.csv"
verdict 'a path with blanks'
rm -r "$folder/a b"

# make report and make show have the GPU of the exercise: of 4 multiprocessors 32 blocks are enough.
run make_in "$COURSE" report TASK=04 N=50000x0x0 SUBMISSION=04_vectorized/exercise/solution.cu
want 'not its grid' holds out '^dot_kernel<<<32x1x1'
verdict 'the GPU of an exercise in a report'
# shellcheck disable=SC2016 # that is the point
evil='$(shell touch run1)$(touch run2)`touch run3`"; touch run4; ".cu'
cp $solution "$folder/$evil"
# Text in a file's name is never executed: by make, by a shell, or on the way through both.
ends 0 make_in "$folder" -f "$COURSE/common/grade/grade.mk" grade TASK=01 SUBMISSION="$evil"
want 'it was not graded' holds out '^100 of 100 points'
verdict 'a name that make and a shell would run'
for target in grade report; do
    run make_in "$COURSE" $target TASK=01 SUBMISSION="$folder/no$evil"
    want "exit $status" [ "$status" -ne 0 ]
    want 'no reason' holds out "there is no file|the name of a file with"
    want 'something was run' [ -z "$(find "$folder" "$COURSE" -maxdepth 1 -name 'run[1-4]')" ]
    verdict "make $target of a file that is not there"
done
run make_in "$COURSE/01_naive" grade SUBMISSION="$folder/$evil"
want 'it was not graded' holds out '^100 of 100 points'
run make_in "$COURSE" grade-class DIR="$folder/no$evil"
want "exit $status, expected an error" [ "$status" -ne 0 ]
want 'nothing names the folder' names out 'touch run1'
want 'something was run' [ -z "$(find "$folder" "$COURSE/01_naive" -name 'run[1-4]')" ]
verdict 'names in a lesson, of a class'
rm "$folder/$evil"
finish
