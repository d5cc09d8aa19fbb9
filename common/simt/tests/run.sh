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

build() { # NAME: of a file in this folder, or ../FOLDER/NAME
    run "$here/../simtcc" -Wall -Wextra -I"$here" "$here/$1.cu" -o "$work/${1##*/}"
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

# finds FILE...: the cases in their heads, as common/tests/README.md describes them. Each kernel is
# reported with all pieces, and its right twin is silent. See race.cu.
finds() {
    for file in "$@"; do
        name=${file#"$tests/"}
        build "${name%.cu}" || verdict "$file"
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
suite action sh "$here/action.sh"

for test in tree lockstep vector atomic half launch names; do
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

if build speed; then
    check 'speed: runs' "$work/speed" 4096
    check 'speed: runs with few addresses' sh -c "ulimit -v 1000000; exec '$work/speed' 4096"
else verdict speed; fi

tests=common/simt/tests # as in the messages
finds $tests/race.cu $tests/race_global.cu $tests/together.cu $tests/host_race.cu $tests/early.cu \
    $tests/cub_rules.cu $tests/starts.cu $tests/calls.cu $tests/violation.cu $tests/meet.cu \
    $tests/../calibrate/mistakes.cu
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

shown violation read_before
if ! "$CXX" --version | grep -q clang; then
    run "$work/violation" local_pointer
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    line=$(sed -n '/LEFT/=' "$here/violation.cu")
    want "not line $line" \
        holds err "^simt: a pointer has left its array .* at .*violation.cu:$line\$"
    verdict 'violation: local_pointer'
    run "$work/calls" host_array
    line=$(sed -n '/ARRAY/=' "$here/calls.cu")
    want "not line $line, or not 12 bytes" [ "$(message)" = "simt: cudaMemcpy failed at \
$tests/calls.cu:$line: cudaErrorInvalidValue, \
the destination: 16 bytes, but the variable ends after 12 bytes" ]
    verdict 'calls: host_array'
fi
suite hooked sh "$here/hooked.sh" # of the programs built so far
finish
