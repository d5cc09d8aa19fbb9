#!/bin/sh
# SPDX-License-Identifier: MIT
#
# nvcc.sh - every .cu file of the course compiles without a warning: what people read and hand out
# for three generations of GPUs, what only tests use for one. And the machine code that is recorded
# is what the same nvcc makes today.
# Last line: N passed, N failed. Without nvcc it says so and passes nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
. common/measure/results.sh
group='nvcc: '
nvcc=${NVCC:-nvcc}

# One file: nvcc.sh FILE.cu
if [ $# -eq 1 ]; then
    if [ -n "$(left_out "$(nvcc_release "$nvcc")" "$1")" ]; then
        echo "skip nvcc: $1: it needs a newer nvcc: $(sed -n 's,^// Needs: ,,p' "$1" | tail -n 1)"
        exit
    fi
    gpus='75 80 90'
    case $1 in common/*) gpus=90 ;; esac
    targets=
    for gpu in $gpus; do targets="$targets -gencode arch=compute_$gpu,code=sm_$gpu"; done
    if grep -q '^#include <nccl.h>' "$1" &&
        ! echo '#include <nccl.h>' | "$nvcc" -x cu -E - >/dev/null 2>&1; then
        echo "skip nvcc: $1: nccl.h was not found"
        exit
    fi
    # shellcheck disable=SC2086 # a list of options
    run "$nvcc" -std=c++20 $targets -Icommon -c "$1" -o /dev/null
    # What is to be found by a student may be what nvcc warns of.
    case $1 in
    */bugs/*) want "exit $status, expected 0" [ "$status" -eq 0 ] ;;
    *) want 'it does not compile without a message' silent ;;
    esac
    verdict "$1"
    exit
fi

if ! command -v "$nvcc" >/dev/null; then
    echo "skip nvcc: '$nvcc' was not found"
    echo '0 passed, 0 failed'
    exit 0
fi
# Left out are the emulator's own tests, hostile submissions and mistakes, of which nvcc rightly
# complains, and without FULL=1 what only tests use.
left_out='^common/'
[ -z "${FULL:-}" ] ||
    left_out='^common/simt/tests/\|^common/grade/tests/hostile/\|^common/simt/calibrate/mistakes'
git ls-files '*.cu' | grep -v "$left_out" |
    xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" -n 1 sh "$0" |
    tee -a "$tmp/verdicts"

# Another release may choose other instructions. The first line names the tools.
for record in $(find [0-9]* -name '*.sass' | sort); do
    run env NVCC="$nvcc" sh common/pages/sass.sh --print "$record"
    if [ "$status" -eq 77 ]; then
        echo "skip nvcc: $record: $(cat "$tmp/err")"
    elif ! holds out "^[^ ]*: $(sed -n '1s/.*: \(.* nvcc [0-9.]*\),.*/\1/p' "$record"),"; then
        echo "skip nvcc: $record: it is not of this nvcc: $(head -n 1 "$tmp/out")"
    else
        tail -n +2 "$tmp/out" >"$tmp/now"
        tail -n +2 "$record" | diff - "$tmp/now" >"$tmp/out"
        want 'nvcc makes other code; common/pages/sass.sh --record writes anew' [ ! -s "$tmp/out" ]
        verdict "$record"
    fi
done
finish
