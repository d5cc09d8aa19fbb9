# SPDX-License-Identifier: MIT
#
# formula.awk - numbers from the results of all GPUs, for the script after it:
#
#   awk -f common/measure/columns.awk -f common/pages/formula.awk -f SCRIPT common/results/*/*.csv ...
#
#   formula_of(FORMULA)          its value; `wrong` is why it has none, or ""
#
#   FORMULA                      terms with + - * / between them, from left to right
#   12, 0.5, 2^28                a number
#   ladder(KEY,KEY...).gbps      a cell of ladder.csv, of the one row that has all keys: a key is
#                                the value of any column, or column=value
#   ratio(peers;KEYS;KEYS).most  of all pairs of rows that have the first and the second keys and
#                                the same type, op, n and cols, the quotient of their median_us:
#                                the least, the most, or the geometric mean
#   h100/ladder(...).gbps        of common/results/h100; else of the folder that `gpu` names
#   head_of(GPU, "ladder", "date")    this field of the file's head, or ""

csv {
    folder = FILENAME
    sub(/\/[^\/]*$/, "", folder)
    sub(/.*\//, "", folder)
    r = ++rows[folder "/" table]
    for (name in head) { # the head of this file, at its first row
        heads[folder "/" name] = head[name]
        delete head[name]
    }
    for (name in col) {
        value[folder "/" table, r, name] = $(col[name])
        values[folder "/" table, r] = values[folder "/" table, r] "," $(col[name]) ","
    }
    if ("peak_share" in col)
        value[folder "/" table, r, "peak_share"] = peak_part(get("peak_share"), get("gbps"), \
            head_of(folder, table, "memory"))
}

function head_of(gpu, table, name) { return heads[gpu "/" table SUBSEP name] }

function formula_of(left,   sum, op, term, x) {
    wrong = ""
    sum = 0
    op = "+"
    while (sub(/^ */, "", left) && left != "") {
        if (match(left, /^[-+*\/] /)) {
            op = substr(left, 1, 1)
            left = substr(left, 3)
            continue
        }
        if (!match(left, /^(([a-z0-9_]+\/)?[a-z_0-9]+\([^()]*\)\.[a-z0-9_]+|[0-9.^]+)/))
            return no("not a term: " left)
        term = substr(left, 1, RLENGTH)
        left = substr(left, RLENGTH + 1)
        x = term !~ /\(/ ? plain(term) : term ~ /^([a-z0-9_]+\/)?ratio\(/ ? ratio_of(term) : \
            cell_of(term)
        if (wrong != "") return 0
        if (op == "/" && x == 0) return no("division by zero")
        sum = op == "+" ? sum + x : op == "-" ? sum - x : op == "*" ? sum * x : sum / x
    }
    return sum
}
function no(why) {
    wrong = why
    return 0
}
# As digits: mawk writes 2^32 as 4.29497e+09.
function plain(text,   part) {
    if (text !~ /^[0-9]+\^[0-9]+$/) return text
    split(text, part, "^")
    return sprintf("%.0f", part[1] ^ part[2])
}
function has_keys(table, r, keys,   n, i, key, at) {
    n = split(keys, key, ",")
    for (i = 1; i <= n; i++) {
        at = index(key[i], "=")
        if (at > 1) {
            if (value[table, r, substr(key[i], 1, at - 1)] != plain(substr(key[i], at + 1)))
                return 0
        } else if (!index(values[table, r], "," plain(key[i]) ",")) return 0
    }
    return 1
}
function table_of(name) { return name ~ /\// ? name : gpu "/" name }
function cell_of(term,   table, keys, column, r, found) {
    table = table_of(substr(term, 1, index(term, "(") - 1))
    keys = substr(term, index(term, "(") + 1, index(term, ")") - index(term, "(") - 1)
    column = substr(term, index(term, ").") + 2)
    for (r = 1; r <= rows[table]; r++) {
        if (!has_keys(table, r, keys)) continue
        if (found) return no("several rows: " term)
        found = r
    }
    if (!found || !((table, found, column) in value)) return no("no such cell: " term)
    return value[table, found, column]
}
function alike(table, r) {
    return value[table, r, "type"] SUBSEP value[table, r, "op"] SUBSEP value[table, r, "n"] SUBSEP \
        value[table, r, "cols"]
}
function ratio_of(term,   part, what, table, r, base, x, n, least, most, logs) {
    what = substr(term, index(term, ").") + 2)
    table = substr(term, 1, index(term, "ratio(") - 1)
    sub(/^.*ratio\(/, "", term)
    sub(/\)\..*$/, "", term)
    split(term, part, ";")
    table = table_of(table part[1])
    for (r = 1; r <= rows[table]; r++)
        if (has_keys(table, r, part[2])) base[alike(table, r)] = value[table, r, "median_us"]
    for (r = 1; r <= rows[table]; r++) {
        if (!has_keys(table, r, part[3]) || !(alike(table, r) in base)) continue
        x = base[alike(table, r)] / value[table, r, "median_us"]
        if (!n++ || x < least) least = x
        if (x > most) most = x
        logs += log(x)
    }
    if (!n) return no("no pairs: " term)
    return what == "least" ? least : what == "most" ? most : exp(logs / (n ? n : 1))
}
