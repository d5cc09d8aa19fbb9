#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hostile.sh - each text of texts.txt is refused, with its reason. Every program of hostile.txt is
# graded, as a class, and gets the points of its head, `POINTS: text`, for the reason that the text
# is part of. So this also shows that none of them stops the grader or another submission.
#
# Needs GRADE_BUILD, the built grader, and COURSE. Last line: N passed, N failed. Without FULL=1
# every eighth of the programs is graded.
set -u
cd "${COURSE:?}" || exit 1
. common/tests/check.sh
. common/grade/tests/programs.sh
group='hostile: '

# Of `gone WORD` the text as it is compiled.
while IFS='|' read -r said code; do
    case $said in '#include'* | '##'*) ;; '#'*) continue ;; esac
    printf '%b\n' "${code# }" >"$tmp/my.cu"
    run sh -c 'cd "$1" && shift && "$@" 2>&1' sh "$tmp" "$GRADE_BUILD/policy" \
        "$COURSE/common/grade/protect/accepted.txt" my.cu
    case $said in
    'gone '*)
        said=${said#gone }
        want "exit $status: it is refused" [ "$status" -eq 0 ]
        want "it has '$said'" [ -z "$(grep -wF -- "${said% }" "$tmp/my.cu")" ]
        ;;
    *)
        want "exit $status, not refused with '$said'" grep -qF -- "${said% }" "$tmp/out"
        want "exit $status, expected 1" [ "$status" -eq 1 ]
        ;;
    esac
    [ -z "$why" ] || verdict "a text: $code"
done <common/grade/tests/texts.txt
verdict 'texts that are refused, or lose what cannot matter'

# Brackets in brackets, and a long line of calls, are judged once each.
{
    printf 'int deep = '
    head -c 20000 /dev/zero | tr '\0' '('
    printf 1
    head -c 20000 /dev/zero | tr '\0' ')'
    printf ';\nint f(int);\nint flat = 0'
    yes ' + f(1)' | head -n 20000 | tr -d '\n'
    echo ';'
} >"$tmp/my.cu"
# shellcheck disable=SC2317,SC3045
judged_soon() (
    ulimit -t 1
    cd "$tmp" && "$GRADE_BUILD/policy" "$COURSE/common/grade/protect/accepted.txt" my.cu
)
check 'a text of 20,000 brackets, in a second' judged_soon

class=$tmp/class
mkdir "$tmp/programs" "$class"
programs common/grade/tests/hostile.txt "$tmp/programs" |
    awk -v full="${FULL:-}" 'full != "" || NR % 8 == 6' >"$tmp/list"
while read -r exercise name _; do
    mkdir "$class/$name"
    mv "$tmp/programs/${exercise}_$name.cu" "$class/$name/"
done <"$tmp/list"
"$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" --class "$class" \
    --seconds 2 --jobs "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" \
    2>"$tmp/log"

while read -r exercise name expected; do
    # The row that has a file: the others say that this one has none of their exercises.
    row=$(sed -n "s/^$name,[^,]*,\([0-9.]*\),100,[^,]*,[^,][^,]*,/\1: /p" \
        "$class.marks/marks_long.csv")
    case $row in
    "${expected%%:*}: "*"${expected#*: }"*) right=$expected ;;
    *) right='' ;;
    esac
    want "got '$row', expected '$expected'; its lines of the log, and the last:" [ -n "$right" ]
    { grep -F "$name" "$tmp/log"; tail -n 5 "$tmp/log"; } >"$tmp/out"
    verdict "$name"
done <"$tmp/list"
finish
