#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - tests of the emulator. Prints `ok NAME` or `FAIL NAME`; status 1 if one failed.
# CXX and CC choose the compiler, SIMT_BUILD the built emulator: BUILD/simt, where BUILD is set.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
: "${CXX:=g++}" "${SIMT_BUILD:=${BUILD:-$root/build/cpu}/simt}"
export CXX SIMT_BUILD
work=$SIMT_BUILD/tests-$(basename "$CXX")
mkdir -p "$work"
failed=0
# The emulator first: a test whose log should be empty must not be the one that builds it.
MAKEFLAGS='' make -s -f "$here/../simt.mk" ROOT="$root" BUILD="${SIMT_BUILD%/simt}" \
    CC="${CC:-cc}" || exit 1

report() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok $1"
    else
        echo "FAIL $1"
        sed 's/^/    /' "$work/log"
        failed=1
    fi
}

build() { "$here/../simtcc" -Wall -Wextra -I"$here" "$here/$1.cu" -o "$work/$1" >"$work/log" 2>&1; }

# A program that checks itself: builds without a warning, exits 0.
passes() {
    build "$1" && [ ! -s "$work/log" ] && "$work/$1" >"$work/log" 2>&1
    report "$1" $?
}

# The first message of $work/log, its lines joined: those after the first begin with four spaces.
message() {
    awk '/^simt: / { if (text) exit; text = $0 }
        /^    / { sub(/^ */, ", "); text = text $0 }
        END { print text }' "$work/log"
}

# violates NAME 'text': exits 1, and the only message holds the text and the marked line.
violates() {
    line=$(grep -n "VIOLATION.* $1\b" "$here/violation.cu" | cut -d: -f1)
    "$work/violation" "$1" >"$work/log" 2>&1
    status=$?
    [ "$status" -eq 1 ] && message | grep -q "^simt: $2" &&
        message | grep -q " at [^ ]*violation.cu:$line\b" &&
        [ "$(grep -c ^simt: "$work/log")" -eq 1 ]
    report "violation: $1" $?
}

# finds FILE: each kernel that FILE.cu describes by `// FIND NAME a | b` is told of with all pieces,
# and the right twin of every KERNEL is silent. See race.cu.
finds() {
    build "$1" || { report "$1" 1; return; }
    for name in $(sed -n 's|^// FIND \([a-z_]*\) .*|\1|p' "$here/$1.cu" | uniq); do
        line1=$(grep -n "// 1.* $name\b" "$here/$1.cu" | cut -d: -f1)
        line2=$(grep -n "// 2.* $name\b" "$here/$1.cu" | cut -d: -f1)
        "$work/$1" "$name" >"$work/log" 2>&1
        status=$?
        message >"$work/message"
        sed -n "s|^// FIND $name ||p" "$here/$1.cu" | tr '|' '\n' |
            sed -e 's/^ *//' -e 's/ *$//' -e "s/@1/$1.cu:$line1/" -e "s/@2/$1.cu:$line2/" |
            while read -r piece; do
                sed "s|at [^ ]*/$1.cu|at $1.cu|g" "$work/message" | grep -qF -- "$piece" ||
                    echo "not found: $piece" >>"$work/log"
            done
        [ "$status" -eq 1 ] && ! grep -q '^not found' "$work/log"
        report "$1: $name" $?
    done
    kernels=$(sed -n 's|^KERNEL \([a-z_]*\)(.*|\1|p' "$here/$1.cu")
    for name in $kernels; do
        "$work/$1" "$name" right >"$work/log" 2>&1 && [ ! -s "$work/log" ]
        report "$1: $name, put right" $?
    done
}

# The README shows the message that FILE NAME has just given; addresses may differ.
shown() { # FILE NAME
    "$work/$1" "$2" >"$work/log" 2>&1
    message | sed -e "s|[^ ]*/\($1.cu\)|\1|g" -e 's/0x[0-9a-f]*/0x/g' >"$work/message"
    awk '/^        / { sub(/^ */, ", ") } { printf "%s%s", /^, / ? "" : "\n", $0 }' \
        "$here/../README.md" | sed 's/0x[0-9a-f]*/0x/g' >"$work/readme"
    [ -s "$work/message" ] && grep -qF -f "$work/message" "$work/readme"
    report "README shows: $1 $2" $?
}

sh "$here/subset.sh" || failed=1
sh "$here/simtcc.sh" || failed=1

for test in tree shuffle lockstep vector atomic half launch names cub; do
    passes "$test"
done

# Of the emulator's names a program meets only those of CUDA's API, the hooks and simt_*.
nm -g --defined-only "$SIMT_BUILD/libsimt.a" |
    awk 'NF == 3 && $3 !~ /^_*(simt_|cuda|nvtx|__tsan_|__ubsan_|__assert_fail$)/ { print $3 }' \
    >"$work/log"
[ ! -s "$work/log" ]
report 'names: the others are hidden' $?

# clang compiles kernels without optimisation: it counts more.
if ! "$CXX" --version | grep -q clang; then
    "$here/calibrate.sh" || failed=1
    "$here/styles.sh" || failed=1
fi
"$here/report.sh" || failed=1
"${CC:-cc}" -std=c11 "$here/wide_loads.c" "$SIMT_BUILD/count/wavefronts.o" -o "$work/wide_loads" &&
    "$work/wide_loads" "$here/../calibrate/wide_loads.csv" || failed=1

finds race
finds race_global
if [ -x "$work/race" ]; then
    shown race store_load
    SIMT_REPORT=source "$work/race" store_load >"$work/log" 2>&1
    grep -q '^store_load  *requests' "$work/log"
    report 'race: the report is printed all the same' $?
    "$work/race" tree >"$work/log" 2>&1
    grep -q '^simt: [0-9]* times: race at .*race.cu:' "$work/log"
    report 'race: counted at the end' $?
    SIMT_CHECK=0 "$work/race" tree >"$work/log" 2>&1 && [ ! -s "$work/log" ]
    report 'race: not looked for with SIMT_CHECK=0' $?
fi

if build violation; then
    SIMT_STEPS=10000
    export SIMT_STEPS
    shown violation read_before
    violates read_past 'out-of-bounds read of 4 bytes .*, 0 bytes after the 1024-byte allocation'
    violates write_past 'out-of-bounds write of 4 bytes'
    violates read_before \
        'out-of-bounds read of 4 bytes .*, 12 bytes before the 1024-byte allocation'
    violates misaligned 'misaligned read of 16 bytes'
    violates host_pointer 'out-of-bounds read'
    violates freed 'out-of-bounds read of 4 bytes .* that was freed'
    violates null 'out-of-bounds read of 4 bytes .* a null pointer'
    violates shared_dynamic 'out-of-bounds write of 4 bytes .* the 252-byte shared array'
    violates shuffle_exited 'shuffle mask names absent lanes .* lane 16 has exited'
    violates shuffle_branch 'shuffle mask names absent lanes .* lane 16 waits at __syncthreads'
    violates shuffle_self 'lane 16 is not in its own mask'
    violates barrier_branch 'barrier not reached by all threads'
    violates runaway 'step budget used up'
    violates barrier_loop 'step budget used up'
    violates assertion 'assertion failed: p.threadIdx.x. == 1'
    violates recursion 'more than 128 nested calls'
    violates atomic_past 'out-of-bounds atomic of 4 bytes'
    violates array_index 'index 64 outside of .int *\[64\]'
    violates static_pointer 'out-of-bounds write of 4 bytes'
    violates stack_overflow 'stack overflow'
    violates host_access \
        'write of device memory by host code .* byte 20 of the 1024-byte allocation'
else
    report violation 1
fi
exit $failed
