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

# Outside of code: signs of Markdown, tags without their other half.
# shellcheck disable=SC2016 # awk
empty 'no Markdown is left' "$(cd "$tmp/site" && find . -name '*.html' | sort | xargs awk '
    /<pre>/ { code = 1 }
    !code {
        text = $0
        gsub(/<code>[^<]*<\/code>|="[^"]*"/, "", text)
        if (text ~ /\*\*|\]\(|`|^\||^#|^- |<!--/) print FILENAME ": " $0
    }
    /<\/pre>/ { code = 0 }')"
# shellcheck disable=SC2016 # awk
empty 'each tag has its other half' "$(cd "$tmp/site" && find . -name '*.html' ! -name show.html |
    sort | xargs awk '
    FNR == 1 { check(); file = FILENAME }
    function check(    tag) {
        for (tag in open) if (open[tag]) print file ": " tag " is open " open[tag] " times"
        split("", open)
    }
    {
        text = $0
        while (match(text, /<\/?(p|[uo]l|li|table|tr|td|th|pre|code|b|em|a|main)[ >]/)) {
            tag = substr(text, RSTART + 1, RLENGTH - 2)
            text = substr(text, RSTART + RLENGTH)
            if (sub(/^\//, "", tag)) open[tag]--
            else open[tag]++
        }
    }
    END { check() }')"
finish
