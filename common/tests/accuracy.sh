#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: accuracy - every step gives the same bits every run, on two streams at once, on any
# contents of its scratch and as a graph; one whose source says that `the bits may change` is left
# out. `make accuracy` counts different results, and the host sums that it compares with have their
# known values. And how far off the f16 GELU may be, over all halves: that of 07's kernel, and
# gelu_fast; the tanh form shows that the limits can be exceeded.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
. common/measure/results.sh
# n: all that scratch may hold.
if [ "$DEVICE" = gpu ]; then n=300007 runs=200 at_once=6; else n=3001 runs=8 at_once=2; fi
group='accuracy: '

same_bits() { # PROGRAM
    streams=2
    case $1 in
    06_cub.cublas) streams=1 ;; # more is not guaranteed
    *) if grep -q 'the bits may change' "$(source_of "$1")"; then return; fi ;;
    esac
    ends 0 "$BUILD/same_bits/$1" "$n" "$runs" "$streams"
    want 'no row' holds out "^$1,"
    verdict "same bits in $runs runs: $1"
}

if [ $# -eq 1 ]; then
    group=''
    same_bits "$1"
    exit
fi
# shellcheck disable=SC2086 # a list of words
suite 'same bits' sh -c 'printf "%s\n" "$@" | xargs -n 1 -P "$0" sh common/tests/accuracy.sh' \
    "$at_once" ${STEPS:-there_are_none} ${VARIANTS:-}

# A control that passes the checker, with other bits each run: this test must fail for it.
ends 1 "$BUILD/same_bits/faults/order_changes" "$n" "$runs"
want 'no launch has other bits' lacks out ',0$'
verdict 'the control with another order each run is found out'

"$BUILD/accuracy/faults/order_changes" "$n" "$runs" >"$tmp/rows.csv"
got=$(csv_awk 'get("set") == "uniform" { print get("distinct") }' "$tmp/rows.csv")
want "it counts '$got'" [ "${got:-0}" -gt 1 ]
verdict 'the program of make accuracy counts its results'

# On the emulator the times mean nothing; on a GPU one sample is enough here.
ends 0 "$BUILD/lone/05_warp_shuffle" 1 300
cp "$tmp/out" "$tmp/rows.csv"
ways=$(csv_awk '{ printf "%s ", get("way") }' "$tmp/rows.csv")
want "it has the ways '$ways'" [ "$ways" = 'between host row ' ]
verdict 'lone.cu times a sum in three ways'

host() { # SUM SET: the column `result`, of 2^24 and then n - 1 ones
    "$BUILD/accuracy/faults/order_changes" host "$n" >"$tmp/rows.csv"
    csv_awk 'get("program") == sum && get("set") == set { print get("result") }' \
        sum="host.$1" set="$2" "$tmp/rows.csv"
}
equal 'a serial sum sticks at 2^24' "$(host serial sticking)" 16777216
got=$(host kahan sticking)
want "it is $got" awk -v got="$got" -v n="$n" \
    'BEGIN { d = got - (16777216 + n - 1); exit !(d * d <= 1) }'
verdict "Kahan's sum does not stick"

# max_ulps FORM: of the f16 row of all inputs; with `specials` after it if one is wrong.
max_ulps() {
    "$BUILD/accuracy/gelu_$1" "$1" >"$tmp/rows.csv"
    csv_awk 'get("type") == "f16" && get("range") == "all" {
        bad = get("wrong_specials")
        print get("max_ulps") (bad == "none" ? "" : " and wrong for " bad)
    }' "$tmp/rows.csv"
}

# 1 + erff cancels for x < -4: an error of 2^-24 in erff becomes one of 2.4 * 2^-24 in gelu, 2.4
# times the smallest half. The erff of the host keeps gelu within 2; CUDA's may be off by more.
if [ "$DEVICE" = cpu ]; then most=2; else most=5; fi
for limit in "erf $most" 'fast 1'; do
    form=${limit% *} most=${limit#* }
    ulps=$(max_ulps "$form")
    want "off by $ulps" [ "$ulps" -le "$most" ]
    verdict "f16 gelu, $form: is within $most ulps"
done
ulps=$(max_ulps tanh)
want "off by $ulps" [ "${ulps%%.*}" -gt 100 ]
verdict 'f16 gelu, tanh: is not'

finish
