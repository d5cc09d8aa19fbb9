#!/bin/sh
# SPDX-License-Identifier: MIT
#
# site.sh SHOWN FOLDER - writes the course as a site into FOLDER, for any web server or none: the
# README and all that it leads to, each lesson with its kernel and, from SHOWN, the page of
# `make show` that steps through it. Links are relative. `make site` calls it.
set -eu
shown=$1
site=$2
cd "$(dirname "$0")/../../.."
mkdir -p "$site"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

html() { # PAGE TITLE: the page around what is on stdin
    up=$(printf '%s' "$1" | sed 's,[^/]*$,,; s,[^/]*/,../,g')
    lesson=$(printf '%s' "$1" | sed -n 's,^\([0-9][0-9]_[a-z_]*\)/.*,\1,p')
    mkdir -p "$site/$(dirname "$1")"
    {
        printf '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>%s</title>\n' "$2"
        echo '<meta name="viewport" content="width=device-width, initial-scale=1">'
        echo "<link rel=\"stylesheet\" href=\"${up}style.css\">"
        echo "<nav><a href=\"${up}index.html\">Course</a>"
        if [ -n "$lesson" ]; then
            echo "<a href=\"$up$lesson/index.html\">$lesson</a>"
            echo "<a href=\"$up$lesson/kernel.cu.html\">kernel.cu</a>"
            if [ -f "$site/$lesson/show.html" ]; then
                echo "<a href=\"$up$lesson/show.html\">Step through it</a>"
            fi
        fi
        echo '</nav>'
        echo '<main>'
        cat
        echo '</main>'
        echo '</html>'
    } >"$site/$1"
}

escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }

# What a link leads to is written, and then what that leads to.
publish() { # PATH
    case $1 in
    *.md)
        : >"$work/targets"
        page=$(printf '%s' "$1" | sed 's/README\.md$/index.html/; s/\.md$/.html/')
        awk -v targets="$work/targets" -f common/pages/site/page.awk "$1" >"$work/body"
        html "$page" "$(sed -n 's/^# //p' "$1" | head -n 1 | escape)" <"$work/body"
        sed "s,^,$(dirname "$1")/," "$work/targets" >>"$work/new"
        ;;
    *.svg | *.webp)
        mkdir -p "$site/$(dirname "$1")"
        cp "$1" "$site/$1"
        ;;
    *)
        if [ -d "$1" ]; then # its files, each with what its second line says
            page=$1/index.html
            for file in "$1"/*; do
                printf '%s\n    %s\n' "${file##*/}" "$(sed -n '2s,^// *,,p' "$file" 2>/dev/null)"
            done >"$work/text"
        else
            page=$1.html
            cp "$1" "$work/text"
        fi
        { printf '<h1>%s</h1>\n<pre><code>' "$1"; escape <"$work/text"; echo '</code></pre>'; } |
            html "$page" "$1"
        ;;
    esac
}

# a/./b/../c is a/c, and a folder with a page stands for the page.
plain() {
    while IFS= read -r path; do
        path=$(printf '%s/' "$path" | sed -e 's,/\./,/,g; s,^\./,,; s,//*,/,g' \
            -e ':up' -e 's,\.*[^/.][^/]*/\.\./,,; t up' -e 's,/$,,')
        if [ -f "$path/README.md" ]; then path=$path/README.md; fi
        echo "$path"
    done
}

for step in [0-9][0-9]_*/kernel.cu; do
    lesson=${step%/kernel.cu}
    mkdir -p "$site/$lesson"
    if [ -f "$shown/$lesson.html" ]; then cp "$shown/$lesson.html" "$site/$lesson/show.html"; fi
done
cp common/pages/site/style.css "$site/style.css"
: >"$work/done"
printf '%s\n' README.md [0-9][0-9]_*/kernel.cu >"$work/next"
while [ -s "$work/next" ]; do
    : >"$work/new"
    while IFS= read -r path; do publish "$path"; done <"$work/next"
    cat "$work/next" >>"$work/done"
    plain <"$work/new" | sort -u | grep -vxF -f "$work/done" >"$work/next" || true
done
