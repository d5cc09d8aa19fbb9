# SPDX-License-Identifier: MIT
#
# stale.awk - awk -v page=X.zh.md [-v write=1 | -v only=N | -v wanted=HASH] -f pages.awk
# -f stale.awk: a line `SECTION HASH-OF-THE-STAMP HEADING` for each section whose English text is
# not the one that was translated. With write, prints the page with the stamps of today's English
# instead; with only, the English text of one section; with wanted, the English text of that hash.

BEGIN {
    if (page == "") exit
    english = english_of(page)
    read_page(english)
    if (only != "" || wanted != "") {
        for (i = 1; i <= sections[english]; i++)
            if (i == only || hash(body[english, i]) == wanted) printf "%s", body[english, i]
        exit
    }
    read_page(page)
    if (write) {
        written()
        exit
    }
    if (sections[page] != sections[english])
        print "0 none the page: " sections[page] " sections, " sections[english] " in English"
    for (i = 1; i <= sections[english]; i++)
        if (stamp[page, i] != hash(body[english, i]))
            print i, (stamp[page, i] == "" ? "none" : stamp[page, i]), heading[english, i]
}

function written(   i, n) {
    for (i = 1; i <= number_of_lines[page]; i++) {
        if (is_stamp(line[page, i])) continue
        print line[page, i]
        if (i == at[page, n + 1]) print "<!-- en: " hash(body[english, ++n]) " -->"
    }
}
