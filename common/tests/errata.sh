#!/bin/sh
# SPDX-License-Identifier: MIT
#
# errata.sh - ERRATA.md shows commands, and lines of what they print. Runs each command again and
# looks for its lines. In a ```text block of that page
#
#   $ make run KERNEL=FILE N=SIZE    is a planted fault, which the tests have built
#   $ .../simtcc OPTIONS FILE        must fail to compile
#   other lines                      must stand in the output; four spaces continue a line, on the
#                                    page and in the output
#
# Called by run.sh, on the cpu. Needs BUILD and CXX. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}"
: "${CXX:=g++}"
export SIMT_BUILD="$BUILD/simt" CXX
. common/tests/check.sh
group='errata: '

# Lines that begin with four spaces go to the end of the line before.
unfold() {
    awk '/^    / { sub(/^ */, " "); line = line $0; next }
        { if (line != "") print line; line = $0 }
        END { print line }'
}

# One line each: a command as it stands, or a line that must be printed.
awk '/^```/ { inside = /^```text$/; next } inside' common/docs/ERRATA.md | unfold >"$tmp/blocks"

# Addresses differ from run to run, paths from machine to machine, and clang has words of its own.
normalise() {
    sed -e 's/0x[0-9a-f][0-9a-f]*/0x.../g' -e 's,[^ ]*/\(common/tests/\),\1,g' \
        -e "s/use of undeclared identifier \('[^']*'\)/\1 was not declared in this scope/"
}

# Runs a command of the page; its output goes to $tmp/output.
run_command() { # WORD...
    fault='' size=''
    rm -f "$tmp/counters"
    for word in "$@"; do
        case $word in
        KERNEL=common/tests/faults/*.cu) fault=$(basename "$word" .cu) ;;
        N=*) size=${word#N=} ;;
        SIMT_COUNTERS=/dev/stdout) export SIMT_COUNTERS="$tmp/counters" ;;
        esac
    done
    if [ -n "$fault" ]; then
        "$BUILD/faults/$fault" ${size:+-n "$size"}
    else
        "$@" -o "$tmp/object" && echo 'it compiles, which it must not'
    fi
    if [ -f "$tmp/counters" ]; then cat "$tmp/counters"; fi
}

tell() { # of the command so far, if there is one
    [ -n "$command" ] || return 0
    cp "$tmp/output" "$tmp/out"
    want "not in the output: $missing" [ -z "$missing" ]
    verdict "$name"
}

command=''
missing=''
while IFS= read -r line; do
    case $line in
    '$ '*)
        tell
        command=${line#\$ }
        name=${command##*/}
        # shellcheck disable=SC2086 # a list of words
        (run_command $command) 2>&1 </dev/null | normalise | unfold >"$tmp/output"
        missing='any line: none is quoted'
        ;;
    *)
        if [ "$missing" = 'any line: none is quoted' ]; then missing=''; fi
        if [ -z "$missing" ] && ! grep -qF -e "$line" "$tmp/output"; then missing=$line; fi
        ;;
    esac
done <"$tmp/blocks"
tell
want 'it shows none' [ -n "$command" ]
verdict 'the page shows commands'

# Every file that stands there for this page must be on it.
for file in common/tests/errata/*; do
    check "${file##*/}" grep -qF "$file" common/docs/ERRATA.md
done
finish
