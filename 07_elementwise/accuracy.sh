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

{
    echo 'form,type,range,inputs,max_ulps,at,mean_ulps,nearest,max_error,wrong_specials'
    for form in erf tanh fast; do "$BUILD/accuracy/gelu_$form" "$form"; done
} >"$rows"

awk -F, -v device="$DEVICE" '
    NR == 1 {
        printf "%-12s %-11s %10s %12s %10s %8s %9s\n", "gelu", "x", "max ulps", "at x =",
            "mean ulps", "nearest", "max error"
        next
    }
    {
        printf "%-4s %-7s %-11s %10.4g %12.5g %10.3g %6.1f %% %9.2g\n", $2, $1, $3, $5, $6, $7,
            100 * $8, $9
        if ($10 != "none") wrong = wrong $2 " " $1 ": wrong for " $10 "\n"
    }
    END {
        if (device == "cpu") print "\nerff, tanhf and exp2f are those of the host here."
        print "\nulps: distance to the nearest result, in units in its last place."
        printf "%s", wrong == "" ? "NaN, +-Inf, -0 and subnormals are right in all forms.\n" : wrong
    }' "$rows"

if [ "$DEVICE" = gpu ]; then
    folder=$(results_folder)
    {
        csv_head 'make accuracy-07'
        cat "$rows"
    } >"$folder/gelu.csv"
    echo "wrote $folder/gelu.csv: $(grep -vc '^form,' "$rows") rows"
fi
