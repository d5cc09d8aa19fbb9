#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hostile.sh - every file of the folder hostile/ is graded, as a class, and gets the points that
# its third line says, `// Expected: POINTS: text`, for the reason that the text is part of. So
# this also shows that none of them stops the grader or another submission. 04_NAME.cu is of
# exercise 04, NAME.cu of exercise 01.
#
# Needs GRADE_BUILD, the built grader, and COURSE. Last line: N passed, N failed. Without FULL=1
# those whose text is refused are not graded, only read; of the others every eighth is graded.
set -u
cd "${COURSE:?}" || exit 1
. common/tests/check.sh
group='hostile: '

expected_of() { sed -n '3s,^// Expected: ,,p' "$1"; } # FILE

protect=common/grade/protect
files=''
number=0
for file in common/grade/tests/hostile/*.cu; do
    if [ -z "${FULL:-}" ] && ! awk -f $protect/listed.awk -f $protect/source.awk \
        $protect/accepted.txt "$file" >"$tmp/out"; then
        expected=$(expected_of "$file")
        want "its text is not refused as expected, $expected" \
            grep -qF -- "${expected#*: }" "$tmp/out"
        verdict "$(basename "$file" .cu)"
        continue
    fi
    number=$((number + 1))
    where=$(sed -n '4s,^// Where: ,,p' "$file") # not promised elsewhere: SAFETY.md
    [ -z "$where" ] || [ "$where" = "$(uname -m)" ] || continue
    [ -z "${FULL:-}" ] && [ $((number % 8)) -ne 6 ] || files="$files $file"
done

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
    --seconds 4 --jobs "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" \
    >"$class/marks.csv" 2>"$tmp/log"

for file in $files; do
    name=$(basename "$file" .cu)
    expected=$(expected_of "$file")
    # The row that has a file: the others say that this one has none of their exercises.
    row=$(sed -n "s/^$name,[^,]*,\([0-9.]*\),100,[^,]*,[^,][^,]*,/\1: /p" "$class/marks.csv")
    case $row in
    "${expected%%:*}: "*"${expected#*: }"*) right=$expected ;;
    *) right='' ;;
    esac
    want "got '$row', expected '$expected'; the log has of it, and last:" [ -n "$right" ]
    { grep -F "$name" "$tmp/log"; tail -n 5 "$tmp/log"; } >"$tmp/out"
    verdict "$name"
done
finish
