# SPDX-License-Identifier: MIT
#
# terms.awk - awk -v page=X.zh.md -f pages.awk -f terms.awk: a line for each word of the page that
# common/docs/WORDS.zh.md has another one for. An entry there begins with `**词**（English；又称 甲、乙）`:
# 甲 and 乙 are not used, and English only in brackets （）, unless 词 has it too. Code is left as it
# is, and so are the brackets of WORDS.zh.md itself.

BEGIN {
    if (page == "") exit
    words = "common/docs/WORDS.zh.md"
    read_page(words)
    for (i = 1; i <= number_of_lines[words]; i++) read_entry(line[words, i])
    read_page(page)
    for (i = 1; i <= number_of_lines[page]; i++) {
        text = line[page, i]
        if (text ~ /^ *```/) code = !code
        if (text ~ /^<!-- \/table/) made = 0
        if (!code && !made && !is_switch(text)) look(i, text)
        if (text ~ /^<!-- table/) made = 1
    }
}

function read_entry(text,   term, inside, part, n, i, j, name) {
    while (match(text, /\*\*[^*]+\*\*/)) {
        term = substr(text, RSTART + 2, RLENGTH - 4)
        text = substr(text, RSTART + RLENGTH)
        if (index(text, "（") != 1) continue
        inside = substr(text, length("（") + 1, index(text, "）") - length("（") - 1)
        n = split(inside, part, "；")
        for (i = 1; i <= n; i++) {
            if (index(part[i], "又称 ") == 1) {
                split(substr(part[i], length("又称 ") + 1), name, "、")
                for (j = 1; j in name; j++) instead[name[j]] = term
            } else {
                split(part[i], name, "，")
                for (j = 1; j in name; j++)
                    if (name[j] ~ /^[a-z][a-z -]*$/ && !index(term, name[j])) said[name[j]] = term
            }
        }
    }
}

function without(text, left, right,   from, to) {
    while (from = index(text, left)) {
        to = index(substr(text, from), right)
        if (!to) break
        text = substr(text, 1, from - 1) " " substr(text, from + to + length(right) - 1)
    }
    return text
}
function look(number, text,   name, plain) {
    if (page == words) text = without(text, "（", "）")
    gsub(/`[^`]*`/, " ", text)
    gsub(/\]\([^()]*\)/, "] ", text)
    gsub(/<[^>]*>/, " ", text)
    gsub(/https?:[^ )]*/, " ", text)
    for (name in instead)
        if (index(text, name)) print page ":" number ": '" name "'; say " instead[name]
    plain = " " without(text, "（", "）") " "
    gsub(/[A-Za-z0-9_]*_[A-Za-z0-9_]*/, " ", plain)
    for (name in said)
        if (match(plain, "[^A-Za-z0-9_./-]" name "[^A-Za-z0-9_./-]"))
            print page ":" number ": '" name "' outside of brackets; say " said[name]
}
