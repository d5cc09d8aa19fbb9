#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - the whole proof. `make test` calls it and sets BUILD, DEVICE, STEPS, VARIANTS, CC, CXX.
#
#   unit tests of the harness, tests of the emulator, every step and variant with --check, planted
#   faults that must be rejected, bad input on the command line, tables that match their data.
#
# Each test prints `ok   NAME` or `FAIL NAME`, with its output indented below; the last line is
# `N passed, N failed`. One test alone: make test, then BUILD=$PWD/build/cpu DEVICE=cpu \
# sh common/tests/run.sh fault tail_dropped       (or step 01_naive, or unit test_stats)
set -u
cd "$(dirname "$0")/../.." || exit 1
tests=common/tests

if [ -z "${BUILD:-}" ] || [ -z "${DEVICE:-}" ]; then
    exec make test
fi

# ---- one test ----

# Prints the verdict and, where it is FAIL, the output as well. In one write: tests run at once.
ok() { echo "ok   $1"; }
fail() { # NAME WHY OUTPUT_FILE
    report=$(printf 'FAIL %s\n    %s' "$1" "$2" && echo && sed 's/^/    /' "$3" | head -n 60)
    printf '%s\n' "$report"
}

# Runs a command for at most 120 seconds where the system can limit it: a fault may hang.
limited() {
    if command -v timeout >/dev/null; then timeout 120 "$@"; else "$@"; fi
}

# A program that must exit 0.
must_pass() { # NAME COMMAND...
    name=$1
    shift
    log=$(mktemp)
    limited "$@" >"$log" 2>&1 </dev/null
    status=$?
    if [ "$status" -eq 0 ]; then ok "$name"; else fail "$name" "exit $status" "$log"; fi
    rm -f "$log"
}

# What a rejection looks like: a line of the checker or of the emulator.
rejection='^(wrong|fault): '

# A planted fault: the checker must exit 1 and say why. A control: it must exit 0.
check_fault() { # NAME
    head=$(sed -n 2p "$tests/faults/$1.cu")
    log=$(mktemp)
    limited "$BUILD/faults/$1" --check >"$log" 2>&1 </dev/null
    status=$?
    case $head in
    '// Control: '*) expected=0 ;;
    *) expected=1 ;;
    esac
    if [ "$status" -ne "$expected" ]; then
        fail "fault $1" "exit $status, expected $expected" "$log"
    elif [ "$expected" -eq 1 ] && ! grep -qE "$rejection" "$log"; then
        fail "fault $1" 'exit 1, but nothing says what is wrong' "$log"
    else
        ok "fault $1"
    fi
    rm -f "$log"
}

case ${1:-all} in
all) ;;
step) must_pass "step $2" "$BUILD/$2" --check && exit ;;
unit) must_pass "unit $2" "$BUILD/unit/$2" && exit ;;
fault) check_fault "$2" && exit ;;
*)
    echo "run.sh: '$1' is not a kind of test; accepted are step, unit and fault" >&2
    exit 2
    ;;
esac

# ---- all of them ----

# A GPU is one device: tests that use it take turns.
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
if [ "$DEVICE" = gpu ]; then device_jobs=1; else device_jobs=$jobs; fi
say() { if [ -t 2 ]; then echo "-- $*" >&2; fi; }

# Builds what make can; what could not be built fails below, when it is run.
build() { # TARGET
    say "building: $1"
    log=$(mktemp)
    MAKEFLAGS='' MFLAGS='' "${MAKE:-make}" -f "$tests/tests.mk" -k -j"$jobs" --no-print-directory "$1" \
        BUILD_DIR="${BUILD%/*}" DEVICE="$DEVICE" >"$log" 2>&1 || fail "build: $1" 'make' "$log"
    rm -f "$log"
}

# A suite of its own that prints the same lines. One that dies without a FAIL is a failure, too.
suite() { # NAME COMMAND...
    name=$1
    shift
    say "$name"
    log=$(mktemp)
    "$@" 2>&1 </dev/null | tee "$log" | grep -vE '^[0-9]+ passed, [0-9]+ failed$'
    tail -n 1 "$log" | grep -qE '^[1-9][0-9]* passed, [0-9]+ failed$' ||
        fail "$name" 'did not come to its end' "$log"
    rm -f "$log"
}

# Names on stdin, one a line; each is a test of its own.
each() { # KIND JOBS
    say "$1"
    names=$(cat)
    if [ -n "$names" ]; then
        printf '%s\n' "$names" | xargs -P "$2" -n 1 sh "$tests/run.sh" "$1"
    else
        fail "$1" 'there is nothing to test' /dev/null
    fi
}

# The name of each planted fault that this device can show.
fault_names() {
    for file in "$tests"/faults/*.cu; do
        case $(sed -n 2p "$file") in
        '// Fault: '* | '// Control: '* | "// Fault ($DEVICE): "*) basename "$file" .cu ;;
        '// Fault (cpu): '* | '// Fault (gpu): '*) ;;
        *) echo "$file" ;; # its second line says nothing: reported when it is run
        esac
    done
}

everything() {
    build unit
    for file in "$tests"/unit/test_*.c; do
        if [ -f "$file" ]; then basename "$file" .c; fi
    done | each unit "$jobs"
    if [ "$DEVICE" = cpu ]; then
        suite emulator sh common/simt/tests/run.sh
    fi
    printf '%s\n' "$STEPS" "$VARIANTS" | tr ' ' '\n' | grep . | each step "$device_jobs"
    build faults
    fault_names | each fault "$device_jobs"
    suite 'command line' sh "$tests/cli.sh"
    if [ -f common/tables.sh ]; then
        must_pass 'tables are those of the data' sh common/tables.sh --check
    fi
}

all=$(mktemp)
trap 'rm -f "$all"' EXIT
everything | tee "$all"
passed=$(grep -c '^ok   ' "$all")
failed=$(grep -c '^FAIL ' "$all")
if [ "$passed" -eq 0 ]; then failed=$((failed + 1)); fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
