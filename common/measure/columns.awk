# SPDX-License-Identifier: MIT
#
# columns.awk - the columns of CSV files by the names in their heads, for the script after it:
#
#   awk -f common/measure/columns.awk -f SCRIPT FILE...
#
#   get("gbps")            this row's field in the column of that name
#   head["ladder", "gpu"]  the text after `# gpu: ` in ladder.csv
#   table                  the name of the current file: ladder
#   peak_part("0.9050", 3033.89, 3352)    the part of the memory's peak that this row reaches
#   csv                    1 in a file whose name ends in .csv. The rules of SCRIPT see its rows,
#                          without comments and names; of other files they see every line

BEGIN { FS = "," }

FNR == 1 {
    table = FILENAME
    sub(/.*\//, "", table)
    csv = sub(/\.csv$/, "", table)
    named = 0
}
csv && /^#/ {
    if (match($0, /: */)) head[table, substr($0, 3, RSTART - 3)] = substr($0, RSTART + RLENGTH)
    next
}
csv && !named {
    split("", col)
    for (named = 1; named <= NF; named++) col[$named] = named
    next
}

function get(name) {
    if (name in col) return $(col[name])
    print FILENAME ": there is no column '" name "'" >"/dev/stderr"
    exit 1
}

# A recorded share has four digits, and the peak in a head none: rounded again, each alone can give
# a wrong percent. The quotient, kept within what rounds to the share, does not.
function peak_part(share, gbps, peak,   x) {
    x = peak + 0 ? gbps / peak : share + 0
    if (x < share - 0.00005) return share - 0.00005
    return x > share + 0.00005 ? share + 0.00005 : x
}
