#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: start - the page of the first kernel shows edits of start.cu, and what is printed then.
# Makes each edit and compares all that is printed, in any order. On the page
#
#   ```text, $ make start    holds what the unchanged program prints
#   ```diff                  holds one line of start.cu with a -, and its replacement with a +
#   ```text, right after it  holds all that the changed program prints; 0x... is any address
#
# Edits run on the cpu; the unchanged program, anywhere.
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}" "${DEVICE:?make test sets it}" "${CXX:=c++}"
export SIMT_BUILD="$BUILD/simt" CXX
. common/tests/check.sh
group='start: '
folder=$PWD/01_naive/start
simtcc=$PWD/common/simt/simtcc

# N.diff and N.said of each edit; 0.said is that of make start.
awk -v tmp="$tmp" '
    /^```/ { inside = !inside; name = inside ? substr($0, 4) : ""; first = inside; next }
    name == "diff" { if (first) edits++; print > (tmp "/" edits ".diff") }
    name == "text" && first && /^\$ make start$/ { file = tmp "/0.said"; first = 0; next }
    name == "text" && first { file = tmp "/" edits ".said" }
    name == "text" { print > file }
    { first = 0 }
    END { print edits + 0 > (tmp "/edits") }' "$folder/README.md"

same_lines() { # PRINTED
    sed 's/0x[0-9a-f]*/0x.../' "$1" | sort >"$tmp/printed"
    sort "$tmp/$edit.said" | diff - "$tmp/printed" >"$tmp/out"
}

edit=0
run "$BUILD/start"
cp "$tmp/out" "$tmp/all"
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'it prints other lines than the page has' same_lines "$tmp/all"
verdict 'unchanged'

if [ "$DEVICE" = cpu ]; then
    want 'the page has fewer than three mistakes' [ "$(cat "$tmp/edits")" -ge 3 ]
    verdict 'the page shows edits'
    while [ "$edit" -lt "$(cat "$tmp/edits")" ]; do
        edit=$((edit + 1))
        mkdir "$tmp/$edit"
        run awk -f common/pages/edited.awk "$tmp/$edit.diff" "$folder/start.cu"
        cp "$tmp/out" "$tmp/$edit/start.cu"
        if want "exit $status, expected 0" [ "$status" -eq 0 ] && [ -z "$why" ]; then
            (cd "$tmp/$edit" && "$simtcc" start.cu -o changed && ./changed) >"$tmp/all" 2>&1
            want 'it prints other lines than the page has' same_lines "$tmp/all"
        fi
        verdict "edit at $(sed -n "s/^[- ] *//p" "$tmp/$edit.diff" | head -n 1)"
    done
fi

finish
