# SPDX-License-Identifier: MIT
#
# edited.awk - makes the edits of a page's ```diff block: prints FILE with the lines that have a -
# in DIFF replaced by those with a + after them. A line with a space stays, and is followed by those
# with a + after it. Each - line, and each line that others follow, must be in FILE exactly once. A
# line `--- NAME` of DIFF names the file.
#
#   awk -f common/pages/edited.awk DIFF FILE
NR == FNR && /^--- / { next }
NR == FNR && /^[- ]/ { old = substr($0, 2); stays = /^ / }
NR == FNR && /^-/ { times[old] = 0 }
NR == FNR && /^\+/ && stays { times[old] = stays = 0; new[old] = old "\n" }
NR == FNR && /^\+/ { new[old] = new[old] substr($0, 2) "\n" }
NR == FNR { next }
$0 in times { times[$0]++; printf "%s", new[$0]; next }
{ print }
END {
    for (old in times) {
        if (times[old] == 1) continue
        print "found " times[old] " times in " FILENAME ": " old >"/dev/stderr"
        status = 1
    }
    exit status
}
