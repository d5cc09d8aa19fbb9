# SPDX-License-Identifier: MIT
#
# ablate.awk - awk -v device=cpu -f columns.awk -f ablate.awk rows measured.csv: the tables of `make
# ablate`. -v out=FILE -v origin=DATE,COMMIT writes the rows there, in the form of ablate.csv.
#
#   rows            lesson|label|program|defines|options|executable
#   measured.csv    cpu: row,launch,kernel,grid,block,counter,value, of all launches
#                   gpu: row,counter,value; of Nsight Compute, or small_us, large_gbps, ...

BEGIN {
    n = device == "cpu" ? 1048576 : 16777216
    sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
    waves = "memory_l1_wavefronts_shared"
    registers = "launch__registers_per_thread"
    occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active"
    columns = split("small_us small_gbps large_us large_gbps smsp__inst_executed.sum " \
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum " sectors " " waves " " waves "_ideal " \
        registers " " occupancy, column, " ")
}

# ---- the two files ----

!csv {
    split($0, field, "|")
    lesson[++rows] = field[1]
    label[rows] = field[2]
    row[rows] = field[1] "," field[2] "," field[3] "," field[4] "," field[5]
    next
}
device == "gpu" { value[get("row"), get("counter")] = get("value"); next }
{ value[get("row"), get("counter")] += get("value") }

# ---- tables ----

# A value divided, or '-' if there is none.
function cell(r, name, divisor, format) {
    return (r, name) in value ? sprintf(format, value[r, name] / divisor) : "-"
}
# Events for 1,024 elements.
function events(r, name) { return cell(r, name, n / 1024, "%.1f") }

# Wavefronts beyond the ideal; global requests and sectors of loads and stores.
function combine(r, name, a, b, sign) {
    if ((r, a) in value) value[r, name] = value[r, a] + sign * value[r, b]
}

# One line of a table, without trailing spaces.
function line(a, b, c, d, e, f, g, h, i,   text) {
    text = device == "cpu" ? sprintf("%-26s%9s%9s%8s%10s%9s%9s", a, b, c, d, e, f, g) : \
        sprintf("%-26s%8s%6s%8s%8s%7s%7s%5s%5s", a, b, c, d, e, f, g, h, i)
    sub(/ +$/, "", text)
    print text
}

function print_head(r) {
    if (r > 1) print ""
    if (device == "cpu") {
        line(lesson[r], "global", "", "shared", "of these")
        line("for 1,024 elements", "requests", "sectors", "waves", "conflicts", "barriers", \
            "shuffles")
    } else {
        line(lesson[r], "us at", "GB/s", "instr.", "sectors", "waves", "confl.", "regs", "occ.")
        line("for 1,024 elements", "2^20", "2^28", "", "loaded", "shared", "", "", "%")
    }
}

function print_row(r,   waves_name) {
    waves_name = device == "cpu" ? "shared_wavefronts" : waves
    combine(r, "conflicts", waves_name, waves_name "_ideal", -1)
    if (device == "cpu") {
        combine(r, "requests", "global_ld_requests", "global_st_requests", 1)
        combine(r, "sectors", "global_ld_sectors", "global_st_sectors", 1)
        line(label[r], events(r, "requests"), events(r, "sectors"), events(r, waves_name), \
            events(r, "conflicts"), events(r, "barriers"), events(r, "shuffles"))
    } else {
        line(label[r], cell(r, "small_us", 1, "%.2f"), cell(r, "large_gbps", 1, "%.0f"), \
            events(r, "smsp__inst_executed.sum"), events(r, sectors), events(r, waves), \
            events(r, "conflicts"), cell(r, registers, 1, "%d"), cell(r, occupancy, 1, "%.0f"))
    }
}

END {
    for (r = 1; r <= rows; r++) {
        if (lesson[r] != lesson[r - 1]) print_head(r)
        print_row(r)
        if (out == "") continue
        for (c = 1; c <= columns; c++) row[r] = row[r] "," value[r, column[c]]
        print row[r] "," origin >out
    }
    if (device == "cpu") print "\nCounted in the emulator: n = 2^20, all launches."
    else print "\nus: from L2, where it fits. Counters of Nsight Compute: first launch, n = 2^24."
}
