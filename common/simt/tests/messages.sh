#!/bin/sh
# SPDX-License-Identifier: MIT
#
# messages.sh - what else holds for the messages of the programs with cases: how long they are, how
# often they come, which settings change them, and that the pages show them.
#
# Group: simt
# Suite: messages
set -u
cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh
tests=common/simt/tests

# The first message of the emulator, its lines joined: those after the first begin with four spaces.
# A note counts only if there is no message.
message() {
    awk '/^simt: / { note = /^simt: note: /; count[note]++ }
        count[note] == 1 && /^simt: / { text[note] = $0 }
        count[note] == 1 && /^    / { sub(/^ */, ", "); text[note] = text[note] $0 }
        END { print count[0] ? text[0] : text[1] }' "$tmp/err"
}

# One of the two pages shows the message that FILE NAME has just produced; addresses may differ.
awk '/^        / { sub(/^ */, ", ") } { printf "%s%s", /^, / ? "" : "\n", $0 }' \
    common/simt/README.md common/simt/REFERENCE.md | sed 's/0x[0-9a-f]*/0x/g' >"$tmp/pages"
shown() { # FILE NAME
    run "$WORK/$1" "$2"
    message | sed -e "s|[^ ]*/\($1.cu\)|\1|g" -e 's/0x[0-9a-f]*/0x/g' >"$tmp/message"
    want 'there is no message' [ -s "$tmp/message" ]
    want 'the pages have other words' grep -qF -f "$tmp/message" "$tmp/pages"
    verdict "the pages show: $1 $2"
}
shown calls threads
shown race store_load
shown violation read_before

# shellcheck disable=SC2013 # names without a space
for name in $(sed -n 's,^// Case: \([a-z_]*\).*,\1,p' $tests/calls.cu); do
    "$WORK/calls" "$name"
done >"$tmp/out" 2>&1
want 'there are none' [ "$(grep -c '^simt: ' "$tmp/out")" -gt 80 ]
want 'a line has more than 80 columns' [ "$(awk 'length > 80 && !/ at /' "$tmp/out")" = '' ]
verdict 'calls: short lines'
run "$WORK/calls" repeated
want 'there is no number' holds err '^simt: 3 times: cudaFree failed at .*calls.cu:[0-9]*$'
verdict 'calls: a place is reported once, and counted'
run "$WORK/calls" leaks
want 'it is not silent' silent
verdict 'calls: leaks are looked for with SIMT_CHECK=leaks only'

run env SIMT_REPORT=source "$WORK/race" store_load
want 'there is no report' holds out '^store_load  *requests'
verdict 'race: the report is printed all the same'
run "$WORK/race" tree
tail -n 1 "$tmp/err" >"$tmp/out"
want 'there is no count' holds out '^simt: failed: race in tree, [0-9]* times: add __sync'
verdict 'race: counted in the last line'
run env SIMT_CHECK=all "$WORK/calibrate/mistakes" volatile_barrier
want 'not all pairs are there' [ "$(grep -c '^simt: race on ' "$tmp/err")" -ge 10 ]
verdict 'race: every pair with SIMT_CHECK=all'
run env SIMT_CHECK=0 "$WORK/race" tree
want 'it is not silent' silent
verdict 'race: not looked for with SIMT_CHECK=0'

if ! is_clang; then
    run "$WORK/violation" local_pointer
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    line=$(sed -n '/LEFT/=' $tests/violation.cu)
    want "not line $line" \
        holds err "^simt: a pointer has left its array .* at .*violation.cu:$line\$"
    verdict 'violation: local_pointer'
    run "$WORK/calls" host_array
    line=$(sed -n '/ARRAY/=' $tests/calls.cu)
    want "not line $line, or not 12 bytes" [ "$(message | sed 's,at [^ ]*/,at ,')" = \
        "simt: cudaMemcpy failed at calls.cu:$line: cudaErrorInvalidValue, \
the destination: 16 bytes, but the variable ends after 12 bytes" ]
    verdict 'calls: host_array'
fi
finish
