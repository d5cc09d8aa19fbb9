#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prose.sh - can a page be read in one sitting? Counts words and numbers of its running text.
#
#   prose.sh report       a row for each page: words, numbers per 100 words, pictures
#   prose.sh              silent when all pages of a sitting keep the limits, else a line for each
#   prose.sh --planted    the same on planted pages that must be found
#
# Running text is what stands in sentences: no code, table, heading, link or picture, and nothing
# that a script writes (between <!-- table --> marks). A number is a word that begins with a digit.
set -eu
cd "$(dirname "$0")/../.."

# Pages that are read from top to bottom. `lessons` lists folders; '[0-9]*_*' are all lessons.
lessons='[0-9]*_*'
most_words=1199
most_numbers=6

sitting() {
    for page in [0-9]*_*/start/README.md common/docs/DEBUGGING.md common/docs/WORDS.md; do
        echo "$page"
    done
    for lesson in $lessons; do echo "$lesson/README.md"; done
}

# PAGE WORDS NUMBERS PICTURES of each page
count() { # PAGE...
    for page in "$@"; do
        [ -s "$page" ] || echo "$page 0 0 0"
        awk '
            /^ *```/ { code = !code; next }
            /^<!-- table/ { made = 1 }
            /^<!-- \/table/ { made = 0; next }
            code || made || /^(#|    |\|)/ { next }
            { text = text " " $0 }
            END {
                if (NR == 0) exit
                pictures = gsub(/!\[[^\]]*\]\([^)]*\)/, "", text)
                gsub(/<!--([^-]|-[^-])*-->/, "", text)
                gsub(/<[^<>]*>/, "", text)
                gsub(/`[^`]*`/, "", text)
                gsub(/\[[^\]]*\]\([^)]*\)/, "", text)
                n = split(text, word, /[ \t]+/)
                for (i = 1; i <= n; i++) {
                    if (word[i] ~ /[A-Za-z0-9]/) words++
                    if (word[i] ~ /^[^A-Za-z0-9]*[0-9]/) numbers++
                }
                print FILENAME, words + 0, numbers + 0, pictures + 0
            }' "$page"
    done
}

told() {
    awk -v words="$most_words" -v numbers="$most_numbers" '
        $2 == 0 { printf "%s: no running text\n", $1 }
        $2 > words { printf "%s: %d words of running text; at most %d\n", $1, $2, words }
        100 * $3 > numbers * $2 {
            printf "%s: %.1f numbers in 100 words of running text; at most %d\n", $1,
                100 * $3 / $2, numbers
        }'
}

report() {
    echo '| page | words | numbers in 100 words | pictures |'
    echo '| --- | ---: | ---: | ---: |'
    awk '{ printf "| %s | %d | %.1f | %d |\n", $1, $2, $2 ? 100 * $3 / $2 : 0, $4 }'
}

# Each planted page must be told of, and those that keep the limits must not.
planted() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    numbers='1, 2, 3, 4, 5, 6'
    yes 'four words a line,' | head -n 24 >"$work/few"
    { cat "$work/few"; echo "in all: $numbers"; } >"$work/as_many" # 104 words, 6 of them numbers
    { cat "$work/as_many"; echo 'and 7.5'; } >"$work/too_many"
    {
        cat "$work/few"
        printf '%s\n' "# $numbers" "| $numbers |" "    $numbers" "\`$numbers\`" \
            "[$numbers]($numbers)" '```' "$numbers" '```' \
            '<!-- table:x -->' "$numbers" '<!-- /table -->'
    } >"$work/in_code"
    yes 'four words a line,' | head -n 300 >"$work/too_long"
    : >"$work/empty"
    for page in few as_many in_code; do
        [ -z "$(count "$work/$page" | told)" ] || echo "told of, and keeps the limits: $page"
    done
    for page in too_many too_long empty; do
        [ "$(count "$work/$page" | told | wc -l)" -eq 1 ] || echo "planted, and not told of: $page"
    done
}

case ${1:-} in
report)
    git ls-files -co --exclude-standard '*.md' |
        while read -r page; do count "$page"; done | report
    ;;
--planted) planted ;;
'') sitting | while read -r page; do count "$page"; done | told ;;
*)
    echo "prose.sh: '$1' is not known; accepted are report, --planted and nothing" >&2
    exit 2
    ;;
esac
