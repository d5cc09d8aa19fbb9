# SPDX-License-Identifier: MIT
#
# compare.awk - awk -v page=X.zh.md -f pages.awk -f compare.awk: a line for each difference between
# the Chinese page and the English one. A block is a paragraph, an item of a list, a row of a table,
# a heading or a block of code. Two blocks must have the same kind, numbers in the same order, code,
# links, pictures, marks and models of GPUs; numbers of a block with `<!-- order -->` in any order.

BEGIN {
    if (page == "") exit
    english = english_of(page)
    if (!exists(english)) differ(0, "there is no " english)
    both_ways()
    blocks_of(english)
    blocks_of(page)
    if (sections[english] != sections[page])
        differ(0, sections[page] " headings; the English page has " sections[english])
    for (s = 0; s <= sections[english] && s <= sections[page]; s++) compare_section(s)
}

function differ(number, message) { print page ":" number ": " message }

# Each page leads to the other in its first line below the title.
function both_ways(   i, text, name, other) {
    name = english
    sub(/.*\//, "", name)
    other = page
    sub(/.*\//, "", other)
    if (first_below(page) != "[English](" name ")")
        differ(3, "the first line below the title is not [English](" name ")")
    if (first_below(english) != "[中文](" other ")")
        differ(3, "the first line below the title of " english " is not [中文](" other ")")
}
function first_below(file,   i) {
    read_page(file)
    for (i = 2; i <= number_of_lines[file]; i++)
        if (line[file, i] != "" && !is_stamp(line[file, i])) return line[file, i]
}

# ---- the blocks of each section: kind, text and first line ----
function begin(file, what, number) {
    b = ++blocks[file, section]
    kind[file, section, b] = what
    text_of[file, section, b] = ""
    from[file, section, b] = number
}
function add(file, text) { text_of[file, section, b] = text_of[file, section, b] text "\n" }
function blocks_of(file,   i, text, made, open) {
    section = 0
    for (i = 1; i <= number_of_lines[file]; i++) {
        text = line[file, i]
        if (kind[file, section, b] ~ /^code/ && open) {
            if (text ~ /^ *```/) open = 0
            else add(file, text)
            continue
        }
        if (text ~ /^<!-- \/table/) made = 0
        if (made || is_stamp(text) || is_switch(text) || text ~ /^<!-- predict /) continue
        if (text ~ /^<!-- table/) made = 1
        if (text ~ /^ *```/) {
            begin(file, "code " text, i)
            open = 1
        } else if (text ~ /^##* /) {
            section++
            begin(file, "heading", i)
            add(file, text)
            open = 0
        } else if (text == "") open = 0
        else if (text ~ /^\|/) {
            begin(file, "row", i)
            add(file, text)
            open = 0
        } else if (text ~ /^ *([0-9]+\.|[-*]) /) {
            begin(file, "item", i)
            add(file, text)
            open = 1
        } else if (text ~ /^</ && text !~ /^<[a-z]+>[^<]/) {
            begin(file, "mark", i)
            add(file, text)
            open = 0
        } else {
            if (!open || kind[file, section, b] ~ /^code/) {
                begin(file, "paragraph", i)
                open = 1
            }
            add(file, text)
        }
    }
}

# ---- what a block must share: filled into list[], a string for each sort ----
function take(text, sort) { taken[sort] = taken[sort] text "\n" }
function numbers(text) {
    while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(text, RSTART, RLENGTH)
        text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
        if (word ~ /^[A-Z][0-9]+$/) take(word, "code") # H200
    }
    while (match(text, /[0-9][0-9.,]*/)) {
        word = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        sub(/[.,]+$/, "", word)
        take(word, "number")
    }
}
function models(text) { # of GPUs: H200, T4
    while (match(text, /[ABHPTV][0-9]+/)) {
        take(substr(text, RSTART, RLENGTH), "GPU")
        text = substr(text, RSTART + RLENGTH)
    }
}
function read_block(file, s, b,   text, what, n, row, i, target) {
    split("", taken)
    text = text_of[file, s, b]
    what = kind[file, s, b]
    if (what ~ /^code/) {
        n = split(text, row, "\n")
        for (i = 1; i <= n; i++) {
            if (what ~ /sh$/ && match(row[i], /(^| )# /)) {
                numbers(substr(row[i], RSTART))
                row[i] = substr(row[i], 1, RSTART - 1)
                sub(/ +$/, "", row[i])
            }
            take(row[i], "code")
        }
        return
    }
    if (what == "mark" && text !~ /^<summary/) {
        take(text, "mark")
        return
    }
    gsub(/\n/, " ", text)
    any_order = index(text, "<!-- order -->")
    gsub(/<!--([^-]|-[^-])*-->/, "", text)
    while (match(text, /`[^`]*`/)) {
        take(substr(text, RSTART, RLENGTH), "code")
        text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
    }
    while (match(text, /\]\([^() ]+\)/) || match(text, /\]: http[^ ]+/)) {
        target = substr(text, RSTART + 2, RLENGTH - 2)
        text = substr(text, 1, RSTART - 1) "] " substr(text, RSTART + RLENGTH)
        sub(/^ /, "", target)
        sub(/\)$/, "", target)
        if (file == english)
            target = target ~ /^#/ ? own_anchor(target) : chinese_link(page, target)
        take(target, "link")
    }
    numbers(text)
    models(text)
}
function own_anchor(target,   name) {
    name = english
    sub(/.*\//, "", name)
    target = chinese_link(page, name target)
    sub(/^[^#]*/, "", target)
    return target
}
# Sorted; with `once`, what is there several times is there once: a name may be repeated.
function sorted(text, once,   item, n, i, j, x) {
    n = split(text, item, "\n")
    for (i = 2; i <= n; i++) {
        x = item[i] ""
        for (j = i - 1; j >= 1 && item[j] "" > x; j--) item[j + 1] = item[j]
        item[j + 1] = x
    }
    text = ""
    for (i = 1; i <= n; i++)
        if (item[i] != "" && !(once && item[i] == item[i - 1])) text = text item[i] "\n"
    return text
}

# ---- two sections ----
function compare_section(s,   n, b, i, sort, sorts, theirs, mine) {
    split("number GPU code link mark", sorts, " ")
    n = blocks[english, s]
    for (b = 1; b <= n && b <= blocks[page, s]; b++) {
        if (kind[english, s, b] != kind[page, s, b]) {
            differ(from[page, s, b], kind[page, s, b] "; the English page has " \
                kind[english, s, b] " (line " from[english, s, b] ")")
            return
        }
        read_block(english, s, b)
        for (i = 1; i in sorts; i++) theirs[sorts[i]] = taken[sorts[i]]
        read_block(page, s, b)
        for (i = 1; i in sorts; i++) {
            sort = sorts[i]
            mine = taken[sort]
            if (kind[page, s, b] !~ /^code/ && (sort != "number" || any_order)) {
                mine = sorted(mine, sort ~ /^(code|GPU)$/)
                theirs[sort] = sorted(theirs[sort], sort ~ /^(code|GPU)$/)
            }
            if (mine != theirs[sort])
                differ(from[page, s, b], sort "s: " flat(mine) "; the English page has " \
                    flat(theirs[sort]) " (line " from[english, s, b] ")")
        }
    }
    if (n != blocks[page, s])
        differ(from[page, s, 1], blocks[page, s] + 0 " blocks in '" heading[page, s] \
            "'; the English page has " n + 0)
}
function flat(text) {
    sub(/\n+$/, "", text)
    gsub(/\n/, " | ", text)
    return text == "" ? "none" : text
}
