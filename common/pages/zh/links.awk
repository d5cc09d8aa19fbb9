# SPDX-License-Identifier: MIT
#
# links.awk - awk -v page=X.zh.md -f pages.awk -f links.awk X.zh.md: prints the page with its links
# leading to Chinese pages where there are some. A link to an English page is followed by （英文）.

function linked(text,   out, target, chinese, end) {
    while (match(text, /\]\([^() ]+\)/)) {
        target = substr(text, RSTART + 2, RLENGTH - 3)
        end = RSTART + RLENGTH
        out = out substr(text, 1, RSTART) "("
        text = substr(text, end)
        if (target ~ /^#/) { # an anchor of the English page, or one of this page
            chinese = chinese_link(page, english_name target)
            sub(/^[^#]*/, "", chinese)
        } else chinese = chinese_link(page, target)
        out = out chinese ")"
        while (index(text, "（英文）") == 1) text = substr(text, length("（英文）") + 1)
        if (target !~ /^#/ && page_of(page, chinese) ~ /\.md$/ && chinese !~ /\.zh\.md/)
            out = out "（英文）"
    }
    return out text
}

BEGIN {
    if (page == "") exit
    english_name = english_of(page)
    sub(/.*\//, "", english_name)
}
/^ *```/ { code = !code }
code || is_switch($0) || /^ *!\[/ {
    print
    next
}
{ print linked($0) }
