#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: sources - SOURCES.md says where each block of code, each figure and each claim of the
# articles is. Its headings count blocks and figures; what columns 2, 3 and 5 quote must exist:
#
#   `FILE:NAME`                            the file, and the name in it
#   `make run-NN VARIANT=NAME`             the lesson, and the kernel
#   `make run KERNEL=FILE FAULT=NAME`      the file, and the fault in it
#   `sh FILE`                              the file
#   `ablate-NN: LABEL`, `make ablate-NN`   a row of that lesson's ablations.txt
#   `NAME.csv`, `NAME.txt`                 a file of common/results/h200
#
# lint.sh checks the links.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='sources: '
page=common/docs/SOURCES.md

kernel_of() { # NN [VARIANT]
    find "$1"_* -name "${2:-kernel}.cu" | grep -q .
}

row_of() { # NN LABEL
    awk -F'|' -v label="$2" '{ sub(/ *$/, "", $1) } $1 == label { n++ } END { exit !n }' \
        "$1"_*/ablations.txt
}

there() { # TEXT
    case $1 in
    'make run KERNEL='*' FAULT='*)
        file=${1#*=}
        grep -q "\"${1##*=}\"" "${file%% *}"
        ;;
    'make run-'*' VARIANT='*)
        number=${1#make run-} name=${1#* VARIANT=}
        kernel_of "${number%% *}" "${name%% *}"
        ;;
    'make run-'*)
        number=${1#make run-}
        kernel_of "${number%% *}"
        ;;
    'make ablate-'*) [ -f "$(echo "${1#make ablate-}"_*/ablations.txt)" ] ;;
    'make plot') [ -f common/pages/plot.sh ] ;;
    'sh '*) [ -f "${1#sh }" ] ;;
    'ablate-'*)
        number=${1#ablate-}
        row_of "${number%%:*}" "${1#*: }"
        ;;
    *.csv | *.txt) [ -f "common/results/h200/$1" ] ;;
    *:*) grep -qF -e "${1#*:}" "${1%%:*}" ;;
    *) false ;;
    esac
}

# What is quoted, a line each, with the article's column before it.
awk -F'|' '/^\| (code|figure|claim)/ {
    for (i = 3; i <= 6; i++) {
        if (i == 5) continue
        rest = $i
        if (i < 5 && rest !~ /`/) print $2 "\t(nothing in column " i - 1 ")"
        while (match(rest, /`[^`]*`/)) {
            print $2 "\t" substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
}' "$page" >"$tmp/quoted"
while IFS='	' read -r row text; do
    there "$text" 2>/dev/null || echo "$row: $text"
done <"$tmp/quoted" >"$tmp/missing"
empty "what $page quotes" "$(cat "$tmp/missing")"

# code 1, code 2, ... and figure 1, ... up to the numbers of the heading.
awk -F'[:, |]+' '
    function check() {
        if (title != "" && (got["code"] != want["code"] || got["figure"] != want["figure"]))
            print title
    }
    /^## / { check(); title = $0; want["code"] = want["figure"] = got["code"] = got["figure"] = 0
             if (match($0, /[0-9]+ code/)) want["code"] = substr($0, RSTART) + 0
             if (match($0, /[0-9]+ figure/)) want["figure"] = substr($0, RSTART) + 0 }
    /^\| (code|figure) / { if (++got[$2] != $3) print title ": " $2 " " $3 }
    END { check() }' "$page" >"$tmp/counted"
empty 'code blocks and figures' "$(cat "$tmp/counted")"

# Articles, and rows that were looked at: an empty page is not right.
equal 'five articles' "$(grep -c '^## .* code blocks, ' "$page")" 5
want 'it has no rows' [ -s "$tmp/quoted" ]
verdict 'rows'
finish
