#!/bin/sh
# SPDX-License-Identifier: MIT
#
# subset.sh - what simtcc accepts, and what it refuses:
#   subset_*.cu    programs that check the parts of CUDA one by one
#   foreign/*.cu   programs in styles that are not ours. They check their results, and
#                  `// COUNTS launch counter value (why)` is the expected count of a launch,
#                  `// OPTIONS` what nvcc needs to accept the file.
#   refused/*.cu   `// REFUSED name` must be refused by that name at the lines marked HERE. If
#                  the compiler does not know a name, it may be misspelt: the message says both.
#   refused/nvcc.txt  what nvcc refuses as well: a sentence each, `// SAYS`
# Needs CXX, SIMT_BUILD. Last line: N passed, N failed.
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/tests/check.sh
here=$PWD/common/simt/tests
work=$SIMT_BUILD/tests-$(basename "$CXX")
mkdir -p "$work"

# Builds without a warning, exits 0, and the emulator has found nothing.
passes() { # NAME FILE
    # shellcheck disable=SC2046 # a list of options
    run "$here/../simtcc" -Wall -Wextra -Wno-sign-compare -I"$here" \
        $(sed -n 's|^// OPTIONS ||p' "$2") "$2" -o "$work/$1"
    want 'it does not compile without a message' silent
    if [ -z "$why" ]; then
        run "$work/$1"
        want "exit $status, expected 0" [ "$status" -eq 0 ]
        want 'the emulator found something' lacks err '^simt:'
    fi
    verdict "$1"
}

# The counters of the program are those that its file gives, at least one. clang compiles kernels
# without optimisation, so it counts more.
counts() { # NAME FILE
    ! "$CXX" --version | grep -q clang || return 0
    SIMT_COUNTERS=$work/$1.csv "$work/$1" >/dev/null 2>&1
    sed -n 's|^// COUNTS \([^(]*\).*|\1|p' "$2" >"$tmp/expected"
    want "no line // COUNTS in $2" [ -s "$tmp/expected" ]
    while read -r launch counter value; do
        got=$(sed -n "s/^$launch,.*,$counter,//p" "$work/$1.csv")
        want "launch $launch: $counter is '$got', not $value" [ "$got" = "$value" ]
    done <"$tmp/expected"
    verdict "$1: counters"
}

# One line for each HERE, and all of them say what is refused.
refuses() { # NAME FILE
    name=$(sed -n 's|^// REFUSED ||p' "$2")
    run "$here/../simtcc" "$2" -o "$work/$1"
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    grep -F ": simtcc: $name is " "$tmp/err" >"$tmp/line"
    want "it does not say that $name is outside" \
        holds line ' outside the subset.* \(see common/simt/README.md\)$'
    want 'it names other lines than those marked HERE' [ "$(grep -n HERE "$2" | cut -d: -f1)" = \
        "$(sed 's/.*\.cu:\([0-9]*\): simtcc: .*/\1/' "$tmp/err")" ]
    verdict "$1"
}

# One message, at the line marked HERE, and nothing more below it.
says() { # NUMBER FILE
    text=$(sed -n 's|^// SAYS ||p' "$2")
    line=$(grep -n HERE "$2" | cut -d: -f1)
    run "$here/../simtcc" -c "$2" -o "$work/$1.o"
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    head -n 1 "$tmp/err" >"$tmp/line"
    want "it does not say, of line $line: $text" names line "$2:$line: simtcc: $text"
    want 'it says more than 5 lines' [ "$(wc -l <"$tmp/err")" -le 5 ]
    verdict "mistake $1: $text"
}

case ${1:-} in
*/refused-nvcc/*) says "$(basename "$1" .cu)" "$1" ;;
*/refused/*) refuses "refused-$(basename "$1" .cu)" "$1" ;;
*/foreign/*)
    passes "foreign-$(basename "$1" .cu)" "$1" &&
        counts "foreign-$(basename "$1" .cu)" "$1"
    ;;
*.cu) passes "$(basename "$1" .cu)" "$1" ;;
*)
    # On all cores; a failure does not stop the others.
    # These take long: without FULL=1 two foreign programs are run, those that the proof of hooks
    # needs, and every eighth of those that nvcc refuses.
    foreign="$here/foreign/by_value.cu $here/foreign/loops.cu" every=8
    [ -z "${FULL:-}" ] || foreign="$here/foreign/*.cu" every=1
    mkdir -p "$work/refused-nvcc" && rm -f "$work"/refused-nvcc/*
    awk -v dir="$work/refused-nvcc" -v every="$every" '
        /^\/\/ SAYS/ { file = sprintf("%s/%02d.cu", dir, ++n) }
        file && n % every == 0 { print >file }' "$here/refused/nvcc.txt"
    # shellcheck disable=SC2086 # a pattern
    printf '%s\n' "$here"/subset_*.cu $foreign "$here"/refused/*.cu \
        "$work"/refused-nvcc/*.cu |
        xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh "$here/subset.sh" |
        tee -a "$tmp/verdicts"
    finish
    ;;
esac
