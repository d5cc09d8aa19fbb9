#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mistakes.sh - the table of simt/REFERENCE.md is made from the cases of calibrate/mistakes.cu,
# and from the messages of compute-sanitizer on a GPU (calibrate/mistakes.csv).
# `mistakes.sh table` rewrites it.
#
# Group: simt
# Suite: mistakes
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh
. common/measure/results.sh
simt=$PWD/common/simt
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
    match($0, /^\/\/ Case: [a-z_]+ - /) {
        name = substr($0, 10, RLENGTH - 12)
        what[name] = substr($0, RLENGTH + 1)
        order[++rows] = name
        next
    }
    sub(/^\/\/ Says: /, "") && !(name in simt) { gsub(/ \| /, " ... "); simt[name] = $0; next }
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
                quoted(simt[name])
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
finish
