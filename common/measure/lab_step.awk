# SPDX-License-Identifier: MIT
#
# lab_step.awk - reads one step of a lab report for lab.sh, into files of a folder:
#
#   change      what is written before its first part, as it is
#   base, row   the two rows; diff, in place of row: LINE:TEXT
#   predicted   COUNTER|NUMBER, in the order of the table
#   wrong       LINE:MESSAGE, added for each place that is not as it must be
#
#   -v step=2 -v folder=FOLDER -v words=1    words: what the student writes must be there as well

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}
function wrong(line, what) { print line ":" what >>(folder "/wrong") }

/^## Step / && ++steps == step { first = FNR; title = trim($0); next }
steps != step { next }

# ---- the change ----
/^### / { part = trim(substr($0, 5)); at[part] = FNR; next }
part == "" && /[^ \t]/ { print >(folder "/change") }
fenced && /^```/ { fenced = 0; next }
fenced { print FNR ":" $0 >(folder "/diff"); next }
part == "" && /^```diff/ { fenced = 1; diffs++ }
part == "" && /^    base: / { if (!bases++) print trim(substr($0, 11)) >(folder "/base") }
part == "" && /^    row: / {
    if (!rows++) print row = trim(substr($0, 10)) >(folder "/row")
}

# ---- the parts ----
/^<!-- lab -->/ { opened++; table = FNR; next }
/^<!-- \/lab -->/ { closed++; next }
opened > closed && split($0, cell, "|") == 7 && FNR > table + 2 {
    guess = trim(cell[4])
    counters++
    print trim(cell[2]) "|" guess >(folder "/predicted")
    if (guess !~ /^[0-9]+([.][0-9]*)?$/)
        wrong(FNR, trim(cell[2]) ": '" guess "' is no prediction; write a number such as 12 or 36.1")
}
opened == closed && !/^<!--/ { gsub(/[ \t.]/, ""); letters[part] += length($0) }

END {
    label = row
    sub(/ *[|].*/, "", label)
    if (bases != 1 || rows + diffs != 1)
        wrong(first, "a step has a line '    base: ROW', and '    row: ROW' or a diff")
    else if (rows && title != "## Step " step ": " label)
        wrong(first, "the step is '" title "', but its row is '" label "'")
    if (opened != 1 || closed != 1)
        wrong(first, "the step has lost its lines '<!-- lab -->' and '<!-- /lab -->'")
    else if (counters != 6)
        wrong(table, "the table has no longer six lines")
    n = split("The prediction|The explanation", parts, "|")
    for (i = 1; i <= n && words; i++)
        if (letters[parts[i]] < 20)
            wrong(parts[i] in at ? at[parts[i]] : first, "'### " parts[i] "' says nothing")
}
