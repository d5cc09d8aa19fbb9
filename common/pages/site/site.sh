#!/bin/sh
# SPDX-License-Identifier: MIT
#
# site.sh SHOWN FOLDER - writes the course as a site into FOLDER, for any web server or none: the
# README and all that it leads to, by Sphinx, and from SHOWN the pages of `make show`. What it reads
# and keeps is in FOLDER.work. `make site` calls it. From the environment:
#
#   REPOSITORY   where the course is, https://github.com/name/course; else git is asked. Links that
#                leave the site lead there, to Colab and to Codespaces
#   SITE         where the site will be; cards of links need it
set -eu
shown=$1
site=$2
cd "$(dirname "$0")/../../.."
python=$(sh common/pages/python.sh site)
if [ -z "${REPOSITORY+set}" ]; then
    REPOSITORY=$(git remote get-url origin 2>/dev/null |
        sed -n 's,^.*github\.com[:/]\([^/]*/[^/]*\)$,https://github.com/\1,p' | sed 's,\.git$,,')
fi
work=$site.work
rm -rf "$site" "$work"
mkdir -p "$site" "$work"

# The card that is shown beside a link to the site: the ladder, as a bitmap.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || :)
if [ -n "$browser" ]; then
    {
        echo '<meta charset="utf-8"><style>body { margin: 0; background: #fff; text-align: center;'
        echo 'font-family: sans-serif; } h1 { margin: 36px 0 4px; font-size: 46px; }'
        echo 'svg { width: 1140px; height: auto; }</style>'
        sed -n 's,^# \(.*\),<h1>\1</h1>,p; /^# /q' README.md
        sed -n '/<svg/,$p' common/results/h200/ladder.svg
    } >"$work/card.html"
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --user-data-dir="$work/browser" --window-size=1200,630 --screenshot="$work/card.png" \
        "file://$(cd "$work" && pwd)/card.html" >"$work/browser.log" 2>&1 || :
    rm -rf "$work/browser"
fi
if [ -f "$work/card.png" ]; then
    CARD=card.png
    export CARD
else
    echo 'make site: no card for links: there is no chromium (sudo apt install chromium)' >&2
fi

printf '  %-7s %s\n' SPHINX "$site" >&2
"$python" -X utf8 common/pages/site/pages.py "$work/pages" "$shown" "$REPOSITORY"
"$python" -X utf8 -m sphinx -q -j auto -c common/pages/site -d "$work/doctrees" \
    "$work/pages" "$site"
rm -rf "$site/_sources" "$site/.buildinfo" "$site/objects.inv"
mv "$work/show" "$site/"
if [ -n "${CARD:-}" ]; then cp "$work/card.png" "$site/"; fi
