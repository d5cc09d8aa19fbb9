#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prose.sh - can a page be read in one sitting? Counts words and numbers of its running text, and
# finds phrases that one would not say aloud.
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

# The pages and their limits: words, and numbers in 100 words.
limits() {
    # Read from top to bottom, in one sitting.
    for page in [0-9]*_*/README.md [0-9]*_*/start/README.md [0-9]*_*/many_gpus/README.md; do
        echo "$page 1100 4"
    done
    for page in [0-9]*_*/faster/README.md [0-9]*_*/rows/README.md common/simt/README.md \
        common/grade/README.md; do
        echo "$page 1300 6"
    done
    for page in common/docs/DEBUGGING.md common/docs/WORDS.md; do echo "$page 1199 6"; done
    echo common/docs/GPUS.md 900 6
    # What is asked, and how it is graded.
    for page in [0-9]*_*/exercise/README.md [0-9]*_*/host/README.md [0-9]*_*/capstone/README.md \
        [0-9]*_*/open-*/README.md; do
        echo "$page 500 6"
    done
    for page in [0-9]*_*/faster/ORDER.md; do echo "$page 620 6"; done
    # Second readings, looked up by question.
    for page in [0-9]*_*/DEEPER.md [0-9]*_*/*/DEEPER.md; do echo "$page 1500 6"; done
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

excess() { # WORDS NUMBERS
    awk -v words="$1" -v numbers="$2" '
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

# Each planted page that is beyond the limits must be reported, and no other.
planted() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    numbers='1, 2, 3, 4'
    yes 'four words a line,' | head -n 24 >"$work/few"
    { cat "$work/few"; echo "$numbers"; } >"$work/as_many" # 100 words, 4 of them numbers
    { cat "$work/as_many"; echo 'and 7.5'; } >"$work/too_many"
    {
        cat "$work/few"
        printf '%s\n' "# $numbers" "| $numbers |" "    $numbers" "\`$numbers\`" \
            "[$numbers]($numbers)" '```' "$numbers" '```' \
            '<!-- table:x -->' "$numbers" '<!-- /table -->' '<details>' "$numbers" '</details>' \
            '1. four words a line' '2. four words a line'
    } >"$work/in_code"
    yes 'four words a line,' | head -n 275 >"$work/as_long"
    { cat "$work/as_long"; echo 'longer'; } >"$work/too_long"
    : >"$work/empty"
    for page in few as_many in_code as_long; do
        [ -z "$(count "$work/$page" | excess 1100 4)" ] || echo "within the limits: $page"
    done
    for page in too_many too_long empty; do
        [ "$(count "$work/$page" | excess 1100 4 | wc -l)" -eq 1 ] || echo "not reported: $page"
    done
}

# Phrases that one would not say aloud: a message "reports" and does not "tell", the next thing is
# "after" and not "behind". Code, output and what a script writes are left as they are.
stiff() { # PAGE
    awk '
        BEGIN {
            phrase = " (told|tells?|stands?|behind|mend(s|ed|ing)?|remed(y|ies)|nobody|the house|" \
                "rooms?|doors?|walls?|spots?|stamps?|visits?|for who|brings? (nothing|no)|" \
                "what it brings|where there is no|as many [^.]* as it has|[.] of these|" \
                "are reached|is missing to|[.] who (has|wants|needs|writes|reads|is|runs|does)) "
            literal = " (room for|falls? behind|wall clock) "
        }
        function look(    words) {
            gsub(/`[^`]*`|\]\([^)]*\)/, " ", text)
            gsub(/[.:;!?]/, " . ", text)
            gsub(/[^A-Za-z0-9.-]+/, " ", text)
            words = tolower(" . " text " ")
            gsub(literal, " ", words)
            while (match(words, phrase)) {
                print FILENAME ": stiff: " substr(words, RSTART + 1, RLENGTH + 40)
                words = substr(words, RSTART + RLENGTH - 1)
            }
            text = ""
        }
        /^ *```/ { code = !code; look(); next }
        /^<!-- table/ { made = 1 }
        /^<!-- \/table/ { made = 0 }
        code || made || /^(    |<)/ { next }
        /^$|^[#|]/ { look() }
        { text = text " " $0 }
        END { look() }' "$1"
}

planted_stiff() {
    work=$(mktemp -d)
    printf '%s\n' '# It stands' 'A message tells' 'all of it; who has' 'a GPU runs it.' '' \
        '| a | read behind b |' '' 'Is this [what it' 'brings](told.md)?' >"$work/stiff"
    printf '%s\n' 'A `told` stand-in has room for [two](behind.md).' '```text' 'it tells' '```' \
        '' '    behind' '' '<!-- table:x -->' '| told |' '<!-- /table -->' >"$work/plain"
    [ "$(stiff "$work/stiff" | wc -l)" -eq 5 ] || echo 'planted, and not found: stiff phrases'
    [ -z "$(stiff "$work/plain")" ] || echo 'found, and not stiff'
    rm -r "$work"
}

case ${1:-} in
report)
    git ls-files -co --exclude-standard '*.md' |
        while read -r page; do count "$page"; done | report
    ;;
--planted)
    planted_stiff
    planted
    ;;
'')
    limits | while read -r page words numbers; do count "$page" | excess "$words" "$numbers"; done
    git ls-files -co --exclude-standard '*.md' | grep -v '^CHANGELOG' |
        while read -r page; do stiff "$page"; done
    ;;
*)
    echo "prose.sh: '$1' is not known; accepted are report, --planted and nothing" >&2
    exit 2
    ;;
esac
