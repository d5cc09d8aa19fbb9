# SPDX-License-Identifier: MIT
#
# find.awk - awk -v page=X.zh.md -v wanted=HASH -f pages.awk -f find.awk: the number of the section
# of X.md that has this hash, if there is one.

BEGIN {
    english = english_of(page)
    read_page(english)
    for (i = 1; i <= sections[english]; i++)
        if (hash(body[english, i]) == wanted) {
            print i
            exit
        }
}
