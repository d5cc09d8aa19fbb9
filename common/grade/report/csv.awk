# SPDX-License-Identifier: MIT
#
# csv.awk - one line of CSV: written so that no spreadsheet takes a text for a formula, and read.
# table.awk and formats.awk use it.

# An apostrophe in front of a text says that it is no formula. Its first sign may be a wide one, as
# a keyboard for Chinese or Japanese writes it: U+FF1D, U+FF0B, U+FF0D, U+FF20.
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

# Takes a line apart into field[1..]; returns their number.
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
