# SPDX-License-Identifier: MIT
#
# accuracy.awk - awk -f columns.awk -f accuracy.awk accuracy.csv: the rows of accuracy.c as a table
# of 80 columns: for the largest n, the error of each sum in units in the last place of the exact
# result, and how many different results there are in all the runs, and over four alignments of the
# input.

{
    program = get("program")
    size = get("n")
    if (size + 0 > n + 0) n = size
    if (!((program, 0) in seen)) { names[++count] = program; seen[program, 0] = 1 }
    ulps[program, get("set"), size] = get("ulps") + 0
    runs = most(runs, get("runs"))
    distinct[program, size] = most(distinct[program, size], get("distinct"))
    alignments[program, size] = most(alignments[program, size], get("alignments"))
}
function most(a, b) { return a + 0 > b + 0 ? a + 0 : b + 0 }
function shown(x) { return sprintf(x >= 1e6 ? "%.1e" : x >= 100 ? "%.0f" : "%.2f", x) }
END {
    if (count == 0) exit
    printf "%-36s %26s %16s\n", "f32 sum, n = " n, "error in ulps", "distinct results"
    printf "%-36s %7s %9s %8s %8s %7s\n", "", "uniform", "alternat.", "sticking",
        runs " runs", "4 align"
    for (i = 1; i <= count; i++) {
        name = names[i]
        if (!((name, "uniform", n) in ulps)) continue
        printf "%-36s %7s %9s %8s", name, shown(ulps[name, "uniform", n]),
            shown(ulps[name, "alternating", n]), shown(ulps[name, "sticking", n])
        if (name ~ /^host/) printf " %8s %7s\n", "-", "-"
        else printf " %8d %7d\n", distinct[name, n], alignments[name, n]
    }
    print ""
    print "ulps: units in the last place of the exact sum. 4 align: four alignments."
    print "uniform: [0, 1). alternating: +[1, 2), -[1, 2), ... sticking: 2^24, then ones."
}
