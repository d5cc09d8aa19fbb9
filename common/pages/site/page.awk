# SPDX-License-Identifier: MIT
#
# page.awk - a page of Markdown as HTML, the subset that the course writes: headings, paragraphs,
# lists that are not nested, tables, code, links, images, emphasis, quotes, and <details> on lines
# of their own. A link to X.md goes to X.html, to README.md or a folder/ to its index.html, and to a
# source to a page of its own, kernel.cu.html.
#
#   awk -v targets=FILE -f page.awk PAGE.md >HTML     appends to FILE what the page links to

/^\[[^]]*\]: / { # [name]: address, looked up when the page has been read
    name = $0
    sub(/\]:.*/, "]", name)
    address[name] = $2
    next
}
/^<!--.*-->$/ && !fenced { next }
/^```/ { fenced = !fenced }
{ line[++n] = $0 }

END {
    tags = "^</?details>$|^<summary>[^<]*</summary>$"
    for (i = 1; i <= n; i++) {
        if (line[i] ~ /^```/) code_block()
        else if (line[i] ~ /^#+ /) heading(line[i])
        else if (line[i] ~ /^\|/) table()
        else if (line[i] ~ /^([-*]|[0-9]+\.) /) list()
        else if (line[i] ~ /^    /) indented()
        else if (line[i] ~ /^>/) quote()
        else if (line[i] ~ tags) print line[i]
        else if (line[i] != "") print "<p>" inline(gather("^$|^```|^#+ |^[|>]|^[-*] |" tags)) "</p>"
    }
}

function escape(s) {
    gsub(/&/, "\\&amp;", s)
    gsub(/</, "\\&lt;", s)
    gsub(/>/, "\\&gt;", s)
    gsub(/"/, "\\&quot;", s)
    return s
}

# This line and those behind it, up to the one before a line like `end`.
function gather(end,    text) {
    text = line[i]
    while (i < n && line[i + 1] !~ end) {
        sub(/^ +/, "", line[++i])
        text = text "\n" line[i]
    }
    return text
}

function quote(    text) {
    text = substr(line[i], 3)
    while (line[i + 1] ~ /^>/) text = text "\n" substr(line[++i], 3)
    print "<blockquote><p>" inline(text) "</p></blockquote>"
}

# The names that GitHub gives to headings.
function heading(text,    level, id) {
    match(text, /^#+/)
    level = RLENGTH
    text = substr(text, level + 2)
    id = tolower(text)
    gsub(/[^a-z0-9_ -]/, "", id)
    gsub(/ /, "-", id)
    printf "<h%d id=\"%s\">%s</h%d>\n", level, id, inline(text), level
}

function code_block() {
    printf "<pre><code>"
    while (++i <= n && line[i] !~ /^```/) print escape(line[i])
    print "</code></pre>"
}

function indented() {
    printf "<pre><code>"
    for (; line[i] ~ /^    / || (line[i] == "" && line[i + 1] ~ /^    /); i++)
        print escape(substr(line[i], 5))
    i--
    print "</code></pre>"
}

function list(    kind) {
    kind = line[i] ~ /^[0-9]/ ? "ol" : "ul"
    print "<" kind ">"
    for (; line[i] ~ /^([-*]|[0-9]+\.) /; i++) {
        sub(/^([-*]|[0-9]+\.) +/, "", line[i])
        print "<li>" inline(gather("^$|^([-*]|[0-9]+\\.) |^```|^#+ |^\\|")) "</li>"
        if (line[i + 1] == "" && line[i + 2] ~ /^([-*]|[0-9]+\.) /) i++
    }
    i--
    print "</" kind ">"
}

function row(tag, text, align,    cell, cells, k) {
    gsub(/^\| *| *\|$/, "", text)
    gsub(/\\\|/, "\003", text)
    cells = split(text, cell, / *\| */)
    printf "<tr>"
    for (k = 1; k <= cells; k++) {
        gsub(/\003/, "|", cell[k])
        printf "<%s%s>%s</%s>", tag, align[k], inline(cell[k]), tag
    }
    print "</tr>"
}

function table(    align, k, columns) {
    columns = split(line[i + 1], align, /\|/)
    for (k = 1; k < columns; k++) align[k] = align[k + 1] ~ /-:/ ? " class=\"right\"" : ""
    print "<div class=\"wide\"><table><thead>"
    row("th", line[i], align)
    print "</thead><tbody>"
    for (i += 2; line[i] ~ /^\|/; i++) row("td", line[i], align)
    i--
    print "</tbody></table></div>"
}

# Where a link of this page goes on the site.
function goes_to(link,    anchor) {
    if (link ~ /^(https?:|#)/) return link
    anchor = ""
    if (match(link, /#.*/)) {
        anchor = substr(link, RSTART)
        link = substr(link, 1, RSTART - 1)
    }
    print link >>targets
    if (link ~ /README\.md$/) sub(/README\.md$/, "index.html", link)
    else if (link ~ /\.md$/) sub(/\.md$/, ".html", link)
    else if (link ~ /\/$/) link = link "index.html"
    else if (link !~ /\.(svg|webp)$/) link = link ".html"
    return link anchor
}

function put(s, sign, words) {
    return substr(s, 1, index(s, sign) - 1) words substr(s, index(s, sign) + 1)
}

# Code is set aside first, since nothing in it means anything, then links, then emphasis.
function inline(s,    k, kept, keep, text, link) {
    s = escape(s)
    kept = 0
    while (match(s, /`[^`]+`/)) {
        keep[++kept] = "<code>" substr(s, RSTART + 1, RLENGTH - 2) "</code>"
        s = substr(s, 1, RSTART - 1) "\001" kept "\002" substr(s, RSTART + RLENGTH)
    }
    while (match(s, /!?\[[^][]*\](\([^()]*\)|\[[^][]*\])/)) {
        text = link = substr(s, RSTART, RLENGTH)
        s = substr(s, 1, RSTART - 1) "\001" ++kept "\002" substr(s, RSTART + RLENGTH)
        keep[kept] = text ~ /^!/ ? "<img src=\"%\" alt=\"@\">" : "<a href=\"%\">@</a>"
        sub(/\][([].*/, "", text)
        sub(/^!?\[/, "", text)
        sub(/^.*\][([]/, "", link)
        link = substr(link, 1, length(link) - 1)
        if (("[" link "]") in address) link = escape(address["[" link "]"])
        keep[kept] = put(put(keep[kept], "%", goes_to(link)), "@", text)
    }
    while (match(s, /\*\*[^*]+\*\*/))
        s = substr(s, 1, RSTART - 1) "<b>" substr(s, RSTART + 2, RLENGTH - 4) "</b>" \
            substr(s, RSTART + RLENGTH)
    while (match(s, /\*[^* \n][^*]*\*/))
        s = substr(s, 1, RSTART - 1) "<em>" substr(s, RSTART + 1, RLENGTH - 2) "</em>" \
            substr(s, RSTART + RLENGTH)
    for (k = kept; k > 0; k--) # a link may hold code, so the last one first
        s = substr(s, 1, index(s, "\001" k "\002") - 1) keep[k] \
            substr(s, index(s, "\001" k "\002") + length(k) + 2)
    return s
}
