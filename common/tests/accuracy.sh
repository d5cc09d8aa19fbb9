#!/bin/sh
# SPDX-License-Identifier: MIT
#
# accuracy.sh - a step that says `same bits every run` in its source must keep that: its f32 sum is
# run many times on the same data, and the bits are compared. And the sums on the host that the
# steps are compared with are what they are known to be.
# Called by run.sh, which sets BUILD, DEVICE, STEPS, VARIANTS. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/measure/results.sh
: "${BUILD:?make test sets it}" "${DEVICE:?make test sets it}"
if [ "$DEVICE" = gpu ]; then n=1000003 runs=100; else n=20011 runs=10; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0
failed=0

verdict() { # NAME, true or false, WHY
    if [ "$2" = true ]; then
        echo "ok   accuracy: $1"
        passed=$((passed + 1))
    else
        printf 'FAIL accuracy: %s\n    %s\n' "$1" "$3"
        failed=$((failed + 1))
    fi
}

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
if [ -z "$programs" ]; then verdict 'steps that promise the same bits' false 'there are none'; fi

# A control that passes the checker, with other bits each run: what is asked of it must fail.
# A program's largest number of different results in one kind of data, or what went wrong.
distinct() { # PROGRAM
    "$BUILD/accuracy/$1" "$n" "$runs" >"$log" 2>&1 || { tail -n 1 "$log"; return; }
    if grep -q '^skip ' "$log"; then echo 'none: no f32 sum'; return; fi
    awk -F, 'NF == 11 && $10 > most { most = $10 } END { print NR == 3 ? most : NR " rows" }' "$log"
}

for program in $programs; do
    got=$(distinct "$program")
    case $got in none*) continue ;; esac
    right=false
    if [ "$got" = 1 ]; then right=true; fi
    verdict "same bits in $runs runs: $program" $right "$got different results"
done

got=$(distinct faults/order_changes)
right=false
if [ "$got" -gt 1 ] 2>/dev/null; then right=true; fi
verdict 'the control with another order each run is found out' $right "$got different results"

host() { # SUM SET: the column `result`, of 2^24 and then n - 1 ones
    "$BUILD/accuracy/faults/order_changes" host "$n" | awk -F, -v sum="host.$1" -v set="$2" \
        '$1 == sum && $2 == set { print $4 }'
}
right=false
if [ "$(host serial sticking)" = 16777216 ]; then right=true; fi
verdict 'a serial sum sticks at 2^24' $right "it is $(host serial sticking)"
right=false
if awk -v got="$(host kahan sticking)" -v n="$n" \
    'BEGIN { d = got - (16777216 + n - 1); exit !(d * d <= 1) }'; then right=true; fi
verdict "Kahan's sum does not stick" $right "it is $(host kahan sticking)"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
