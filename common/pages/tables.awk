# SPDX-License-Identifier: MIT
#
# tables.awk - awk -v results=FOLDER -f columns.awk -f tables.awk FOLDER/*.csv PAGE: prints the page
# with its tables made anew.
#
#   <!-- table:ladder -->          every step at n = 2^28
#   <!-- table:result 03 -->       one sentence: the least time that the memory allows, and step 03's
#   <!-- table:sizes 03 -->        over three n: the previous step, this step, CUB
#   <!-- table:types 03 -->        over types and operators at n = 2^28
#   <!-- table:counters 03 -->     what Nsight Compute counts: the previous step and this step
#   <!-- table:ablate 04 -->       the rows of 04's ablations.txt, with the counters that vary
#   <!-- table:lone -->            sums over n: best and CUB, alone and in a row
#   <!-- table:best -->            sums over n: CUB, best, cuBLAS
#   <!-- table:any_order -->       sums over n: CUB's with and without a fixed order
#   <!-- table:parts -->           sums over n: best and the kernels that its ideas come from
#   <!-- table:rows -->            sums of rows over shapes: CUB, PyTorch, row_best
#   <!-- table:columns -->         sums of columns over shapes: PyTorch, column_best
#   <!-- table:softmax -->         softmax over the length of a row: PyTorch, softmax_best, a copy
#   <!-- table:maps -->            elementwise over n: the lesson's kernel, best, CUB
#   <!-- table:bulk_from -->       sums over n: best with plain loads, and with bulk copies
#   <!-- table:accuracy 05 -->     errors of the sums of a step and its variants at n = 2^26
#   <!-- table:gelu -->            errors of three forms of GELU
#   <!-- table:pytorch -->         elementwise over n: PyTorch's time over that of best
#   <!-- table:cub_inside -->      what cub::DeviceReduce launches, by n
#   <!-- table:floor -->           small sums: an empty kernel, the loads alone, best
#   <!-- table:distance -->        the time of a word from one SM to another and back
#   <!-- table:finish -->          when the SMs are done, if each has an equal part
#   <!-- table:many -->            a sum on one GPU and on several, by NCCL and by peer access
#   <!-- table:many_weak -->       the same where each GPU has n elements: GB/s of all
#   <!-- table:many_pairs -->      the same over types and operators, and the join alone

BEGIN {
    big = 268435456
    # the file of each table, and what writes it
    split("ladder ladder result ladder sizes ladder types ladder counters counters ablate ablate " \
        "best peers any_order peers parts peers rows peers maps peers columns columns_pytorch " \
        "bulk_from bulk_from accuracy accuracy gelu gelu pytorch pytorch cub_inside cub_inside " \
        "floor floor lone lone distance distance softmax softmax finish sm_finish " \
        "many many_gpus many_weak many_gpus many_pairs many_gpus", word, " ")
    for (i = 1; i in word; i += 2) from[word[i]] = word[i + 1]
    writer["ladder"] = writer["peers"] = writer["columns"] = writer["softmax"] = \
        writer["lone"] = "make bench"
    writer["counters"] = "make counters"
    writer["ablate"] = "make ablate"
    writer["accuracy"] = "make accuracy"
    writer["gelu"] = "make accuracy-07"
    writer["cub_inside"] = "sh 06_cub/inside.sh"
    writer["floor"] = "sh 05_warp_shuffle/faster/floor.sh"
    writer["distance"] = "sh 05_warp_shuffle/faster/distance.sh"
    writer["many_gpus"] = "sh 06_cub/many_gpus/many.sh"
    writer["sm_finish"] = "sh 05_warp_shuffle/faster/finish.sh"
}

# ---- the results: value[table, row, column]; time[key_of(...), column] of what was timed ----
csv {
    r = ++rows[table]
    for (name in col) value[table, r, name] = $(col[name])
    number = "step" in col ? get("step") : "lesson" in col ? get("lesson") : ""
    number = substr(number, 1, 2)
    if ("step" in col && get("variant") == "kernel") title[number] = get("step")
    if (table == "counters") counter[number, get("counter")] = get("value")
    if (table == "ablate") ablated[number, ++ablations_of[number]] = r
    if (table ~ /^(ladder|peers|columns|bulk_from)$/) timed()
    if (table == "many_gpus") many_timed()
    if (table == "lone")
        lone_us[called(get("variant"), get("step")), get("way"), get("n")] = get("median_us")
    if (table ~ /^(pytorch|quack)$/ && get("kind") ~ /^(cold|softmax)$/)
        library_timed(table == "quack" ? "QuACK" : "PyTorch")
    next
}
function timed(   k) {
    k = key_of(table, called(get("variant"), get("step")), get("type"), get("op"), get("n"))
    for (name in col) time[k, name] = get(name)
    row_gbps[get("variant"), get("type"), get("cols")] = get("gbps")
    shape_us[get("variant"), get("type"), get("cols")] = get("median_us")
    if (table != "ladder" || get("variant") != "kernel") return
    if (!(number in main_op)) {
        order[++steps] = number
        main_op[number] = get("op") # a lesson's own topic comes first
    }
    if (title[number] ~ /_cub$/) cub = number
    offers[number, get("type")] = offers[number, get("op")] = 1
}
# Sums of rows and softmax, as row_rate() gives them.
function library_timed(who,   type, n, bytes, moved) {
    type = get("type")
    n = get("rows") * get("cols")
    bytes = type == "f64" ? 8 : type == "f16" ? 2 : 4
    moved = get("kind") == "softmax" ? 2 * n : n + get("rows") # elements
    row_gbps[who " " get("kind"), type, get("cols")] = moved * bytes / get("median_us") / 1000
}
# A kernel is named by its lesson's number, a variant by its name.
function called(variant, step) { return variant == "kernel" ? substr(step, 1, 2) : variant }
function key_of(table, who, type, op, n) {
    return table SUBSEP who SUBSEP type SUBSEP op SUBSEP n
}

# ---- the page ----
/^<!-- table:/ {
    print
    split($0, word, /[ :]+/)
    kind = word[3]
    number = word[4]
    print ""
    if (!(kind in from)) {
        print FILENAME ": unknown table: " $0 >"/dev/stderr"
        exit 1
    }
    if (!(from[kind] in rows)) not_measured(from[kind])
    else if (kind == "ladder") ladder()
    else if (kind == "result") result(number)
    else if (kind == "sizes") by_size(number)
    else if (kind == "types") by_type(number)
    else if (kind == "counters") counters(number)
    else if (kind == "ablate") ablations(number, word, 5)
    else if (kind == "lone") lone()
    else if (kind == "best") best()
    else if (kind == "any_order") any_order()
    else if (kind == "parts") parts()
    else if (kind == "rows") rows_by_cols()
    else if (kind == "columns") columns()
    else if (kind == "maps") maps()
    else if (kind == "bulk_from") bulk_from()
    else if (kind == "accuracy") accuracy(number)
    else if (kind == "gelu") gelu_forms()
    else if (kind == "pytorch") beside_pytorch()
    else if (kind == "cub_inside") cub_inside()
    else if (kind == "floor") floors()
    else if (kind == "distance") distance()
    else if (kind == "softmax") softmax()
    else if (kind == "many") many()
    else if (kind == "many_weak") many_weak()
    else if (kind == "many_pairs") many_pairs()
    else finish()
    print ""
    inside = 1
    next
}
/^<!-- \/table -->/ { inside = 0 }
!inside { print }

# A folder of results may lack a file: the page says so.
function not_measured(table) {
    print "Not measured yet: there is no `" results "/" table ".csv`" \
        (table in writer ? "; `" writer[table] "` on that GPU writes it." : ".")
}

# ---- helpers ----
# From text as `a|b|c`: a row of a table; its first two lines, with `left` columns of text.
function row(text) {
    gsub(/\|/, " | ", text)
    text = "| " text " |"
    gsub(/  +/, " ", text)
    print text
}
function header(text, left,   i, n, part, rule) {
    row(text)
    n = split(text, part, "|")
    for (i = 1; i <= n; i++) rule = rule (i <= left ? "| --- " : "| ---: ")
    print rule "|"
}
function power(n,   k, p) {
    for (p = 1; p < n + 0; p *= 2) k++
    return p == n + 0 ? "2^" (k + 0) : n
}
# 21622785 as 21,622,785.
function grouped(n,   text) {
    for (text = ""; n + 0 >= 1000; n = int(n / 1000)) text = sprintf(",%03d", n % 1000) text
    return n text
}
# 1234 ulps as 1234, 0.0312 as 0.03, 8.39e+06 as 8.4e6.
function short(x,   text) {
    x += 0
    if (x >= 100000) {
        text = sprintf("%.1e", x)
        sub(/e\+0*/, "e", text)
        return text
    }
    return x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.2f", x)
}
function cell(k, name, format) { return (k, name) in time ? sprintf(format, time[k, name]) : "-" }
function gbps(k) { return cell(k, "gbps", "%.0f") }
function of_peak(k, table) {
    return (k, "n") in time ? sprintf("%.1f %%", 100 * peak_part(time[k, "peak_share"], \
        time[k, "gbps"], head[table, "memory"])) : "-"
}
# With all digits that are recorded: rounded a second time, the last one may be wrong.
function of_copy(k) {
    return (k, "n") in time ? sprintf("%.2f %%", 100 * time[k, "copy_share"]) : "-"
}
function faster(than, this) {
    return (than, "n") in time && (this, "n") in time ? \
        sprintf("%.2f", time[than, "median_us"] / time[this, "median_us"]) : "-"
}
# For small sizes time matters, for large ones bandwidth: each gets its own unit.
function speed(k, n, large) {
    if (!((k, "n") in time)) return "-"
    return n + 0 < large ? cell(k, "median_us", "%.2f us") : gbps(k) " GB/s"
}
# The sizes at which something was timed, each once: fills `list`, returns how many.
function sizes_of(list, table, name, type, op,   r, n, count, seen) {
    for (r = 1; r <= rows[table]; r++) {
        n = value[table, r, "n"]
        if (n in seen || value[table, r, "type"] != type || value[table, r, "op"] != op || \
            called(value[table, r, "variant"], value[table, r, "step"]) != name) continue
        seen[n] = 1
        list[++count] = n
    }
    return count + 0
}
# The previous step, if it is about the same operation; or "".
function before(s,   i) {
    for (i = 2; i <= steps; i++)
        if (order[i] == s) return main_op[order[i - 1]] == main_op[s] ? order[i - 1] : ""
}
function at_big(s) { return key_of("ladder", s, "f32", main_op[s], big) }
function data(table) { return "data in `" results "/" table ".csv`." }
function on_gpu(table) { return "on an " head[table, "gpu"] }
function source() {
    return "Measured " on_gpu("ladder") ", CUDA " head["ladder", "cuda"] \
        (value["ladder", 1, "cub"] ? ", CUB " value["ladder", 1, "cub"] : "") ", " \
        substr(head["ladder", "date"], 1, 10) ", by `make bench`; " data("ladder")
}
function peers_run() {
    return "Measured " on_gpu("peers") ", " head["peers", "date"] ", in one run of `make bench`; "
}

# ---- the ladder ----
function ladder(   i, s, k) {
    header("step|operation|time, us|GB/s|of peak|times " order[1] "|times CUB", 2)
    for (i = 1; i <= steps; i++) {
        s = order[i]
        k = at_big(s)
        row("[" title[s] "](" title[s] "/)|f32 " main_op[s] "|" cell(k, "median_us", "%.1f") "|" \
            gbps(k) "|" of_peak(k, "ladder") "|" \
            faster(key_of("ladder", order[1], "f32", main_op[s], big), k) "|" \
            faster(key_of("ladder", cub, "f32", main_op[s], big), k))
    }
    print "\nn = 2^28. " source()
}
# The least time is that of the bytes that must move, at the peak.
function result(s,   k, bytes, peak, least, us) {
    k = at_big(s)
    if (!((k, "n") in time)) {
        not_measured("ladder")
        return
    }
    bytes = time[k, "bytes"]
    peak = head["ladder", "memory"] + 0
    least = bytes / peak / 1000
    us = time[k, "median_us"]
    printf "%.2f GB at the peak of %d GB/s cannot take less than %.0f us; this lesson takes %.0f us ", \
        bytes / 1e9, peak, least, us
    printf (us < 2 * least ? "(%.2f" : "(%.1f") " times that), at %s GB/s. ", us / least, gbps(k)
    print "The f32 " main_op[s] " of 2^28 elements, " head["ladder", "gpu"] ", " \
        substr(head["ladder", "date"], 1, 10) ", by `make bench`."
}
function by_size(s,   i, n, size, k, op, old, with_cub) {
    op = main_op[s]
    old = before(s)
    with_cub = s != cub && op == main_op[cub]
    header("n|" (old == "" ? "" : title[old] "|") title[s] "|" \
        (with_cub ? title[cub] : "of a copy"), 0)
    n = split("4096 1048576 " big, size, " ")
    for (i = 1; i <= n; i++) {
        k = key_of("ladder", s, "f32", op, size[i])
        row(power(size[i]) "|" \
            (old == "" ? "" : time_at("ladder", old, op, size[i]) "|") \
            time_at("ladder", s, op, size[i]) "|" (with_cub ? time_at("ladder", cub, op, size[i]) : of_copy(k)))
    }
}
function time_at(table, who, op, n,   us) {
    us = time[key_of(table, who, "f32", op, n), "median_us"]
    return us == "" ? "-" : sprintf(us < 100 ? "%.2f us" : "%.0f us", us)
}
# The types and operators with which step s was timed.
function by_type(s,   types, ops, t, o, i, j, text) {
    t = split("f32 f64 f16 i32", types, " ")
    o = split("sum max min relu gelu add mul fma cast", ops, " ")
    text = "GB/s"
    for (j = 1; j <= o; j++) if ((s, ops[j]) in offers) text = text "|" ops[j]
    header(text, 1)
    for (i = 1; i <= t; i++) {
        if (!((s, types[i]) in offers)) continue
        text = types[i]
        for (j = 1; j <= o; j++)
            if ((s, ops[j]) in offers)
                text = text "|" gbps(key_of("ladder", s, types[i], ops[j], big))
        row(text)
    }
}

# ---- counters ----
# A counter for each of the steps, divided if it is a count of events.
function counter_row(text, name, divisor, format,   i) {
    for (i = 1; i <= shown; i++)
        text = text "|" ((show[i], name) in counter ? \
            sprintf(format, counter[show[i], name] / divisor) : "-")
    row(text)
}
function counters(s,   blocks, loads, stalls) {
    shown = 0
    if (before(s) != "") show[++shown] = before(s)
    show[++shown] = s
    header("for each 256 elements|" (shown == 2 ? title[show[1]] "|" : "") title[s], 1)
    blocks = 67108864 / 256
    loads = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
    stalls = "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"
    counter_row("warp instructions", "smsp__inst_executed.sum", blocks, "%.1f")
    counter_row("global load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", \
        blocks, "%.2f")
    counter_row("global load sectors of 32 bytes", \
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", blocks, "%.2f")
    counter_row("shared load requests", "smsp__sass_inst_executed_op_shared_ld.sum", blocks, "%.2f")
    counter_row("shared load wavefronts", loads "ld.sum", blocks, "%.2f")
    counter_row("shared store wavefronts", loads "st.sum", blocks, "%.2f")
    row("*whole kernel*|" (shown == 2 ? "|" : ""))
    counter_row("issue slots busy, %", \
        "smsp__issue_active.avg.pct_of_peak_sustained_active", 1, "%.0f")
    counter_row("DRAM busy, %", "dram__throughput.avg.pct_of_peak_sustained_elapsed", 1, "%.0f")
    counter_row("warps waiting for memory, for each instruction issued", stalls, 1, "%.1f")
    print "\nNsight Compute, first pass, f32, n = 2^26; " data("counters")
}

# ---- what each idea is worth ----
# A cell of the i-th row of lesson s; counts of events are for 1,024 of 2^24 elements.
function ablation(s, i, name,   x) {
    x = value["ablate", ablated[s, i], name]
    if (x == "") return "-"
    if (name == "small_us") return sprintf("%.2f", x)
    return name ~ /instructions|shared|global/ ? sprintf("%.1f", x / 16384) : sprintf("%.0f", x)
}
# Is a column not the same in all rows?
function varies(s, name,   i) {
    for (i = 2; i <= ablations_of[s]; i++)
        if (ablation(s, i, name) != ablation(s, 1, name)) return 1
}
# The two times, and the first three counters that vary. `ablate 04 1 3 7 7` prints the rows 1 to 3
# and row 7 of the lesson, `ablate 04` all of them. range[from] is the first number.
function ablations(s, range, from,   names, titles, count, kept, most, i, c, text, dates) {
    if (range[from] !~ /^[0-9]+$/) { range[from] = 1; range[from + 1] = ablations_of[s] }
    for (i = from; range[i] ~ /^[0-9]+$/; i += 2) if (range[i + 1] + 0 > most) most = range[i + 1] + 0
    if (!(s in ablations_of)) {
        print "Not measured yet: `make ablate-" s "` on a GPU fills this table."
        return
    }
    if (most > ablations_of[s]) return # rows that no run has yet: the page says nothing until it has
    count = split("small_us large_gbps instructions shared_wavefronts global_ld_requests " \
        "global_ld_sectors registers occupancy", names, " ")
    split("n = 2^20 in L2, us|n = 2^28, GB/s|instructions|shared wavefronts|" \
        "global load requests|global load sectors|registers|occupancy, %", titles, "|")
    for (c = 1; c <= count; c++) {
        if (kept == 5 || (c > 2 && !varies(s, names[c]))) continue
        names[++kept] = names[c]
        text = text "|" titles[c]
    }
    header(text, 1)
    for (; range[from] ~ /^[0-9]+$/; from += 2) {
        if (range[from + 1] < range[from] + 0) {
            print FILENAME ": no rows " range[from] " to " range[from + 1] " in lesson " s \
                >"/dev/stderr"
            exit 1
        }
        for (i = range[from] + 0; i <= range[from + 1]; i++) {
            text = value["ablate", ablated[s, i], "label"]
            for (c = 1; c <= kept; c++) text = text "|" ablation(s, i, names[c])
            row(text)
            if (index(dates, value["ablate", ablated[s, i], "date"]) == 0)
                dates = dates ", " value["ablate", ablated[s, i], "date"]
        }
    }
    print "\nMeasured " on_gpu("ablate") dates ", by `make ablate-" s "`." (kept > 2 ? \
        " Instructions, requests, sectors and wavefronts: Nsight Compute, first launch, " \
        "n = 2^24, for 1,024 elements." : "") " Data in `" results "/ablate.csv`."
}

# ---- the fastest kernels, and CUB ----
function best(   i, n, b, c, list, count) {
    header("n|CUB|best|times CUB|of peak|cuBLAS asum", 0)
    count = sizes_of(list, "peers", "best", "f32", "sum")
    for (i = 1; i <= count; i++) {
        n = list[i]
        b = key_of("peers", "best", "f32", "sum", n)
        c = key_of("peers", cub, "f32", "sum", n)
        row(power(n) "|" speed(c, n, 4194304) "|" speed(b, n, 4194304) "|" faster(c, b) "|" \
            of_peak(b, "peers") "|" \
            speed(key_of("peers", "cublas_asum", "f32", "sum", n), n, 4194304))
    }
    print "\nf32 sum. " peers_run() data("peers")
}
# Beside the times of best how many times as fast as CUB.
function lone(   i, j, n, ways, list, count, text, ours) {
    header("n|best, alone|times CUB|in a row|times CUB|called by the host|times CUB", 0)
    split("between row host", ways, " ")
    count = sizes_of(list, "lone", "best", "f32", "sum")
    for (i = 1; i <= count; i++) {
        n = list[i]
        text = power(n)
        for (j = 1; j in ways; j++) {
            ours = lone_us["best", ways[j], n]
            text = text sprintf(ours < 100 ? "|%.2f us|%.2f" : "|%.0f us|%.2f", ours, \
                lone_us[cub, ways[j], n] / ours)
        }
        row(text)
    }
    print "\nf32 sum; CUB " value["lone", 1, "cub"] ". Alone: a graph runs 64 times (another " \
        "kernel, then the sum); we subtract the time of one with the other kernel alone. Measured " on_gpu("lone") ", " \
        head["lone", "date"] ", by `make bench`; " data("lone")
}
# CUB's sum in the same order each run, and in any order.
function any_order(   i, n, list, count, k) {
    header("n|the same bits each run|any order|times the former", 0)
    count = sizes_of(list, "peers", "not_guaranteed", "f32", "sum")
    for (i = 1; i <= count; i++) {
        n = list[i]
        k = key_of("peers", cub, "f32", "sum", n)
        row(power(n) "|" time_at("peers", cub, "sum", n) "|" \
            time_at("peers", "not_guaranteed", "sum", n) "|" \
            faster(key_of("peers", "not_guaranteed", "f32", "sum", n), k))
    }
    print "\nf32 sum, CUB " value["peers", 1, "cub"] ". " peers_run() data("peers")
}
function parts(   i, j, n, names, list, count, text) {
    text = "best|single_block|cluster|mailbox|one_pass|bulk_copy"
    if (sizes_of(list, "peers", "grid_sync", "f32", "sum")) sub(/one_pass/, "&|grid_sync", text)
    header("n|" text, 0)
    split(text, names, "|")
    split("", list)
    count = sizes_of(list, "peers", "best", "f32", "sum")
    for (i = 1; i <= count; i++) {
        n = list[i]
        text = power(n)
        for (j = 1; j in names; j++)
            text = text "|" speed(key_of("peers", names[j], "f32", "sum", n), n, 4194304)
        row(text)
    }
    print "\nf32 sum. " peers_run() data("peers")
}
function row_rate(name, type, c) {
    return (name, type, c) in row_gbps ? sprintf("%.0f", row_gbps[name, type, c]) : "-"
}
function rows_by_cols(   r, c) {
    header("rows x columns|f32, CUB|f32, PyTorch|f32, row_best|f64, CUB|f64, PyTorch|" \
        "f64, row_best|f16, PyTorch|f16, row_best", 0)
    for (r = 1; r <= rows["peers"]; r++) {
        if (value["peers", r, "variant"] != "row_best") continue
        if (value["peers", r, "type"] != "f32") continue
        c = value["peers", r, "cols"]
        row(power(big / c) " x " power(c) "|" three_rates("f32", c) "|" three_rates("f64", c) "|" \
            row_rate("PyTorch cold", "f16", c) "|" row_rate("row_best", "f16", c))
    }
    print "\nSums of rows, GB/s, 2^28 elements. CUB: `cub::DeviceSegmentedReduce`, " \
        (one_size ? "the faster of segments by offsets and of one size, release " \
        value["peers", 1, "cub"] : "by offsets") ". " peers_run() data("peers") pytorch_source()
}
# CUB has a call by offsets, and since 3.1 one for segments of one size: the faster counts.
function three_rates(type, c,   name) {
    name = "segmented"
    if (("segments_of_one_size", type, c) in row_gbps) {
        one_size = 1
        if (row_gbps["segments_of_one_size", type, c] + 0 > row_gbps[name, type, c] + 0)
            name = "segments_of_one_size"
    }
    return row_rate(name, type, c) "|" row_rate("PyTorch cold", type, c) "|" \
        row_rate("row_best", type, c)
}
function pytorch_source() {
    if (!("pytorch" in rows)) return ""
    return " PyTorch " head["pytorch", "PyTorch"] " " on_gpu("pytorch") ", " \
        head["pytorch", "date"] "; " data("pytorch")
}
# PyTorch has three calls: the sum, and two forms of a product, of which the faster counts.
function column_peer(r, name) { return value["columns_pytorch", r, name] }
function columns(   r, k, peer, us, list, count, i, rows_of, cols, type, bytes, ours, least,
                 measured) {
    for (r = 1; r <= rows["columns_pytorch"]; r++) {
        k = column_peer(r, "type") SUBSEP column_peer(r, "cols")
        if (!((k, "sum") in us) && !((k, "product") in us)) list[++count] = r
        peer = column_peer(r, "peer") == "sum" ? "sum" : "product"
        if (!((k, peer) in us) || column_peer(r, "median_us") + 0 < us[k, peer])
            us[k, peer] = column_peer(r, "median_us") + 0
    }
    for (k in shape_us) if (k ~ /^column_best/) measured = 1
    header("|rows x columns|sum(dim=0), GB/s|product with ones, GB/s" \
        (measured ? "|column_best, GB/s|column_best / the faster" : ""), 1)
    for (i = 1; i <= count; i++) {
        type = column_peer(list[i], "type")
        rows_of = column_peer(list[i], "rows")
        cols = column_peer(list[i], "cols")
        k = type SUBSEP cols
        bytes = rows_of * cols * (type == "f16" ? 2 : 4)
        least = us[k, "sum"] < us[k, "product"] ? us[k, "sum"] : us[k, "product"]
        ours = ("column_best", k) in shape_us ? shape_us["column_best", k] : 0
        row(type "|" power(rows_of) " x " power(cols) "|" rate(bytes, us[k, "sum"]) "|" \
            rate(bytes, us[k, "product"]) (!measured ? "" : "|" rate(bytes, ours) "|" \
            (ours ? sprintf("%.3f", least / ours) : "-")))
    }
    print "\nSums, GB/s of the input. PyTorch " head["columns_pytorch", "PyTorch"] " " \
        on_gpu("columns_pytorch") ", " head["columns_pytorch", "date"] "; data in `" results \
        "/columns_pytorch.csv`. column_best: " (measured ? "measured " on_gpu("columns") \
        ", " head["columns", "date"] ", by `make bench`; " data("columns") : "not measured yet.")
}
function rate(bytes, us) { return us ? sprintf("%.0f", bytes / us / 1000) : "-" }
function maps(   i, j, n, list, count, ops, word, s, k) {
    for (i = 1; i <= steps; i++) if ((order[i], "gelu") in offers) s = order[i]
    header("|n|" s " kernel, GB/s|best, GB/s|of a copy|cub::DeviceTransform, GB/s", 1)
    split("f32 gelu|f16 gelu|f32 mul|f32 fma", ops, "|")
    for (j = 1; j in ops; j++) {
        split(ops[j], word, " ")
        count = sizes_of(list, "peers", "best", word[1], word[2])
        for (i = 1; i <= count; i++) {
            n = list[i]
            k = key_of("peers", "best", word[1], word[2], n)
            row(ops[j] "|" power(n) "|" gbps(key_of("ladder", s, word[1], word[2], n)) "|" \
                gbps(k) "|" of_copy(k) "|" \
                gbps(key_of("peers", "transform", word[1], word[2], n)))
        }
    }
    print "\nBytes read and written. " peers_run() data("peers") " The kernel: " \
        head["ladder", "date"] "; " data("ladder")
}
function bulk_from(   i, n, list, count, plain, bulk) {
    header("n|plain loads|bulk copies|plain / bulk", 0)
    count = sizes_of(list, "bulk_from", "plain", "f32", "sum")
    for (i = 1; i <= count; i++) { # two rounds; the second one counts
        n = list[i]
        plain = time[key_of("bulk_from", "plain", "f32", "sum", n), "median_us"]
        bulk = time[key_of("bulk_from", "bulk", "f32", "sum", n), "median_us"]
        row(sprintf("%s|%.1f us|%.1f us|%.3f", power(n), plain, bulk, plain / bulk))
    }
    print "\nf32 sum. Measured " on_gpu("bulk_from") "; " data("bulk_from")
}

# ---- errors ----
function accuracy(s,   r, p, name, list, count, i, ulps, distinct, aligned) {
    for (r = 1; r <= rows["accuracy"]; r++) {
        p = value["accuracy", r, "program"]
        if (value["accuracy", r, "n"] != 67108864) continue
        if (p !~ /^host/ && substr(p, 1, 2) != s) continue
        if (!(p in distinct)) list[++count] = p
        ulps[p, value["accuracy", r, "set"]] = value["accuracy", r, "ulps"]
        distinct[p] = most(distinct[p], value["accuracy", r, "distinct"])
        aligned[p] = most(aligned[p], value["accuracy", r, "alignments"])
    }
    header("f32 sum of 2^26|uniform|alternating|sticking|results in 100 runs|in 4 alignments", 1)
    for (i = 1; i <= count; i++) {
        name = p = list[i]
        sub(/^[0-9][0-9]_[a-z_]*\./, "", name)
        sub(/^host\./, "on the host, ", name)
        row(name "|" short(ulps[p, "uniform"]) "|" short(ulps[p, "alternating"]) "|" \
            short(ulps[p, "sticking"]) "|" \
            (p ~ /^host/ ? "-|-" : distinct[p] "|" aligned[p]))
    }
    print "\nErrors in units in the last place of the exact sum. uniform: [0, 1). alternating: " \
        "+[1, 2), -[1, 2), ... sticking: 2^24, then ones. By `make accuracy` " \
        on_gpu("accuracy") "; " data("accuracy")
}
function most(a, b) { return a + 0 > b + 0 ? a : b }
function gelu(r, name) { return value["gelu", r, name] }
function gelu_forms(   r) {
    header("form|type|x|largest error, ulps|at x =|mean, ulps|nearest", 3)
    for (r = 1; r <= rows["gelu"]; r++) {
        if (gelu(r, "range") == "all") continue
        row(gelu(r, "form") "|" gelu(r, "type") "|" gelu(r, "range") "|" \
            short(gelu(r, "max_ulps")) "|" sprintf("%.4g", gelu(r, "at")) "|" \
            short(gelu(r, "mean_ulps")) "|" sprintf("%.1f %%", 100 * gelu(r, "nearest")))
    }
    print "\nulps: distance to the nearest result, in units in its last place. f16: all halves; " \
        "f32: a sample. By `make accuracy-07` " on_gpu("gelu") "; " data("gelu")
}

function pytorch(r, name) { return value["pytorch", r, name] }
function beside_pytorch(   r, i, j, k, n, ns, sizes, pairs, count, ratio, ours, seen, text) {
    for (r = 1; r <= rows["pytorch"]; r++) {
        if (pytorch(r, "kind") != "map") continue
        n = pytorch(r, "rows")
        k = pytorch(r, "type") " " pytorch(r, "op")
        if (!seen[n]++) ns[++sizes] = n
        if (!seen[k]++) pairs[++count] = k
        ours = time[key_of("peers", "best", pytorch(r, "type"), pytorch(r, "op"), n), "median_us"]
        ratio[k, n] = ours ? sprintf("%.2f", pytorch(r, "median_us") / ours) : "-"
    }
    for (j = 1; j <= sizes; j++) text = text "|" power(ns[j])
    header(text, 1)
    for (i = 1; i <= count; i++) {
        text = pairs[i]
        for (j = 1; j <= sizes; j++) text = text "|" ratio[pairs[i], ns[j]]
        row(text)
    }
    print "\nPyTorch\x27s time over that of `best`, over n." pytorch_source() \
        " `best`: `peers.csv`, " head["peers", "date"] "."
}

# ---- inside CUB ----
function plan(r, name) { return value["cub_inside", r, name] }
# Fills `list` with the rows of one type and operator, each n once, in the order of n.
function inside_sorted(list, key,   r, j, n, count, seen) {
    for (r = 1; r <= rows["cub_inside"]; r++) {
        n = plan(r, "n") + 0
        if (plan(r, "type") " " plan(r, "op") != key || n in seen) continue
        seen[n] = 1
        for (j = ++count; j > 1 && plan(list[j - 1], "n") + 0 > n; j--) list[j] = list[j - 1]
        list[j] = r
    }
    return count + 0
}
# The f32 sum at some n: 2^12, 2^16, ..., and where the plan changes; then the limits of all types.
function cub_inside(   i, j, r, n, tile, list, count, keys, exponent, blocks, last, first,
                    sms) {
    count = inside_sorted(list, "f32 sum")
    for (i = 1; i <= count; i++) if (plan(list[i], "launches") == 1) tile = plan(list[i], "n")
    header("f32 sum, n|tiles of " tile "|launches|blocks of the first|tiles a block|" \
        "scratch, bytes", 0)
    for (i = 1; i <= count; i++) {
        r = list[i]
        n = power(plan(r, "n"))
        exponent = n ~ /\^/ ? substr(n, 3) + 0 : 12
        if (exponent < 12 || exponent % 4) continue
        j = int((plan(r, "n") + tile - 1) / tile)
        blocks = plan(r, "grid_1")
        row((n ~ /\^/ ? n : grouped(n)) "|" grouped(j) "|" plan(r, "launches") "|" \
            grouped(blocks) "|" sprintf(j % blocks ? "%.2f" : "%d", j / blocks) "|" \
            grouped(plan(r, "temp_bytes")))
    }
    print ""
    header("|one launch up to n|largest grid from n|blocks in it|for each SM|scratch, bytes", 1)
    sms = head["cub_inside", "SMs"]
    split("f32 sum|f64 sum|i32 max", keys, "|")
    for (i = 1; i in keys; i++) {
        if (!(count = inside_sorted(list, keys[i]))) continue
        last = list[count]
        for (j = count; j >= 1 && plan(list[j], "launches") != 1; j--)
            if (plan(list[j], "grid_1") == plan(last, "grid_1"))
                first = plan(list[j], "n")
        row(keys[i] "|" grouped(plan(list[j], "n")) "|" grouped(first) "|" \
            grouped(plan(last, "grid_1")) "|" \
            (sms ? plan(last, "grid_1") / sms : "-") "|" \
            grouped(plan(last, "temp_bytes")))
    }
    print "\nA tile is what one block takes at a time. All blocks have " plan(last, "block_1") \
        " threads; the second launch is one block. Read from CUDA graphs by `" \
        head["cub_inside", "command"] "` " on_gpu("cub_inside") "; " data("cub_inside")
}

# ---- softmax over the length of a row ----
function softmax(   r, cols, type, measured, beside) {
    for (r = 1; r <= rows["softmax"]; r++) {
        cols = value["softmax", r, "cols"]
        type = value["softmax", r, "type"]
        measured[cols, type] = value["softmax", r, "gbps"]
        beside[cols, type] = value["softmax", r, "copy_share"]
    }
    header("columns|f32, PyTorch|QuACK|f32|of a copy|f16, PyTorch|QuACK|f16|of a copy", 0)
    for (r = 1; r <= rows["softmax"]; r++) {
        cols = value["softmax", r, "cols"]
        if (value["softmax", r, "type"] == "f32")
            row(sprintf("%d|%s|%s|%.0f|%s|%s|%s|%.0f|%s", cols, \
                row_rate("PyTorch softmax", "f32", cols), row_rate("QuACK softmax", "f32", cols), \
                measured[cols, "f32"], beside[cols, "f32"], \
                row_rate("PyTorch softmax", "f16", cols), row_rate("QuACK softmax", "f16", cols), \
                measured[cols, "f16"], beside[cols, "f16"]))
    }
    print "\nsoftmax_best, " power(value["softmax", 1, "n"]) " elements, GB/s read and written. " \
        "Measured " on_gpu("softmax") " by `make bench`; " data("softmax") pytorch_source() \
        ("quack" in rows ? " QuACK " head["quack", "QuACK"] " likewise; " data("quack") : "")
}

# ---- the floor of small sums ----
function floors(   r, text, loads_us, best_us) {
    header("n|input|loads|best|best / loads|loads, early|best, early|best / loads", 0)
    for (r = 1; r <= rows["floor"]; r++) {
        loads_us = value["floor", r, "loads_us"]
        best_us = value["floor", r, "best_us"]
        if (!value["floor", r, "early"])
            text = power(value["floor", r, "n"]) "|" (value["floor", r, "warm"] ? "warm" : "cold")
        text = text sprintf("|%.2f us|%.2f us|%.2f", loads_us, best_us, best_us / loads_us)
        if (value["floor", r, "early"]) row(text)
    }
    printf "\nf32 sum. An empty kernel takes %.2f us, early %.2f. Measured %s by `%s`; %s\n", \
        value["floor", 1, "empty_us"], value["floor", 2, "empty_us"], on_gpu("floor"), \
        head["floor", "command"], data("floor")
}
function distance(   r) {
    header("there and back|least|median|most", 1)
    for (r = 1; r <= rows["distance"]; r++)
        row(value["distance", r, "way"] "|" value["distance", r, "least_cycles"] "|" \
            value["distance", r, "median_cycles"] "|" value["distance", r, "most_cycles"])
    print "\nCycles of an SM; in L2 between one SM and each other one. Measured " \
        on_gpu("distance") " by `" head["distance", "command"] "`; " data("distance")
}

# ---- when the SMs are done ----
function finish(   r, i, k, n, sizes, count, ends, sms, text) {
    for (r = 1; r <= rows["sm_finish"]; r++) {
        n = value["sm_finish", r, "n"]
        if (!(n in sms)) sizes[++count] = n
        k = value["sm_finish", r, "end_ns"] / 1000
        for (i = ++sms[n]; i > 1 && ends[n, i - 1] > k; i--) ends[n, i] = ends[n, i - 1]
        ends[n, i] = k # in order, the first to end first
    }
    header("n|first SM|a tenth|a quarter|half|nine tenths|last SM", 0)
    for (i = 1; i <= count; i++) {
        n = sizes[i]
        k = sms[n]
        row(sprintf("%s|%.1f us|%.1f us|%.1f us|%.1f us|%.1f us|%.1f us", power(n), ends[n, 1], \
            ends[n, int(0.1 * k) + 1], ends[n, int(0.25 * k) + 1], ends[n, int(0.5 * k) + 1], \
            ends[n, int(0.9 * k) + 1], ends[n, k]))
    }
    print "\nAfter the first SM has started. Measured " on_gpu("sm_finish") " by `" \
        head["sm_finish", "command"] "`; " data("sm_finish")
}

# ---- several GPUs: many_us[way, work, type, op, n] ----
function many_timed() {
    many_us[get("way"), get("work"), get("type"), get("op"), get("n")] = get("median_us")
    gpus = most(gpus, get("gpus"))
}
function many_time(way, work, type, op, n,   us) {
    if (!((way, work, type, op, n) in many_us)) return "-"
    us = many_us[way, work, type, op, n]
    return sprintf(us < 100 ? "%.2f us" : "%.0f us", us)
}
# How many times as fast as one GPU with one_n elements.
function many_times(way, type, op, n, one_n) {
    if (!((way, "sum", type, op, n) in many_us) || !(("one", "sum", type, op, one_n) in many_us))
        return "-"
    return sprintf("%.2f", n / one_n * many_us["one", "sum", type, op, one_n] / \
        many_us[way, "sum", type, op, n])
}
function many_rate(way, n) {
    return (way, "sum", "f32", "sum", n) in many_us ? \
        rate(4 * n, many_us[way, "sum", "f32", "sum", n]) : "-"
}
function many_source() {
    print "\n" gpus " x " head["many_gpus", "gpu"] ", " head["many_gpus", "date"] ", by `" \
        head["many_gpus", "command"] "`; " data("many_gpus")
}
# The sizes of the f32 sums of one GPU, in the order of the file.
function many_sizes(list,   r, count) {
    for (r = 1; r <= rows["many_gpus"]; r++)
        if (value["many_gpus", r, "way"] == "one" && value["many_gpus", r, "type"] == "f32" && \
            value["many_gpus", r, "op"] == "sum") list[++count] = value["many_gpus", r, "n"]
    return count + 0
}
function many(   i, n, list, count) {
    header("f32 sum, n|one GPU|NCCL, " gpus " GPUs|times one|peer access, " gpus \
        " GPUs|times one", 1)
    count = many_sizes(list)
    for (i = 1; i <= count; i++) {
        n = list[i]
        row(power(n) "|" many_time("one", "sum", "f32", "sum", n) "|" \
            many_time("nccl", "sum", "f32", "sum", n) "|" \
            many_times("nccl", "f32", "sum", n, n) "|" \
            many_time("peer", "sum", "f32", "sum", n) "|" many_times("peer", "f32", "sum", n, n))
    }
    row("the join alone|-|" many_time("nccl", "join", "f32", "sum", 0) "|-|" \
        many_time("peer", "join", "f32", "sum", 0) "|-")
    row("called by the host|-|" many_time("nccl", "call", "f32", "sum", 0) "|-|" \
        many_time("peer", "call", "f32", "sum", 0) "|-")
    many_source()
}
function many_weak(   i, n, all, list, count) {
    header("floats a GPU|one GPU, GB/s|NCCL, " gpus " GPUs, GB/s|times one|peer access, " gpus \
        " GPUs, GB/s|times one", 1)
    count = many_sizes(list)
    for (i = 1; i <= count; i++) {
        n = list[i]
        all = sprintf("%.0f", gpus * n)
        if (n < 4194304 || many_rate("nccl", all) == "-") continue
        row(power(n) "|" many_rate("one", n) "|" many_rate("nccl", all) "|" \
            many_times("nccl", "f32", "sum", all, n) "|" many_rate("peer", all) "|" \
            many_times("peer", "f32", "sum", all, n))
    }
    many_source()
    many_neighbours()
}
# What the other GPUs reach alone: gpu1, gpu2, ...
function many_neighbours(   r, text) {
    for (r = 1; r <= rows["many_gpus"]; r++)
        if (value["many_gpus", r, "way"] ~ /^gpu[0-9]/)
            text = text sprintf(" GPU %s alone: %.0f GB/s at %s.", \
                substr(value["many_gpus", r, "way"], 4), value["many_gpus", r, "gbps"], \
                power(value["many_gpus", r, "n"]))
    if (text != "") print "The first GPU is the one of the first column." text
}
function many_pairs(   i, j, t, o, types, ops) {
    header("n = 2^28|one GPU|NCCL, " gpus " GPUs|its join|peer access, " gpus " GPUs|its join", 1)
    t = split("f32 f64 i32", types, " ")
    o = split("sum max min", ops, " ")
    for (i = 1; i <= t; i++)
        for (j = 1; j <= o; j++)
            row(types[i] " " ops[j] "|" many_time("one", "sum", types[i], ops[j], big) "|" \
                many_time("nccl", "sum", types[i], ops[j], big) "|" \
                many_time("nccl", "join", types[i], ops[j], 0) "|" \
                many_time("peer", "sum", types[i], ops[j], big) "|" \
                many_time("peer", "join", types[i], ops[j], 0))
    many_source()
}
