#!/bin/sh
# SPDX-License-Identifier: MIT
#
# answers.sh LESSON - `make answers`: the answers to the questions of a lesson, with the edits and
# the output after them; LESSON=lab: how a report is marked; LESSON=bugs: the repairs of the bugs. A
# handout has no answers, and says so.
set -eu
cd "$(dirname "$0")/../.."
answers=common/grade/ANSWERS.md
if [ ! -f "$answers" ]; then
    echo 'make answers: a handout is made without the answers' >&2
    echo '    ask your teacher for them, or take the whole course' >&2
    exit 1
fi
case $1 in
lab) head='The lab report' ;;
bugs) head='Find the bug' ;;
[0-9]) head="0$1 " ;;
[0-9][0-9]) head="$1 " ;;
*) head='none' ;;
esac
grep -q "^## $head" "$answers" || {
    echo "make answers: LESSON: '$1' has none; accepted are:" >&2
    echo "    $(sed -n 's/^## \([0-9][0-9]\) .*/\1/p' "$answers" | tr '\n' ' ')lab and bugs" >&2
    exit 2
}
# Sentences are rewrapped to 80 columns; code and tables stay as they are.
awk -v head="## $head" '
    function set(    word, n, i, line) {
        n = split(text, word, / +/)
        line = indent word[1]
        gsub(/[^ ]/, " ", indent)
        for (i = 2; i <= n; i++) {
            if (length(line " " word[i]) <= 80) {
                line = line " " word[i]
            } else {
                print line
                line = indent word[i]
            }
        }
        if (n) print line
        text = indent = ""
    }
    /^## / { set(); on = index($0 " ", head) == 1 }
    !on { next }
    /^```/ { set(); code = !code; print; next }
    code || /^[|#]|^$|^    / { set(); print; next }
    /^([-*]|[0-9]+\.) / {
        set()
        match($0, /^([-*]|[0-9]+\.) +/)
        indent = substr($0, 1, RLENGTH)
        text = substr($0, RLENGTH + 1)
        next
    }
    { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0 }
    END { set() }' "$answers"
