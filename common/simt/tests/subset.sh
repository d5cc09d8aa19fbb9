#!/bin/sh
# SPDX-License-Identifier: MIT
#
# subset.sh - what simtcc takes, and what it refuses:
#   subset_*.cu    programs that check the parts of CUDA one by one
#   foreign/*.cu   programs in styles that are not ours. They check their results, and
#                  `// COUNTS launch counter value (why)` is what arithmetic says of a launch.
#   refused/*.cu   `// REFUSED name` must be refused by that name at the lines marked HERE. Where
#                  the compiler does not know a name, it may be misspelt: the message says both.
# Needs CXX, SIMT_BUILD. Prints `ok NAME` or `FAIL NAME`; status 1 if one failed.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$SIMT_BUILD/tests-$(basename "$CXX")
mkdir -p "$work"

report() { # NAME STATUS LOG
    if [ "$2" -eq 0 ]; then
        echo "ok $1"
    else
        printf 'FAIL %s\n%s\n' "$1" "$(sed 's/^/    /' "$3")"
        exit 1
    fi
}

# Builds without a warning, exits 0, and the emulator has found nothing.
passes() { # NAME FILE
    program=$work/$1 log=$work/$1.log
    "$here/../simtcc" -Wall -Wextra -Wno-sign-compare -I"$here" "$2" -o "$program" >"$log" 2>&1 &&
        [ ! -s "$log" ] && "$program" >"$log" 2>&1 && ! grep -q '^simt:' "$log"
    report "$1" $? "$log"
}

# The counters of the program are those that its file gives, at least one. clang compiles kernels
# without optimisation, so it counts more.
counts() { # NAME FILE
    ! "$CXX" --version | grep -q clang || return 0
    log=$work/$1.counts
    SIMT_COUNTERS=$work/$1.csv "$work/$1" >/dev/null 2>&1
    sed -n 's|^// COUNTS \([^(]*\).*|\1|p' "$2" >"$work/$1.expected"
    while read -r launch counter value; do
        got=$(sed -n "s/^$launch,.*,$counter,//p" "$work/$1.csv")
        [ "$got" = "$value" ] || echo "launch $launch: $counter is '$got', not $value"
    done <"$work/$1.expected" >"$log"
    [ -s "$work/$1.expected" ] || echo "no line // COUNTS in $2" >"$log"
    [ ! -s "$log" ]
    report "$1: counters" $? "$log"
}

# One line for each HERE, and all of them say what is refused.
refuses() { # NAME FILE
    log=$work/$1.log
    name=$(sed -n 's|^// REFUSED ||p' "$2")
    "$here/../simtcc" "$2" -o "$work/$1" >"$log" 2>&1
    [ $? -eq 1 ] &&
        grep -F ": simtcc: $name is " "$log" |
        grep -q ' outside the subset.* (see common/simt/README.md)$' &&
        [ "$(grep -n HERE "$2" | cut -d: -f1)" = \
            "$(sed 's/.*\.cu:\([0-9]*\): simtcc: .*/\1/' "$log")" ]
    report "$1" $? "$log"
}

case ${1:-} in
*/refused/*) refuses "refused-$(basename "$1" .cu)" "$1" ;;
*/foreign/*)
    passes "foreign-$(basename "$1" .cu)" "$1"
    counts "foreign-$(basename "$1" .cu)" "$1"
    ;;
*.cu) passes "$(basename "$1" .cu)" "$1" ;;
*)
    # On all cores; a failure does not stop the others.
    # The foreign programs take long: without FULL=1 only the first few are run.
    foreign="$here/foreign/[a-g]*.cu"
    [ -z "${FULL:-}" ] || foreign="$here/foreign/*.cu"
    # shellcheck disable=SC2086 # a pattern
    printf '%s\n' "$here"/subset_*.cu $foreign "$here"/refused/*.cu |
        xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh "$here/subset.sh"
    ;;
esac
