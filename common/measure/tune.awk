# SPDX-License-Identifier: MIT
#
# tune.awk - awk -f tune.awk tune.csv prints tuned.h: for each size the fastest setting. A setting
# that is at most 1 % slower and serves the size before as well is kept, so the table stays short.

BEGIN { FS = "," }
/^# GPU:/ { gpu = substr($0, 8) }
/^# CUDA:/ { cuda = substr($0, 9) }
/^#/ || $1 == "step" { next }
{
    time[$2, $5] = $7
    if (!($5 in best) || $7 < time[best[$5], $5]) best[$5] = $2
    if (!($5 in seen)) { seen[$5] = 1; size[++sizes] = $5 }
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
    print " * " gpu ", CUDA " cuda
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
        printf "    PLAN(%s, %d, %d, %d)%s\n", up_to[r], s[1], s[2], s[3], r < rows ? " \\" : ""
    }
    print "/* clang-format on */"
    print ""
    print "#endif"
}
