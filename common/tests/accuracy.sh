#!/bin/sh
# SPDX-License-Identifier: MIT
#
# accuracy.sh - a step that says `same bits every run` in its source must keep that: its f32 sum is
# run many times on the same data, and the bits are compared. And the sums on the host that the
# steps are compared with are what they are known to be.
# Called by run.sh, which sets BUILD, DEVICE, STEPS, VARIANTS. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
. common/measure/results.sh
: "${BUILD:?make test sets it}" "${DEVICE:?make test sets it}"
if [ "$DEVICE" = gpu ]; then n=1000003 runs=100; else n=20011 runs=10; fi
group='accuracy: '

# The programs that reduce a vector and make the promise; it may be broken over two lines.
promising() {
    for program in ${STEPS:-} ${VARIANTS:-}; do
        source=$(source_of "$program")
        if grep -q '\.reduce = ' "$source" &&
            sed 's,^// ,,' "$source" | tr '\n' ' ' | grep -qi 'same bits every run'; then
            echo "$program"
        fi
    done
}
programs=$(promising)
want 'there are none' [ -n "$programs" ]
verdict 'steps that promise the same bits'

# A program's largest number of different results in one kind of data, or what went wrong.
distinct() { # PROGRAM
    run "$BUILD/accuracy/$1" "$n" "$runs"
    if [ "$status" -ne 0 ]; then tail -n 1 "$tmp/err"; return; fi
    if grep -q '^skip ' "$tmp/out" "$tmp/err"; then echo 'none: no f32 sum'; return; fi
    cp "$tmp/out" "$tmp/rows.csv"
    csv_awk '{ count++; if (get("distinct") + 0 > most + 0) most = get("distinct") }
        END { print (count == 3 ? most : count + 0 " rows") }' "$tmp/rows.csv"
}

for program in $programs; do
    got=$(distinct "$program")
    case $got in none*) continue ;; esac
    equal "same bits in $runs runs: $program" "$got" 1
done

# A control that passes the checker, with other bits each run: what is asked of it must fail.
got=$(distinct faults/order_changes)
want "$got different results" [ "$got" -gt 1 ]
verdict 'the control with another order each run is found out'

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

finish
