#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - tests of the emulator. Last line: N passed, N failed.
# CXX and CC choose the compiler, SIMT_BUILD the built emulator: BUILD/simt, where BUILD is set.
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/tests/check.sh
here=$PWD/common/simt/tests
: "${CXX:=c++}" "${SIMT_BUILD:=${BUILD:-$PWD/build/cpu}/simt}"
export CXX SIMT_BUILD SIMT_MAP=1 # hooked.sh reads the maps
work=$SIMT_BUILD/tests-$(basename "$CXX")
mkdir -p "$work"

# The emulator comes first: a test that should print nothing must not trigger the build.
MAKEFLAGS='' make -s -f common/simt/simt.mk ROOT="$PWD" BUILD="${SIMT_BUILD%/simt}" \
    CC="${CC:-cc}" || exit 1

build() { # NAME: of a file in this folder
    run "$here/../simtcc" -Wall -Wextra -I"$here" "$here/$1.cu" -o "$work/$1"
    want 'it does not compile without a message' silent
    [ -z "$why" ]
}

# A program that checks itself.
passes() { # NAME
    build "$1" && run "$work/$1" && want "exit $status, expected 0" [ "$status" -eq 0 ]
    verdict "$1"
}

# The first message of the emulator, its lines joined: those after the first begin with four spaces.
# A note counts only if there is no message.
message() {
    awk '/^simt: / { note = /^simt: note: /; count[note]++ }
        count[note] == 1 && /^simt: / { text[note] = $0 }
        count[note] == 1 && /^    / { sub(/^ */, ", "); text[note] = text[note] $0 }
        END { print count[0] ? text[0] : text[1] }' "$tmp/err"
}

# violates NAME 'text': exits 1, and the only message holds the text and the marked line.
violates() {
    line=$(grep -n "VIOLATION.* $1\b" "$here/violation.cu" | cut -d: -f1 | paste -s -d '|' -)
    run "$work/violation" "$1"
    message >"$tmp/message"
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    want "the message has no '$2'" grep -q "^simt: $2" "$tmp/message"
    want "the message does not name line $line" \
        grep -qE " at [^ ]*violation.cu:($line)\b" "$tmp/message"
    want 'it is not the only message, and a last line' \
        [ "$(grep '^simt:' "$tmp/err" | grep -vc note:)" -eq 2 ]
    want 'the last line does not say why' grep -q '^simt: failed: ' "$tmp/err"
    verdict "violation: $1"
}

# finds FILE...: the cases in their heads, as common/tests/README.md describes them. Each kernel is
# reported with all pieces, and its right twin is silent. See race.cu.
finds() {
    for file in "$@"; do
        build "$(basename "$file" .cu)" || verdict "$file"
    done
    "${CC:-cc}" -std=c11 -O1 common/tests/runner.c -o "$work/runner"
    suite 'cases' env WORK="$work" DEVICE=cpu FULL='' ONLY='' "$work/runner" "$@"
}

# What else holds for the failing calls of calls.cu.
calls_fail() {
    # shellcheck disable=SC2013 # names without a space
    for name in $(sed -n 's,^// Case: ,,p' "$here/calls.cu"); do
        "$work/calls" "$name"
    done >"$tmp/out" 2>&1
    want 'there are none' [ "$(grep -c '^simt: ' "$tmp/out")" -gt 80 ]
    want 'a line has more than 80 columns' [ "$(awk 'length > 80 && !/ at /' "$tmp/out")" = '' ]
    verdict 'calls: short lines'
    shown calls threads
    run "$work/calls" repeated
    want 'there is no number' holds err '^simt: 3 times: cudaFree failed at .*calls.cu:[0-9]*$'
    verdict 'calls: a place is reported once, and counted'
    run env SIMT_CHECK=leaks "$work/calls" leaks
    sed -n 's|.*// LEAK ||p' "$here/calls.cu" | sort >"$tmp/pieces"
    sed -n 's|^simt: leak: \(.*\) at .*|\1|p' "$tmp/err" | sort >"$tmp/message"
    want 'other leaks' cmp -s "$tmp/pieces" "$tmp/message"
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    verdict 'calls: leaks'
    run "$work/calls" leaks
    want 'it is not silent' silent
    verdict 'calls: leaks are looked for with SIMT_CHECK=leaks only'
}

# One of the two pages shows the message that FILE NAME has just produced; addresses may differ.
shown() { # FILE NAME
    run "$work/$1" "$2"
    message | sed -e "s|[^ ]*/\($1.cu\)|\1|g" -e 's/0x[0-9a-f]*/0x/g' >"$tmp/message"
    awk '/^        / { sub(/^ */, ", ") } { printf "%s%s", /^, / ? "" : "\n", $0 }' \
        common/simt/README.md common/simt/REFERENCE.md | sed 's/0x[0-9a-f]*/0x/g' >"$tmp/readme"
    want 'there is no message' [ -s "$tmp/message" ]
    want 'the pages have other words' grep -qF -f "$tmp/message" "$tmp/readme"
    verdict "the pages show: $1 $2"
}

suite subset sh "$here/subset.sh"
suite simtcc sh "$here/simtcc.sh"

for test in tree shuffle lockstep vector atomic half launch names cub; do
    passes "$test"
done

# Of the emulator's names a program sees only those of CUDA's API, the hooks and simt_*.
empty 'names: the others are hidden' "$(nm -g --defined-only "$SIMT_BUILD/libsimt.a" |
    awk 'NF == 3 && $3 !~ /^_*(simt_|cuda|nvtx|__tsan_|__ubsan_|__assert_fail$)/ { print $3 }')"

# clang compiles kernels without optimisation: it counts more.
if ! "$CXX" --version | grep -q clang; then suite calibrate sh "$here/calibrate.sh"; fi
suite report sh "$here/report.sh"
suite mistakes sh "$here/mistakes.sh"
suite barriers sh "$here/barriers.sh"
suite found sh "$here/found.sh"
"${CC:-cc}" -std=c11 "$here/wide_loads.c" "$SIMT_BUILD/count/wavefronts.o" -o "$work/wide_loads"
suite wide_loads "$work/wide_loads" "$here/../calibrate/wide_loads.csv"

# A jump into a library is not a line of the program: readelf says where these jumps are.
"${CC:-cc}" -std=c11 "$here/whose.c" "$SIMT_BUILD/state/symbols.o" -lstdc++ -o "$work/whose"
# shellcheck disable=SC2046 # address and size
check "a jump into a library is no line" "$work/whose" $(readelf -SW "$work/whose" |
    sed -n 's/.* \.plt  *PROGBITS  *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/\1 \2/p')

if build speed; then check 'speed: runs' "$work/speed" 4096; else verdict speed; fi

tests=common/simt/tests # as in the messages
finds $tests/race.cu $tests/race_global.cu $tests/together.cu $tests/host_race.cu $tests/early.cu \
    $tests/calls.cu
if [ -x "$work/calls" ]; then calls_fail; fi
if [ -x "$work/race" ]; then
    shown race store_load
    run env SIMT_REPORT=source "$work/race" store_load
    want 'there is no report' holds out '^store_load  *requests'
    verdict 'race: the report is printed all the same'
    run "$work/race" tree
    tail -n 1 "$tmp/err" >"$tmp/out"
    want 'there is no count' holds out '^simt: failed: race in tree, [0-9]* times: add __sync'
    verdict 'race: counted in the last line'
    run env SIMT_CHECK=all "$work/race" harris
    want 'not all pairs are there' [ "$(grep -c '^simt: race on ' "$tmp/err")" -ge 10 ]
    verdict 'race: every pair with SIMT_CHECK=all'
    run env SIMT_CHECK=0 "$work/race" tree
    want 'it is not silent' silent
    verdict 'race: not looked for with SIMT_CHECK=0'
fi

if build violation; then
    SIMT_STEPS=10000
    export SIMT_STEPS
    shown violation read_before
    violates read_past 'out-of-bounds read of 4 bytes .*, 0 bytes after the 1024-byte allocation'
    violates write_past 'out-of-bounds write of 4 bytes'
    violates read_before \
        'out-of-bounds read of 4 bytes .*, 12 bytes before the 1024-byte allocation'
    violates d 'out-of-bounds write of 4 bytes in d at'
    violates constant_written 'forbidden write of 4 bytes .* may only read __constant__ memory'
    violates misaligned 'misaligned read of 16 bytes'
    violates over_aligned 'misaligned read of 16 bytes'
    violates by_call 'misaligned read of 16 bytes'
    violates by_reference 'misaligned read of 16 bytes'
    violates wide_pack 'misaligned read of .*octet.* its type is aligned to 32 bytes'
    violates host_pointer 'out-of-bounds read'
    violates freed 'out-of-bounds read of 4 bytes .* that was freed'
    violates null 'out-of-bounds read of 4 bytes .* a null pointer'
    violates shared_dynamic 'out-of-bounds write of 4 bytes .* the 252-byte shared array'
    violates shuffle_exited 'shuffle mask names absent lanes .* lane 16 has exited'
    violates shuffle_branch 'shuffle mask names absent lanes .* lane 16 waits at __syncthreads'
    violates shuffle_self 'lane 16 is not in its own mask'
    violates shuffle_width 'shuffle of width 24 .* it is 1, 2, 4, 8, 16 or 32'
    violates barrier_branch 'barrier not reached by all threads'
    violates runaway 'step budget used up'
    violates barrier_loop 'step budget used up'
    violates assertion 'assertion failed: p.threadIdx.x. == 1'
    violates trapped '__trap()'
    violates recursion 'more than 128 nested calls'
    violates atomic_past 'out-of-bounds atomic of 4 bytes'
    violates array_index 'index 64 outside of .int *\[64\]'
    violates static_pointer 'out-of-bounds write of 4 bytes'
    if ! "$CXX" --version | grep -q clang; then
        violates local_pointer 'a pointer has left its array or variable'
    fi
    violates stack_overflow 'stack overflow'
    violates divide 'division by zero .*, thread (7,0,0), a GPU continues'
    violates modulo 'division by zero .*, thread (0,0,0)'
    violates illegal 'an illegal instruction (SIG[A-Z]*) .*, thread (5,0,0)'
    SIMT_SECONDS=0.3
    export SIMT_SECONDS
    violates endless_register 'no end after 0.3 s of one block in endless_register'
    violates endless_local 'no end after 0.3 s of one block .*, block (0,0,0), thread (0,0,0)'
    violates endless_array 'no end after 0.3 s of one block in endless_array'
    violates endless_call 'no end after 0.3 s of one block'
    violates endless_thread 'no end after 0.3 s of one block .*, thread (40,0,0)'
    violates endless_host 'no end after 0.3 s of launch()'
    violates endless_launches 'no end after 0.3 s of launch() .*, it has launched [0-9]* times'
    unset SIMT_STEPS
    violates runaway 'no end after 0.3 s of one block'
    violates barrier_loop 'no end after 0.3 s of one block'
    run "$work/violation" barrier_loop
    want 'there is none' holds err '^simt: note: barrier_loop has spent 0.15 s in one block, at'
    verdict 'violation: a note comes first'
    unset SIMT_SECONDS
    violates host_access \
        'write of device memory by host code .* byte 20 of the 1024-byte allocation'
    violates host_library \
        '[a-z]* of device memory by host code .* byte 20 of the 1024-byte allocation'
else
    verdict violation
fi
suite hooked sh "$here/hooked.sh" # of the programs built so far
finish
