# SPDX-License-Identifier: MIT
#
# numbers.awk - awk -f numbers.awk values numbers.txt PAGE...: are the numbers in sentences and
# comments those of the data? Silent if so, else a line for each that is not. A line of numbers.txt is
#
#   PAGE: words of the page with one [number] := FORMULA    see common/pages/tables/results.h
#   PAGE: words of the page with one [number] := - WHY      no cell has it: a prediction, a
#                                                           question, arithmetic
#
# and the line of `values` is what `tables --values` prints of its formula. A formula is about the
# H200, unless it says h100/ladder(...). The number is what it gives, rounded to its last digit. And
# in running text and comments each number before "us", "GB/s" or "times as fast" must be in a line.

FILENAME ~ /values$/ {
    value[FNR] = $0
    next
}
FILENAME ~ /numbers\.txt$/ {
    if (/^(#|$)/) next
    i = index($0, ": ")
    j = index($0, " := ")
    lines += j > 0
    if (!i || j < i || !match($0, /\[[0-9.]+\]/)) {
        complain(FILENAME ":" FNR ": not PAGE: words [number] := FORMULA")
        next
    }
    page[lines] = substr($0, 1, i - 1)
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
    for (l = 1; l <= lines; l++) if (l in page) check(l)
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
function check(l,   number, before, said, from, digits, x) {
    match(words[l], /\[[0-9.]+\]/)
    number = substr(words[l], RSTART + 1, RLENGTH - 2)
    before = RSTART - 1
    said = substr(words[l], 1, before) number substr(words[l], RSTART + RLENGTH)
    from = index(text[page[l]], said)
    if (!from) {
        complain(page[l] ": it does not say: " said)
        return
    }
    held[page[l], from + before] = 1
    if (formula[l] ~ /^- ./) return
    digits = index(number, ".") ? length(number) - index(number, ".") : 0
    x = value[l]
    if (sub(/^wrong: /, "", x)) {
        complain(page[l] ": " said ": " x)
        return
    }
    if (x < number - 0.50001 / 10 ^ digits || x > number + 0.50001 / 10 ^ digits)
        complain(page[l] ": " said ": the data have " sprintf("%.*f", digits + 2, x))
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
