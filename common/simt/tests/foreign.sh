#!/bin/sh
# SPDX-License-Identifier: MIT
#
# foreign.sh - programs in styles that are not ours, foreign/*.cu. They check their results, and
# nothing is reported; `// COUNTS launch counter value (why)` is the expected count of a launch,
# at least one. `// OPTIONS` is what nvcc needs to accept the file.
#
# Group: simt
# Suite: foreign
set -u
cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh

ran() { # FILE
    run env SIMT_COUNTERS="$tmp/counters.csv" "$WORK/foreign/$name"
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    want 'the emulator found something' lacks err '^simt:'
    verdict "$name"
}

counted() { # FILE
    sed -n 's|^// COUNTS \([^(]*\).*|\1|p' "$1" >"$tmp/expected"
    want "no line // COUNTS in $1" [ -s "$tmp/expected" ]
    while read -r launch counter value; do
        got=$(sed -n "s/^$launch,.*,$counter,//p" "$tmp/counters.csv")
        want "launch $launch: $counter is '$got', not $value" [ "$got" = "$value" ]
    done <"$tmp/expected"
    verdict "$name: counters"
}

for file in common/simt/tests/foreign/*.cu; do
    name=$(basename "$file" .cu)
    # Without FULL=1 there are those that hooked.sh needs.
    case ${FULL:+full}$name in full* | by_value | loops) ;; *) continue ;; esac
    ran && { is_clang || counted "$file"; } # which compiles without optimisation: it counts more
done
finish
