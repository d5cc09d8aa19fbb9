#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hostile.sh - every file of the folder hostile/ is graded, as a class, and gets the points that
# its third line says, `// Expected: POINTS: text`, for the reason that the text is part of. So
# this also shows that none of them stops the grader or another submission. 04_NAME.cu is of
# exercise 04, NAME.cu of exercise 01.
#
# Needs GRADE_BUILD, the built grader, and COURSE. Last line: N passed, N failed. Without FULL=1
# every eighth file is taken.
set -u
cd "${COURSE:?}" || exit 1
. common/tests/check.sh
group='hostile: '

# shellcheck disable=SC2012 # no file has a blank in its name
files=$(ls common/grade/tests/hostile/*.cu | awk -v full="${FULL:-}" 'full != "" || NR % 8 == 0')

class=$tmp/class
mkdir "$class"
for file in $files; do
    name=$(basename "$file" .cu)
    mkdir "$class/$name"
    case $name in
    [0-9][0-9]_*) cp "$file" "$class/$name/" ;;
    *) cp "$file" "$class/$name/01_$name.cu" ;;
    esac
done
"$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" --class "$class" \
    --seconds 1 --jobs "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" \
    >"$class/marks.csv" 2>"$tmp/log"

for file in $files; do
    name=$(basename "$file" .cu)
    expected=$(sed -n '3s,^// Expected: ,,p' "$file")
    row=$(sed -n "s/^$name,[^,]*,\([0-9.]*\),100,[^,]*,[^,]*,/\1: /p" "$class/marks.csv" |
        grep -v '^0: missing: ') # the other exercises
    case $row in
    "${expected%%:*}: "*"${expected#*: }"*) right=$expected ;;
    *) right='' ;;
    esac
    want "got '$row', expected '$expected'; the log has of it, and last:" [ -n "$right" ]
    { grep -F "$name" "$tmp/log"; tail -n 5 "$tmp/log"; } >"$tmp/out"
    verdict "$name"
done
finish
