# SPDX-License-Identifier: MIT
#
# ladder.awk - the table at the end of `make run`, from two CSV files: checks, then times.
# Without options the times are those of n = 2^28, f32, sum (07: gelu).

BEGIN { FS = "," }

/^# (gpu|GPU)/ && gpu == "" { gpu = $0; sub(/^# [^:]*: */, "", gpu) }
/^# date/ && date == "" { date = $0; sub(/^# [^:]*: */, "", date) }
/^#/ || $1 == "step" { next }

FNR == NR { # step,variant,type,op,cases,failed
    right[$1] += $5 - $6
    wrong[$1] += $6
    next
}

# step,variant,type,op,n,bytes,median_us,min_us,p90_us,gbps,peak_share,copy_share,l2
device == "cpu" && ($5 != 268435456 || $3 != "f32" || ($4 != "sum" && $4 != "gelu")) { next }
$2 != "kernel" { next }
{
    rows++
    step[rows] = $1; op[rows] = $4; type[rows] = $3; n[rows] = $5
    us[rows] = $7; gbps[rows] = $10; peak[rows] = $11
    key = $3 "," $4 "," $5
    if ($1 ~ /^01_/) first[key] = $7
    if ($1 ~ /^06_/) cub_us[key] = $7
}

# No operator ^: an awk without mathematics, as in some busybox, lacks it.
function size(count,   k, power) {
    for (power = 1; power < count; power *= 2) k++
    return power == count && k >= 10 ? "2^" k : count
}

function ratio(table, row,   key) {
    key = type[row] "," op[row] "," n[row]
    return key in table ? sprintf("%.2f", table[key] / us[row]) : "-"
}

END {
    if (rows == 0) exit
    print ""
    if (device == "cpu")
        print "Checked here on the emulator. Times: recorded on an " gpu ", " date "."
    printf "%-20s %-5s %-8s %-8s %8s %5s %6s %5s %5s\n", "step", "check", "op", "n", "us",
        "GB/s", "peak", "x 01", "x CUB"
    for (r = 1; r <= rows; r++) {
        check = wrong[step[r]] > 0 ? "WRONG" : right[step[r]] > 0 ? "right" : "-"
        printf "%-20s %-5s %-8s %-8s %8.1f %5.0f %5.1f%% %5s %5s\n", step[r], check,
            type[r] " " op[r], size(n[r]), us[r], gbps[r], 100 * peak[r], ratio(first, r),
            ratio(cub_us, r)
    }
    print "x 01 and x CUB: how many times as fast as 01_naive and as 06_cub at the same n."
}
