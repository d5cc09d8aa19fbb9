#!/bin/sh
# SPDX-License-Identifier: MIT
#
# record.sh TRACE PROGRAM OPTIONS... - runs a program of the course once, on a small input, and
# leaves its trace in the file TRACE, and in TRACE.what what ran, "f32 sum n 256", and how many
# launches that took. Without -n (or --rows, or --input) it takes the largest of 1024, 512 and 256
# elements that a single block handles.
#
# A wrong kernel has a trace too, so its status 1 is not an error here. Its messages are shown.
# SIMT_TRACE_LAUNCH and SIMT_TRACE_BLOCK select another launch and other blocks.
set -u
cd "$(dirname "$0")/../../.." || exit 1 # names of files begin at the root
trace=$1 program=$2 new=$1.$$
shift 2
mkdir -p "$(dirname "$trace")"
# Another make may be recording the same right now.
trap 'rm -f "$new" "$new.what" "$new.err" "$new.counts"' EXIT

try() { # OPTIONS...
    status=0
    SIMT_TRACE=$new SIMT_COUNTERS=${SIMT_COUNTERS:-$new.counts} "$program" "$@" \
        >"$new.what" 2>"$new.err" || status=$?
}

case " $* " in
*' -n '* | *' --rows '* | *' --input '* | *' -h '*) try "$@" ;;
*' --once '*)
    for n in 1024 512 256; do
        try "$@" -n $n
        if grep -q 'this step takes a matrix' "$new.err"; then
            try "$@" --rows 8 --cols 128
            break
        fi
        if [ "$status" -gt 1 ] || grep -q '^launch [0-9]* 1 1 1 ' "$new"; then break; fi
    done
    ;;
*) try "$@" ;;
esac
cat "$new.err" >&2
if [ "$status" -gt 1 ]; then exit "$status"; fi
what=$(sed -n 's/ *ran once.*//p' "$new.what" | tr -s ' ')
{
    echo "$what"
    sed 1d "$new.counts" 2>/dev/null | cut -d , -f 1 | sort -n | tail -n 1
} >"$new.err"
mv "$new.err" "$trace.what"
mv "$new" "$trace"
