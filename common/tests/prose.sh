#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prose.sh - can a page be read in one sitting? Counts words and numbers of its running text.
#
#   prose.sh report       a row for each page: words, numbers per 100 words, pictures
#   prose.sh              silent when all pages keep their limits, else a line for each
#   prose.sh --planted    the same on planted pages that must be found
#
# Running text is what is in sentences: no code, table, heading, link or picture, nothing that is
# folded (<details>) or that a script writes (between <!-- table --> marks), and no number of an
# item. A number is a word that begins with a digit.
set -eu
cd "$(dirname "$0")/../.."

# The pages and their limits: words, and numbers in 100 words; 0 words are no limit.
limits() {
    # Read from top to bottom, in one sitting.
    for page in [0-9]*_*/README.md [0-9]*_*/start/README.md [0-9]*_*/many_gpus/README.md \
        common/docs/DEBUGGING.md common/docs/WORDS.md common/docs/GPUS.md; do
        echo "$page 1199 6"
    done
    # The two pages beside lesson 05, read after it.
    for page in [0-9]*_*/faster/README.md [0-9]*_*/rows/README.md; do echo "$page 1999 6"; done
    for page in [0-9]*_*/faster/ORDER.md; do echo "$page 500 6"; done
    # Second readings, looked up by question.
    for page in [0-9]*_*/DEEPER.md; do echo "$page 0 8"; done
}

# PAGE WORDS NUMBERS PICTURES of each page
count() { # PAGE...
    for page in "$@"; do
        [ -s "$page" ] || echo "$page 0 0 0"
        awk '
            /^ *```/ { code = !code; next }
            /^<!-- table/ { made = 1 }
            /^<!-- \/table/ { made = 0; next }
            /^<details>/ { folded = 1 }
            /^<\/details>/ { folded = 0; next }
            code || made || folded || /^(#|    |\|)/ { next }
            { sub(/^[0-9]+\. /, "") }
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

told() { # WORDS NUMBERS
    awk -v words="$1" -v numbers="$2" '
        $2 == 0 { printf "%s: no running text\n", $1 }
        words && $2 > words { printf "%s: %d words of running text; at most %d\n", $1, $2, words }
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
            '<!-- table:x -->' "$numbers" '<!-- /table -->' '<details>' "$numbers" '</details>' \
            '1. four words a line' '2. four words a line'
    } >"$work/in_code"
    yes 'four words a line,' | head -n 300 >"$work/too_long"
    : >"$work/empty"
    for page in few as_many in_code; do
        [ -z "$(count "$work/$page" | told 1199 6)" ] || echo "told of, and keeps the limits: $page"
    done
    for page in too_many too_long empty; do
        [ "$(count "$work/$page" | told 1199 6 | wc -l)" -eq 1 ] ||
            echo "planted, and not told of: $page"
    done
    [ -z "$(count "$work/too_long" | told 0 6)" ] || echo "told of, and has no limit of words"
}

case ${1:-} in
report)
    git ls-files -co --exclude-standard '*.md' |
        while read -r page; do count "$page"; done | report
    ;;
--planted) planted ;;
'')
    limits | while read -r page words numbers; do count "$page" | told "$words" "$numbers"; done
    ;;
*)
    echo "prose.sh: '$1' is not known; accepted are report, --planted and nothing" >&2
    exit 2
    ;;
esac
