#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sass.sh - `make sass` in a lesson: the machine code of a kernel, each instruction beside its line
# of the source. Without nvcc or nvdisasm it shows what was recorded, kernel.sass beside kernel.cu.
#
#   sass.sh FILE.cu             the rounds of its loops; with V=1 the whole kernel
#   sass.sh --print RECORD      what it should be today: *.sass holds the kernel of the same name,
#                               loop.sass the rounds of kernel.cu that load 16 bytes a lane,
#                               those in faster/ the parts that communicate with other blocks
#   sass.sh --record [RECORD]   writes it; without a name all of them
#
# From the environment: NVCC, ARCH (sm_90), TYPE (f32) and OP (sum) choose the kernel.
set -eu
cd "$(dirname "$0")/../.."
nvcc=${NVCC:-nvcc}
nvdisasm=$(command -v nvdisasm || command -v "$nvcc" | sed 's,[^/]*$,nvdisasm,')
case ${ARCH:-native} in native) arch=sm_90 ;; *) arch=$ARCH ;; esac
type=${TYPE:-f32} op=${OP:-sum}

# The names in an object: reduce_kernel<float, sum_op<float>> contains If6sum_op, map_kernel of 07
# E4geluff, and CUB's own kernel hubIfy and plus.
case $type in
f32) letter=f ;;
f64) letter=d ;;
i32) letter=i ;;
f16) letter=6__half ;;
*) echo "make sass: TYPE: '$type' is not a type; accepted are f32, f64, i32 and f16" >&2; exit 2 ;;
esac
wanted="reduce_kernelI${letter}[0-9]*${op}_op|map_kernelI.*E[0-9]*${op}${letter}"
wanted="$wanted|DeviceReduceKernel.*hubI${letter}y.*[0-9]$(echo "$op" | sed 's/sum/plus/')"

records() { find [0-9]* -name '*.sass' | sort; }

missing() { # THE TOOL THAT IS NOT THERE
    for tool in "$nvcc" "${nvdisasm:-nvdisasm}"; do
        command -v "$tool" >/dev/null || { echo "$tool"; return; }
    done
}

release() { "$1" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }

made() { # FILE.cu: its machine code, whole
    "$nvcc" -std=c++20 -arch="$arch" -O3 -lineinfo -Icommon -cubin -o "$work/cubin" "$1"
    "$nvdisasm" -g -c "$work/cubin" >"$work/code"
    kernels="$type $op"
    if ! grep -qE "^\.text\..*($wanted)" "$work/code"; then
        if [ -n "${TYPE:-}${OP:-}" ]; then
            echo "make sass: $1 has no kernel of $kernels; without TYPE and OP all are shown" >&2
            exit 2
        fi
        kernels='all kernels'
        wanted=.
    fi
    echo "$1: $kernels, $arch, nvcc $(release "$nvcc"), nvdisasm $(release "$nvdisasm")"
    awk -v wanted="$wanted" -v source="$1" -f common/pages/sass.awk "$work/code"
}

# The rounds of a listing, and how many instructions its other parts have.
rounds() {
    awk 'BEGIN { RS = "" }
        NR == 1 || /^kernel|^a round|^the kernel/ { print $0 "\n"; next }
        sub(/ instruction.*/, "") { rest = rest "; " $0 }
        END { if (rest != "") print "The rest, which V=1 shows: " substr(rest, 3) }'
}

# Rows of at most 80 columns. A place, such as agent_reduce.cuh:284, is never cut: for a long one
# all places move to the left, and its line of the source is left out.
fit() {
    awk '{
            row[NR] = $0
            if (match($0, / [|] [^ ]+/) && RSTART + RLENGTH - 81 > shift)
                shift = RSTART + RLENGTH - 81
        }
        END {
            for (i = 1; i <= NR; i++) {
                words = row[i]
                if (match(words, / +[|] /)) {
                    cut = RLENGTH - 3 < shift ? RLENGTH - 3 : shift
                    words = substr(words, 1, RSTART - 1) substr(words, RSTART + cut)
                }
                if (length(words) > 80) {
                    match(words, / [|] [^ ]+/)
                    end = RSTART + RLENGTH - 1
                    words = end > 64 ? substr(words, 1, end) : substr(words, 1, 77) "..."
                }
                print words
            }
        }'
}

recording() { # RECORD
    case $1 in
    */loop.sass) made "${1%loop.sass}kernel.cu" |
        awk 'BEGIN { RS = "" } NR == 1 || /^a round.*LDG.E.128/ { print $0 "\n" }' ;;
    */faster/*) made "${1%.sass}.cu" |
        awk 'BEGIN { RS = "" } NR == 1 || /STRONG[.]GPU/ { print $0 "\n" }' ;;
    *) made "${1%.sass}.cu" ;;
    esac
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
lacking=$(missing)

case ${1:-} in
--print | --record)
    action=$1
    shift
    if [ -n "$lacking" ]; then echo "sass.sh: '$lacking' was not found" >&2; exit 77; fi
    # shellcheck disable=SC2046 # names without spaces
    if [ $# -eq 0 ]; then set -- $(records); fi
    for record in "$@"; do
        recording "$record" >"$work/record"
        if [ "$action" = --print ]; then cat "$work/record"; else cp "$work/record" "$record"; fi
    done
    exit
    ;;
esac

recorded=${1%.cu}.sass
case $1 in */kernel.cu) [ -f "$recorded" ] || recorded=${1%kernel.cu}loop.sass ;; esac
if [ -z "$lacking" ]; then
    made "$1" >"$work/made"
elif [ "$type $op $arch" = 'f32 sum sm_90' ] && [ -f "$recorded" ]; then
    echo "make sass: '$lacking' was not found; recorded before:" >&2
    echo "    $recorded" >&2
    cp "$recorded" "$work/made"
else
    echo "make sass: '$lacking' was not found, and this kernel has no record;" \
        "recorded are, of f32 sum for sm_90: $(records | tr '\n' ' ')" >&2
    echo '    nvdisasm is part of the CUDA Toolkit; or: pip install nvidia-cuda-nvdisasm' >&2
    exit 77
fi
if [ -n "${V:-}" ]; then
    cat "$work/made"
else
    rounds <"$work/made" | fit
fi
