#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check.sh COMMANDS - runs them, shows what they print, and adds an annotation of file and line for
# each message of simtcc and of the emulator. Fails if they fail, or if there is a message that is
# no note.
set -u

PATH=$RUNNER_TEMP/simtcc/bin:$PATH
export PATH
log=$RUNNER_TEMP/simtcc.log
{
    sh -ec "$1" 2>&1
    echo $? >"$log.status"
} | tee "$log"

# A message begins with `simt: ` or `FILE:LINE: simtcc: `; its other lines with four spaces.
awk -v workspace="${GITHUB_WORKSPACE:-}/" '
    function end() {
        if (text == "" || text ~ /^simt: ([0-9]+ times|failed): /) { text = ""; return }
        place = ""
        if (match(text, /[^ \n]+:[0-9]+/)) {
            place = substr(text, RSTART, RLENGTH)
            if (index(place, workspace) == 1) place = substr(place, length(workspace) + 1)
            line = place
            sub(/:[0-9]+$/, "", place)
            sub(/.*:/, "", line)
            place = " file=" place ",line=" line
        }
        kind = text ~ /^simt: note: / ? "notice" : "error"
        found = found || kind == "error"
        gsub(/%/, "%25", text)
        gsub(/\n */, "%0A", text)
        print "::" kind place "::" text
        text = ""
    }
    text != "" && /^    / { text = text "\n" $0; next }
    { end() }
    /^simt: / || /^[^ ]+:[0-9]+: simtcc: / { text = $0 }
    END { end(); exit found }' "$log" || found=1
status=$(cat "$log.status")
[ "$status" -ne 0 ] || status=${found:-0}
exit "$status"
