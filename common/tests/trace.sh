#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: trace - what traces hold, by the reader that pages and reports use: lanes, wavefronts,
# values, findings, sums that equal the counters; and the messages for a trace that cannot be read.
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='trace: '
report=$BUILD/pages/trace/report

# Leaves $tmp/trace, both tables of the reader, and the counters of launch 1.
record() { # PROGRAM OPTIONS...
    program=$1
    shift
    run env SIMT_TRACE="$tmp/trace" SIMT_COUNTERS="$tmp/all.csv" "$program" --once "$@"
    sed -n '1p; /^1,/p' "$tmp/all.csv" >"$tmp/counters.csv"
    for table in rows lanes; do
        "$report" --$table "$tmp/trace" >"$tmp/$table.csv" 2>"$tmp/why" ||
            want "$(cat "$tmp/why")" false
    done
}

# Nothing in the trace contradicts the rest.
agrees() {
    facts=$(awk -f common/measure/columns.awk -f common/tests/trace.awk \
        "$tmp/counters.csv" "$tmp/rows.csv" "$tmp/lanes.csv" | head -n 5)
    want "$facts" [ -z "$facts" ]
}

traced() { want "no line of the trace: $1" grep -qE -e "$1" "$tmp/trace"; } # REGEX

# awk on a table, whose columns have names.
ask() { # rows|lanes AWK
    awk "$(cat common/measure/columns.awk)"' csv && named && FNR > 1 { '"$2"' }' "$tmp/$1.csv"
}

# The table of the reader has this row under the line with this text: its numbers.
reads() { # NAME TEXT KIND ROUND 'requests wavefronts lanes'
    line=$(grep -nF -- "$2" "$step/kernel.cu" | cut -d: -f1)
    row=$(ask rows "if (get(\"line\") == $line && get(\"space\") \" \" get(\"kind\") == \"$3\" &&
        get(\"round\") == $4) print get(\"requests\"), get(\"wavefronts\"), get(\"lanes\") + 0")
    equal "$1" "$row" "$5"
}

# ---- the lessons' figures, by line and round ----
step=02_no_divergence
record "$BUILD/$step" -n 256 -t f32 -o sum
add='op(s_data[left], s_data[left + stride])'
reads '02, addresses 4 apart: 4 wavefronts a load' "$add" 'shared load' 2 '4 16 32'
reads '02, addresses 8 apart: 8 wavefronts a load' "$add" 'shared load' 3 '2 16 32'
reads '02, the fourth round: 16 lanes' "$add" 'shared load' 4 '2 16 16'
equal '02: addresses 4 apart are in 8 banks' "$(ask lanes '
    if (get("kind") == "load" && get("round") == 2 && get("index") % 4 == 0)
        print get("index") % 32' | sort -u | wc -l | tr -d ' ')" 8
"$report" "$tmp/trace" >"$tmp/02.txt"
equal '02: 25 loads, 95 wavefronts' "$(awk '/^in all/ { all = 1 } all && /shared load/ {
    print $3, $4, $5 }' "$tmp/02.txt")" '25 95 25'
empty 'after one launch no other is named' "$(grep SIMT_TRACE_LAUNCH "$tmp/02.txt")"
empty 'the table of a report has 80 columns' "$(awk 'length > 80' "$tmp/02.txt")"

# How often each barrier opens, for warp 0; and where lanes that wait for one opening are of another
# round than it is, or a warp leaves the kernel a second time.
barriers() {
    awk '/^step / { at = $3 " " $6 }
        /^step arrive/ { if ((at in waits) && waits[at] != $7) wrong(); waits[at] = $7 }
        /^step leave/ {
            if (waits[at] != $7 || $7 != ++opened[at]) wrong()
            delete waits[at]
            if ($3 == 0 && $7 == 1) line[++lines] = at
        }
        /^step exit/ && $7 != 1 { wrong() }
        END { for (i = 1; i <= lines; i++) printf "%s ", opened[line[i]] }
        function wrong() { print "warp " $3 ", line " $5 ": " $2 " of round " $7 }' "$tmp/trace"
}

step=01_naive
record "$BUILD/$step" -n 256 -t f32 -o sum
equal '01: a barrier before the tree, one in each of its 8 rounds' "$(barriers)" '1 8 '
reads '01, the sixth round: 4 warps, a lane each' 'op(s_data[tid], s_data[tid + stride])' \
    'shared load' 6 '8 8 1'

# ---- each lesson: nothing in its trace contradicts the rest, and it is small ----
for step in $STEPS; do
    record "$BUILD/$step" -n 256
    want "exit $status" [ "$status" -eq 0 ]
    want "$(wc -c <"$tmp/trace") bytes" [ "$(wc -c <"$tmp/trace")" -lt 300000 ]
    agrees
    want "barriers: $(barriers)" [ "$(barriers | tr -d '0-9 \n')" = '' ]
    lines=$(ask rows 'print get("file") ":" get("line")' | sort -u)
    want 'an access has no line' [ "$(echo "$lines" | grep -c '^:\|:0$')" -eq 0 ]
    for at in $lines; do
        want "$at is a loop, not an access" \
            [ "$(sed -n "${at##*:}p" "${at%:*}" | grep -c '^ *\(for\|while\) (')" -eq 0 ]
    done
    verdict "$step, n = 256"
done
record "$BUILD/03_no_bank_conflict" -n 512
want "$(wc -c <"$tmp/trace") bytes" [ "$(wc -c <"$tmp/trace")" -lt 300000 ]
verdict '03, n = 512: below 300 kB'

# ---- what is chosen ----
head_of() { awk '/^block / { print $2 }' "$tmp/trace" | tr '\n' ' '; }
run env SIMT_TRACE="$tmp/trace" SIMT_TRACE_BLOCK=0,3 "$BUILD/03_no_bank_conflict" --once -n 1024
equal 'two blocks of four' "$(head_of)" '0 3 '
run env SIMT_TRACE="$tmp/trace" SIMT_TRACE_BLOCK=last "$BUILD/03_no_bank_conflict" --once -n 1024
equal 'the last block' "$(head_of)" '3 '
run env SIMT_TRACE="$tmp/trace" SIMT_TRACE_LAUNCH=2 "$BUILD/03_no_bank_conflict" --once -n 1024
equal 'the second launch' "$(sed -n 's/^launch //p' "$tmp/trace")" '2 1 1 1 256 1 1'

# ---- what cannot be read ----
while IFS='|' read -r name setting mode text; do
    run env "$setting" SIMT_TRACE="$tmp/trace" "$BUILD/03_no_bank_conflict" "$mode" -n 1024
    refuses "$name" 2 "$text" "$report" "$tmp/trace"
done <<'END'
no such launch|SIMT_TRACE_LAUNCH=3|--once|launch 3 never happened: SIMT_TRACE_LAUNCH may be 1 to 2
a launch that is no number|SIMT_TRACE_LAUNCH=x|--once|launch 0 never happened
a block that never ran|SIMT_TRACE_BLOCK=4|--once|block 4 never ran: SIMT_TRACE_BLOCK may be 0 to 3
a program that launches nothing|A=|--list|launched no kernel
END
record "$BUILD/03_no_bank_conflict" -n 256
mv "$tmp/trace" "$tmp/whole"
unreadable() { # NAME TEXT COMMAND...: what the command makes of the whole trace
    name=$1 text=$2
    shift 2
    "$@" "$tmp/whole" >"$tmp/trace"
    refuses "$name" 2 "$text" "$report" "$tmp/trace"
}
unreadable 'cut off' 'it is cut off: its last line is not' head -c 20000
unreadable 'cut off at the end of a line' 'is cut off' sed '$d'
unreadable 'another version' 'version 7; this program reads version 1' sed '1s/1$/7/'
unreadable 'a line that is none' "line 20, 'line'" sed '20s/lane/line/'
unreadable 'no trace at all' 'it is not a trace: its first line is not' cat "$report"
rm "$tmp/trace"
refuses 'no file' 2 'No such file' "$report" "$tmp/trace"

# ---- what is wrong with a kernel is a step of its trace ----
# The accesses of the finding, as `KIND s_data[INDEX] by THREAD` of the steps that it names.
accesses() {
    awk '/^step / { step++; kind[step - 1] = $2 } /^lane / { lane[step - 1, $2] = $4 / 4 }
        /^access / { print $2, kind[$5], lane[$5, $4 % 32] }' "$tmp/trace" | sort
}
FAULT=barrier_missing_tree
export FAULT
record "$BUILD/faults/barriers" -n 256
want "exit $status" [ "$status" -eq 1 ]
traced '^finding 0 2 '
traced '^text .*add __syncthreads[(][)] after line'
accesses >"$tmp/out"
want 'not a load and a store' \
    [ "$(cut -d' ' -f1,2 "$tmp/out" | tr '\n' ,)" = 'load load,store store,' ]
want 'not one element' [ "$(cut -d' ' -f3 "$tmp/out" | sort -u | wc -l)" -eq 1 ]
verdict 'a race: both accesses, and the suggestion'

FAULT=reads_past_end
record "$BUILD/faults/elements" -n 250
traced '^finding 1 1 '
want 'the last step is not the finding' \
    [ "$(sed -n 's/^step \([a-z]*\) .*/\1/p' "$tmp/trace" | tail -n 1)" = finding ]
want 'steps before it are missing' [ "$(grep -c '^step load' "$tmp/trace")" -gt 0 ]
verdict 'a fault: the steps up to it'
unset FAULT

# ---- other kinds of steps ----
CXX=${CXX:-g++} SIMT_BUILD=$BUILD/simt common/simt/simtcc common/tests/trace.cu -o "$tmp/kinds" ||
    want 'trace.cu does not compile' false
record "$tmp/kinds"
agrees
traced '^array shared i32 4 33 528 0 s_tile$'
traced '^array global .* allocation of 256 bytes at common/tests/trace.cu:[0-9]*$'
traced '^step load 1 .* 0000ffff 00000000 00000000 ffff0000'
want 'a lane past the edge has a source' [ "$(grep -c '^lane .* !$' "$tmp/trace")" -eq 24 ]
for kind in atomic vote shuffle syncwarp arrive leave exit; do
    traced "^step $kind "
done
verdict 'a half warp: 2D array, atomics, vote, shuffle of doubles'

run env SIMT_TRACE="$tmp/trace" SIMT_TRACE_LAUNCH=2 "$tmp/kinds"
want 'it is not 65536 steps' [ "$(grep -c '^step ' "$tmp/trace")" -eq 65536 ]
run "$report" "$tmp/trace"
want 'it cannot be read' [ "$status" -eq 0 ]
want 'nothing says that there were more' holds out 'its first 65536 steps'
verdict 'more steps than a trace holds'

run env SIMT_TRACE="$tmp/trace" SIMT_TRACE_LAUNCH=3 "$tmp/kinds"
traced '^text barrier not reached by all threads'
traced '^step arrive 0 .* ffffffff 00000000 ffffffff'
want 'somebody goes on' [ "$(grep -c '^step leave' "$tmp/trace")" -eq 0 ]
want 'it is not complete' [ "$(tail -n 1 "$tmp/trace")" = end ]
verdict 'a barrier that some have skipped: who waits'

# ---- what a lesson shows without N= ----
for lesson in 04 05; do
    ends 0 mk -f common/pages/trace/trace.mk report STEP=$lesson
    want 'the loop does not turn twice' holds out '^ *2 +8 +128 +128 +32\.0'
    want 'the next launch is not named' holds out 'launch: put SIMT_TRACE_LAUNCH=2 before make'
    verdict "make report-$lesson: the grid-stride loop turns"
done
finish
