# SPDX-License-Identifier: MIT
#
# tables_peers.awk - the tables of the fastest kernels, of CUB and of errors. Part of tables.awk.
#
#   <!-- table:best -->            sums over n: CUB, best, cuBLAS
#   <!-- table:parts -->           sums over n: best and the kernels that its ideas come from
#   <!-- table:rows -->            sums of rows over shapes: CUB, row_best
#   <!-- table:maps -->            elementwise over n: 07's kernel, best, CUB
#   <!-- table:accuracy 05 -->     errors of the sums of a step and its variants at n = 2^26
#   <!-- table:gelu -->            errors of three forms of GELU
#   <!-- table:cub_inside -->      what cub::DeviceReduce launches, by n
#   <!-- table:finish -->          when the SMs are done, if each has an equal part
#   <!-- table:bulk_from -->       sums over n: best with plain loads, and with bulk copies

# ---- the results ----
file == 4 && /^# GPU/ { peers_gpu = substr($0, 8) }
file == 4 && /^# date/ { peers_date = substr($0, 9) }
file == 4 && !/^#/ && $1 != "step" { # ... l2,warm,cols
    name = $1 == "06_cub" && $2 == "kernel" ? "cub" : $2
    if ($1 == "07_elementwise") name = "map_" name
    time_of[name, $3, $4, $5] = $7
    rate_of[name, $3, $4, $5] = $10
    share_of[name, $3, $4, $5] = $11
    copy_of[name, $3, $4, $5] = $12
    row_rate[name, $15] = $10
    if (name == "best" && $3 == "f32") best_n[++best_count] = $5
    if (name == "row_best") row_cols[++row_count] = $15
}
file >= 5 && file <= 8 && /^# gpu/ { gpu_of[file] = substr($0, 8) }
file == 5 && !/^#/ && $1 != "program" { # program,set,n,result,exact,error,ulps,...
    if ($3 == 67108864) {
        if (!($1 in ulps_seen)) { ulps_seen[$1] = 1; program_of[++program_count] = $1 }
        ulps[$1, $2] = $7
        if ($10 > distinct[$1]) distinct[$1] = $10
        if ($11 > aligned[$1]) aligned[$1] = $11
        runs_of[$1] = $9
    }
}
file == 6 && !/^#/ && $1 != "form" { gelu_row[++gelu_count] = $0 }
file == 7 && / SMs$/ { inside_sms = $2 + 0 } # a comment: CUB's version, then the number of SMs
file == 7 && !/^#/ && $1 != "type" { inside_row[++inside_count] = $0 }
file == 8 && !/^#/ && $1 != "n" { # n,sm,start_ns,end_ns
    if (!($1 in finish_sms)) finish_n[++finish_count] = $1
    # kept in order, the first to end first
    for (i = ++finish_sms[$1]; i > 1 && finish_ns[$1, i - 1] > $4; i--)
        finish_ns[$1, i] = finish_ns[$1, i - 1]
    finish_ns[$1, i] = $4 + 0
}
file == 9 && /^# GPU/ { bulk_gpu = substr($0, 8) }
file == 9 && !/^#/ && $1 != "step" { # as file 4, two rounds; the second one stays
    if ($2 == "plain" && !(("plain", $5) in bulk_us)) bulk_n[++bulk_count] = $5
    bulk_us[$2, $5] = $7
}
file > 3 { next }

# ---- helpers ----
function at(name, n, type, op) { return name SUBSEP type SUBSEP op SUBSEP n }
function ratio(slow, fast) {
    return slow in time_of && fast in time_of ? sprintf("%.2f", time_of[slow] / time_of[fast]) : "-"
}
function pace(k, n) {
    if (!(k in time_of)) return "-"
    return n < 4194304 ? sprintf("%.2f us", time_of[k]) : sprintf("%.0f GB/s", rate_of[k])
}
function rate(k) { return k in rate_of ? sprintf("%.0f", rate_of[k]) : "-" }
function peers_source() {
    return "Measured on an " peers_gpu ", " peers_date ", in one run of `make bench`; data in " \
        "`common/results/h200/peers.csv`."
}
# 1234 ulps as 1234, 0.0312 as 0.03, 8.39e+06 as 8.4e6.
function short(x,   text) {
    if (x >= 100000) {
        text = sprintf("%.1e", x)
        sub(/e\+0*/, "e", text)
        return text
    }
    return x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.2f", x)
}

# ---- tables ----
function best_by_size(   i, n, b, c) {
    print "| n | CUB | best | times CUB | of peak | cuBLAS asum |"
    print "| ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= best_count; i++) {
        n = best_n[i]
        if (n in best_done) continue
        best_done[n] = 1
        b = at("best", n, "f32", "sum")
        c = at("cub", n, "f32", "sum")
        printf "| %s | %s | %s | %s | %.1f %% | %s |\n", power(n), pace(c, n), pace(b, n), \
            ratio(c, b), 100 * share_of[b], pace(at("cublas_asum", n, "f32", "sum"), n)
    }
    delete best_done
    print "\nf32 sum. " peers_source()
}
function parts_by_size(   i, j, n, names, count, row) {
    count = split("best single_block cluster mailbox one_pass bulk_copy", names, " ")
    row = "| n |"
    for (j = 1; j <= count; j++) row = row " " names[j] " |"
    print row
    print "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= best_count; i++) {
        n = best_n[i]
        if (n in parts_done) continue
        parts_done[n] = 1
        row = "| " power(n) " |"
        for (j = 1; j <= count; j++) row = row " " pace(at(names[j], n, "f32", "sum"), n) " |"
        print row
    }
    delete parts_done
    print "\nf32 sum. " peers_source()
}
function rows_by_cols(   i, c) {
    print "| rows x columns | cub::DeviceSegmentedReduce, GB/s | row_best, GB/s |"
    print "| ---: | ---: | ---: |"
    for (i = 1; i <= row_count; i++) {
        c = row_cols[i]
        printf "| %s x %s | %.0f | %.0f |\n", power(268435456 / c), power(c), \
            row_rate["segmented", c], row_rate["row_best", c]
    }
    print "\nf32 sum, 2^28 elements. " peers_source()
}
function maps_by_size(   i, j, n, sizes_text, list, count, ops, type, op, word, k) {
    print "| | n | 07 kernel, GB/s | best, GB/s | of a copy | cub::DeviceTransform, GB/s |"
    print "| --- | ---: | ---: | ---: | ---: | ---: |"
    split("f32 gelu;f16 gelu;f32 mul;f32 fma", ops, ";")
    count = split("1048576 4194304 16777216 67108864 268435456 1073741824", list, " ")
    for (j = 1; j <= 4; j++) {
        split(ops[j], word, " ")
        for (i = 1; i <= count; i++) {
            n = list[i]
            k = at("map_best", n, word[1], word[2])
            if (!(k in rate_of)) continue
            printf "| %s | %s | %s | %s | %.1f %% | %s |\n", ops[j], power(n), \
                cell(gbps, key_of("07", "kernel", word[1], word[2], n), "%.0f"), rate(k), \
                100 * copy_of[k], rate(at("transform", n, word[1], word[2]))
        }
    }
    print "\nBytes read and written. Measured on an " peers_gpu ", " peers_date \
        ", in one run of `make bench`; data in `ladder.csv` and `peers.csv` of `common/results/h200`."
}
function accuracy(s,   i, p, name) {
    print "| f32 sum of 2^26 | uniform | alternating | sticking | results in 100 runs " \
        "| in 4 alignments |"
    print "| --- | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= program_count; i++) {
        p = program_of[i]
        if (p !~ "^host" && substr(p, 1, 2) != s) continue
        name = p
        sub(/^[0-9][0-9]_[a-z_]*\./, "", name)
        sub(/^host\./, "on the host, ", name)
        printf "| %s | %s | %s | %s | %s | %s |\n", name, short(ulps[p, "uniform"]), \
            short(ulps[p, "alternating"]), short(ulps[p, "sticking"]), \
            p ~ "^host" ? "-" : distinct[p], p ~ "^host" ? "-" : aligned[p]
    }
    print "\nErrors in units in the last place of the exact sum. uniform: [0, 1). alternating: " \
        "+[1, 2), -[1, 2), ... sticking: 2^24, then ones. By `make accuracy` on an " gpu_of[5] "; " \
        "data in `common/results/h200/accuracy.csv`."
}
function gelu_forms(   i, f) {
    print "| form | type | x | largest error, ulps | at x = | mean, ulps | nearest |"
    print "| --- | --- | --- | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= gelu_count; i++) {
        split(gelu_row[i], f, ",")
        if (f[3] == "all") continue
        printf "| %s | %s | %s | %s | %.4g | %s | %.1f %% |\n", f[1], f[2], f[3], short(f[5]), \
            f[6], short(f[7]), 100 * f[8]
    }
    print "\nulps: distance to the nearest result, in units in its last place. f16: all halves; " \
        "f32: a sample. By `make accuracy-07` on an " gpu_of[6] "; data in " \
        "`common/results/h200/gelu.csv`."
}
# The rows of one type and operator, each n once, in the order of n. Returns how many.
function inside_sorted(key,   i, j, count, f, seen) {
    for (i = 1; i <= inside_count; i++) {
        split(inside_row[i], f, ",")
        if (f[1] " " f[2] != key || f[3] in seen) continue
        seen[f[3]] = 1
        for (j = ++count; j > 1 && inside_n[j - 1] > f[3] + 0; j--) {
            inside_n[j] = inside_n[j - 1]
            inside_line[j] = inside_line[j - 1]
        }
        inside_n[j] = f[3] + 0
        inside_line[j] = inside_row[i]
    }
    return count
}
# 21622785 as 21,622,785.
function grouped(n,   text) {
    for (text = ""; n >= 1000; n = int(n / 1000)) text = sprintf(",%03d", n % 1000) text
    return n text
}
# The f32 sum at some n: 2^12, 2^16, ..., and where the plan changes; then the limits of all types.
function cub_inside(   i, j, f, n, tile, count, keys, key_count, first, last, exponent) {
    count = inside_sorted("f32 sum")
    for (i = 1; i <= count; i++) {
        split(inside_line[i], f, ",")
        if (f[5] == 1) tile = f[3]
    }
    print "| f32 sum, n | tiles of " tile " | launches | blocks of the first | tiles a block | " \
        "scratch, bytes |"
    print "| ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= count; i++) {
        split(inside_line[i], f, ",")
        n = power(f[3])
        exponent = n ~ /\^/ ? substr(n, 3) + 0 : 12
        if (exponent < 12 || exponent % 4) continue
        j = int((f[3] + tile - 1) / tile)
        printf "| %s | %s | %s | %s | %s | %s |\n", n ~ /\^/ ? n : grouped(n), grouped(j), f[5], \
            grouped(f[6]), sprintf(j % f[6] ? "%.2f" : "%d", j / f[6]), grouped(f[4])
    }
    print "\n| | one launch up to n | largest grid from n | blocks in it | for each SM | " \
        "scratch, bytes |"
    print "| --- | ---: | ---: | ---: | ---: | ---: |"
    key_count = split("f32 sum;f64 sum;i32 max", keys, ";")
    for (i = 1; i <= key_count; i++) {
        if (!(count = inside_sorted(keys[i]))) continue
        split(inside_line[count], last, ",")
        first = 0
        for (j = count; j >= 1; j--) {
            split(inside_line[j], f, ",")
            if (f[6] == last[6]) first = f[3]
            if (f[5] == 1) break
        }
        printf "| %s | %s | %s | %s | %s | %s |\n", keys[i], grouped(f[3]), grouped(first), \
            grouped(last[6]), inside_sms ? last[6] / inside_sms : "-", grouped(last[4])
    }
    print "\nA tile is what one block takes at a time. All blocks have " last[7] " threads; the " \
        "second launch is one block. Read from CUDA graphs by `sh 06_cub/inside.sh` on an " \
        gpu_of[7] "; data in `common/results/h200/cub_inside.csv`."
}
function bulk_from(   i, n, plain, bulk) {
    print "| n | plain loads | bulk copies | plain / bulk |"
    print "| ---: | ---: | ---: | ---: |"
    for (i = 1; i <= bulk_count; i++) {
        n = bulk_n[i]
        plain = bulk_us["plain", n]
        bulk = bulk_us["bulk", n]
        printf "| %s | %.1f us | %.1f us | %.3f |\n", power(n), plain, bulk, plain / bulk
    }
    print "\nf32 sum. Measured on an " bulk_gpu "; data in `common/results/h200/bulk_from.csv`."
}
# The time at which the given share of the SMs is done.
function done_by(n, share) { return finish_ns[n, int(share * finish_sms[n]) + 1] / 1000 }
function finish(   i, n, last) {
    print "| n | first SM | a tenth | a quarter | half | nine tenths | last SM |"
    print "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= finish_count; i++) {
        n = finish_n[i]
        last = finish_ns[n, finish_sms[n]] / 1000
        printf "| %s | %.1f us | %.1f us | %.1f us | %.1f us | %.1f us | %.1f us |\n", power(n), \
            done_by(n, 0), done_by(n, 0.1), done_by(n, 0.25), done_by(n, 0.5), done_by(n, 0.9), last
    }
    print "\nAfter the first SM has started. Measured on an " gpu_of[8] " by " \
        "`sh 05_warp_shuffle/finish.sh`; data in `common/results/h200/sm_finish.csv`."
}
