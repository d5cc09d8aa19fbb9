#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - the whole proof. `make test` calls it and sets BUILD, DEVICE, STEPS, VARIANTS, CC, CXX.
#
#   unit tests of the harness, tests of the emulator, every step and variant with --check, planted
#   faults that must be rejected, right designs that must not, bad input on the command line, tables
#   that match their data.
#
# FULL=1 adds what takes minutes: the variants, five of six faults that no page names and that have
# their own file, the site, the answers to questions, a report of `make lab`, programs in foreign
# styles through the emulator, the grading platforms, and more submissions to the grader. SLOW=20
# makes the time limits 20 times as long, for a machine that is emulated or busy.
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

. common/tests/check.sh

# ---- one test ----

slow=${SLOW:-1}
case $slow in
0* | *[!0-9]*)
    echo "run.sh: SLOW: '$slow' is not accepted; give a whole number from 1" >&2
    exit 2
    ;;
1) ;;
*) export SLOW="$slow" SIMT_SECONDS="${SIMT_SECONDS:-$((8 * slow))}" ;; # 8 as in clock.c
esac

# A wrong kernel may hang: a command may take ten minutes of processor time, several times what the
# longest one needs on a slow and busy machine, and half an hour of real time if the system can
# limit it.
# shellcheck disable=SC2317,SC3045 # check, run and suite call it; dash and others have -t
limited() (
    ulimit -t $((600 * slow))
    if command -v timeout >/dev/null; then timeout $((1800 * slow)) "$@"; else "$@"; fi
)

# A unit test prints a line for each of its cases.
check_unit() { # NAME
    group="unit ${1#test_}: "
    suite 'the whole program' limited "$BUILD/unit/$1"
}

# What a rejection looks like: a line of the checker or of the emulator that names the error.
rejection='^(wrong|simt): '

# A planted fault: the checker must exit 1 and say why. Most show in the short check; if that one
# finds nothing, the whole check must, or that of the sizes in a line `// Shows with: `. The checker
# must say what the lines `// Cause: ` have. A control: the check must exit 0, with FULL=1 the whole
# one. A file with many faults plants the one that FAULT names, and none by default; see
# faults/plants.cuh.
check_fault() { # NAME, or NAME:FAULT
    FAULT=''
    case $1 in *:*) FAULT=${1#*:} ;; esac
    export FAULT
    set -- "${1%%:*}"
    case $(sed -n 2p "$tests/faults/$1.cu") in
    '// Control: '*) expected=0 ;;
    '// Faults: '*) expected=$([ -z "$FAULT" ] || echo 1) ;;
    '// Fault: '* | '// Fault (cpu): '* | '// Fault (gpu): '*) expected=1 ;;
    *) expected="'// Fault: ', '// Faults: ' or '// Control: ' in line 2" ;;
    esac
    run limited "$BUILD/faults/$1" --check --quick
    if [ "$status" -eq 0 ] && [ "$expected${FULL:-}" != 0 ]; then
        # shellcheck disable=SC2046 # a list of options
        run limited "$BUILD/faults/$1" --check \
            $(sed -n 's,^// Shows with: ,,p' "$tests/faults/$1.cu")
    fi
    want "exit $status, expected ${expected:=0}" [ "$status" = "$expected" ]
    if [ "$expected" = 1 ]; then
        want 'nothing says what is wrong' grep -qE "$rejection" "$tmp/out" "$tmp/err"
        missing=$(sed -n 's,^// Cause: ,,p' "$tests/faults/$1.cu" |
            while read -r cause; do names err "$cause" || echo "$cause"; done)
        want "causes that are missing: $missing" [ -z "$missing" ]
    fi
    verdict "fault $1${FAULT:+ $FAULT}"
}

# A right design: nothing may be reported. One that would need minutes names its sizes.
check_right() { # NAME
    case ${FULL:+$DEVICE} in
    '') options=--quick ;;
    gpu) options=$(sed -n 's,^// Sizes on a GPU: ,,p' "$tests/right/$1.cu") ;;
    *) options='' ;;
    esac
    # shellcheck disable=SC2086 # a list of options
    run limited "$BUILD/right/$1" --check $options
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    want 'stderr is not empty' lines err 0
    verdict "right $1"
}

case ${1:-all} in
all) ;;
step) check "step $2" limited "$BUILD/$2" --check ;;
unit) check_unit "$2" ;;
fault) check_fault "$2" ;;
right) check_right "$2" ;;
suite) suite "$2" sh "$2" ;;
*)
    echo "run.sh: '$1' is not a kind of test; accepted are step, unit, fault, right and suite" >&2
    exit 2
    ;;
esac
if [ "${1:-all}" != all ]; then exit 0; fi # the verdict is in what was printed

# ---- all of them ----

say() { if [ -t 2 ]; then echo "-- $*" >&2; fi; }

# On a GPU the host prepares and compares most of the time: six programs share it well.
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# In the emulator one more than the number of cores fills the pauses of the long suites.
if [ "$DEVICE" = gpu ] && [ "$cores" -gt 6 ]; then jobs=6; else jobs=$((cores + 1)); fi

# One line `KIND NAME` for each file. A pattern without files gives a line as well, which fails.
each() { # KIND FILES...
    kind=$1
    shift
    for file in "$@"; do
        case $file:$(sed -n 2p "$file" 2>/dev/null) in
        *":// Fault ($DEVICE): "*) ;;
        *':// Fault (cpu): '* | *':// Fault (gpu): '*) continue ;; # not visible on this device
        esac
        faults=$(sed -n "s|^// Faults\( ($DEVICE)\)\{0,1\}: ||p" "$file" 2>/dev/null)
        file=${file##*/}
        echo "$kind ${file%.*}"
        for fault in $faults; do echo "$kind ${file%.*}:$fault"; done
    done
}

# Every test that can run beside others, the long ones first.
list() {
    if [ "$DEVICE" = cpu ]; then
        echo 'suite common/simt/tests/run.sh'
        # A handout has no tests of the grader.
        if [ -f common/grade/tests/run.sh ]; then echo 'suite common/grade/tests/run.sh'; fi
        echo "suite $tests/show.sh"
        if [ -n "${FULL:-}" ]; then echo "suite $tests/devices.sh"; fi
    fi
    each unit "$tests"/unit/test_*.c
    echo "suite $tests/cli.sh"
    echo "suite $tests/accuracy.sh"
    echo "suite $tests/gelu.sh"
    echo "suite $tests/sources.sh"
    echo "suite $tests/start.sh"
    echo "suite $tests/sass.sh"
    if [ "$DEVICE" = cpu ]; then
        if [ -n "${FULL:-}" ]; then
            echo "suite $tests/errata.sh"
            echo "suite $tests/lab.sh"
        fi
        echo "suite $tests/course_counters.sh"
        echo "suite $tests/commands.sh"
        echo "suite $tests/found.sh"
        echo "suite $tests/many.sh"
        echo "suite $tests/trace.sh"
        echo "suite $tests/pictures.sh"
        echo "suite $tests/quiz.sh"
        echo "suite $tests/predict.sh"
        echo "suite $tests/try.sh"
        echo "suite $tests/watch.sh"
    fi
    for name in ${STEPS:-there_are_none} ${VARIANTS:-}; do
        echo "step $name"
    done
    # shellcheck disable=SC2086 # a list of files
    each fault ${FAULT_FILES:-"$tests"/faults/*.cu}
    # shellcheck disable=SC2046 # a list of files
    each right $(grep -l "^// Right${FULL:+.*}: " "$tests"/right/*.cu)
}

# A compiler may find CUDA's headers by itself. It must use those of the emulator, by -I.
if [ "$DEVICE" = cpu ]; then
    for header in common/simt/include/*.h; do
        mkdir -p "$tmp/cuda" && echo '#error not of the emulator' >"$tmp/cuda/${header##*/}"
    done
    export CPATH="$tmp/cuda"
fi

# The program of an older source may still be there, and would pass.
equal 'all tests are built' "status ${BUILT:-0} of make tests" 'status 0 of make tests'
say "running $(list | wc -l) programs, $jobs at a time"
list | xargs -P "$jobs" -n 2 sh "$tests/run.sh" | tee -a "$tmp/verdicts"
say make
suite make sh "$tests/make.sh" # alone: it rebuilds what the others run
if [ -n "${FULL:-}" ] && [ "$DEVICE" = cpu ]; then suite site sh "$tests/site.sh"; fi
if [ -f common/pages/tables.sh ]; then
    suite tables sh "$tests/tables.sh"
fi
if git ls-files --error-unmatch common/pages/zh.sh >/dev/null 2>&1; then # a clone
    suite zh sh "$tests/zh.sh"
fi
finish
