#!/bin/sh
# SPDX-License-Identifier: MIT
#
# accuracy.sh - `make accuracy-07`: how far off three forms of GELU are: erf as in kernel.cu, the
# usual tanh approximation (gelu_tanh.cu), and variants/gelu_fast.cu. f16 over all halves, f32 over
# a sample.
#
# On a GPU the rows go to common/results/<gpu>/gelu.csv. From make's environment: BUILD, DEVICE.
set -eu
cd "$(dirname "$0")/.."
. common/measure/results.sh
rows=$BUILD/gelu.csv

if [ "$DEVICE" = gpu ]; then
    measured_by 'make accuracy-07'
    csv_head >"$rows"
else
    : >"$rows"
fi
for form in erf tanh fast; do
    "$BUILD/accuracy/gelu_$form" "$form" >"$BUILD/accuracy/gelu_$form.csv"
    add_rows "$rows" "$BUILD/accuracy/gelu_$form.csv"
done

csv_awk '
    BEGIN {
        printf "%-12s %-11s %10s %12s %10s %8s %9s\n", "gelu", "x", "max ulps", "at x =",
            "mean ulps", "nearest", "max error"
    }
    {
        printf "%-4s %-7s %-11s %10.4g %12.5g %10.3g %6.1f %% %9.2g\n", get("type"), get("form"),
            get("range"), get("max_ulps"), get("at"), get("mean_ulps"), 100 * get("nearest"),
            get("max_error")
        bad = get("wrong_specials")
        if (bad != "none") wrong = wrong get("type") " " get("form") ": wrong for " bad "\n"
    }
    END {
        if (device == "cpu") print "\nerff, tanhf and exp2f are those of the host here."
        print "\nulps: distance to the nearest result, in units in its last place."
        printf "%s", wrong == "" ? "NaN, +-Inf, -0 and subnormals are right in all forms.\n" : wrong
    }' device="$DEVICE" "$rows"

if [ "$DEVICE" = gpu ]; then record "$rows"; fi
