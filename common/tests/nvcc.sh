#!/bin/sh
# SPDX-License-Identifier: MIT
#
# nvcc.sh - every .cu file of the course compiles without a warning: what people read and submit for
# three generations of GPUs, whose SMs hold 1024, 2048 and 1536 threads, or with FULL=1 for six;
# what only tests use for one, with FULL=1. And the recorded machine code is what the same nvcc
# produces today. GPUs that this nvcc does not know are named and skipped. NVCC=/a/bin/nvcc tries a
# different toolkit, CCCL=DIR a different CUB. Last line: N passed, N failed. Without nvcc it says
# so and nothing passes.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
. common/measure/results.sh
group='nvcc: '
nvcc=${NVCC:-nvcc}

# One file: nvcc.sh FILE.cu
if [ $# -eq 1 ]; then
    if [ -n "$(left_out "$(releases "$nvcc")" "$1")" ]; then
        echo "skip nvcc: $1: it needs newer tools: $(sed -n 's,^// Needs: ,,p' "$1" | tail -n 1)"
        exit
    fi
    case $1 in common/* | /*) GPUS=90 ;; esac
    targets=
    for gpu in $GPUS; do targets="$targets -gencode arch=compute_$gpu,code=sm_$gpu"; done
    if grep -q '^#include <nccl.h>' "$1" &&
        ! echo '#include <nccl.h>' | "$nvcc" -x cu -E - >/dev/null 2>&1; then
        echo "skip nvcc: $1: nccl.h was not found"
        exit
    fi
    # shellcheck disable=SC2086 # a list of options
    run "$nvcc" -std=c++20 $targets ${CCCL:+-I"$CCCL"} -Icommon -c "$1" -o /dev/null
    # nvcc may warn about the mistakes that students are to find.
    case $1 in
    */bugs/*) want "exit $status, expected 0" [ "$status" -eq 0 ] ;;
    *) want 'it does not compile without a message' silent ;;
    esac
    verdict "${1#/*/right/}"
    exit
fi

if ! command -v "$nvcc" >/dev/null; then
    echo "skip nvcc: '$nvcc' was not found"
    echo '0 passed, 0 failed'
    exit 0
fi
GPUS=
for gpu in ${FULL:+80 100 103} 75 90 120; do
    if "$nvcc" --list-gpu-arch | grep -qx "compute_$gpu"; then
        GPUS="$GPUS $gpu"
    else
        echo "skip nvcc: sm_$gpu: nvcc $(nvcc_release "$nvcc") does not know it"
    fi
done
export GPUS
# Left out are the emulator's own tests and mistakes, of which nvcc rightly complains, and without
# FULL=1 what only tests use.
left_out='^common/'
if [ -n "${FULL:-}" ]; then
    left_out='^common/simt/tests/\|^common/simt/calibrate/mistakes'
    mkdir "$tmp/right"
    if [ -d common/grade/tests ]; then # a handout has none
        . common/grade/tests/programs.sh
        programs common/grade/tests/right.txt "$tmp/right" >"$tmp/list"
    fi
fi
{ git ls-files '*.cu' | grep -v "$left_out"; find "$tmp" -name '*.cu'; } |
    xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" -n 1 sh "$0" |
    tee -a "$tmp/verdicts"

# On some systems nvcc is a script that calls the real one, in a folder without headers.
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v "$nvcc")" >"$tmp/nvcc"
chmod +x "$tmp/nvcc"
equal 'the releases of a script that calls nvcc' "$(releases "$tmp/nvcc")" "$(releases "$nvcc")"

# What 04's second page says about wide loads.
cat >"$tmp/wide.cu" <<'END'
struct alignas(32) pack_t { float elem[8]; };
__global__ void copy_kernel(const pack_t *in, pack_t *out) { *out = *in; }
END
case "$GPUS " in
*' 120 '*)
    loads() { "$nvcc" -arch="sm_$1" -ptx "$tmp/wide.cu" -o - | grep -c 'ld\.global'; } # GPU
    equal 'loads of 32 bytes for sm_90, sm_100 and sm_120' "$(loads 90) $(loads 100) $(loads 120)" \
        '2 1 1'
    ;;
esac

# What the second pages of 01 and 04 say about the loop of the float sum.
if [ "$(nvcc_release "$nvcc")" = 13.0 ] && command -v nvdisasm >/dev/null; then
    sass() { NVCC="$nvcc" ARCH="sm_$1" sh common/pages/sass.sh "$2"; } # GPU FILE
    round() { sass "$1" 01_naive/kernel.cu | sed -n 's/^a round .*: \([0-9]*\) inst.*/\1/p'; }
    loads() { sass 90 "04_vectorized/variants/$1.cu" | grep -c ' LDG'; }
    equal 'a round of 01 with and without its division' "$(round 90) $(round 100)" '28 12'
    # 16 in the unrolled round, and one in the loop over the rest
    equal 'loads in the loops of scalar and of blocked' "$(loads scalar) $(loads blocked)" '1 17'
fi

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
