# SPDX-License-Identifier: MIT
#
# ladder.awk - the table at the end of `make run`, from two CSV files: checks.csv, then times.
# Without options the times are those of n = 2^28, f32, sum or, if a step has no sum, gelu.
#
# awk -v device=cpu -f columns.awk -f ladder.awk checks.csv times.csv

table == "checks" { # of all steps
    if (lowest == "") lowest = get("step")
    if (get("step") ~ /_cub$/) cub = get("step")
    right[get("step")] += get("cases") - get("failed")
    wrong[get("step")] += get("failed")
    next
}

get("variant") != "kernel" { next }
device == "cpu" && (get("n") != 268435456 || get("type") != "f32") { next }
device == "cpu" && get("op") != "sum" && get("op") != "gelu" { next }
{
    times = table
    step[++rows] = get("step"); op[rows] = get("op"); type[rows] = get("type"); n[rows] = get("n")
    us[rows] = get("median_us"); gbps[rows] = get("gbps")
    peak[rows] = peak_part(get("peak_share"), gbps[rows], head[table, "memory"])
    key = type[rows] "," op[rows] "," n[rows]
    if (step[rows] == lowest) first[key] = us[rows]
    if (step[rows] == cub) cub_us[key] = us[rows]
}

# No operator ^: an awk without math, as in some busybox, lacks it.
function size(count,   k, power) {
    for (power = 1; power < count + 0; power *= 2) k++
    return power == count + 0 && k >= 10 ? "2^" k : count
}

function ratio(table, row,   key) {
    key = type[row] "," op[row] "," n[row]
    return key in table ? sprintf("%.2f", table[key] / us[row]) : "-"
}

END {
    if (rows == 0) exit
    number = substr(lowest, 1, 2)
    print ""
    if (device == "cpu")
        print "Checked here on the emulator. Times: recorded on an " head[times, "gpu"] ", " \
            head[times, "date"] "."
    printf "%-20s %-5s %-8s %-8s %8s %5s %6s %5s %5s\n", "step", "check", "op", "n", "us",
        "GB/s", "peak", "x " number, "x CUB"
    for (r = 1; r <= rows; r++) {
        check = wrong[step[r]] > 0 ? "WRONG" : right[step[r]] > 0 ? "right" : "-"
        printf "%-20s %-5s %-8s %-8s %8.1f %5.0f %5.1f%% %5s %5s\n", step[r], check,
            type[r] " " op[r], size(n[r]), us[r], gbps[r], 100 * peak[r], ratio(first, r),
            ratio(cub_us, r)
    }
    print "x " number " and x CUB: how many times as fast as " lowest " and as " cub \
        " at the same n."
}
