#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: cli - black-box tests of the command line of a step: bad input first, then good input.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='command line: '
step=$BUILD/05_warp_shuffle
map=$BUILD/07_elementwise

# A step of a planted fault.
faulty() { # FILE FAULT OPTIONS...
    file=$1 fault=$2
    shift 2
    FAULT=$fault "$BUILD/faults/$file" "$@"
}

# The program does its work: exit 0, nothing on stderr but warnings about times that vary, a line of
# stdout that matches.
works() { # NAME REGEX COMMAND...
    name=$1 regex=$2
    shift 2
    ends 0 "$@"
    want 'stderr is not empty' [ -z "$(grep -v '^warning: ' "$tmp/err")" ]
    want "stdout has no line like: $regex" holds out "$regex"
    verdict "$name"
}

# It finds a mistake: exit 1, and a line of stderr that matches.
fails() { # NAME REGEX COMMAND...
    name=$1 regex=$2
    shift 2
    ends 1 "$@"
    want "stderr has no line like: $regex" holds err "$regex"
    want 'stdout says that it is right' lacks out 'result .* ok|ran once'
    verdict "$name"
}

# How options and files are read: unit/test_options.c, unit/test_file.c.
refuses '-n negative' 2 "'-5' | whole number" "$step" -n -5
refuses 'type that the step does not offer' 2 "'i32' | f32 f16" "$map" -t i32
refuses '--input missing' 2 "$tmp/no.npy | No such file" "$step" --input "$tmp/no.npy"
fails '-n too large for the memory' '1125899906842624 elements .*[0-9] are free' "$step" -n 1048576G

# In octal, low byte first: 1, 2 and 3 in f32; 1, 2, -1 and 4 in i32, 59 bytes after their length.
printf '\000\000\200\077\000\000\000\100\000\000\100\100' >"$tmp/f32.raw"
printf '\223NUMPY\001\000\073\000%s' \
    "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }" >"$tmp/i32.npy"
printf '\001\000\000\000\002\000\000\000\377\377\377\377\004\000\000\000' >>"$tmp/i32.npy"
works '--input .npy i32 of 2 x 2, sum' '^i32 sum +n 4 +result 6 ' "$step" --input "$tmp/i32.npy"
works '--input raw f32' '^f32 sum +n 3 +result 6 ' "$step" --input "$tmp/f32.raw" -t f32
works '--input elementwise' '^f32 relu +n 3 .*ok' "$map" --input "$tmp/f32.raw" -o relu
works '--input as CSV' ',i32,min,4,-1,-1,0,' "$step" --input "$tmp/i32.npy" -o min --csv

works '-n 0, max' '^f32 max +n 0 +result -inf ' "$step" -n 0 -o max
works '-n 0, max of i32' '^i32 max +n 0 +result -2147483648 ' "$step" -n 0 -o max -t i32
works '-n 1000003 of i32' '^i32 max +n 1000003 +result .* ok$' "$step" -n 1000003 -t i32 -o max \
    --seed 7
works '--offset 3' '^f32 sum +n 1000 +result .* ok$' "$step" -n 1000 --offset 3
works '--offset 3, elementwise' '^f16 cast +n 1000 .* ok$' "$map" -n 1000 -t f16 -o cast --offset 3
works '--offset 64 --check' '^f64 max +check ok ' "$step" --check -n 1000 -t f64 -o max --offset 64
works '--warm' '^f32 sum +n 1000 +result .* ok$' "$step" -n 1000 --warm
works '--once' '^f32 sum +n 1000 +ran once, not checked$' "$step" -n 1000 --once
works '--once elementwise' '^f32 fma +n 1000 +ran once' "$map" -n 1000 --once -t f32 -o fma
works '--once with --input' '^i32 min +n 4 +ran once' "$step" --once --input "$tmp/i32.npy" -o min
works '--list' '^i32 max$' "$step" --list
works '-h' '^ *--once .* run once, no check, no times' "$step" -h

# A kernel that needs 16-byte addresses: right at 4 floats off a boundary, wrong at 1.
works '--offset 4 with a kernel for aligned memory' '^f32 sum +n 1024 +result .* ok$' \
    faulty elements misaligned_float4 -n 1024 --offset 4
fails '--offset 1 with a kernel for aligned memory' misaligned \
    faulty elements misaligned_float4 -n 1024 --offset 1

ends 0 "$step" -n 1K,2K -t f32,i32 -o sum
want 'not one result for each of 2 sizes and 2 types' \
    [ "$(grep -cE '^(f32|i32) sum +n (1024|2048) +result .* ok$' "$tmp/out")" -eq 4 ]
verdict 'lists of sizes and types'

ends 0 "$step" -n 1K,2K -t f32,i32 -o sum,max --once
want 'not one run for each of 2 sizes, 2 types and 2 operators' \
    [ "$(grep -cE '^(f32|i32) (sum|max) +n (1024|2048) +ran once' "$tmp/out")" -eq 8 ]
want 'a result, a check or a time' lacks out ' result | check |median'
verdict '--once runs each case once'

# Lesson 01 is two launches: of 256 blocks, and of one.
if [ "$DEVICE" = cpu ]; then
    ends 0 env SIMT_COUNTERS="$tmp/counters.csv" "$BUILD/01_naive" -n 64K -t f32 -o sum --once
    want 'not the two launches of one run' \
        [ "$(cut -d, -f1,2,3 "$tmp/counters.csv" | sort -u | grep -c reduce_kernel)" -eq 2 ]
    verdict '--once counts one run'
fi

run "$step" -n 1000 --seed 7
grep ' result ' "$tmp/out" >"$tmp/seed7"
run "$step" -n 1000 --seed 7
grep ' result ' "$tmp/out" >"$tmp/again"
run "$step" -n 1000 --seed 8
grep ' result ' "$tmp/out" >"$tmp/seed8"
want 'there is no result' [ -s "$tmp/seed7" ]
want 'the same seed gave another result' cmp -s "$tmp/seed7" "$tmp/again"
want 'another seed gave the same result' [ "$(cat "$tmp/seed7")" != "$(cat "$tmp/seed8")" ]
verdict '--seed'

# The whole text is that of unit/test_report.c. Only a GPU has times; the emulator reports what it
# checked.
works '--csv' '^step,variant,type,op,(cases,failed|n,bytes,median_us,.*)$' "$step" -n 1K,1M --csv
# Facts that only a script knows come from the environment.
ends 0 env COURSE_COMMAND='make bench' COURSE_COMMIT=abc1234 COURSE_DRIVER=580.1 \
    "$step" --check --quick -n 1 -t f32 --csv
says out '# driver: 580.1 | # commit: abc1234 | # command: make bench'
verdict 'the head of --csv'
ends 0 "$step" -n 1K,1M --json
if command -v python3 >/dev/null && python3 -c 'import json' 2>/dev/null; then
    want 'python3 -m json.tool cannot read it' python3 -m json.tool "$tmp/out" "$tmp/json"
fi
want 'no result in it' names out '"kind": "value", "type": "f32", "op": "sum", "n": 1024'
verdict '--json'

# A wrong kernel is caught in every mode that checks, and gets no time.
fails '-n with a wrong kernel' '^wrong: [a-z_0-9.]+, f32 sum, n [0-9]+, offset ' \
    faulty arithmetic absolute_sum -n 1000
fails 'a launch that fails' 'the launch failed: invalid .*argument' \
    faulty launches launch_error_returned -n 1000
check '--once does not check' faulty arithmetic absolute_sum -n 1000 --once
fails '--once with a launch that fails' 'the launch failed: invalid .*argument' \
    faulty launches launch_error_returned -n 1000 --once
fails '--once with a kernel that faults' misaligned \
    faulty elements misaligned_float4 -n 1024 --offset 1 --once

if [ -c /dev/full ]; then
    fails 'a full disk' . sh -c '"$1" -n 1K >/dev/full' sh "$step"
fi

finish
