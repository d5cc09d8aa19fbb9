# SPDX-License-Identifier: MIT
#
# counter_ladder.awk - awk -v n=N -f columns.awk -f counter_ladder.awk FILE.csv, which has the
# columns step,launch,kernel,grid,block,counter,value: a table, one row a step.

{ step = get("step"); counter = get("counter") }
step != steps[rows] { steps[++rows] = step }
counter ~ /_requests$/ { requests += get("value") } # the end of a launch: its last counter is that of the lanes
counter == "active_lanes_per_memory_instruction" {
    sum[step, "memory"] += requests
    sum[step, "lanes"] += get("value") * requests
    requests = 0
    next
}
{ sum[step, counter] += get("value") }

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
    head_format = "%-19s%10s %9s %8s %7s %5s %8s %8s\n"
    row_format = "%-19s%10.1f %9.1f %8.1f %7.1f %5.1f %8.1f %8.1f\n"
    print "\nCounted here (f32 sum, n = " n ") for 1,024 elements; /req.: for one request."
    top = sprintf(head_format, "", "shared", "of these", "global", "sectors", "lanes", "", "")
    sub(/ +\n$/, "", top)
    print top
    printf head_format, "step", "wavefronts", "conflicts", "requests", "/req.", "/req.",
        "barriers", "shuffles"
    for (i = 1; i <= rows; i++) print_row(steps[i])
    print "lanes: how many of the 32 take part in a request, on average; make report-01\n" \
        "shows each line. barriers, shuffles: how often a warp executes one."
}
