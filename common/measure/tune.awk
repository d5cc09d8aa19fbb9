# SPDX-License-Identifier: MIT
#
# tune.awk - awk -f columns.awk -f tune.awk tune.csv prints tuned.h: for each size the fastest
# setting. A setting that is at most 1 % slower and serves the size before as well is kept, so the
# table stays short.

{
    n = get("n")
    us = time[get("variant"), n] = get("median_us") + 0
    if (!(n in best)) size[++sizes] = n
    if (!(n in best) || us < time[best[n], n]) best[n] = get("variant")
}
END {
    if (sizes == 0) { print "tune.awk: the file has no rows" >"/dev/stderr"; exit 1 }
    for (i = 1; i <= sizes; i++) {
        n = size[i]
        pick = best[n]
        if (i > 1 && time[last, n] <= 1.01 * time[pick, n]) pick = last
        if (pick != last) { setting[++rows] = pick }
        up_to[rows] = i == sizes ? "SIZE_MAX" : 4 * n # bytes of f32
        last = pick
    }
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
    print "#define TUNED(PLAN) \\"
    for (r = 1; r <= rows; r++) {
        split(setting[r], s, "_")
        printf "    PLAN(%s, %d, %d, %d)%s\n", up_to[r], s[1], s[2], s[3], (r < rows ? " \\" : "")
    }
    print "/* clang-format on */"
    print ""
    print "#endif"
}
