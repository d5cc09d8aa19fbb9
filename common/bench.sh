#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench.sh - `make bench`: measures every step and variant on this GPU and writes
# common/results/<gpu>/ladder.csv. STEP=05 measures one step and prints it instead.
# From make's environment: BUILD, DEVICE, STEPS, VARIANTS.
set -eu
cd "$(dirname "$0")/.."
if [ "$DEVICE" != gpu ]; then
    echo "make bench needs a GPU and nvcc: the emulator has no notion of time ($DEVICE_WHY)" >&2
    exit 77
fi

folder=common/results/$(sh common/gpu_name.sh)
mkdir -p "$folder"
: "${COURSE_COMMIT:=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
export COURSE_COMMIT

sizes=1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G
# shellcheck disable=SC2153 # STEPS comes from make; STEP is the one that was asked for
total=$(echo "$STEPS" "$VARIANTS" | wc -w)
out=$BUILD/ladder.csv
: >"$out"
count=0

# run NAME OPTIONS...: adds the rows of one program.
run() {
    program=$1
    shift
    "$BUILD/$program" --csv "$@" >"$BUILD/rows.csv"
    if [ ! -s "$out" ]; then
        sed -n '/^#/p' "$BUILD/rows.csv" | grep -v '^# command' >"$out"
        echo '# command: make bench' >>"$out"
        grep '^step,' "$BUILD/rows.csv" >>"$out"
    fi
    grep -v -e '^#' -e '^step,' "$BUILD/rows.csv" >>"$out"
}

# A variant is timed with gelu or sum, where it has one of them, else with its first operator: gelu
# in all types, others in the first.
variant_pairs() { # PROGRAM
    "$BUILD/$1" --list | awk '
        NR > 1 { types[$2] = types[$2] (types[$2] != "" ? "," : "") $1 }
        NR == 2 { first = $2 }
        END {
            op = "gelu" in types ? "gelu" : "sum" in types ? "sum" : first
            if (op != "gelu") sub(/,.*/, "", types[op])
            print "-t " types[op] " -o " op
        }'
}

# shellcheck disable=SC2046 # two options and their values
run_variant() { # PROGRAM
    case $("$BUILD/$1" --help) in
    *--rows*)
        run "$1" --rows 4K --cols 1K $(variant_pairs "$1")
        run "$1" --rows 256K --cols 1K $(variant_pairs "$1")
        ;;
    *) run "$1" -n 4M,256M $(variant_pairs "$1") ;;
    esac
}

for program in $STEPS $VARIANTS; do
    count=$((count + 1))
    case ${STEP:+$program} in '') ;; "$STEP"*) ;; *) continue ;; esac
    if [ -t 2 ]; then printf '\r%3d of %d  %-40s' "$count" "$total" "$program" >&2; fi
    case $program in
    *.*)
        run_variant "$program"
        continue
        ;;
    esac
    case $("$BUILD/$program" --list) in
    *gelu*)
        run "$program" -n "$sizes" -t f32,f16 -o gelu
        run "$program" -n 256M -t f32,f16 -o relu,mul,fma,cast
        ;;
    *)
        run "$program" -n "$sizes" -t f32 -o sum
        run "$program" -n 256M -t f32 -o max,min
        run "$program" -n 256M -t f64,i32 -o sum,max,min
        ;;
    esac
done

# cuBLAS has no sum, but one of |x|: a program of its own times that, where cuBLAS is.
case ${STEP:-06} in
06*)
    if MAKEFLAGS="" MFLAGS="" "${MAKE:-make}" -f common/accuracy.mk --no-print-directory \
        BUILD_DIR="${BUILD%/*}" DEVICE=gpu bench_cublas >&2; then
        "$BUILD/bench_cublas" | grep -v -e '^#' -e '^step,' >>"$out"
    fi
    ;;
esac
if [ -t 2 ]; then printf '\r%60s\r' '' >&2; fi

if [ -n "${STEP:-}" ]; then
    cat "$out"
else
    cp "$out" "$folder/ladder.csv"
    echo "wrote $folder/ladder.csv: $(grep -vc -e '^#' -e '^step,' "$out") rows"
fi
