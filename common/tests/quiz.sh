#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: quiz - make quiz: 1,000 questions of each kind against counts by hand (quiz.c), what ncu
# recorded on a GPU, answers that are typed, marks that cannot be edited, bad input. Called by
# run.sh, on the cpu. Needs BUILD. Last line: N passed, N failed.
# Where: cpu
# shellcheck disable=SC2317 # ends calls it
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}"
unset QUIZ SEED LEVEL LESSON KIND RESULTS
. common/tests/check.sh
group='quiz: '
quiz=$BUILD/quiz/quiz

# ---- the counts ----

kinds=$("$quiz" --kind none --list 2>&1 | tr '\n' ' ' | sed 's/.*accepted: //')
for kind in $kinds; do
    for level in 1 2 3; do
        "$quiz" --list --kind "$kind" --level "$level" --count 340 --seed $$
    done
done >"$tmp/questions"
ends 0 sh -c "'$quiz' --run <'$tmp/questions'"
cp "$tmp/out" "$tmp/answers"
want 'stderr is not empty' lines err 0
"$BUILD/tests/quiz" <"$tmp/answers" >"$tmp/out"
want 'the emulator and the count by hand differ' lines out 0
want 'fewer than 14 kinds with 1,000 questions' \
    [ "$(cut -d ' ' -f 1 "$tmp/answers" | sort | uniq -c | awk '$1 >= 1000' | wc -l)" -ge 14 ]
verdict '1,000 questions of each kind'

sed '500s/,[0-9]*$/,77/' "$tmp/answers" >"$tmp/planted"
"$BUILD/tests/quiz" <"$tmp/planted" >"$tmp/out"
want 'it is not reported' holds out 'emulator counts 77'
want 'something else' lines out 1
verdict 'a planted count is reported'

for recorded in common/quiz/recorded_*.csv; do
    if [ ! -f "$recorded" ]; then
        echo "skip quiz: what ncu counts: there is no $recorded; sh common/quiz/record.sh makes it"
        continue
    fi
    grep -v '^#' "$recorded" | sed 1d >"$tmp/recorded"
    cut -d , -f 1 "$tmp/recorded" | "$quiz" --run | diff "$tmp/recorded" - >"$tmp/out" 2>&1
    want 'fewer than 200 questions' [ "$(wc -l <"$tmp/recorded")" -ge 200 ]
    want 'it differs' lines out 0
    verdict "what ncu counts: $recorded"
done

# ---- the questions of a seed ----

"$quiz" --list --seed 7 --level 2 >"$tmp/seven"
equal 'a seed gives the same questions' "$("$quiz" --list --seed 7 --level 2)" "$(cat "$tmp/seven")"
want 'another seed' [ "$("$quiz" --list --seed 8 --level 2)" != "$(cat "$tmp/seven")" ]
want 'another level' [ "$("$quiz" --list --seed 7 --level 3)" != "$(cat "$tmp/seven")" ]
want 'two are equal' [ "$(sort "$tmp/seven" | uniq | wc -l)" -eq 10 ]
verdict 'others give others'

# Each of the first three lessons brings a tree, forms 0, 1 and 2. Banks come in 03, sectors and
# packs in 04, shuffles in 05, atomics on the second page of 06; no lesson has wide loads of shared
# memory.
for lesson in 01 02 03 04 05; do
    for level in 1 2 3; do
        "$quiz" --list --seed 7 --level $level --count 300 --lesson $lesson
    done | sed "s/^/$lesson /"
done >"$tmp/out"
want 'fewer than 1,000 questions' [ "$(cut -c 4- "$tmp/out" | sort -u | wc -l)" -ge 1000 ]
want 'a question of a later lesson' \
    lacks out '^0([123] (packs|sectors|aligned|gather|shuffles)|[1-5] (wide|atomics)) '
want 'banks before 03' lacks out '^0[12] (stride|pitch|words) '
want 'a tree of a later lesson' lacks out '^0(1 (tree|barriers) [123]|2 (tree|barriers) [23]) '
want 'the tree of 01 is missing' holds out '^01 tree 0 '
want 'the tree of 02 is missing' holds out '^02 tree 1 '
verdict 'what a lesson does not know yet is not asked'

# ---- typed ----

"$quiz" --run <"$tmp/seven" | cut -d , -f 3 >"$tmp/right"
ask() { # FILE OPTION...
    typed=$1
    shift
    ends 0 sh -c "'$quiz' --seed 7 --level 2 --results '$tmp/quiz.csv' $* <'$typed'"
}
marked() { # FILE WANTED: the line begins with this
    ends 0 "$quiz" --mark "$1" "${3:-}"
    want "expected $2" [ "$(cut -c "-${#2}" "$tmp/out")" = "$2" ]
}

ask "$tmp/right"
want 'not all are right' names out '10 of 10 right'
want 'something is wrong' lacks out '^wrong'
marked "$tmp/quiz.csv" '100 7 '
verdict 'right answers'
cp "$tmp/quiz.csv" "$tmp/full.csv"

awk '{ print NR % 2 ? $1 : $1 + 1 }' "$tmp/right" >"$tmp/half"
ask "$tmp/half"
want 'not half of them' names out '5 of 10 right'
want 'no picture is named' holds out "^.*make show QUIZ='"
want 'nothing says why' holds out '^> wrong: the emulator counts [0-9]+ '
marked "$tmp/quiz.csv" '50 7 '
verdict 'half of them wrong'

printf '%s\n' abc '' 4.5 -1 0x4 99999999999999999999 >"$tmp/words"
cat "$tmp/right" >>"$tmp/words"
ask "$tmp/words"
want "a word of six is taken" [ "$(grep -c 'is not a number' "$tmp/out")" -eq 6 ]
want 'it cannot go on' names out '10 of 10 right'
verdict 'a word that is no number'

yes four | head -n 50 >"$tmp/words"
ask "$tmp/words"
want 'the end is not named' names out 'stopped at question 1 of 10'
want 'it is not asked 20 times' [ "$(grep -c 'is not a number' "$tmp/out")" -eq 20 ]
verdict 'an input that never answers'

head -n 3 "$tmp/right" >"$tmp/three"
ask "$tmp/three"
want 'stderr is not empty' lines err 0
says out '3 of 10 right | stopped at question 4 of 10 | what has no answer counts as wrong'
marked "$tmp/quiz.csv" '30 7 '
verdict 'the input ends'

for kind in $kinds; do
    yes 0 | head -n 40 | "$quiz" --kind "$kind" --level 3 --count 40 --seed $$ >"$tmp/out"
    awk 'length($0) > 80 { print; exit }' "$tmp/out" >"$tmp/wide"
    want "$kind: $(cat "$tmp/wide")" [ ! -s "$tmp/wide" ]
    want "$kind: the command names no KIND" names out "SEED=$$ LEVEL=3 N=40 KIND=$kind"
done
verdict '80 columns, and the command for the same questions'

# ---- the same questions again ----

rm -f "$tmp/quiz.csv"
ask "$tmp/half"
want 'it is not the first try' names out 'quiz.csv (try 1)'
marked "$tmp/quiz.csv" '50 7 level 2: 5 of 10 right, 10 answered, try 1' 'SEED=7 TRY=1'
ask "$tmp/right"
want 'it is not the second try' names out 'quiz.csv (try 2)'
marked "$tmp/quiz.csv" '100 7 level 2: 10 of 10 right, 10 answered, try 2' 'SEED=7'
marked "$tmp/quiz.csv" '0 - refused: line 1: other questions' 'SEED=7 TRY=1'
ask "$tmp/right" --lesson 03
want 'other questions are not a first try' names out 'quiz.csv (try 1)'
verdict 'a second try is counted'

# ---- a file of answers that was edited ----

forged() { # NAME LINE SED WANTED
    sed "$2$3" "$tmp/full.csv" >"$tmp/forged.csv"
    want 'the edit changes nothing' [ "$(cmp "$tmp/full.csv" "$tmp/forged.csv" | wc -l)" -eq 1 ]
    marked "$tmp/forged.csv" "$4"
    verdict "marks: $1"
}
forged 'an answer' 5 's/,[0-9]*$/,123/' '90 7'
forged 'another seed' 1 's/SEED=7/SEED=8/' '0 - refused: line 3: this is not the question'
forged 'another level' 1 's/LEVEL=2/LEVEL=1/' '0 - refused: line 3'
forged 'fewer questions' 1 's/N=10/N=1/' '0 - refused: line 4: there are more'
forged 'a question twice' 4 's/.*/&\n&/' '0 - refused: line 5'
forged 'an easier question' 6 's/,[^,]*,/,stride 1 1,/' '0 - refused: line 6'
forged 'no answer' 7 's/[0-9]*$//' '0 - refused: line 7: the answer is not a number'
forged 'an endless line' 8 "s/\$/$(printf '%0400d' 0)/" '0 - refused: line 8'
forged 'no head' 1 's/.*//' '0 - refused: line 1'
forged 'a head of many' 1 's/N=10/N=100000/' '0 - refused: line 1'
forged 'no try' 1 's/TRY=1/TRY=0/' '0 - refused: line 1'
forged 'a try too many' 1 's/TRY=1/TRY=1000/' '0 - refused: line 1'
forged 'an unknown kind' 1 's/KIND=all/KIND=none/' '0 - refused: line 1'
head -c 4000 /dev/urandom >"$tmp/noise"
marked "$tmp/noise" '0 - refused: line 1'
verdict 'marks: noise'

for asked in 'SEED=7' 'LEVEL=2 SEED=7 N=10' 'LESSON=all'; do
    marked "$tmp/full.csv" '100 7 ' "$asked"
done
for asked in 'SEED=70' 'SEED=7 LEVEL=3' 'N=1' 'LESSON=03' 'SEED=7 LEVE'; do
    marked "$tmp/full.csv" '0 - refused: line 1: other questions' "$asked"
done
verdict 'marks: what was to be asked'

# ---- a class ----

class=$tmp/class
mkdir -p "$class/anna/week 1" "$class/bob" "$class/carl" "$class/$(printf 'e\033vil')"
cp "$tmp/full.csv" "$class/anna/week 1/my Quiz.csv"
cp "$tmp/full.csv" "$class/smith_123_456_quiz.csv"
{ printf '\357\273\277' && cat "$tmp/full.csv"; } >"$class/dora_quiz.csv" # of a spreadsheet
cp "$tmp/full.csv" "$class/$(printf 'e\033vil')/quiz.csv"
sed '5s/,[0-9]*$/,123/' "$tmp/full.csv" >"$class/bob/quiz_1.csv"
sed '5,6s/,[0-9]*$/,123/' "$tmp/full.csv" >"$class/bob/quiz_2.csv"
ln -s ../anna/quiz.csv "$class/carl/quiz.csv"
grade_class() { # OPTION...
    "$BUILD/grade/grade" --course "$PWD" --build "$BUILD" --class "$class" --only quiz \
        --quiz "$quiz" "$@"
}
ends 0 grade_class --questions SEED=7
cp "$class.marks/marks.csv" "$tmp/out"
want 'wrong marks' [ "$(sed 1d "$tmp/out" | tr '\n' ' ')" = \
    'anna,100,7 bob,80,7 carl,0, dora,100,7 e\x1bvil,100,7 smith_123,100,7 ' ]
verdict 'a class'
ends 0 grade_class --questions SEED=8 --student bob
cp "$class.marks/marks_long.csv" "$tmp/out"
says out 'bob,quiz,0,100,0.0,bob/quiz_2.csv,refused: line 1: other | anna,quiz,100,100'
verdict 'one student again'
rm -rf "$class"
mkdir "$class"
ends 2 grade_class
want 'not reported' names err 'accepted are files named quiz.csv'
verdict 'a class without answers'

# ---- the command line ----

refused() { # NAME TEXT OPTION...
    refused_name=$1 text=$2
    shift 2
    ends 2 "$quiz" "$@"
    want 'a line of more than 80 columns' lacks err '^.{81}'
    tr '\n' ' ' <"$tmp/err" >"$tmp/out"
    want "not reported: $text" names out "$text"
    verdict "refused: $refused_name"
}
refused 'a level' "'4' is not accepted; accepted: 1, 2 and 3" --level 4
refused 'level 0' "accepted: 1, 2 and 3" --level 0
refused 'a count' 'accepted: 1 to 1000' --count 1001
refused 'a seed' "'-1' is not accepted" --seed -1
refused 'a lesson' 'accepted: 01 02 03' --lesson 08
refused 'a kind' 'accepted: stride pitch' --kind tower
refused 'a kind of another lesson' 'one that the lesson has' --kind packs --lesson 03
refused 'an option' 'what quiz --help lists' --sed 7
refused 'a file that is a folder' 'cannot write' --results /
refused 'a file that is not there' 'cannot read' --mark "$tmp/nothing"
refused 'an argument out of range' 'every is '"'99'; accepted are 1 to 32" --show 'stride 6 99'
refused 'no power of two' 'powers of two' --show 'wide 3 1'
refused 'too few arguments' "every is ''" --show 'stride 6'
refused 'too many arguments' 'there is text after the question' --show 'stride 6 1 1'

# ---- make ----

for lesson in 01 02 03 04 05 06 07; do
    "$quiz" --list --lesson $lesson --count 50 | cut -d ' ' -f 1 | sort -u >"$tmp/kinds"
    want "lesson $lesson has fewer than three kinds" [ "$(wc -l <"$tmp/kinds")" -ge 3 ]
done
verdict 'each lesson has kinds'

course() { ends 0 mk "$@"; }
course quiz-03 N=1 SEED=3 RESULTS="$tmp/made.csv"
want 'no question of lesson 03' holds out '^---- question 1 of 1: '
want 'no file' [ -s "$tmp/made.csv" ]
want 'the command is of another quiz' names out 'make quiz-03 SEED=3 LEVEL=1 N=1'
verdict 'make quiz-03'
cksum quiz.csv >"$tmp/before" 2>&1
course quiz N=1
cksum quiz.csv >"$tmp/after" 2>&1
want 'practice writes a file' lacks out 'to hand in'
want 'practice changes quiz.csv' cmp -s "$tmp/before" "$tmp/after"
verdict 'without a seed it is practice'

awk '!seen[$1]++' "$tmp/questions" >"$tmp/one_each"
while read -r question; do
    SIMT_TRACE=$tmp/trace "$quiz" --show "$question" >"$tmp/what" 2>&1 || want "$question" false
    "$BUILD/pages/show/show" "$tmp/page.html" quiz "$question" "$tmp/trace" >"$tmp/out" 2>&1 ||
        want "no page of $question" false
done <"$tmp/one_each"
verdict 'a picture of each kind'
course show QUIZ='stride 6 1'
want 'no page' [ -s "$(cat "$tmp/out")" ]
want 'it is of another kernel' grep -q shared_stride "$(cat "$tmp/out")"
verdict 'make show QUIZ='

finish
