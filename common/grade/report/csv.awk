# SPDX-License-Identifier: MIT
#
# csv.awk - reads and writes a line of CSV, so that no spreadsheet mistakes a text for a formula.
# table.awk and formats.awk use it.

# An apostrophe before a text marks it as not a formula. Its first character may be a full-width
# one, as Chinese or Japanese keyboards write it: U+FF1D, U+FF0B, U+FF0D, U+FF20.
function is_formula(text) {
    return text ~ /^[-=+@']/ || text ~ /^\357\274(\235|\213|\215|\240)/
}
function quote(text) {
    if (is_formula(text)) text = "'" text
    if (text ~ /[",;\n]/) {
        gsub(/"/, "\"\"", text)
        text = "\"" text "\""
    }
    return text
}
function unquote(text) {
    return text ~ /^'/ && is_formula(substr(text, 2)) ? substr(text, 2) : text
}

# Splits a line into field[1..]; returns their number.
function split_line(line,    n, text, sign, quoted) {
    n = 1
    text = ""
    sub(/\r$/, "", line)
    while (match(line, /[",]/)) {
        text = text substr(line, 1, RSTART - 1)
        sign = substr(line, RSTART, 1)
        line = substr(line, RSTART + 1)
        if (sign == "," && !quoted) {
            field[n++] = unquote(text)
            text = ""
        } else if (sign == ",") {
            text = text ","
        } else if (quoted && substr(line, 1, 1) == "\"") {
            text = text "\""
            line = substr(line, 2)
        } else {
            quoted = !quoted
        }
    }
    field[n] = unquote(text line)
    return n
}
