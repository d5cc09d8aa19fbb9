# SPDX-License-Identifier: MIT
#
# tables.awk - prints a README with its tables made anew. tables.sh says how it is called; what has
# peers, rows or errors in it stands in tables_peers.awk.
#
#   <!-- table:ladder -->          every step at n = 2^28
#   <!-- table:result 03 -->       one sentence: what step 03 reaches
#   <!-- table:sizes 03 -->        over n: the step before, this step, CUB
#   <!-- table:types 03 -->        over types and operators at n = 2^28
#   <!-- table:counters 03 -->     what Nsight Compute counts: the step before and this step
#   <!-- table:ablate 04 -->       the rows of 04's ablations.txt, with the counters that vary

BEGIN { FS = ","; big = 268435456; small = 4194304 }

# ---- the results ----
file == 1 && /^#/ {
    line = $0
    sub(/^# */, "", line)
    name = line
    sub(/:.*/, "", name)
    sub(/^[^:]*: */, "", line)
    head[tolower(name)] = line
    next
}
file == 2 { # step,variant,kernel,grid,block,counter,value
    if (!/^#/ && $1 != "step") counter[substr($1, 1, 2), $2, $6] = $7
    next
}
file == 3 { # lesson,label,program,defines,options,small_us,... to date,commit
    if (sub(/^# gpu: /, "")) gpu = $0
    if (/^#/ || $1 !~ /^[0-9]/) next
    number = substr($1, 1, 2)
    r = ++ablate_rows[number]
    ablated[number, r, "label"] = $2
    for (i = 6; i <= 17; i++) ablated[number, r, i] = $i
    next
}
file == 1 {
    if ($1 == "step") next
    number = substr($1, 1, 2)
    if ($2 == "kernel" && !(number in title)) { order[++steps] = number; title[number] = $1 }
    key = number SUBSEP $2 SUBSEP $3 SUBSEP $4 SUBSEP $5
    us[key] = $7; gbps[key] = $10; peak[key] = $11; copy[key] = $12; l2[key] = $13
    if ($2 == "kernel" && $3 == "f32" && ($4 == "sum" || $4 == "gelu") && !($5 in sizes)) {
        sizes[$5] = 1
        size_list[++size_count] = $5
    }
    next
}

# ---- the README ----
/^<!-- table:/ {
    print
    split($0, word, /[ :]+/)
    kind = word[3]
    number = word[4]
    print ""
    if (kind == "ladder") ladder()
    else if (kind == "result") result(number)
    else if (kind == "sizes") by_size(number)
    else if (kind == "types") by_type(number)
    else if (kind == "counters") counters(number)
    else if (kind == "ablate") ablations(number, word[5], word[6])
    else if (kind == "best") best_by_size()
    else if (kind == "parts") parts_by_size()
    else if (kind == "rows") rows_by_cols()
    else if (kind == "maps") maps_by_size()
    else if (kind == "accuracy") accuracy(number)
    else if (kind == "gelu") gelu_forms()
    else if (kind == "cub_inside") cub_inside()
    else if (kind == "finish") finish()
    else if (kind == "bulk_from") bulk_from()
    else { print FILENAME ": unknown table: " $0 >"/dev/stderr"; exit 1 }
    print ""
    inside = 1
    next
}
/^<!-- \/table -->/ { inside = 0 }
!inside { print }

# ---- helpers ----
function power(n,   k, p) {
    for (p = 1; p < n; p *= 2) k++
    return p == n ? "2^" (k + 0) : n
}
function op_of(number) { return number == "07" ? "gelu" : "sum" }
function key_of(number, variant, type, op, n) {
    return number SUBSEP variant SUBSEP type SUBSEP op SUBSEP n
}
function cell(table, key, format) { return key in table ? sprintf(format, table[key]) : "-" }
function percent(table, key) { return key in table ? sprintf("%.1f %%", 100 * table[key]) : "-" }
function faster(than, this) {
    return than in us && this in us ? sprintf("%.2f", us[than] / us[this]) : "-"
}
# Small sizes are a matter of time, large ones of bandwidth: each is given in its unit.
function speed(key, n) {
    if (!(key in us)) return "-"
    return n < 1048576 ? sprintf("%.2f us", us[key]) : sprintf("%.0f GB/s", gbps[key])
}
function source() {
    return "Measured on an " head["gpu"] ", CUDA " head["cuda"] ", " substr(head["date"], 1, 10) \
        ", by `make bench`; data in `common/results/h200/ladder.csv`."
}

# ---- tables ----
function ladder(   i, s, k, op) {
    print "| step | operation | time, us | GB/s | of peak | times 01 | times CUB |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= steps; i++) {
        s = order[i]
        op = op_of(s)
        k = key_of(s, "kernel", "f32", op, big)
        printf "| [%s](%s/) | f32 %s | %s | %s | %s | %s | %s |\n", title[s], title[s], op,
            cell(us, k, "%.1f"), cell(gbps, k, "%.0f"), percent(peak, k),
            faster(key_of("01", "kernel", "f32", op, big), k),
            faster(key_of("06", "kernel", "f32", op, big), k)
    }
    print "\nn = 2^28. " source()
}
function result(s,   k, before, text, op) {
    op = op_of(s)
    k = key_of(s, "kernel", "f32", op, big)
    text = sprintf("**%s GB/s**, %s of the peak, for the f32 %s of 2^28 elements", \
        cell(gbps, k, "%.0f"), percent(peak, k), op)
    before = key_of(sprintf("%02d", s - 1), "kernel", "f32", op, big)
    if (before in us) text = text sprintf(": %s times step %02d", faster(before, k), s - 1)
    print text ". " source()
}
function by_size(s,   i, n, k, before, cub, op) {
    op = op_of(s)
    before = sprintf("%02d", s - 1)
    cub = s != "06" && op == "sum"
    printf "| n |%s %s |%s\n", (before in title && op == "sum") ? " " title[before] " |" : "",
        title[s], cub ? " 06_cub |" : " of a copy |"
    printf "| ---: |%s ---: | ---: |\n", (before in title && op == "sum") ? " ---: |" : ""
    for (i = 1; i <= size_count; i++) {
        n = size_list[i]
        k = key_of(s, "kernel", "f32", op, n)
        printf "| %s |%s %s | %s |\n", power(n),
            (before in title && op == "sum") ? \
                " " speed(key_of(before, "kernel", "f32", op, n), n) " |" : "",
            speed(k, n), cub ? speed(key_of("06", "kernel", "f32", op, n), n) : percent(copy, k)
    }
}
function by_type(s,   types, ops, t, o, i, j, row) {
    t = split(s == "07" ? "f32 f16" : "f32 f64 i32", types, " ")
    o = split(s == "07" ? "relu gelu mul fma cast" : "sum max min", ops, " ")
    row = "| GB/s |"
    for (j = 1; j <= o; j++) row = row " " ops[j] " |"
    print row
    row = "| --- |"
    for (j = 1; j <= o; j++) row = row " ---: |"
    print row
    for (i = 1; i <= t; i++) {
        row = "| " types[i] " |"
        for (j = 1; j <= o; j++)
            row = row " " cell(gbps, key_of(s, "kernel", types[i], ops[j], big), "%.0f") " |"
        print row
    }
}
# One row of the counter table: a counter for each column, divided where it is a count of events.
function counter_row(text, name, divisor, format,   c, row) {
    row = "| " text " |"
    for (c = 1; c <= columns; c++)
        row = row " " ((column[c], "kernel", name) in counter ? \
            sprintf(format, counter[column[c], "kernel", name] / divisor) : "-") " |"
    print row
}
function counters(s,   before, blocks, row, c) {
    columns = 0
    before = sprintf("%02d", s - 1)
    if (before in title && s != "07") column[++columns] = before
    column[++columns] = s
    row = "| for each 256 elements |"
    for (c = 1; c <= columns; c++) row = row " " title[column[c]] " |"
    print row
    print "| --- |" (columns == 2 ? " ---: |" : "") " ---: |"
    blocks = 67108864 / 256
    counter_row("warp instructions", "smsp__inst_executed.sum", blocks, "%.1f")
    counter_row("global load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", \
        blocks, "%.2f")
    counter_row("global load sectors of 32 bytes", \
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", blocks, "%.2f")
    counter_row("shared load requests", "smsp__sass_inst_executed_op_shared_ld.sum", blocks, "%.2f")
    counter_row("shared load wavefronts", \
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", blocks, "%.2f")
    counter_row("shared store wavefronts", \
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", blocks, "%.2f")
    print "| *whole kernel* |" (columns == 2 ? " |" : "") " |"
    counter_row("issue slots busy, %", \
        "smsp__issue_active.avg.pct_of_peak_sustained_active", 1, "%.0f")
    counter_row("DRAM busy, %", "dram__throughput.avg.pct_of_peak_sustained_elapsed", 1, "%.0f")
    counter_row("warps waiting for memory, for each instruction issued", \
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 1, "%.1f")
    print "\nNsight Compute, first pass, f32, n = 2^26; data in `common/results/h200/counters.csv`."
}
# A cell of column c of ablate.csv; counts of events are for 1,024 of 2^24 elements.
function ablation(s, r, c,   value) {
    value = ablated[s, r, c]
    if (value == "") return "-"
    if (c == 6) return sprintf("%.2f", value)
    return c >= 10 && c <= 14 ? sprintf("%.1f", value / 16384) : sprintf("%.0f", value)
}
# Is column c not the same in all rows?
function varies(s, c,   r) {
    for (r = 2; r <= ablate_rows[s]; r++)
        if (ablation(s, r, c) != ablation(s, 1, c)) return 1
    return 0
}
# The two times, and the first three counters that vary. `ablate 04 7 14` prints the rows 7 to 14
# of the lesson, `ablate 04` all of them.
function ablations(s, first, last,   names, order, count, i, c, r, head, rule, shown, dates,
                   counted) {
    if (!(s in ablate_rows)) {
        print "Not measured yet: `make ablate-" s "` on a GPU fills this table."
        return
    }
    count = split("6 9 10 13 11 12 15 16", order, " ")
    split("n = 2^20 in L2, us;n = 2^28, GB/s;instructions;shared wavefronts;global load requests;" \
        "global load sectors;registers;occupancy, %", names, ";")
    head = "| |"
    rule = "| --- |"
    for (i = 1; i <= count; i++) {
        c = order[i]
        if (shown == 5 || (i > 2 && !varies(s, c))) continue
        order[++shown] = c
        head = head " " names[i] " |"
        rule = rule " ---: |"
    }
    print head "\n" rule
    if (first !~ /^[0-9]+$/) { first = 1; last = ablate_rows[s] }
    if (last < first || last > ablate_rows[s]) {
        print FILENAME ": no rows " first " to " last " in lesson " s >"/dev/stderr"
        exit 1
    }
    for (r = first; r <= last; r++) {
        head = "| " ablated[s, r, "label"] " |"
        for (i = 1; i <= shown; i++) head = head " " ablation(s, r, order[i]) " |"
        print head
        if (index(dates, ablated[s, r, 17]) == 0) dates = dates ", " ablated[s, r, 17]
    }
    counted = shown > 2 ? " Instructions, requests, sectors and wavefronts: Nsight Compute, " \
        "first launch, n = 2^24, for 1,024 elements." : ""
    print "\nMeasured on an " gpu dates ", by `make ablate-" s "`." counted \
        " Data in `common/results/h200/ablate.csv`."
}
