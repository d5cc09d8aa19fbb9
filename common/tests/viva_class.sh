#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: viva_class - make viva-class: a sheet for each student and a key, marks of typed answers
# and of logs as a column of marks.csv. Called by run.sh, on the cpu. Needs BUILD. Last line: N
# passed, N failed.
# Where: cpu
# shellcheck disable=SC2317 # ends calls it
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/tests/viva_begin.sh
group='viva_class: '
class="$tmp/the class" marks="$tmp/the class.marks"
mkdir -p "$class/ada" "$class/bob" "$class/eve"
for student in ada bob; do cp $solution "$class/$student/03.cu"; done
cp 03_no_bank_conflict/exercise/exercise.cu "$class/carl, jr_03.cu"
echo 'extern "C" int solve() { return system("id"); }' >"$class/eve/03.cu"
viva_class() { mk viva-class DIR="$class" TASK=03 "$@"; } # VARIABLE=VALUE...

ends 2 viva_class ANSWERS=none
want 'not reported' names err 'make the sheets first'
verdict 'no key'
ends 0 viva_class SEED=7
want 'it does not say whose sheet is missing' names err 'no sheet for eve'
key="$marks/viva.03/key.csv"
rows=$(cut -d , -f 1 "$key" | sort | uniq -c | tr -s ' \n' ' ')
want 'not five questions for each' [ "$rows" = ' 5 "carl 5 ada 5 bob 1 student ' ]
verdict 'sheets and a key'
own() { grep "^$1" "$key" | cut -d , -f 8-; } # its questions
want 'equal questions' [ "$(own ada)" != "$(own bob)" ]
sums=$(grep -e '^ada' -e '^bob' "$key" | cut -d , -f 3 | sort -u | wc -l)
want 'equal files have another sum' [ "$sums" -eq 1 ]
verdict 'equal files, different questions'
for sheet in "$marks"/viva.03/*.md; do
    html="${sheet%.md}.html"
    want "$sheet: not five questions" [ "$(grep -c 'Answer: __' "$sheet")" -eq 5 ]
    want "$html: not five questions" [ "$(grep -c 'Answer: __' "$html")" -eq 5 ]
    want "$html: no code with numbers" \
        grep -q '^<div>  *8  #include &#60;cuda_runtime.h&#62;' "$html"
    want "$html: the head" grep -q '<thead>.*Viva of exercise 03, seed 7\..*Date: __' "$html"
    want "$sheet: the head" grep -q '^Viva of exercise 03, seed 7\. Date: __' "$sheet"
    # In Markdown indented code needs an empty line before it.
    want "$sheet: code in a paragraph" \
        [ -z "$(awk '/^       *1  / { print last } { last = $0 }' "$sheet")" ]
done
verdict 'the sheets'
again=$tmp/again # ada alone
mkdir -p "$again/ada"
cp $solution "$again/ada/03.cu"
run mk viva-class DIR="$again" TASK=03 SEED=7
want 'another key' [ "$(grep '^ada' "$again.marks/viva.03/key.csv")" = "$(grep '^ada' "$key")" ]
for end in md html; do
    want "another $end" cmp -s "$again.marks/viva.03/"*.$end "$marks/viva.03/"*_ada.$end
done
verdict 'the same seed, the same sheets'

# ---- marks ----

reported() { # SENTENCE...
    for said in "$@"; do want "not reported: $said" names err "$said"; done
}
answers_of() { grep "^\"*$1" "$key" | sed 's/^"[^"]*"//' | cut -d , -f 5 | tr '\n' ','; }
{
    echo 'student,1,2,3,4,5'
    echo "ada,$(answers_of ada)"
    echo "\"carl, jr\",$(answers_of carl | sed 's/^[^,]*/777/; s/,$//')"
    echo 'bob,,,,thirtytwo,'
} >"$tmp/typed.csv"
ends 0 viva_class ANSWERS="$tmp/typed.csv"
reported "bob: question 4: 'thirtytwo' is no answer" '3 of 3 students marked; rows refused: 0'
cp "$marks/marks.csv" "$tmp/out"
want 'wrong marks' [ "$(sed 1d "$tmp/out" | tr '\n' ' ')" = \
    'ada,100, "carl, jr",80, bob,0, ' ]
want 'no column' holds out 'student,viva,seed'
cp "$marks/marks_long.csv" "$tmp/out"
want 'the wrong ones are not named' holds out 'carl.*4 of 5 right; wrong: 1'
want 'nor all of them' holds out '^bob.*0 of 5 right; wrong: 1 2 3 4 5'
verdict 'marks'
{
    echo 'Bob,1,2,3,4,5'
    echo 'bob,1,2,3,4'
    echo 'carl'
    echo "ada ;$(answers_of ada | sed 's/,$//' | tr ',' ';')"
    echo 'ada,,,,,'
} >"$tmp/typed.csv"
ends 2 viva_class ANSWERS="$tmp/typed.csv"
reported 'Bob: refused: not in the key' 'carl: refused: not in the key' \
    'bob: refused: 4 answers to 5 questions' 'ada: refused: a second row' \
    '1 of 3 students marked; rows refused: 4; no row, so an older mark stays: carl, jr'
cp "$marks/marks.csv" "$tmp/out"
want 'other students, or other marks' [ "$(sed 1d "$tmp/out" | tr '\n' ' ')" = \
    'ada,100, "carl, jr",80, bob,0, ' ]
ends 2 viva_class ANSWERS="$tmp/typed.csv" MARKS="$tmp/marks.csv"
want 'the file of the marks is not named' names out "$tmp/marks.csv: the column viva"
verdict 'rows that are refused'
run mk grade-class DIR="$class" TASK=03 STUDENT=ada SEED=1
cp "$marks/marks.csv" "$tmp/out"
want 'the column has gone' holds out '^ada,100,100,'
verdict 'beside the marks of the exercise'

# ---- in a room ----

answers_of ada | tr ',' '\n' >"$tmp/typed"
in_room() {
    mk viva TASK=03 SUBMISSION="$class/ada/03.cu" SEED=7 STUDENT=ada TIME=10 LOG="$tmp/log.csv" \
        <"$tmp/typed"
}
ends 0 in_room
want 'it says which answers are right' lacks out '^(right|wrong|It is)'
seed=$(sed -n 's/^# SEED=\([0-9]*\) .*/\1/p' "$tmp/log.csv")
run mk viva TASK=03 SUBMISSION="$class/ada/03.cu" SEED="$seed" LIST=1
want 'the seed of the log lists nothing' holds out '^5,'
own ada >"$tmp/own"
want 'the seed of the log asks the same' [ "$(grep -cFf "$tmp/own" "$tmp/out")" -lt 2 ]
run mk viva TASK=03 SUBMISSION="$class/ada/03.cu" SEED=7 STUDENT=ada LIST=1
want 'it lists the answers of an exam' lacks out '^1,'
want 'not reported' names err 'LIST: not with STUDENT'
verdict 'an exam is not asked twice'
ends 0 viva_class ANSWERS="$tmp/log.csv"
cp "$marks/marks_long.csv" "$tmp/out"
want 'not all points' holds out '^ada,viva,100,.*5 of 5 right; SECONDS='
verdict 'a log'
sed 's/FILE=./FILE=0/' "$tmp/log.csv" >"$tmp/typed.csv"
ends 2 viva_class ANSWERS="$tmp/typed.csv"
want 'not reported' names err 'ada: refused: another file or seed'
cp "$marks/marks_long.csv" "$tmp/out"
want 'not refused' holds out '^ada,viva,0,.*refused: another file or seed'
verdict 'a log of another file'
ends 2 viva_class SEED=x
want 'not reported' names err "SEED: 'x' is not accepted"
verdict 'refused: a seed'

finish
