#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - the whole proof: unit tests of the harness, tests of the emulator, every step and variant
# with --check, planted faults that must be rejected, right designs that must not, bad input on the
# command line, tables that match their data. README.md says how a case is written.
#
# `make test` calls it, and sets BUILD, DEVICE, STEPS, VARIANTS (LATER without FULL=1), CC, CXX, and
# WORK, where the programs of the emulator's own tests are.
# FULL=1 adds what takes minutes; ONLY=tail_dropped runs the cases with that in their name. SLOW=20
# makes the limits of time 20 times as long, for a machine that is emulated or busy.
#
# The last line is `N passed, N failed`.
set -eu
cd "$(dirname "$0")/../.."
if [ -z "${BUILD:-}" ] || [ -z "${DEVICE:-}" ]; then
    exec make test
fi
tests=common/tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

slow=${SLOW:-1}
case $slow in
0* | *[!0-9]*)
    echo "run.sh: SLOW: '$slow' is not accepted; give a whole number from 1" >&2
    exit 2
    ;;
1) ;;
*) export SLOW="$slow" SIMT_SECONDS="${SIMT_SECONDS:-$((8 * slow))}" ;; # 8 as in clock.c
esac

# On a GPU the host prepares and compares most of the time: six programs share it well. In the
# emulator one more than the number of cores fills the pauses of the long suites.
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
if [ "$DEVICE" = gpu ] && [ "$cores" -gt 6 ]; then jobs=6; else jobs=$((cores + 1)); fi

# A compiler may find CUDA's headers by itself. It must use those of the emulator, by -I.
if [ "$DEVICE" = cpu ]; then
    mkdir "$work/cuda"
    for header in common/simt/include/*.h; do
        echo '#error not of the emulator' >"$work/cuda/${header##*/}"
    done
    export CPATH="$work/cuda"
fi

# The cases that no file describes. The program of an older source may still be there, and would
# pass. A handout has no tests of the grader.
{
    echo '# Case: built - all tests are built'
    echo "# Run: exit ${BUILT:-0}"
    if [ -f common/grade/tests/run.sh ]; then
        echo '# Suite: grade - the grader'
        echo '# Where: cpu'
        echo '# Run: sh common/grade/tests/run.sh'
    fi
} >"$work/parts"
{
    echo '# Group: step'
    for name in ${STEPS:-there_are_none} ${VARIANTS:-}; do
        echo "# Case: $name - its own check"
        echo "# Run: \$BUILD/$name --check"
    done
    for name in ${LATER:-}; do
        echo "# Case: $name - its own check"
        echo "# Full: \$BUILD/$name --check"
    done
} >"$work/steps"

# The long ones first. A handout has no tables, and Chinese pages are compared in a clone.
set -- "$work/parts"
# shellcheck disable=SC2046 # names without a space
[ "$DEVICE" = gpu ] || set -- "$@" $(sh common/simt/tests/cases.sh "$work/simt")
set -- "$@" $tests/unit/test_*.c
# shellcheck disable=SC2013 # names without a space
for suite in $(grep -l '^# Suite: ' $tests/*.sh); do
    case $suite in
    */tables.sh) [ -f common/pages/tables.sh ] || continue ;;
    */zh.sh) git ls-files --error-unmatch common/pages/zh.sh >/dev/null 2>&1 || continue ;;
    esac
    set -- "$@" "$suite"
done
"$BUILD/tests/runner" -j "$jobs" -t $((1800 * slow)) "$@" "$work/steps" $tests/faults/*.cu \
    $tests/right/*.cu
