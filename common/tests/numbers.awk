# SPDX-License-Identifier: MIT
#
# numbers.awk - awk -f columns.awk -f numbers.awk FOLDER/*.csv numbers.txt PAGE...: are the numbers
# in sentences and comments those of the data? Silent if so, else a line for each that is not.
# A line of numbers.txt is
#
#   PAGE: words of the page with one [number] := FORMULA
#
#   FORMULA                      terms with + - * / between them, from left to right
#   12, 0.5, 2^28                a number
#   ladder(KEY,KEY...).gbps      a cell of ladder.csv, of the one row that has all keys: a key is
#                                the value of any column, or column=value
#   ratio(peers;KEYS;KEYS).most  of all pairs of rows that have the first and the second keys and
#                                the same type, op, n and cols, the quotient of their median_us:
#                                the least, the most, or the geometric mean
#   - WHY                        no cell has the number: a prediction, a question, arithmetic
#
# The number is what the formula gives, rounded to its last digit. And in running text and comments
# each number before "us", "GB/s" or "times as fast" must be in a line.

csv {
    r = ++rows[table]
    for (name in col) {
        value[table, r, name] = $(col[name])
        values[table, r] = values[table, r] "," $(col[name]) ","
    }
    next
}
FILENAME ~ /numbers\.txt$/ {
    if (/^(#|$)/) next
    i = index($0, ": ")
    j = index($0, " := ")
    if (!i || j < i || !match($0, /\[[0-9.]+\]/)) {
        complain(FILENAME ":" FNR ": not PAGE: words [number] := FORMULA")
        next
    }
    page[++lines] = substr($0, 1, i - 1)
    words[lines] = substr($0, i + 2, j - i - 2)
    formula[lines] = substr($0, j + 4)
    next
}
FNR == 1 { code = made = 0 }
FILENAME ~ /\.md$/ {
    if (/^<!-- table/) made = 1
    if (/^<!-- \/table/) made = 0
    if (/^ *```/) code = !code
    if (made) next
    running = !code && !/^(#|\||    |```)/
}
FILENAME !~ /\.md$/ && !(running = sub(/^.*\/\/ */, "") || sub(/^ *\/?\*+ /, "")) { next }
{
    gsub(/^ +| +$/, "")
    if (running) sentence[FILENAME, length(text[FILENAME])] = length($0)
    text[FILENAME] = text[FILENAME] $0 " "
}

END {
    for (l = 1; l <= lines; l++) check(l)
    for (at in sentence) {
        split(at, part, SUBSEP)
        all_held(part[1], part[2] + 1, sentence[at])
    }
    exit complaints > 0
}

function complain(what) {
    print what
    complaints++
}

# Are the words on the page, and is the number what the formula gives?
function check(l,   number, before, plain, from, digits, x) {
    match(words[l], /\[[0-9.]+\]/)
    number = substr(words[l], RSTART + 1, RLENGTH - 2)
    before = RSTART - 1
    plain = substr(words[l], 1, before) number substr(words[l], RSTART + RLENGTH)
    from = index(text[page[l]], plain)
    if (!from) {
        complain(page[l] ": it does not say: " plain)
        return
    }
    held[page[l], from + before] = 1
    if (formula[l] ~ /^- ./) return
    digits = index(number, ".") ? length(number) - index(number, ".") : 0
    x = formula_of(formula[l], page[l] ": " plain)
    if (x < number - 0.50001 / 10 ^ digits || x > number + 0.50001 / 10 ^ digits)
        complain(page[l] ": " plain ": the data have " sprintf("%.*f", digits + 2, x))
}

# Is each number with a unit in the piece of a page that begins at `from` held by a line?
function all_held(file, from, size,   piece, at) {
    # The unit may be the first word of the next line.
    piece = substr(text[file], from, size + 20)
    for (at = from; match(piece, /[0-9][0-9.]* (us|GB\/s|times as fast)[^A-Za-z0-9]/);) {
        if (at + RSTART - 1 >= from + size) return
        if (!((file, at + RSTART - 1) in held))
            complain(file ": in no line of numbers.txt: ..." substr(text[file], at + RSTART - 31, \
                50 + RLENGTH) "...")
        at += RSTART + RLENGTH - 1
        piece = substr(piece, RSTART + RLENGTH)
    }
}

function formula_of(left, where,   sum, op, term, x) {
    sum = 0
    op = "+"
    while (sub(/^ */, "", left) && left != "") {
        if (match(left, /^[-+*\/] /)) {
            op = substr(left, 1, 1)
            left = substr(left, 3)
            continue
        }
        if (!match(left, /^([a-z_0-9]+\([^()]*\)\.[a-z0-9_]+|[0-9.^]+)/)) {
            complain(where ": not a term: " left)
            return 0
        }
        term = substr(left, 1, RLENGTH)
        left = substr(left, RLENGTH + 1)
        x = term ~ /^ratio/ ? ratio_of(term, where) : \
            term ~ /\(/ ? cell_of(term, where) : plain(term)
        if (op == "/" && x == 0) complain(where ": division by zero")
        else sum = op == "+" ? sum + x : op == "-" ? sum - x : op == "*" ? sum * x : sum / x
    }
    return sum
}
function plain(text,   part) {
    return text ~ /^[0-9]+\^[0-9]+$/ && split(text, part, "^") ? part[1] ^ part[2] : text
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
function cell_of(term, where,   table, keys, column, r, found) {
    table = substr(term, 1, index(term, "(") - 1)
    keys = substr(term, index(term, "(") + 1, index(term, ")") - index(term, "(") - 1)
    column = substr(term, index(term, ").") + 2)
    for (r = 1; r <= rows[table]; r++) {
        if (!has_keys(table, r, keys)) continue
        if (found) {
            complain(where ": several rows: " term)
            return 0
        }
        found = r
    }
    if (!found || !((table, found, column) in value)) {
        complain(where ": no such cell: " term)
        return 0
    }
    return value[table, found, column]
}
function alike(table, r) {
    return value[table, r, "type"] SUBSEP value[table, r, "op"] SUBSEP value[table, r, "n"] SUBSEP \
        value[table, r, "cols"]
}
function ratio_of(term, where,   part, what, table, r, base, x, n, least, most, logs) {
    what = substr(term, index(term, ").") + 2)
    sub(/^ratio\(/, "", term)
    sub(/\)\..*$/, "", term)
    split(term, part, ";")
    table = part[1]
    for (r = 1; r <= rows[table]; r++)
        if (has_keys(table, r, part[2])) base[alike(table, r)] = value[table, r, "median_us"]
    for (r = 1; r <= rows[table]; r++) {
        if (!has_keys(table, r, part[3]) || !(alike(table, r) in base)) continue
        x = base[alike(table, r)] / value[table, r, "median_us"]
        if (!n++ || x < least) least = x
        if (x > most) most = x
        logs += log(x)
    }
    if (!n) complain(where ": no pairs: " term)
    return what == "least" ? least : what == "most" ? most : exp(logs / (n ? n : 1))
}
