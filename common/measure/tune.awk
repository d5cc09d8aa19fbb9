# SPDX-License-Identifier: MIT
#
# tune.awk - awk -f columns.awk -f tune.awk tune.csv tune_f64.csv prints tuned.h: for each size the
# fastest setting. A setting that is at most 1 % slower and also serves the previous size is kept,
# so the tables stay short.

{
    n = get("n")
    us = time[table, get("variant"), n] = get("median_us") + 0
    if (!((table, n) in best)) size[table, ++sizes[table]] = n
    if (!((table, n) in best) || us < time[table, best[table, n], n]) best[table, n] = get("variant")
}

# The table of a file as a macro.
function print_table(file, macro, bytes,   i, n, pick, last, rows, setting, up_to, r, s) {
    if (sizes[file] == 0) {
        print "tune.awk: " file ".csv has no rows" >"/dev/stderr"
        failed = 1
        exit 1
    }
    for (i = 1; i <= sizes[file]; i++) {
        n = size[file, i]
        pick = best[file, n]
        if (i > 1 && time[file, last, n] <= 1.01 * time[file, pick, n]) pick = last
        if (pick != last) { setting[++rows] = pick }
        up_to[rows] = i == sizes[file] ? "SIZE_MAX" : bytes * n
        last = pick
    }
    print "#define " macro "(PLAN) \\"
    for (r = 1; r <= rows; r++) {
        split(setting[r], s, "_")
        printf "    PLAN(%s, %d, %d, %d)%s\n", up_to[r], s[1], s[2], s[3], (r < rows ? " \\" : "")
    }
}

END {
    if (failed) exit 1
    print "/* SPDX-License-Identifier: MIT */"
    print "/*"
    print " * tuned.h - how best.cu cuts up its work, by size. Written by `make tune`."
    print " *"
    print " * " head["tune", "gpu"] ", CUDA " head["tune", "cuda"]
    print " */"
    print "#ifndef TUNED_H"
    print "#define TUNED_H"
    print ""
    print "/* PLAN(up to this many bytes, threads a block, packs in flight a thread, blocks an SM " \
        "at most) */"
    print "/* clang-format off */"
    print_table("tune", "TUNED", 4)
    print ""
    print "/* for elements of 8 bytes */"
    print_table("tune_f64", "TUNED_F64", 8)
    print "/* clang-format on */"
    print ""
    print "#endif"
}
