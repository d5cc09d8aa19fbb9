#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: lab - make lab and make answers: a report is started, refused until predicted, filled in
# with the counts, and filled in again if a number was changed. Called by run.sh with FULL=1, on the
# cpu. Needs BUILD. Last line: N passed, N failed.
# Full: sh common/tests/lab.sh
# Where: cpu
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES N TYPE OP ARGS VARIANT KERNEL TASK BLOCK V GPU
unset LESSON ROW BASE REPORT
. common/tests/check.sh
group='lab: '
report=$tmp/report.md
lab() { # VARIABLE=VALUE...
    run "${MAKE:-make}" --no-print-directory BUILD_DIR="${BUILD%/*}" lab REPORT="$report" "$@"
}
begin() { # ROW
    rm -f "$report"
    lab LESSON=03 ROW="$1"
}
refused() { # NAME TEXT
    want "exit $status, expected an error" [ "$status" -ne 0 ]
    want "not reported: $2" names err "$2"
    verdict "refused: $1"
}
predict() { sed -i.old "s/ |  |\$/ | $1 |/" "$report"; } # NUMBER
part_3() { sed -n '/^<!-- lab -->/,/^<!-- \/lab -->/p' "$report"; }

# Lessons at once in one build folder: each counts the rows of its own.
at_once=
for lesson in 01 02 03 04; do
    "${MAKE:-make}" --no-print-directory BUILD_DIR="${BUILD%/*}" lab LESSON="$lesson" \
        ROW='block of 512' REPORT="$tmp/at_once.$lesson" >"$tmp/at_once.$lesson.txt" 2>&1 &
    at_once="$at_once $!"
done
for job in $at_once; do
    wait "$job"
    want "exit $?, expected 0: $(cat "$tmp"/at_once.*.txt)" [ $? -eq 0 ]
done
verdict 'four lessons at once'

begin 'block of 512'
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'not six numbers to predict' [ "$(grep -c ' |  |$' "$report")" -eq 6 ]
want 'something is left to fill' [ "$(grep -c '[{}]' "$report")" -eq 0 ]
want 'the change is not named' grep -q '^| with | - | BLOCK_SIZE=512 |' "$report"
verdict 'a report is begun'

lab LESSON=03 ROW='block of 512'
refused 'no prediction' "wavefronts of shared memory: ''"
want 'part 3 is filled in' [ "$(part_3 | wc -l)" -eq 2 ]
verdict 'nothing is shown before'
predict many
lab LESSON=03 ROW='block of 512'
refused 'a word' "wavefronts of shared memory: 'many'"

sed -i.old '/^| requests/s/| many |$/| 34 |/; s/| many |$/| 160 |/' "$report"
lab LESSON=03 ROW='block of 512'
want "exit $status, expected 0" [ "$status" -eq 0 ]
# What the emulator counts in a separate run. BLOCK_SIZE 512 has a round more in half the blocks.
SIMT_COUNTERS=$tmp/counters.csv "$BUILD/03_no_bank_conflict" --once -n 1048576 -t f32 -o sum \
    >"$tmp/out" 2>&1
waves=$(awk -F, '$5 == "shared_wavefronts" { sum += $6 } END { printf "%.1f", sum / 1024 }' \
    "$tmp/counters.csv")
want "the kernel has not $waves wavefronts" \
    [ "$(part_3 | grep -c "^| wavefronts .* | $waves | 160 | 154.4 | +4 % |$")" -eq 1 ]
want 'a sign in front of 0 %' [ "$(part_3 | grep -c '^| requests .* | 34 | 34.1 | 0 % |$')" -eq 1 ]
want 'no recorded time' [ "$(part_3 | grep -c '^Recorded on a GPU (h200)')" -eq 1 ]
verdict 'part 3 is filled in'

cp "$report" "$tmp/honest.md"
sed -i.old 's/ 154.4 / 160.0 /' "$report"
lab LESSON=03 ROW='block of 512'
check 'a number that was changed is put back' cmp "$report" "$tmp/honest.md"

sed -i.old '/^<!-- lab -->/d' "$report"
lab LESSON=03 ROW='block of 512'
refused 'a page without its marks' "'<!-- lab -->'"
sed '/^| shuffles/d' "$tmp/honest.md" >"$report"
lab LESSON=03 ROW='block of 512'
refused 'a table without a line' 'no longer six lines'
lab LESSON=03 ROW=unrolled
refused 'a page about another row' 'is about another row'

begin 'mine | 03_no_bank_conflict | BLOCK_SIZE=64 |'
predict 1
lab LESSON=03 ROW='mine | 03_no_bank_conflict | BLOCK_SIZE=64 |'
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'a time of a row that was never recorded' [ "$(part_3 | grep -c 'No GPU has')" -eq 1 ]
verdict 'a row of your own'

rm -f "$report"
for bad in '|LESSON: '"''"' is not a lesson; choose one of: 01' \
    '08||LESSON: '"'08'"' is not a lesson' \
    "03||ROW: choose a row" "03|no such row|'no such row' is not a row of 03" \
    "03|it's|'it's' is not a row" '03|kernel|choose another row' '06|cublas|cannot run one of the' \
    "03|a | 03_no_bank_conflict | NO=1 ||'NO' is not a #define"; do
    lesson=${bad%%|*} text=${bad##*|} row=${bad#*|}
    row=${row%|*}
    lab LESSON="$lesson" ROW="$row"
    want 'a page is begun' [ ! -e "$report" ]
    refused "$lesson, $row" "$text"
done

# ---- the answers ----

group='answers: '
for lesson in 01 02 03 04 05 06 07; do
    run "${MAKE:-make}" --no-print-directory answers LESSON="$lesson"
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    asked=$(sed -n '/^## Questions/,/^## [^Q]/p' "$lesson"_*/README.md | grep -c '^[0-9]*\. ')
    want "lesson $lesson asks $asked" \
        [ "$(sed -n '1,/^Question/p' "$tmp/out" | grep -c '^[0-9]*\. ')" -eq "$asked" ]
    verdict "lesson $lesson"
done
run "${MAKE:-make}" --no-print-directory answers LESSON=lab
want 'no rubric' holds out '^\| part \| points'
verdict 'the rubric of a report'
run "${MAKE:-make}" --no-print-directory answers LESSON=bugs
want 'not all bugs' [ "$(grep -c '^\*\*bug-[0-9][0-9][a-z]\.\*\*' "$tmp/out")" -eq \
    "$(find 0*/bugs -name 'bug-*.cu' | wc -l)" ]
verdict 'the bugs'
sh common/pages/answers.sh 03 2>"$tmp/err" | sed q >"$tmp/out"
want 'a reader who leaves early gets a message about a wrong lesson' lines err 0
verdict 'only the first lines are read'
for bad in 12 '.*'; do
    run "${MAKE:-make}" --no-print-directory answers LESSON="$bad"
    refused "lesson $bad" "'$bad' has none; accepted are: 01 02 03 04 05 06 07 lab and bugs"
done
run "${MAKE:-make}" --no-print-directory answers
refused 'no lesson' "'' has none; accepted are: 01"
mkdir -p "$tmp/handout/common/pages"
cp common/pages/answers.sh "$tmp/handout/common/pages/"
run sh "$tmp/handout/common/pages/answers.sh" 03
refused 'a handout' 'a handout is made without the answers'

finish
