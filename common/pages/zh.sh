#!/bin/sh
# SPDX-License-Identifier: MIT
#
# zh.sh - keeps the Chinese pages true to the English ones. X.zh.md is the Chinese page of X.md: the
# same headings in the same order, and below each a stamp, `<!-- en: HASH -->`, of the English
# section that was translated.
#
#   zh.sh stale            the sections whose English text has changed since, with the diff if git
#                          has the older text; exit 1 if there are some. `make lint` calls it
#   zh.sh stamp PAGE...    when PAGE (X.zh.md) is translated: writes its stamps, and its links
#   zh.sh links [PAGE...]  without a page, all: links lead to a Chinese page if there is one, else
#                          （英文） follows them. So write links as the English page has them
#   zh.sh compare [PAGE...]   block by block: same code, numbers, links and pictures
#   zh.sh terms [PAGE...]     no other word for what common/docs/WORDS.zh.md names
#
# How to begin a page: below the title, `[English](X.md)` here and `[中文](X.zh.md)` in X.md.
# How to write: a paragraph or list item is one line, since a line break becomes a blank between two
# characters. Blocks are those of the English page, with numbers in digits where it has digits, in
# its order; if Chinese needs another order, `<!-- order -->` at the end of the block allows it.
# Code and output stay; comments after a # in blocks of sh are translated.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
LC_ALL=C
export LC_ALL
zh=$(page_tool zh)

# The newest English section in git that has the stamp's hash, beside that of today.
shown_diff() { # PAGE SECTION HASH
    english=${1%.zh.md}.md
    mkdir -p "$work/$(dirname "$english")"
    "$zh" english "$1" "$2" >"$work/new"
    for commit in $(git log --format=%h -n 60 -- "$english" 2>/dev/null); do
        git show "$commit:$english" >"$work/$english" 2>/dev/null || continue
        "$zh" english "$work/$1" "$3" >"$work/old"
        [ -s "$work/old" ] || continue
        diff -u "$work/old" "$work/new" | sed '1,2d; s/^/    /'
        return
    done
    echo '    (git has no older text of it)'
}
stale() { # PAGE...
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    for page in "$@"; do
        "$zh" stale "$page" | while read -r section hash heading; do
            echo "$page: stale: $heading"
            [ "$hash" = none ] || shown_diff "$page" "$section" "$hash"
        done
    done >"$work/stale"
    cat "$work/stale"
    [ ! -s "$work/stale" ]
}

command=${1:-}
[ $# -eq 0 ] || shift
# shellcheck disable=SC2046 # names without blanks
case $command:$# in
stale:0 | links:0 | compare:0 | terms:0)
    set -- $(git ls-files -co --exclude-standard '*.zh.md')
    ;;
esac
case $command in
stale) stale "$@" ;;
stamp | links | compare | terms) "$zh" "$command" "$@" ;;
*)
    echo "zh.sh: '$command' is not known; accepted are stale, stamp, links, compare and terms" >&2
    exit 2
    ;;
esac
