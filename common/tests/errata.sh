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
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# Lines that begin with four spaces go to the end of the line before.
unfold() {
    awk '/^    / { sub(/^ */, " "); line = line $0; next }
        { if (line != "") print line; line = $0 }
        END { print line }'
}

# One line each: a command as it stands, or a line that must be printed.
awk '/^```/ { inside = /^```text$/; next } inside' common/docs/ERRATA.md | unfold >"$work/blocks"

# Addresses differ from run to run, paths from machine to machine, and clang has words of its own.
normalise() {
    sed -e 's/0x[0-9a-f][0-9a-f]*/0x.../g' -e 's,[^ ]*/\(common/tests/\),\1,g' \
        -e "s/use of undeclared identifier \('[^']*'\)/\1 was not declared in this scope/"
}

# Runs a command of the page; its output goes to $work/output.
run_command() { # WORD...
    fault='' size=''
    rm -f "$work/counters"
    for word in "$@"; do
        case $word in
        KERNEL=common/tests/faults/*.cu) fault=$(basename "$word" .cu) ;;
        N=*) size=${word#N=} ;;
        SIMT_COUNTERS=/dev/stdout) export SIMT_COUNTERS="$work/counters" ;;
        esac
    done
    if [ -n "$fault" ]; then
        "$BUILD/faults/$fault" ${size:+-n "$size"}
    else
        "$@" -o "$work/object" && echo 'it compiles, which it must not'
    fi
    if [ -f "$work/counters" ]; then cat "$work/counters"; fi
}

verdict() { # of the command so far, if there is one
    [ -n "$command" ] || return 0
    if [ -z "$missing" ]; then
        echo "ok   errata: $name"
        passed=$((passed + 1))
    else
        printf 'FAIL errata: %s\n    not in the output: %s\n' "$command" "$missing"
        head -n 5 "$work/output" | sed 's/^/    /'
        failed=$((failed + 1))
    fi
}

command=''
missing=''
while IFS= read -r line; do
    case $line in
    '$ '*)
        verdict
        command=${line#\$ }
        name=${command##*/}
        # shellcheck disable=SC2086 # a list of words
        (run_command $command) 2>&1 </dev/null | normalise | unfold >"$work/output"
        missing='any line: none is quoted'
        ;;
    *)
        if [ "$missing" = 'any line: none is quoted' ]; then missing=''; fi
        if [ -z "$missing" ] && ! grep -qF -e "$line" "$work/output"; then missing=$line; fi
        ;;
    esac
done <"$work/blocks"
verdict

# Every file that stands there for this page must be on it.
for file in common/tests/errata/*; do
    name=${file##*/} command=$file missing=''
    grep -qF "$file" common/docs/ERRATA.md || missing="$file in ERRATA.md"
    verdict
done

if [ "$passed" -eq 0 ]; then
    echo 'FAIL errata: ERRATA.md shows no command'
    failed=1
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
