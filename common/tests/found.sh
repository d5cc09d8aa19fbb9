#!/bin/sh
# SPDX-License-Identifier: MIT
#
# found.sh - what a step's run reports when the emulator finds a mistake: faults/found.cu has them.
# BUILD is build/cpu of the course. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}"
. common/tests/check.sh
group='found: '
source=common/tests/faults/found.cu

# finds FAULT OPTIONS TEXT...: exit 1, the marked line, and each text.
finds() {
    fault=$1 options=$2
    shift 2
    line=$(grep -n "// LINE $fault\$" "$source" | cut -d: -f1)
    # shellcheck disable=SC2086 # a list of options
    run env FAULT="$fault" "$BUILD/faults/found" --type f32 --op sum $options
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    want "line $line is not named" names err " in $fault at $source:$line"
    for text in "$@"; do want "not there: $text" names err "$text"; done
    verdict "$fault $options"
}

# The guard zones around a step's buffers are exact: 0 to 3 elements off a boundary.
for offset in 0 1 2 3; do
    finds read_past "-n 5 --offset $offset" 'out-of-bounds read of 4 bytes' 'thread (5,0,0)' \
        ', 1 element past the end of the input' '    the input has 5 elements of f32'
    finds read_before "-n 50 --offset $offset" 'thread (0,0,0) and 2 more lanes' \
        ', 3 elements before the start of the input' '    the input has 50 elements of f32'
done
finds pack_past '-n 6' 'out-of-bounds read of 16 bytes' 'thread (1,0,0)' \
    ', in the input; its last 2 elements past the end'
finds pack_past '-n 6 --offset 3' 'thread (1,0,0)' ', in the input; its last 3 elements past'
finds pack_past '-n 6 --offset 3 --once' 'thread (1,0,0)' \
    ', in the input; its last 3 elements past'
finds scratch_past '-n 6' 'thread (3,0,0) and 28 more' ', 1 element past the end of the scratch' \
    '    the scratch has 27 bytes'
finds write_past '-n 6 --once' 'thread (1,0,0)' ', 1 element past the end of the output' \
    '    the output has 1 element of f32'
finds far_past '-n 6' 'thread (0,0,0)' ', 101 elements past the end of the input'

# A right value of a kernel that races is not `ok`. The cause is given once, and in the last line;
# one wrong value is shown, and the others are counted.
for fault in race_unseen race_tree; do
    run env FAULT=$fault "$BUILD/faults/found" -t f32 -o sum -n 200
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    want 'it says ok' lacks out 'check ok'
    want 'not one race' [ "$(grep -c '^simt: race on ' "$tmp/err")" -eq 1 ]
    want 'not one wrong case' [ "$(grep -c '^wrong: found' "$tmp/err")" -eq 1 ]
    want 'no count' names err 'wrong: 3 faults in all; the '
    line=$(grep -n "// LINE $fault\$" "$source" | cut -d: -f1)
    want "not after line $line" holds err "after line ${line},"
    tail -n 1 "$tmp/err" >"$tmp/out"
    want 'the last line does not say why' \
        holds out "^simt: failed: race in $fault, [0-9]* times: add (__syncthreads|barriers)"
    verdict "$fault"
done
finish
