#!/bin/sh
# SPDX-License-Identifier: MIT
#
# site.sh - the pages of `make site`: every link leads to a page or a heading that is there, and
# none out of the site but to the web; each lesson is there; no Markdown is left. The pages of
# `make show` are stood in for. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='site: '

mkdir "$tmp/shown"
for lesson in [0-9][0-9]_*/; do
    echo '<!doctype html><title>a page</title>' >"$tmp/shown/${lesson%/}.html"
done
check 'it is written' sh common/pages/site/site.sh "$tmp/shown" "$tmp/site"
want 'no index' [ -s "$tmp/site/index.html" ]
for lesson in [0-9][0-9]_*/; do
    for page in index.html DEEPER.html kernel.cu.html show.html; do
        want "no $lesson$page" [ -s "$tmp/site/$lesson$page" ]
    done
    for picture in "$lesson"*.svg; do
        want "no $picture" cmp -s "$picture" "$tmp/site/$picture"
    done
    want "no way to $lesson" grep -q "href=\"${lesson}index.html\"" "$tmp/site/index.html"
    want "no way to ${lesson}show.html" \
        grep -q "href=\"../${lesson}show.html\"" "$tmp/site/${lesson}index.html"
done
verdict 'each lesson is there'

# A line for each link of a site that leads nowhere.
broken() { # FOLDER
    # shellcheck disable=SC2016 # awk
    (cd "$1" && find . -name '*.html' | sort | xargs awk '
        function plain(path) {
            while (sub(/\/\.\//, "/", path) || sub(/\.?[^\/.][^\/]*\/\.\.\//, "", path));
            return path
        }
        FNR == 1 { there[FILENAME] }
        {
            text = $0
            while (match(text, /(href|src|id)="[^"]*"/)) {
                word = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                kind = word
                sub(/=.*/, "", kind)
                gsub(/^[a-z]*="|"$/, "", word)
                if (kind == "id") named[FILENAME "#" word]
                else if (word !~ /^https:/ || kind == "src") { from[++n] = FILENAME; to[n] = word }
            }
        }
        END {
            for (i = 1; i <= n; i++) {
                folder = from[i]
                sub(/[^\/]*$/, "", folder)
                file = to[i] ~ /^#/ ? from[i] : plain(folder to[i])
                sub(/#.*/, "", file)
                if (to[i] ~ /^[a-z]*:|^\//) print from[i] ": not relative: " to[i]
                else if (!(file in there) && (getline line <file) < 1)
                    print from[i] ": leads nowhere: " to[i]
                else if (to[i] ~ /#/ && !((file substr(to[i], index(to[i], "#"))) in named))
                    print from[i] ": no such heading: " to[i]
                close(file)
            }
            if (n < 100) print "only " n + 0 " links"
        }')
}
empty 'every link leads somewhere' "$(broken "$tmp/site")"
cp -R "$tmp/site" "$tmp/planted"
rm "$tmp/planted/03_no_bank_conflict/DEEPER.html"
echo '<a href="#nowhere">x</a> <a href="/etc/">x</a>' >>"$tmp/planted/01_naive/index.html"
broken "$tmp/planted" >"$tmp/out"
want 'a page that is gone is not told of' holds out 'leads nowhere: .*DEEPER.html'
want 'a heading that is gone is not told of' holds out 'no such heading: #nowhere'
want 'an absolute link is not told of' holds out 'not relative: /etc/'
verdict 'links that are planted are found'

# Outside of code: signs of Markdown, of quotes and of tags that came out as text.
markdown() { # FOLDER
    # shellcheck disable=SC2016 # awk
    (cd "$1" && find . -name '*.html' | sort | xargs awk '
        /<pre>/ { code = 1 }
        !code {
            text = $0
            gsub(/<code>[^<]*<\/code>|="[^"]*"/, "", text)
            if (text ~ /\*\*|\]\(|`|^\||^#|^- |<!--|^(<[a-z]*>)*&gt;|&lt;\/?[a-z]+(&gt;| )/)
                print FILENAME ": " $0
        }
        /<\/pre>/ { code = 0 }')
}
# Outside of code every " is of a tag, and comes twice.
halves() { # FOLDER
    # shellcheck disable=SC2016 # awk
    (cd "$1" && find . -name '*.html' ! -name show.html | sort | xargs awk '
        BEGIN {
            tags = "p|[uo]l|li|table|tr|td|th|pre|code|b|em|a|main|details|summary|blockquote"
            tags = "</?(" tags ")[ >]"
        }
        FNR == 1 { check(); file = FILENAME }
        function check(    tag) {
            for (tag in open) if (open[tag]) print file ": " tag " is open " open[tag] " times"
            if (quotes % 2) print file ": \" is open"
            split("", open)
            quotes = code = 0
        }
        {
            if (/<pre>/) code = 1
            text = $0
            if (!code) quotes += gsub(/"/, "\"", text)
            while (match(text, tags)) {
                tag = substr(text, RSTART + 1, RLENGTH - 2)
                text = substr(text, RSTART + RLENGTH)
                if (sub(/^\//, "", tag)) open[tag]--
                else open[tag]++
            }
            if (/<\/pre>/) code = 0
        }
        END { check() }')
}
empty 'no Markdown is left' "$(markdown "$tmp/site")"
empty 'each tag has its other half' "$(halves "$tmp/site")"
{
    echo '<p>&gt; a quote</p>'
    echo '<p>&lt;details&gt;'
    echo '&lt;/summary&gt;</p>'
    echo '<blockquote>'
    echo '<a href="../index.html>x</a>'
} >>"$tmp/planted/01_naive/index.html"
markdown "$tmp/planted" >"$tmp/out"
want 'not three lines of Markdown' lines out 3
halves "$tmp/planted" >"$tmp/err"
want 'an open blockquote is not found' holds err '01_naive/index.html: blockquote is open 1 times'
want 'an open " is not found' holds err '01_naive/index.html: " is open'
verdict 'Markdown and open halves that are planted are found'
finish
