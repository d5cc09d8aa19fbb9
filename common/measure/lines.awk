# SPDX-License-Identifier: MIT
#
# lines.awk - what the memory accesses of each source line cost: wavefronts of shared memory,
# sectors of global memory. Reads ncu's source page (--page source --csv --print-source cuda,sass)
# or the table of SIMT_REPORT=source, and prints step,variant,access,cost,source: the source is the
# line's text without commas, so that a line which moves keeps its row.
#
#   -v program=NAME    whose rows they are; only lines of its own file count

BEGIN {
    step = variant = program
    if (!sub(/^[^.]*\./, "", variant)) variant = "kernel"
    sub(/\..*/, "", step)
    own = variant "\\.cu\"?$"
}

function line_is(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    source = substr(text, 1, 73) # as wide as the emulator shows it
    gsub(/,/, "", source)
}
function add(access, spent) {
    if (!mine || !spent) return
    if (!((source, access) in cost)) order[++rows] = source SUBSEP access
    cost[source, access] += spent
}

# ---- Nsight Compute: a row of the source has a number, a row of machine code has none ----

/^"File / { mine = $0 ~ own; next }
/^"Line No"/ {
    split("", column)
    n = split($0, name, /","/)
    for (i = n; i > 0; i--) column[name[i]] = i
    next
}
/^"[0-9]+",/ {
    text = $0
    sub(/^"[0-9]+","/, "", text)
    sub(/","-","-",.*/, "", text)
    gsub(/""/, "\"", text)
    line_is(text)
    next
}
/^"","",/ {
    split($0, field, /","/)
    space = tolower(field[column["Address Space"]])
    access = space " " tolower(field[column["Access Operation"]])
    sub(/-$/, "atomic", access) # RED: an atomic whose result nobody wants
    if (space == "shared") add(access, field[column["L1 Wavefronts Shared"]] + 0)
    if (space == "global") add(access, field[column["L2 Theoretical Sectors Global"]] + 0)
    next
}

# ---- the emulator ----

/^[^ ].*\.(cu|cuh|h|hpp)$/ { mine = $0 ~ own; next }
/^ +[0-9]+  [^ ]/ { text = $0; sub(/^ +[0-9]+  /, "", text); line_is(text); next }
/^ +(shared|global) (load|store|atomic), / { sub(/,$/, "", $2); add($1 " " $2, $6) }

END {
    for (i = 1; i <= rows; i++) {
        split(order[i], part, SUBSEP)
        printf "%s,%s,%s,%d,%s\n", step, variant, part[2], cost[part[1], part[2]], part[1]
    }
}
