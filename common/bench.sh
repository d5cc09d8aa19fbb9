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

for program in $STEPS $VARIANTS; do
    count=$((count + 1))
    case ${STEP:+$program} in '') ;; "$STEP"*) ;; *) continue ;; esac
    if [ -t 2 ]; then printf '\r%3d of %d  %-40s' "$count" "$total" "$program" >&2; fi
    case $program:$("$BUILD/$program" --list) in
    *.*gelu*) run "$program" -n 4M,256M -t f32,f16 -o gelu ;;
    *gelu*)
        run "$program" -n "$sizes" -t f32,f16 -o gelu
        run "$program" -n 256M -t f32,f16 -o relu,mul,fma,cast
        ;;
    *.*) run "$program" -n 4M,256M -t f32 -o sum ;;
    *)
        run "$program" -n "$sizes" -t f32 -o sum
        run "$program" -n 256M -t f32 -o max,min
        run "$program" -n 256M -t f64,i32 -o sum,max,min
        ;;
    esac
done
if [ -t 2 ]; then printf '\r%60s\r' '' >&2; fi

if [ -n "${STEP:-}" ]; then
    cat "$out"
else
    cp "$out" "$folder/ladder.csv"
    echo "wrote $folder/ladder.csv: $(grep -vc -e '^#' -e '^step,' "$out") rows"
fi
