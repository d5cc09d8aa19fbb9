#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mistakes.sh - every program of calibrate/mistakes.cu gives the message that its comment promises,
# with the line; and the table of simt/REFERENCE.md is made from these comments and from the
# messages of compute-sanitizer on a GPU (calibrate/mistakes.csv). `mistakes.sh table` rewrites it.
# CXX chooses the compiler, SIMT_BUILD the built emulator. Last line: N passed, N failed.
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/tests/check.sh
. common/measure/results.sh
group='mistakes: '
simt=$PWD/common/simt
: "${CXX:=c++}" "${SIMT_BUILD:=$PWD/build/cpu/simt}"
export CXX SIMT_BUILD
source=$simt/calibrate/mistakes.cu

# REFERENCE.md with its table regenerated.
# shellcheck disable=SC2016 # awk's own $
with_table() {
    csv_awk '
    function quoted(text) { return text == "" ? "nothing" : "`" text "`" }
    csv {
        mistake = get("mistake")
        plain[mistake] = last = get("plain")
        said[mistake] = ""
        n = split("memcheck racecheck initcheck synccheck", tools, " ")
        for (i = 1; i <= n; i++) {
            found = get(tools[i])
            if (found == last || found == plain[mistake] || found == "") continue
            last = get(tools[i])
            said[mistake] = said[mistake] (said[mistake] == "" ? "" : "; ") tools[i] ": " last
        }
        gsub(/ \(error [0-9]+\) due to [a-z ]+ on CUDA API call to/, " ...", said[mistake])
        gsub(/ between (Write|Read) access/, "", said[mistake])
        next
    }
    match($0, /^\/\/ MISTAKE [a-z_]+: /) {
        name = substr($0, 12, RLENGTH - 13)
        what[name] = substr($0, RLENGTH + 1)
        order[++rows] = name
        next
    }
    sub(/^\/\/ SIMT /, "") { gsub(/ \| /, " ... "); simt[name] = $0; next }
    FILENAME !~ /REFERENCE/ { next }
    /^<!-- table:mistakes -->$/ {
        print
        print "| program | mistake | on a GPU, run as it is | compute-sanitizer there | here |"
        print "| --- | --- | --- | --- | --- |"
        for (r = 1; r <= rows; r++) {
            name = order[r]
            recorded = name in plain
            printf "| `%s` | %s | %s | %s | %s |\n", name, what[name],
                (recorded ? plain[name] : "not recorded"),
                (recorded ? quoted(said[name]) : "not recorded"),
                quoted(simt[name] == "nothing" ? "" : simt[name])
        }
        inside = 1
    }
    /^<!-- \/table -->$/ { inside = 0 }
    !inside
    ' "$simt/calibrate/mistakes.csv" "$source" "$simt/REFERENCE.md"
}

if [ "${1:-}" = table ]; then
    with_table >"$tmp/readme" && cp "$tmp/readme" "$simt/REFERENCE.md"
    exit
fi

with_table >"$tmp/readme"
empty 'table of REFERENCE.md (sh common/simt/tests/mistakes.sh table makes it)' \
    "$(diff "$tmp/readme" "$simt/REFERENCE.md")"

program=$SIMT_BUILD/tests-$(basename "$CXX")/mistakes
mkdir -p "${program%/*}"
run "$simt/simtcc" "$source" -o "$program"
want 'it does not compile without a message' silent
verdict 'they compile' || finish

# The programs, the pieces of their first message, the lines that it may name: NAME|PIECE|PIECE
# and NAME:LINE.
sed -n -e 's,^// MISTAKE \([a-z_]*\):.*,\1,p' -e 's,^// SIMT ,|,p' "$source" |
    awk '/^\|/ { gsub(/ *\| */, "|"); print name $0; next } { name = $0 }' >"$tmp/expected"
grep -n '// HERE ' "$source" |
    awk '{ line = $0; sub(/:.*/, "", line); sub(/.*HERE /, "")
        for (i = 1; i <= NF; i++) print $i ":" line }' >"$tmp/marked"

# For those that do not end, a note comes first: that they take long.
export SIMT_CHECK=leaks
while IFS='|' read -r name pieces; do
    case $name in endless_*) SIMT_SECONDS=0.2 ;; *) SIMT_SECONDS=1 ;; esac
    export SIMT_SECONDS
    run "$program" "$name"
    if [ "$pieces" = nothing ]; then
        want "exit $status, expected 0" [ "$status" -eq 0 ]
        want 'something is said' lines err 0
        verdict "$name: nothing"
        continue
    fi
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    awk '/^simt: note: .* has spent / { next } /^simt: / && seen++ { exit } seen' \
        "$tmp/err" >"$tmp/message"
    printf '%s\n' "$pieces" | tr '|' '\n' >"$tmp/pieces"
    while read -r piece; do
        want "the first message has no '$piece'" grep -qF -e "$piece" "$tmp/message"
    done <"$tmp/pieces"
    grep "^$name:" "$tmp/marked" | sed 's/.*:\(.*\)/mistakes.cu:\1\\b/' >"$tmp/lines"
    want 'it names no line that is marked HERE' grep -q -f "$tmp/lines" "$tmp/message"
    tail -n 2 "$tmp/err" >"$tmp/last"
    want 'the end does not say that it failed' \
        grep -qE '^simt: (failed: |leak: |.*: exit status 1$)' "$tmp/last"
    verdict "$name"
done <"$tmp/expected"
finish
