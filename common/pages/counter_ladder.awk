# SPDX-License-Identifier: MIT
#
# counter_ladder.awk - step,launch,kernel,grid,block,counter,value as a table, one row a step.

BEGIN { FS = "," }

$1 != steps[rows] { steps[++rows] = $1 }
$6 ~ /_requests$/ { requests += $7 } # of one launch: its last counter is that of its lanes
$6 == "active_lanes_per_memory_instruction" {
    sum[$1, "memory"] += requests
    sum[$1, "lanes"] += $7 * requests
    requests = 0
    next
}
{ sum[$1, $6] += $7 }

function per_1024(counter) { return sum[r, counter] * 1024 / n }

function print_row(step) {
    r = step
    sum[r, "conflicts"] = sum[r, "shared_wavefronts"] - sum[r, "shared_wavefronts_ideal"]
    sum[r, "global"] = sum[r, "global_ld_requests"] + sum[r, "global_st_requests"]
    sum[r, "sectors"] = sum[r, "global_ld_sectors"] + sum[r, "global_st_sectors"]
    printf row_format, step, per_1024("shared_wavefronts"), per_1024("conflicts"),
        per_1024("global"), sum[r, "sectors"] / sum[r, "global"],
        sum[r, "lanes"] / sum[r, "memory"], per_1024("barriers"), per_1024("shuffles")
}

END {
    if (rows == 0) exit
    head_format = "%-19s %6s %9s %8s %8s %5s %8s %8s\n"
    row_format = "%-19s %6.1f %9.1f %8.1f %8.1f %5.1f %8.1f %8.1f\n"
    print "\nCounted here, for 1,024 elements (f32 sum, n = " n "):"
    printf head_format, "", "shared", "of these", "global", "sectors", "lanes", "", ""
    printf head_format, "step", "waves", "conflicts", "requests", "/request", "busy",
        "barriers", "shuffles"
    for (i = 1; i <= rows; i++) print_row(steps[i])
    print "waves: wavefronts. lanes busy: of 32 at an access. barriers, shuffles: by warps."
}
