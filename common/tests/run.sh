#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - the whole proof. `make test` calls it and sets BUILD, DEVICE, STEPS, VARIANTS, CC, CXX.
#
#   unit tests of the harness, tests of the emulator, every step and variant with --check, planted
#   faults that must be rejected, bad input on the command line, tables that match their data.
#
# FULL=1 adds what takes minutes: the variants, programs in foreign styles through the emulator, and
# more submissions to the grader.
#
# Each test prints `ok   NAME` or `FAIL NAME`, with its output indented below; the last line is
# `N passed, N failed`. One test alone, once all is built:
#
#   BUILD=$PWD/build/cpu DEVICE=cpu sh common/tests/run.sh fault tail_dropped
#   (or: step 05_warp_shuffle, unit test_stats)
set -u
cd "$(dirname "$0")/../.." || exit 1
tests=common/tests

if [ -z "${BUILD:-}" ] || [ -z "${DEVICE:-}" ]; then
    exec make test
fi

# ---- one test ----

# Tests run at once. Each verdict is printed in one piece, so that they do not mix.
ok() { echo "ok   $1"; }
fail() { # NAME WHY OUTPUT_FILE
    report=$(printf 'FAIL %s\n    %s\n' "$1" "$2" && sed 's/^/    /' "$3" | head -n 25)
    printf '%s\n' "$report"
}

# Runs a command for at most 120 seconds where the system can limit it: a wrong kernel may hang.
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

# A unit test prints a line for each of its cases. One that crashes, or that a sanitizer stops, has
# failed as a whole.
check_unit() { # NAME
    log=$(mktemp)
    limited "$BUILD/unit/$1" >"$log" 2>"$log.err" </dev/null
    status=$?
    report=$(sed -n -e "s/^ok   /&unit ${1#test_}: /p" -e "s/^FAIL /&unit ${1#test_}: /p" "$log")
    if [ -n "$report" ]; then printf '%s\n' "$report"; fi
    if ! grep -q '^FAIL ' "$log" && { [ "$status" -ne 0 ] || ! grep -q '^ok   ' "$log"; }; then
        fail "unit ${1#test_}" "exit $status" "$log.err"
    fi
    rm -f "$log" "$log.err"
}

# What a rejection looks like: a line of the checker or of the emulator. It names what is wrong.
rejection='^(wrong|simt): '

# A planted fault: the checker must exit 1 and say why. Most show in the short check; where that
# one finds nothing, the whole check must. A control: the whole check must exit 0.
check_fault() { # NAME
    case $(sed -n 2p "$tests/faults/$1.cu") in
    '// Control: '*) expected=0 ;;
    '// Fault: '* | '// Fault (cpu): '* | '// Fault (gpu): '*) expected=1 ;;
    *) expected="'// Fault: ' or '// Control: ' in line 2" ;;
    esac
    log=$(mktemp)
    limited "$BUILD/faults/$1" --check --quick >"$log" 2>&1 </dev/null
    status=$?
    if [ "$status" -eq 0 ]; then
        limited "$BUILD/faults/$1" --check >"$log" 2>&1 </dev/null
        status=$?
    fi
    if [ "$status" != "$expected" ]; then
        fail "fault $1" "exit $status, expected $expected" "$log"
    elif [ "$expected" = 1 ] && ! grep -qE "$rejection" "$log"; then
        fail "fault $1" 'exit 1, but nothing says what is wrong' "$log"
    else
        ok "fault $1"
    fi
    rm -f "$log"
}

# A suite of its own that prints the same lines. One that breaks off has failed as a whole.
check_suite() { # NAME SCRIPT
    log=$(mktemp)
    sh "$2" >"$log" 2>&1 </dev/null
    status=$?
    # One line at a time: see above. Its count is left out, ours follows.
    grep -vE '^[0-9]+ passed, [0-9]+ failed$' "$log" | while IFS= read -r line; do
        printf '%s\n' "$line"
    done
    if ! grep -q '^FAIL ' "$log" &&
        { [ "$status" -ne 0 ] || ! grep -qE '^(ok|skip) ' "$log"; }; then
        tail -n 20 "$log" >"$log.end"
        fail "$1" "exit $status" "$log.end"
    fi
    rm -f "$log" "$log.end"
}

case ${1:-all} in
all) ;;
step) must_pass "step $2" "$BUILD/$2" --check ;;
unit) check_unit "$2" ;;
fault) check_fault "$2" ;;
suite) check_suite "$2" "$2" ;;
*)
    echo "run.sh: '$1' is not a kind of test; accepted are step, unit, fault and suite" >&2
    exit 2
    ;;
esac
if [ "${1:-all}" != all ]; then exit 0; fi # the verdict is in what was printed

# ---- all of them ----

say() { if [ -t 2 ]; then echo "-- $*" >&2; fi; }

# On a GPU the host prepares and compares most of the time: six programs share it well.
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# In the emulator one more than there are cores fills the pauses of the long suites.
if [ "$DEVICE" = gpu ] && [ "$cores" -gt 6 ]; then jobs=6; else jobs=$((cores + 1)); fi

# One line `KIND NAME` for each file. A pattern without files is a line as well, which fails.
names() { # KIND FILES...
    kind=$1
    shift
    for file in "$@"; do
        case $file:$(sed -n 2p "$file" 2>/dev/null) in
        *":// Fault ($DEVICE): "*) ;;
        *':// Fault (cpu): '* | *':// Fault (gpu): '*) continue ;; # not to be seen on this device
        esac
        file=${file##*/}
        echo "$kind ${file%.*}"
    done
}

# Every test that can run beside others, the long ones first.
list() {
    names unit "$tests"/unit/test_*.c
    echo "suite $tests/cli.sh"
    echo "suite $tests/accuracy.sh"
    echo "suite $tests/gelu.sh"
    if [ "$DEVICE" = cpu ]; then
        echo 'suite common/simt/tests/run.sh'
        echo "suite $tests/course_counters.sh"
        echo "suite $tests/errata.sh"
        # A handout has no tests of the grader.
        if [ -f common/grade/tests/run.sh ]; then echo 'suite common/grade/tests/run.sh'; fi
    fi
    for name in ${STEPS:-there_are_none} ${VARIANTS:-}; do
        echo "step $name"
    done
    names fault "$tests"/faults/*.cu
}

everything() {
    say "running $(list | wc -l) programs, $jobs at a time"
    list | xargs -P "$jobs" -n 2 sh "$tests/run.sh"
    say make
    check_suite make "$tests/make.sh" # alone: it builds anew what the others run
    if [ -f common/pages/tables.sh ]; then
        check_suite tables "$tests/tables.sh"
    fi
}

all=$(mktemp)
trap 'rm -f "$all"' EXIT
everything | tee "$all"
passed=$(grep -c '^ok ' "$all")
failed=$(grep -c '^FAIL ' "$all")
if [ "$passed" -eq 0 ]; then failed=$((failed + 1)); fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
