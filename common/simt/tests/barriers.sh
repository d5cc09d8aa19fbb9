#!/bin/sh
# SPDX-License-Identifier: MIT
#
# barriers.sh - the table of barriers in the README: its H200 columns are what was recorded there
# (calibrate/barriers.csv), and the emulator reports for each pattern what the last column has.
#
# Group: simt
# Suite: barriers
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh
program=$WORK/calibrate/barriers
calibrate=common/simt/calibrate

# A line for each pattern of the table: name|alone|synccheck|here
awk -F ' *[|] *' '/^[|] pattern, in .calibrate.barriers/ { table = 1; next }
    table && !/^[|]/ { exit }
    table && $2 !~ /^-/ { n = split($2, name, /[` ,]+/)
        for (i = 1; i <= n; i++) if (name[i] != "") print name[i] "|" $3 "|" $4 "|" $5 }' \
    common/simt/REFERENCE.md >"$tmp/table"
equal 'the table has all patterns, once' "$(cut -d'|' -f1 "$tmp/table" | sort)" \
    "$("$program" | sort)"
equal 'the table has what was recorded' "$(cut -d'|' -f1-3 "$tmp/table" | tr '|' , | sort)" \
    "$(sed '/^#/d; /^pattern,/d' "$calibrate/barriers.csv" | sort)"

while IFS='|' read -r name _ _ here; do
    run "$program" "$name"
    line=$(awk -v name="PATTERN($name)" '$0 == name { on = 1 } /^}/ { on = 0 }
        on && !line && /[^a-z]__(sync|shfl|ballot|match|reduce)/ { line = NR }
        on && /HERE/ { line = NR }
        END { print line }' "$calibrate/barriers.cu")
    if [ "$here" = silent ]; then
        want "exit $status, expected 0" [ "$status" -eq 0 ]
        want 'it is not silent' [ ! -s "$tmp/err" ]
    else
        want "exit $status, expected 1" [ "$status" -eq 1 ]
        want "the message has no '$here'" grep -qF "$here" "$tmp/err"
        want "it does not name line $line" grep -q "barriers.cu:$line\b" "$tmp/err"
    fi
    verdict "$name"
done <"$tmp/table"
finish
