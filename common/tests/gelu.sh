#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: gelu - how far the f16 GELU may be off, over all halves: that of 07's kernel, and
# gelu_fast. The tanh form shows that the limits can be exceeded. run.sh sets BUILD and DEVICE. Last
# line: N passed, N failed.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
. common/measure/results.sh
group='gelu: '

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
    verdict "f16 $form is within $most ulps"
done
ulps=$(max_ulps tanh)
want "off by $ulps" [ "${ulps%%.*}" -gt 100 ]
verdict 'f16 tanh is not'

finish
