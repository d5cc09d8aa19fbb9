# SPDX-License-Identifier: MIT
#
# pages.awk - what the scripts of the two languages share: the sections of a page, their hashes, and
# where a link of an English page leads from the Chinese one. Awk counts bytes (LC_ALL=C).
#
#   read_page(FILE)        sections[FILE]; heading, body, stamp, first and last line of each
#   hash(TEXT)             eight digits; blanks and line breaks don't count
#   chinese_link(PAGE, TARGET)   PAGE is the Chinese page, TARGET what the English one links to

BEGIN {
    for (c = 1; c < 128; c++) ascii[sprintf("%c", c)] = c
    split("，|。|：|；|？|！|、|（|）|《|》|“|”|「|」|…", wide, "|")
}

function english_of(page) {
    sub(/\.zh\.md$/, ".md", page)
    return page
}
function exists(file,   text, there) {
    if (!(file in found)) {
        there = (getline text <file) >= 0
        close(file)
        found[file] = there
    }
    return found[file]
}
function is_switch(text) { return text ~ /^\[(English|中文)\]\([A-Za-z_.]*\)$/ }
function is_stamp(text) { return text ~ /^<!-- en: [0-9a-f]+ -->$/ }

# A section is a heading and what follows. What a script writes, stamps and the line that leads to
# the other language are no part of it. The text before the first heading is section 0.
function read_page(file,   text, n, code, made) {
    if (file in sections) return
    number_of_lines[file] = 0
    while ((getline text <file) > 0) {
        line[file, ++number_of_lines[file]] = text
        if (text ~ /^ *```/) code = !code
        if (!code && text ~ /^##* /) {
            n++
            heading[file, n] = text
            at[file, n] = number_of_lines[file]
        }
        if (!code && is_stamp(text)) {
            stamp[file, n] = substr(text, 10, 8)
            continue
        }
        if (text ~ /^<!-- \/table/) made = 0
        if (!made && (code || !is_switch(text))) body[file, n + 0] = body[file, n + 0] text "\n"
        if (text ~ /^<!-- table/) made = 1
    }
    close(file)
    sections[file] = n + 0
}

function hash(text,   i, n, h) {
    gsub(/[ \t\n]+/, " ", text)
    sub(/ $/, "", text)
    n = length(text)
    for (i = 1; i <= n; i++)
        if (substr(text, i, 1) in ascii) h = (h * 257 + ascii[substr(text, i, 1)]) % 2147483629
    return sprintf("%08x", h)
}

# The anchor that GitHub and the site give to a heading.
function anchor(text,   i) {
    sub(/^##* /, "", text)
    gsub(/[][!"#$%&'()*+,.\/:;<=>?@\\^`{|}~]/, "", text)
    for (i = 1; i in wide; i++) gsub(wide[i], "", text)
    gsub(/ /, "-", text)
    return tolower(text)
}

# A path without `x/..`, `.` and `//`.
function normal(path,   part, n, i, kept, out) {
    n = split(path, part, "/")
    for (i = 1; i <= n; i++) {
        if (part[i] == "" || part[i] == ".") continue
        if (part[i] == ".." && kept > 0 && out[kept] != "..") kept--
        else out[++kept] = part[i]
    }
    path = ""
    for (i = 1; i <= kept; i++) path = path (i > 1 ? "/" : "") out[i]
    return path
}
function folder_of(file) { return file ~ /\// ? substr(file, 1, match(file, /\/[^\/]*$/)) : "" }

# The page of Markdown that a link leads to, or "".
function page_of(page, target) {
    sub(/#.*/, "", target)
    if (target == "") return page
    if (target ~ /^[a-z]+:/) return ""
    target = normal(folder_of(page) target)
    if (target ~ /\.md$/) return target
    target = target (target == "" ? "" : "/") "README.md"
    return exists(target) ? target : ""
}
function chinese_link(page, target,   there, mine, mark, i) {
    there = page_of(page, target)
    if (there == "" || there ~ /\.zh\.md$/) return target
    mine = there
    sub(/\.md$/, ".zh.md", mine)
    if (!exists(mine)) return target
    if (match(target, /#/)) {
        mark = substr(target, RSTART + 1)
        target = substr(target, 1, RSTART - 1)
        read_page(there)
        read_page(mine)
        for (i = sections[there]; i > 0 && anchor(heading[there, i]) != mark; i--) ;
        mark = "#" (i > 0 ? anchor(heading[mine, i]) : mark)
    }
    if (target ~ /\.md$/) sub(/\.md$/, ".zh.md", target)
    else {
        sub(/\/$/, "", target)
        target = target "/README.zh.md"
    }
    return target mark
}
