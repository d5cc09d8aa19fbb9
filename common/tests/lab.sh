#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: lab - make lab, make grade-lab and make answers: a step of a report is begun, refused until
# predicted, and measured; forged numbers, changes that do not apply, missing explanations and
# hostile diffs are refused with their line. Called by run.sh with FULL=1, on the cpu. Needs BUILD.
# Last line: N passed, N failed.
# Full: sh common/tests/lab.sh
# Where: cpu
# shellcheck disable=SC2317 # run, ends and refused call them
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}"
unset GPU LESSON ROW BASE REPORT
. common/tests/check.sh
group='lab: '
report=$tmp/report.md
lab() { mk lab REPORT="$report" LESSON=03 "$@"; } # VARIABLE=VALUE...
unfold() { # out|err: lines of at most 80 columns are one again
    want 'a line of more than 80 columns' lacks "$1" '^[^ |].{80}'
    awk '/^    / { sub(/^ */, " "); line = line $0; next }
        { if (line != "") print line; line = $0 }
        END { print line }' "$tmp/$1" >"$tmp/unfolded"
    mv "$tmp/unfolded" "$tmp/$1"
}
refused() { # NAME TEXT COMMAND...
    name=$1 text=$2
    shift 2
    run "$@"
    want "exit $status, expected an error" [ "$status" -ne 0 ]
    unfold err
    want "not reported: $text" names err "$text"
    verdict "refused: $name"
}
predict() { sed -i.old "s/ |  |  |  |\$/ | $1 |  |  |/" "$report"; } # NUMBER
explain() { sed -i.old "s/^[.][.][.]$/Because a block has twice the threads./" "$report"; }
table() { awk -v step="$1" '/^## Step/ { k++ } k == step && /^<!-- lab/, /^<!-- .lab/' "$report"; }

# Lessons at once in one build folder: each counts the rows of its own.
at_once=
for lesson in 01 02 03 04; do
    mk lab LESSON="$lesson" ROW='block of 512' REPORT="$tmp/at_once.$lesson" \
        >"$tmp/at_once.$lesson.txt" 2>&1 &
    at_once="$at_once $!"
done
for job in $at_once; do
    wait "$job" || want "exit $?, expected 0: $(cat "$tmp"/at_once.*.txt)" false
done
verdict 'four lessons at once'

# ---- a step ----

ends 0 lab ROW='block of 512'
want 'not six numbers to predict' [ "$(grep -c ' |  |  |  |$' "$report")" -eq 6 ]
want 'something is left to fill' [ "$(grep -c '[{}]' "$report")" -eq 0 ]
want 'the change is not named' grep -q '^    row: block of 512 .* | BLOCK_SIZE=512 |$' "$report"
want 'no rubric' grep -q '^| the explanation | 8 |' "$report"
verdict 'a report is begun'

cp "$report" "$tmp/begun.md"
refused 'no prediction' "wavefronts of shared memory: ''" lab ROW='block of 512'
check 'nothing is shown before' cmp "$report" "$tmp/begun.md"
predict many
refused 'a word' "wavefronts of shared memory: 'many'" lab ROW='block of 512'

sed -i.old '/^| requests/s/| many |/| 34 |/; s/| many |/| 160 |/' "$report"
ends 0 lab ROW='block of 512'
# What the emulator counts in a separate run. BLOCK_SIZE 512 has a round more in half the blocks.
waves_of() { # PROGRAM
    SIMT_COUNTERS=$tmp/counters.csv "$1" --once -n 1048576 -t f32 -o sum >"$tmp/once" 2>&1
    awk -F, '$5 == "shared_wavefronts" { sum += $6 } END { printf "%.1f", sum / 1024 }' \
        "$tmp/counters.csv"
}
waves=$(waves_of "$BUILD/03_no_bank_conflict")
want "the kernel has not $waves wavefronts" \
    [ "$(table 1 | grep -c "^| wavefronts .* | $waves | 160 | 154.4 | +4 % |$")" -eq 1 ]
want 'a sign in front of 0 %' [ "$(table 1 | grep -c '^| requests .* | 34 | 34.1 | 0 % |$')" -eq 1 ]
want 'no recorded time' [ "$(table 1 | grep -c '^Recorded on a GPU (h200)')" -eq 1 ]
verdict 'the table is filled in'

cp "$report" "$tmp/honest.md"
sed -i.old 's/ 154.4 / 160.0 /' "$report"
run lab ROW='block of 512'
check 'a number that was changed is put back' cmp "$report" "$tmp/honest.md"

sed -i.old '/^<!-- lab -->/d' "$report"
refused 'a page without its marks' "'<!-- lab -->'" lab ROW='block of 512'
sed '/^| shuffles/d' "$tmp/honest.md" >"$report"
refused 'a table without a line' 'no longer six lines' lab ROW='block of 512'
refused 'a page about another lesson' \
    'not 02_no_divergence; another lesson needs another file: REPORT=report_02.md' \
    lab LESSON=02 ROW='block of 512'

# ---- more steps ----

cp "$tmp/honest.md" "$report"
ends 0 lab ROW='mine | 03_no_bank_conflict | BLOCK_SIZE=32 |'
predict 1
ends 0 lab ROW='mine|03_no_bank_conflict | BLOCK_SIZE=32|'
want 'a time of a row that was never recorded' [ "$(table 2 | grep -c 'No GPU has')" -eq 1 ]
want 'not two steps' [ "$(grep -c '^## Step' "$report")" -eq 2 ]
head -n "$(wc -l <"$tmp/honest.md")" "$report" >"$tmp/first.md"
want 'the first step is changed' cmp -s "$tmp/first.md" "$tmp/honest.md"
verdict 'a row of your own'

kernel=03_no_bank_conflict/kernel.cu
sed 's/^    s_data\[tid\] = i < n.*/&\n    __syncthreads();\n    s_data[tid] = op(s_data[tid], 0);/
    s/stride > 0; stride/stride > 1; stride/
    s/d_out\[blockIdx.x\] = s_data\[0\]/d_out[blockIdx.x] = op(s_data[0], s_data[1])/' $kernel \
    >"$tmp/lab_own.cu"
ends 0 lab KERNEL="$tmp/lab_own.cu"
predict 200
ends 0 lab KERNEL="$tmp/lab_own.cu"
mk run KERNEL="$tmp/lab_own.cu" ARGS=--once N=1024 >"$tmp/out" 2>&1
waves=$(waves_of "$(find "$BUILD/kernel" -name lab_own -newer "$tmp/lab_own.cu" | tail -n 1)")
want "not $waves wavefronts" \
    [ "$(table 3 | grep -c "^| wavefronts .* | 180.7 | 200 | $waves | ")" -eq 1 ]
want 'not three steps' [ "$(grep -c '^## Step' "$report")" -eq 3 ]
verdict 'a diff is counted in the sandbox'
explain
cp "$report" "$tmp/honest.md"

kernel_is() { # NAME SED_SCRIPT TEXT: {LINE} in the text is that of "bad"
    sed "$2" $kernel >"$tmp/bad.cu"
    line=$(grep -n bad "$tmp/bad.cu" | cut -d : -f 1)
    refused "$1" "$(printf '%s' "$3" | sed "s/{LINE}/$line/")" lab KERNEL="$tmp/bad.cu"
}
rm -f "$report"
refused 'two changes' 'give one' lab KERNEL=$kernel ROW=unrolled
kernel_is 'a kernel without a change' '' 'change something'
kernel_is 'a kernel with a race' '/^    __syncthreads/d' 'race on s_data'
kernel_is 'a wrong kernel' 's/= s_data\[0\]/= 2 * s_data[0]/' 'its result is wrong'
kernel_is 'what the sandbox refuses' 's/^    const T \*d_src/    system("bad");\n&/' \
    "the kernel's line {LINE}: error: it calls 'system'"
kernel_is 'what does not compile' 's/= s_data\[0\]/= bad[0]/' "the kernel's line {LINE}: "
refused 'another size' "N: '4M' is not accepted, since counts are of n = 2^20" \
    lab ROW='block of 512' N=4M
refused 'no lesson' "LESSON: '' is not a lesson; choose one of: 01" lab LESSON=
refused 'an unknown lesson' "LESSON: '08' is not a lesson" lab LESSON=08
refused 'no row' 'ROW: choose a row' lab
refused 'an unknown row' "'no such row' is not a row of 03" lab ROW='no such row'
refused 'a quote' "'it's' is not a row" lab ROW="it's"
refused 'the base' 'choose another row' lab ROW=kernel
refused 'what the emulator cannot run' 'cannot run one of the' lab LESSON=06 ROW=cublas
refused 'no such define' "'NO' is not a #define" lab ROW='a | 03_no_bank_conflict | NO=1 |'
check 'no page is begun' [ ! -e "$report" ]

same='same | 03_no_bank_conflict | BLOCK_SIZE=256 |'
ends 0 lab ROW="$same"
predict 1
ends 0 lab ROW="$same"
want 'it does not say that nothing differs' grep -q 'No counter differs at this n' "$report"
want 'it always says so' [ "$(grep -c 'No counter differs' "$tmp/honest.md")" -eq 0 ]
verdict 'a change that no counter shows'

# ---- make grade-lab ----

replay() { mk grade-lab REPORT="$report" "$@"; }
cp "$tmp/honest.md" "$report"
ends 0 replay
want 'it does not say what it did' names out 'accepted; steps that were measured again: 3'
verdict 'an honest report'
sed 's/^|\(.*\) | / |\1   | /; s/$/\r/' "$tmp/honest.md" | sed 's/^ |/|/' >"$report"
by_hand() { env BUILD_DIR="${BUILD%/*}" REPORT="$1" sh common/measure/lab.sh grade; }
check 'one whose tables an editor has aligned' by_hand "$report"
ends 2 by_hand "$tmp/none.md"
want 'not reported' names err 'there is no file'
verdict 'refused: no file'

# A page with some changes, each of which is reported with its line.
forge() { # SED_SCRIPT LINE_OF MESSAGE
    printf '%s\n' "$1" >>"$tmp/script"
    printf '%s\n%s\n' "$2" "$3" >>"$tmp/expected"
}
forged() { # NAME
    sed -f "$tmp/script" "$tmp/honest.md" >"$report"
    ends 1 by_hand "$report"
    unfold out
    while read -r place && read -r message; do
        line=$(grep -n -m 1 -e "$place" "$report" | cut -d : -f 1)
        want "not reported: $line: $message" names out "$report:$line: $message"
    done <"$tmp/expected"
    want 'more places than were forged' [ "$(grep -c "^$report" "$tmp/out")" -eq \
        $(($(wc -l <"$tmp/expected") / 2)) ]
    verdict "refused: $1"
    rm -f "$tmp/script" "$tmp/expected"
}
forge 's/ 154.4 / 150.0 /' ' 150.0 ' \
    "wavefronts of shared memory, measured: it has '150.0', but the replay gives '154.4'"
forge '/^| barriers.* 160 /s/ 289.2 / 9.0 /' ' 9.0 ' \
    "barriers, of warps, before: it has '9.0', but the replay gives '289.2'"
forge '/^| sectors/s/| 160 |/| 161 |/' '| 161 |' "sectors of global memory, off by: it has '+23 %'"
forge 's/\(; changed \)[0-9]*/\199/' 'changed 99 us' "it has 'Recorded on a GPU (h200), n = 2^28:"
forge "s/ | $waves |/ | 1.0 |/" '| 1[.]0 |' \
    "wavefronts of shared memory, measured: it has '1.0', but the replay gives '$waves'"
forge '/^| shuffles.* 200 /s/$/ x2/' ' x2$' "it has '| shuffles"
forged 'numbers of the table'

forge 's/^    row: block of 512 .*/    row: block of 512 | 03_none | |/' '^## Step 1' \
    "the change cannot be replayed: '03_none' is not a step or a variant"
forge 's/ BLOCK_SIZE=32/ NO=32/' '^## Step 2' "the change cannot be replayed: 'NO' is not a #define"
forge 's/^-.*stride > 0; stride/&+ 0/' '+ 0' \
    "the change cannot be replayed: '-    for (unsigned stride"
forged 'changes that do not apply'
forge 's/^## Step 1.*/## Step 1: block of 64/' '^## Step 1' \
    "the step is '## Step 1: block of 64', but its row"
forge '/^    row: mine/d' '^## Step 2' "a step has a line '    base: ROW'"
forge '/^@@/d' '^--- 03' 'the change cannot be replayed: a diff has a line'
forged 'changes that are none'
forge '1,/^## Step 2/{/^### The explanation/,/^### Next/s/^Because.*/.../; }' \
    '^### The explanation' "'### The explanation' says nothing"
forge '1,/^## Step 2/{/^### The prediction/,/lab/s/^Because.*/ok/; }' \
    '^### The prediction' "'### The prediction' says nothing"
forged 'an explanation and arithmetic that are missing'
forge '1s/03_no_bank_conflict/99_none/' '^# Lab' \
    "the report is about '99_none', not one of the lessons"
forged 'a report about no lesson'
forge "/^## Step/,\$d" '^# Lab' 'it has no step'
forged 'a report without a step'
cp "$tmp/honest.md" "$report"
ends 2 replay LESSON=02
unfold out
want 'not reported' names out "$report:1: the report is about '03_no_bank_conflict', not 02_no_div"
verdict 'refused: a report about another lesson'

# A diff is somebody else's program.
sed "s,^#define BLOCK_SIZE.*,&\nstatic int run = system(\"touch $tmp/touched\");," $kernel \
    >"$tmp/bad.cu"
{
    sed '/^```diff/q' "$tmp/honest.md"
    diff -u $kernel "$tmp/bad.cu"
    sed '1,/^```diff/d' "$tmp/honest.md" | awk '/^```/ { on = 1 } on'
} >"$report"
ends 2 replay
want 'it was run' [ ! -e "$tmp/touched" ]
verdict 'a diff that would run a command'

# ---- the answers ----

group='answers: '
answers() { mk answers LESSON="$1"; }
questions() { grep -c '^[0-9]*\. '; } # of the input, how many
section() { sed -n '/^## Questions/,/^## [^Q]/p' "$@"; }
for lesson in 01 02 03 04 05 06 07; do
    ends 0 answers $lesson
    asked=$(section "$lesson"_*/README.md | questions)
    answered=$(sed -n '1,/^Question/p' "$tmp/out" | questions)
    want "lesson $lesson asks $asked" [ "$answered" -eq "$asked" ]
    verdict "lesson $lesson"
done
ends 0 answers 06
asked=$(section 06_cub/many_gpus/README.md | questions)
want "many_gpus asks $asked" [ "$(sed -n '/^### .* GPUs/,$p' "$tmp/out" | questions)" -eq "$asked" ]
verdict 'the second page of 06'
ends 0 answers lab
want 'no way to replay one' holds out 'make grade-lab'
verdict 'how a report is marked'
ends 0 answers bugs
want 'not all bugs' [ "$(grep -c '^\*\*bug-[0-9][0-9][a-z]\.\*\*' "$tmp/out")" -eq \
    "$(find 0*/bugs -name 'bug-*.cu' | wc -l)" ]
verdict 'the bugs'
sh common/pages/answers.sh 03 2>"$tmp/err" | sed q >"$tmp/out"
want 'a reader who leaves early gets a message about a wrong lesson' lines err 0
verdict 'only the first lines are read'
for bad in 12 '.*' ''; do
    refused "lesson '$bad'" "'$bad' has none; accepted are: 01 02 03 04 05 06 07 lab and bugs" \
        answers "$bad"
done
mkdir -p "$tmp/handout/common/pages"
cp common/pages/answers.sh "$tmp/handout/common/pages/"
refused 'a handout' 'a handout is made without the answers' \
    sh "$tmp/handout/common/pages/answers.sh" 03

finish
