#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fault.sh - the first message of a run, on one line: the emulator's, `simt: race on s_data[128]`,
# or else the child's, `grade: ...`; a note does not count. Its lines after the first begin with
# four spaces. `code address 0x1234` becomes `my.cu:33`: a return address is after the call, one
# byte less is inside it.
set -eu
text=$(awk '
    function begins(mark) { return index($0, mark) == 1 && !/^simt: note: / }
    open && /^    / {
        sub(/^    /, message[open] ~ /[,:]$/ ? " " : ", ")
        message[open] = message[open] $0
        next
    }
    { open = "" }
    begins("simt: ") && !("simt" in message) { open = "simt" }
    begins("grade: ") && !("grade" in message) { open = "grade" }
    open { sub(/^[^ ]* /, ""); message[open] = $0 }
    END { print substr("simt" in message ? message["simt"] : message["grade"], 1, 1000) }')

line_of() { # ADDRESS, without 0x
    addr2line -i -e program "$(printf '%x' $((0x$1 - 1)))" |
        awk -v name="$SUBMISSION" 'BEGIN { place = name }
            (at = index($0, name)) { place = substr($0, at); sub(/ .*/, "", place); exit }
            END { print place }'
}
mark='code address 0x'
while case $text in *"$mark"[0-9a-f]*) ;; *) false ;; esac; do
    rest=${text#*"$mark"}
    address=${rest%%[!0-9a-f]*}
    text=${text%%"$mark"*}$(line_of "$address")${rest#"$address"}
done
printf '%s\n' "$text"
