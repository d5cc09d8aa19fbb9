#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: site - `make site`: each lesson is there, in order, and what only teachers need is not;
# every link leads to an existing page or heading; nothing is loaded from elsewhere; no tag or quote
# is left open; hints are folded; the search works. Without Sphinx, which common/pages/python.sh
# sets up, it is skipped. Run it alone: it makes pages that other tests make as well.
# Full: sh common/tests/site.sh
# Where: cpu alone
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='site: '
export BUILD_DIR="${BUILD%/*}"

# ---- what it needs ----
ends 1 env BUILD_DIR="$tmp/none" PYTHON=/no/python sh common/pages/python.sh site
want 'Python is not named' holds err "'/no/python' was not found.*sudo apt install python3"
verdict 'without Python'
printf '#!/bin/sh\nexit 1\n' >"$tmp/python"
chmod +x "$tmp/python"
ends 1 env BUILD_DIR="$tmp/none" PYTHON="$tmp/python" sh common/pages/python.sh site
want 'stdout is not empty' lines out 0
says err 'sphinx | could not be set up | sudo apt install python3-venv'
verdict 'without what Python needs'

python=$(sh common/pages/python.sh site --there) || {
    echo "skip site: Sphinx was not found; set it up: sh common/pages/python.sh site"
    finish
}

# ---- the site ----
check 'the pages to step through' mk shown
site=$tmp/site
ends 0 env REPOSITORY= sh common/pages/site/site.sh "$BUILD_DIR/show" "$site"
want 'Sphinx has something to say' lacks err 'WARNING|ERROR'
want 'a file or a folder is hidden' [ -z "$(find "$site" -name '.?*')" ]
verdict 'it is written'
cp "$tmp/err" "$tmp/said"
has() { want "$1.html has no: $2" grep -qE -e "$2" "$site/$1.html"; } # PAGE REGEX

before=
for lesson in [0-9][0-9]_*/; do
    lesson=${lesson%/}
    for page in "$lesson/index" "$lesson/DEEPER" "$lesson/exercise/index" "$lesson/kernel.cu" \
        "show/$lesson" ${before:+"show/$before-$lesson"}; do
        want "no $page.html" [ -s "$site/$page.html" ]
    done
    has "$lesson/kernel.cu" "> *$(($(wc -l <"$lesson/kernel.cu")))</span>" # its lines have numbers
    before=$lesson
done
for page in "$site"/show/*-*.html; do
    pair=$(basename "$page" .html)
    for lesson in "${pair%-*}" "${pair#*-}"; do
        has "show/$pair" "href=\"../$lesson/index.html\""
        has "$lesson/index" "href=\"../show/$pair.html\""
        has "$lesson/kernel.cu" "href=\"../show/$pair.html\""
    done
done
has 01_naive/kernel.cu '__shared__</span>'
has 01_naive/kernel.cu '<h1>01_naive/<wbr>kernel.cu<' # its title breaks
verdict 'each lesson is there'

"$python" common/tests/site.py --next "$site" >"$tmp/out"
sed -n 's,^\([0-9][0-9]_[a-z_]*\)/index.html$,\1,p' "$tmp/out" >"$tmp/lessons"
want 'it does not begin with the first kernel' \
    [ "$(head -n 1 "$tmp/out")" = 01_naive/start/index.html ]
# shellcheck disable=SC2046 # a line each
want 'the lessons are not in their order' \
    [ "$(cat "$tmp/lessons")" = "$(printf '%s\n' $(echo [0-9][0-9]_*))" ]
want 'a page comes twice' [ -z "$(sort "$tmp/out" | uniq -d)" ]
want 'the kernel does not follow its lesson' \
    grep -A1 -x 02_no_divergence/index.html "$tmp/out" | grep -qx 02_no_divergence/kernel.cu.html
verdict 'each page leads to the next'

find "$site" -name 'ANSWERS*' -o -name 'TEACHING*' -o -name 'solution*' -o -path '*grade/tests/*' \
    >"$tmp/out"
grep -rlE 'href="[^"]*(ANSWERS|TEACHING|solution\.cu|grade/tests)' "$site" >>"$tmp/out"
if [ -f common/grade/ANSWERS.md ]; then
    sed -n 's/^[A-Za-z][A-Za-z ,]\{59,\}/&/p' common/grade/ANSWERS.md | cut -c1-60 >"$tmp/err"
    want 'no line of the answers to look for' [ -s "$tmp/err" ]
    grep -rlFf "$tmp/err" "$site" >>"$tmp/out"
fi
want 'what only teachers need' [ ! -s "$tmp/out" ]
verdict 'the answers are not there'

wrong() { # FOLDER
    "$python" -X utf8 common/tests/site.py "$1"
}
empty 'links, and what is loaded' "$(wrong "$site")"
cp -R "$site" "$tmp/planted"
rm "$tmp/planted/03_no_bank_conflict/DEEPER.html"
{
    echo '<a href="../show/01_naive.html#step=9999">x</a>'
    echo '<a href="#nowhere">x</a> <a href="/etc/">x</a> <img src="https://example.org/x.png">'
    echo '<script src="//example.org/x.js"></script>'
    echo '<blockquote><p>x <svg><path d="M0 0"/></svg> &lt;kbd&gt; <code>&lt;b&gt;</code></section>'
    echo '<i title="x>a</i> <i title="y">a</i>'
} >>"$tmp/planted/01_naive/index.html"
echo '@import "https://example.org/x.css";' >>"$tmp/planted/_static/site.css"
sed 's/ lang="en"//; s/<title>[^<]*/<title>/; /name="description"/d' "$site/index.html" \
    >"$tmp/planted/index.html"
wrong "$tmp/planted" >"$tmp/out"
says out 'no such heading: #nowhere | not relative: /etc/'
want 'a page that is gone' holds out 'leads nowhere: .*DEEPER.html'
want 'a step that is not there' holds out 'no such step: .*#step=9999'
says out 'not relative: https://example.org/x.png | not relative: //example.org/x.js'
says out 'site.css: not relative: https://example.org/x.css'
says out 'index.html: no language, or no title | index.html: no description'
broken=$(sed -n 's/^01_naive.*: left open, or text: //p' "$tmp/out" | tr '\n' ' ')
want "broken tags: $broken" [ "$broken" = '<kbd> </section> <i y"> <blockquote> ' ]
verdict 'links, heads and tags that are planted are found'

for page in [0-9]*/exercise [0-9]*/host; do
    want "hints of $page" [ "$(grep -c '^<details>$' "$page/README.md")" -eq \
        "$(grep -o '<details>' "$site/$page/index.html" | wc -l)" ]
done
has 02_no_divergence/index '<blockquote>'
verdict 'hints are folded'
lacks_words() {
    ! grep -E '>(Next|Previous)<|"Search"|Skip to content|Back to top|On this page' "$1" &&
        ! grep -E 'Link to this|Toggle navigation' "$1" &&
        grep -q 'action="[./]*search\.zh\.html"' "$1"
}
lacks_caption() { ! grep -q "caption-text\">$2<" "$1"; }
for page in index common/docs/WORDS; do
    has "$page" '<html[^>]* lang="en"'
    has "$page.zh" '<html[^>]* lang="zh-CN"'
    has "$page" "href=\"${page##*/}\.zh\.html\"><span[^>]*>中文<"
    has "$page.zh" "href=\"${page##*/}\.html\"><span[^>]*>English<"
    want "the side bar of $page is Chinese" lacks_caption "$site/$page.html" 课程
    want "the side bar of $page.zh is English" lacks_caption "$site/$page.zh.html" Lessons
    want "words of $page.zh are English" lacks_words "$site/$page.zh.html"
    has "$page" 'placeholder="Search"'
done
has index 'rel="[a-z ]*icon" href="_static/favicon.svg"'
if names said 'no card'; then
    echo 'skip site: the card: chromium was not found'
else
    want 'no card' [ -s "$site/card.png" ]
    has 02_no_divergence/index 'og:image" content="../card.png"'
fi
verdict 'language, icon and card'

# With an address, links to omitted pages lead there, and the card has one.
ends 0 env REPOSITORY=https://github.com/name/course SITE=https://name.github.io/course/ \
    sh common/pages/site/site.sh "$BUILD_DIR/show" "$site/addressed"
has addressed/index 'href="https://github.com/name/course/blob/HEAD/common/docs/TEACHING.md"'
if ! names said 'no card'; then
    has addressed/index 'og:image" content="https://name.github.io/course/card.png"'
fi
has addressed/index 'href="https://codespaces.new/name/course">Open in'
notebook=https://colab.research.google.com/github/name/course/blob/main/colab.ipynb
has addressed/index "href=\"$notebook\">Open in"
verdict 'with the address of a repository'

# ---- its search and its steps, in a browser ----
if ! has_browser; then
    echo 'skip site: search and steps: chromium was not found (Debian: sudo apt install chromium)'
else
    open_page() { # ADDRESS: how the browser resolves it
        in_browser --virtual-time-budget=20000 --dump-dom "file://$site/$1"
    }
    found() { # QUERY [LANGUAGE]: the pages that are found
        open_page "search${2:-}.html?q=$1" >"$tmp/page"
        grep -oE '<a href="[^"]*" data-score' "$tmp/page" |
            sed 's/^<a href="//; s/["?#].*//' >"$tmp/out"
    }
    finds() { found "$1" "$3" && want "$1 is not found" names out "$2"; } # QUERY PAGE LANGUAGE
    sentence() { # WORDS REGEX: the text about the step to which a lesson's link leads
        address=$(sed -n "s,.*href=\"../\(show/[^\"]*\)\">$1.*,\1,p" "$site"/[0-9]*/index.html)
        open_page "$address" | grep -oE '<p class="sentence[^/]*' >"$tmp/out"
        want "the step of: $1" holds out "$2"
    }
    sed '/^#/d; s/{[a-z]*}/[0-9]*/g' common/pages/site/steps.txt | awk -F' *[|] *' \
        '{ print "index.html", $5; print "index.zh.html", $6 }' >"$tmp/words"
    while read -r index words; do
        want "no link: $words" grep -qE "href=\"[^\"]*show/[^\"]*#step=[0-9]+\">$words</a>" \
            "$site"/[0-9]*/"$index" "$site/$index"
    done <"$tmp/words"
    verdict 'each picture and section of steps.txt has its link'
    sentence 'See lanes that wait: 8' '8 wavefronts where 1 would do'
    sentence 'See the request of 8' \
        '8 wavefronts where 1 would do: bank [0-9]+ is asked for 8 words'
    sentence 'See the last shuffle' 'Warp 0, .* 32 lanes take the value of the lane 1 above'
    verdict 'a link leads to the very step'
    finds bank+conflict 03_no_bank_conflict/index.html ''
    finds '规约' index.zh.html ''
    finds '规约' index.zh.html .zh
    want 'the results have an English heading' names page '搜索结果'
    finds 'bank+冲突' common/docs/WORDS.zh.html ''
    want 'bank 冲突 in English' lacks out '^common/docs/WORDS.html'
    finds __syncwarp common/docs/WORDS.html ''
    found no_such_word_anywhere
    want 'what is not there' lines out 0
    verdict 'the search finds'
fi
finish
