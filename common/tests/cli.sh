#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: cli - black-box tests of the command line of a step: bad input first, then good input.
# run.sh calls it; make sets BUILD, DEVICE, STEPS. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
: "${BUILD:?make test sets it}" "${DEVICE:?make test sets it}" "${STEPS:?make test sets it}"
step=$BUILD/05_warp_shuffle
map=$BUILD/07_elementwise

# A step of a planted fault.
# shellcheck disable=SC2317 # `run` calls it
faulty() { # FILE FAULT OPTIONS...
    file=$1 fault=$2
    shift 2
    FAULT=$fault "$BUILD/faults/$file" "$@"
}

# The program refuses: exit 2, nothing on stdout, one line on stderr that names the value and says
# what is accepted.
refused() { # NAME VALUE ACCEPTED COMMAND...
    name=$1 value=$2 accepted=$3
    shift 3
    run "$@"
    want "exit $status, expected 2" [ "$status" -eq 2 ]
    want 'stdout is not empty' [ ! -s "$tmp/out" ]
    want 'stderr is not one line' lines err 1
    want "stderr does not name $value" names err "$value"
    want "stderr does not say what is accepted: $accepted" names err "$accepted"
    verdict "command line: $name"
}

# The program does its work: exit 0, nothing on stderr but warnings about times that vary, a line of
# stdout that matches.
works() { # NAME REGEX COMMAND...
    name=$1 regex=$2
    shift 2
    run "$@"
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    want 'stderr is not empty' [ -z "$(grep -v '^warning: ' "$tmp/err")" ]
    want "stdout has no line like: $regex" holds out "$regex"
    verdict "command line: $name"
}

# ---- options ----

size='whole number'
refused '-n negative' "'-5'" "$size" "$step" -n -5
refused '-n not a number' "'abc'" "$size" "$step" -n abc
refused '-n a fraction' "'1.5'" "$size" "$step" -n 1.5
refused '-n in hexadecimal' "'0x10'" "$size" "$step" -n 0x10
refused '-n with a blank' "' 5'" "$size" "$step" -n ' 5'
refused '-n with an unknown suffix' "'5T'" "$size" "$step" -n 5T
refused '-n empty' "''" "$size" "$step" -n ''
refused '-n with a hole in its list' "''" "$size" "$step" -n 1,,2
refused '-n of 2^64' "'18446744073709551616'" 'does not fit' "$step" -n 18446744073709551616
refused '-n of 2^64 by its suffix' "'18014398509481984K'" 'does not fit' "$step" \
    -n 18014398509481984K
refused '-n whose bytes pass 2^64' "'2^63'" 'do not fit' "$step" -n 2^63
refused '-n without a value' '-n' '--help' "$step" -n
refused 'unknown type' "'f8'" 'f32 f64 i32' "$step" -t f8
refused 'type that the step does not offer' "'i32'" 'f32 f16' "$map" -t i32
refused 'empty type' "''" 'f32 f64 i32' "$step" -t ''
refused 'unknown operator' "'prod'" 'sum max min' "$step" -o prod
refused 'operator of another kind of step' "'gelu'" 'sum max min' "$step" -o gelu
refused 'unknown option' "'--wat'" '--help' "$step" --wat
refused 'stray argument' "'1000'" '--help' "$step" 1000
refused 'value for an option without one' "'3'" '--check' "$step" --check=3
refused '--seed not a number' "'x'" "$size" "$step" --seed x
refused '--reps of 0' "'0'" '20 to' "$step" --reps 0
refused '--offset of 65' "'65'" '0 to 64' "$step" --offset 65
refused '--offset with --check and no size' '--offset' '-n' "$step" --offset 1 --check
refused '--warm with --check' '--warm' '--check' "$step" --warm --check -n 5
refused '--once without a size' '--once' '-n' "$step" --once
for other in --check '--reps 20' --csv --json; do
    # shellcheck disable=SC2086 # an option and its value
    refused "--once with $other" "${other%% *}" 'accepted are -n, -t' "$step" -n 5 --once $other
done
refused '--csv and --json' '--json' '--csv' "$step" --csv --json
refused '--rows for a step without rows' '--rows' '-n' "$step" --rows 3 --cols 4
refused '--input and -n' '--input' '-n' "$step" --input x.npy -n 3

run "$step" -n 1048576G
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'stderr is not one line' lines err 1
want 'stderr does not name the number of elements' names err 1125899906842624
want 'stderr does not name the memory that is free' holds err '[0-9]+ (bytes )?(are )?free'
verdict 'command line: -n too large for the memory'

# ---- files ----

# Bytes in octal, low byte first: 1.0f is 000 000 200 077.
one='\000\000\200\077' two='\000\000\000\100' three='\000\000\100\100'

# A .npy file of version 1: magic, length of the header, header, elements.
npy() { # DESCR SHAPE ELEMENTS
    header="{'descr': '$1', 'fortran_order': False, 'shape': ($2), }"
    pad=$(((64 - (11 + ${#header}) % 64) % 64))
    length=$((${#header} + pad + 1)) # below 256: one byte
    # shellcheck disable=SC2059 # the formats are the bytes to write
    printf "\\223NUMPY\\001\\000\\$(printf '%03o' "$length")\\000" &&
        printf '%s%*s\n' "$header" "$pad" '' &&
        printf "$3"
}
npy '<f4' '3,' "$one$two$three" >"$tmp/f32.npy"
npy '<i4' '2, 2' '\001\000\000\000\002\000\000\000\377\377\377\377\004\000\000\000' >"$tmp/i32.npy"
npy '<f4' '0,' '' >"$tmp/none.npy"
npy '<u1' '3,' 'abc' >"$tmp/u8.npy"
npy '<f4' '4,' "$one$two$three" >"$tmp/short.npy"
npy '<f4' '2,' "$one$two$three" >"$tmp/long.npy"
npy '<f4' '99999999999999999999,' "$one" >"$tmp/huge.npy"
head -c 40 "$tmp/f32.npy" >"$tmp/cut.npy"
printf '\223NUMPY\001\000\020\000{no dictionary}\n' >"$tmp/garbage.npy"
: >"$tmp/empty.npy"
# shellcheck disable=SC2059
printf "$one$two$three" >"$tmp/f32.raw"
printf 'abcde' >"$tmp/odd.raw"
: >"$tmp/empty.raw"

refused '--input missing' "$tmp/no.npy" 'No such file' "$step" --input "$tmp/no.npy"
refused '--input a directory' "$tmp" 'directory' "$step" --input "$tmp"
refused '--input empty name' '--input' '.npy or a raw file' "$step" --input ''
refused '--input empty .npy' empty.npy 'empty' "$step" --input "$tmp/empty.npy"
refused '--input empty raw file' empty.raw 'empty' "$step" --input "$tmp/empty.raw" -t f32
refused '--input cut in its header' cut.npy 'cut off' "$step" --input "$tmp/cut.npy"
refused '--input without a dictionary' garbage.npy 'header' "$step" --input "$tmp/garbage.npy"
refused '--input shorter than its shape' short.npy 'promises 16 bytes' "$step" \
    --input "$tmp/short.npy"
refused '--input longer than its shape' long.npy 'promises 8 bytes' "$step" --input "$tmp/long.npy"
refused '--input with a shape beyond 2^64' huge.npy 'header' "$step" --input "$tmp/huge.npy"
refused '--input of bytes' "'<u1'" 'f32 f64 i32' "$step" --input "$tmp/u8.npy"
refused '--input of another type than -t' f32.npy 'are f32' "$step" --input "$tmp/f32.npy" -t i32
refused '--input raw, not whole elements' odd.raw 'multiple of the 4' "$step" \
    --input "$tmp/odd.raw" -t f32

works '--input .npy f32, sum' '^f32 sum +n 3 +result 6 ' "$step" --input "$tmp/f32.npy"
works '--input .npy f32, max' '^f32 max +n 3 +result 3 ' "$step" --input "$tmp/f32.npy" -o max
works '--input .npy i32 of 2 x 2, sum' '^i32 sum +n 4 +result 6 ' "$step" --input "$tmp/i32.npy"
works '--input .npy i32, min' '^i32 min +n 4 +result -1 ' "$step" --input "$tmp/i32.npy" -o min
works '--input raw f32' '^f32 sum +n 3 +result 6 ' "$step" --input "$tmp/f32.raw" -t f32
works '--input .npy of no elements' '^f32 max +n 0 +result -inf ' "$step" --input "$tmp/none.npy"
works '--input elementwise' '^f32 relu +n 3 .*ok' "$map" --input "$tmp/f32.npy" -o relu
works '--input as CSV' ',f32,sum,3,6,6,0,' "$step" --input "$tmp/f32.npy" --csv

# ---- good options ----

works '-n 0, sum' '^f32 sum +n 0 +result 0 ' "$step" -n 0
works '-n 0, max' '^f32 max +n 0 +result -inf ' "$step" -n 0 -o max
works '-n 0, min' '^f32 min +n 0 +result inf ' "$step" -n 0 -o min
works '-n 0, max of i32' '^i32 max +n 0 +result -2147483648 ' "$step" -n 0 -o max -t i32
works '-n 0, min of f64' '^f64 min +n 0 +result inf ' "$step" -n 0 -o min -t f64
works '-n 1000003 of i32' '^i32 max +n 1000003 +result .* ok$' "$step" -n 1000003 -t i32 -o max \
    --seed 7
works '-n 2^10+1' '^f32 sum +n 1025 +result ' "$step" -n 2^10+1
works '-n 1M' '^f32 sum +n 1048576 +result ' "$step" -n 1M
works '--offset 3' '^f32 sum +n 1000 +result .* ok$' "$step" -n 1000 --offset 3
works '--offset 3, elementwise' '^f16 cast +n 1000 .* ok$' "$map" -n 1000 -t f16 -o cast --offset 3
works '--offset 64 --check' '^f64 max +check ok ' "$step" --check -n 1000 -t f64 -o max --offset 64
works '--warm' '^f32 sum +n 1000 +result .* ok$' "$step" -n 1000 --warm
works '--once' '^f32 sum +n 1000 +ran once, not checked$' "$step" -n 1000 --once
works '--once elementwise' '^f32 fma +n 1000 +ran once' "$map" -n 1000 --once -t f32 -o fma
works '--once with --input' '^i32 min +n 4 +ran once' "$step" --once --input "$tmp/i32.npy" -o min
works '-h on --once' '^ *--once .* run once, no check, no times' "$step" -h
works '--list' '^i32 max$' "$step" --list
works '-h' '^ *--input FILE' "$step" -h
works '-h on --offset' '^ *--offset K .*, 0 to 64$' "$step" -h
works '-h on --warm' '^ *--warm .* L2' "$step" -h

# A kernel that needs 16-byte addresses: right at 4 floats off a boundary, wrong at 1.
works '--offset 4 with a kernel for aligned memory' '^f32 sum +n 1024 +result .* ok$' \
    faulty elements misaligned_float4 -n 1024 --offset 4
run faulty elements misaligned_float4 -n 1024 --offset 1
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'stderr does not speak of the alignment' holds err 'misaligned'
verdict 'command line: --offset 1 with a kernel for aligned memory'

run "$step" -n 1K,2K -t f32,i32 -o sum
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'not one result for each of 2 sizes and 2 types' \
    [ "$(grep -cE '^(f32|i32) sum +n (1024|2048) +result .* ok$' "$tmp/out")" -eq 4 ]
verdict 'command line: lists of sizes and types'

run "$step" -n 1K,2K -t f32,i32 -o sum,max --once
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'not one run for each of 2 sizes, 2 types and 2 operators' \
    [ "$(grep -cE '^(f32|i32) (sum|max) +n (1024|2048) +ran once' "$tmp/out")" -eq 8 ]
want 'a result, a check or a time' lacks out ' result | check |median'
verdict 'command line: --once runs each case once'

# Lesson 01 is two launches: of 256 blocks, and of one.
if [ "$DEVICE" = cpu ]; then
    run env SIMT_COUNTERS="$tmp/counters.csv" "$BUILD/01_naive" -n 64K -t f32 -o sum --once
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    want 'not the two launches of one run' \
        [ "$(cut -d, -f1,2,3 "$tmp/counters.csv" | sort -u | grep -c reduce_kernel)" -eq 2 ]
    verdict 'command line: --once counts one run'
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
verdict 'command line: --seed'

# Only a GPU has times; the emulator reports what it checked.
header=step,variant,type,op,cases,failed
if [ "$DEVICE" = gpu ]; then
    header=step,variant,type,op,n,bytes,median_us,min_us,p90_us
    header=$header,gbps,peak_share,copy_share,l2,warm,cols
fi
run "$step" -n 1K,1M --csv
grep -v '^#' "$tmp/out" >"$tmp/rows"
want "exit $status, expected 0" [ "$status" -eq 0 ]
want "the first line that is no comment is not $header" [ "$(head -n 1 "$tmp/rows")" = "$header" ]
want 'no rows' [ "$(wc -l <"$tmp/rows")" -gt 1 ]
want 'a row has another number of fields than the header' \
    awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad }' "$tmp/rows"
verdict 'command line: --csv'

# The head of a CSV file: facts that only a script knows come from the environment.
run env COURSE_COMMAND='make bench' COURSE_COMMIT=abc1234 COURSE_DRIVER=580.1 \
    "$step" --check --quick -n 1 -t f32 --csv
want "exit $status, expected 0" [ "$status" -eq 0 ]
for line in 'gpu: .' 'cuda: [0-9]' 'driver: 580.1$' 'date: 20' 'commit: abc1234$' \
    'command: make bench$'; do
    want "there is no line '# $line'" holds out "^# $line"
done
verdict 'command line: the head of --csv'

# Brackets in pairs, outside of strings: all that awk can see of JSON.
run "$step" -n 1K,1M --json
want "exit $status, expected 0" [ "$status" -eq 0 ]
# shellcheck disable=SC2016 # awk's own $
want 'brackets do not match' awk '
    { gsub(/"([^"\\]|\\.)*"/, "s"); all = all $0 }
    END {
        while (gsub(/\{[^][{}]*\}|\[[^][{}]*\]/, "v", all)) {}
        exit all !~ /^v$/
    }' "$tmp/out"
if command -v python3 >/dev/null && python3 -c 'import json' 2>/dev/null; then
    want 'python3 -m json.tool cannot read it' \
        sh -c "python3 -m json.tool '$tmp/out' >/dev/null 2>&1"
fi
want 'no result in it' names out '"kind": "value", "type": "f32", "op": "sum", "n": 1024'
verdict 'command line: --json'

# A wrong kernel is caught in every mode, and gets no time.
run faulty arithmetic absolute_sum -n 1000
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'stderr does not show got, expected and the allowed error' \
    holds err '^    got .*, expected .*, error .*, allowed '
want 'stderr does not show step, type, operator and n' \
    holds err '^wrong: [a-z_0-9.]+, f32 sum, n [0-9]+, offset '
want 'more than ten mismatches' [ "$(grep -c 'got .*expected' "$tmp/err")" -le 10 ]
want 'the result is called ok' lacks out 'result .* ok'
verdict 'command line: -n with a wrong kernel'

run faulty launches launch_error_returned -n 1000
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'stderr does not give the CUDA error' holds err 'the launch failed: invalid .*argument'
verdict 'command line: a launch that fails'

run faulty arithmetic absolute_sum -n 1000 --once
want "exit $status, expected 0: nothing is checked" [ "$status" -eq 0 ]
verdict 'command line: --once does not check'

run faulty launches launch_error_returned -n 1000 --once
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'stderr does not give the CUDA error' holds err 'the launch failed: invalid .*argument'
want 'stdout says that it ran' lacks out 'ran once'
verdict 'command line: --once with a launch that fails'

run faulty elements misaligned_float4 -n 1024 --offset 1 --once
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'stderr does not speak of the alignment' holds err 'misaligned'
verdict 'command line: --once with a kernel that faults'

if [ -c /dev/full ]; then
    run sh -c '"$1" -n 1K >/dev/full' sh "$step"
    want "exit $status, expected 1: nothing could be written" [ "$status" -eq 1 ]
    want 'stderr does not say so' [ -s "$tmp/err" ]
    verdict 'command line: a full disk'
fi

finish
