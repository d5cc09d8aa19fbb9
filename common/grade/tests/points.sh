#!/bin/sh
# SPDX-License-Identifier: MIT
#
# points.sh - the table in the README of each exercise has the tests and points of its tests.txt,
# which add up to 100; BUGS.md has the table of all bugs. An invalid tests.txt is refused, with its
# line and the reason. Last line: N passed, N failed.
cd "${COURSE:?}" || exit 1
. common/grade/tests/programs.sh
group='points: '

# What is wrong with one folder; nothing if all is well.
differences() { # FOLDER
    page=$1/README.md
    case $1 in */bugs) page=common/docs/BUGS.md ;; esac
    awk -F ' *[|] *' '
        FNR == NR && !/^#/ && NF >= 6 && $2 > 0 { points[$1] = $2; sum += $2 }
        FNR == NR { next }
        /^## / { graded = /What is graded/ }
        graded && $3 + 0 > 0 {
            if (!($2 in points)) print "the page: tests.txt has no test \"" $2 "\""
            else if (points[$2] != $3) print "the page: " $2 ": " $3 ", tests.txt: " points[$2]
            listed[$2] = 1
        }
        END {
            for (name in points) if (!(name in listed)) print "the page has no \"" name "\""
            if (sum != 100) print "tests.txt has " sum + 0 " points, not 100"
        }' "$1/tests.txt" "$page"
}

for file in [0-9][0-9]_*/*/tests.txt; do
    empty "${file%/*}" "$(differences "${file%/*}")"
done

# A course in which the table of exercise 01, with the sizes n and threshold, has one line.
course=$tmp/course
mkdir -p "$course/common/grade" "$course/01_naive/exercise"
ln -s "$PWD"/0[2-9]_* "$course/"
ln -s "$PWD"/01_naive/bugs "$PWD"/01_naive/host "$course/01_naive/"
ln -s "$PWD"/common/grade/tasks "$course/common/grade/"
is_wrong() { # LINE WORDS
    printf '# a comment\n\n%s\n' "$1" >"$course/01_naive/exercise/tests.txt"
    run "${GRADE_BUILD:?}/grade" --course "$course" --build "$tmp" 01=common/grade/README.md
    want "exit $status, expected an error" [ "$status" -eq 2 ]
    want "it does not say '$2'" names err "$2"
}
is_wrong 'a | 15 | 1x1 | uniform | ' 'tests.txt:3: a line has 6 columns'
is_wrong 'a | 0 | 1x1 | uniform | | h' "points: '0'"
is_wrong 'a | 5 points | 1x1 | uniform | | h' "points: '5 points'"
for sizes in 1 9..1x1 10..9x1 1x1x1 1x1@ 1x1@1@2 1x1+1 1x1@+1 '1x1,' '' x1 -1x1 1...2x1 \
    1x1@1# 1x1@1#0 1x1@1#3 1x1@0+1#2 "$(yes 1x1 | head -17 | paste -sd , -)" \
    '1x1 &' '1x1 & 1x1 & 1x1' unifor:1x1 special:; do
    is_wrong "a | 5 | $sizes | uniform | | h" "sizes: '$sizes'; accepted are up to 16 shapes"
done
is_wrong 'a | 5 | 1x1 | unifor | | h' "data: 'unifor'; accepted are uniform special"
for condition in 'launches = 1' 'launches' 'launches < 1 < 2' 'launches == "1"' 'no 1' \
    '(n + 1 > 2' 'launched == 1' 'n + > 1'; do
    is_wrong "a | 5 | 1x1 | uniform | no faults; $condition | h" "cannot read '$condition'"
done
is_wrong 'board | 0 | 1x1 | uniform | launches > 1 | h' "board: cannot read 'launches > 1'"
is_wrong 'a | 5 | 1x1 | uniform | | rase: h' 'this test requires, and blocks store race '
is_wrong 'a | 5 | 1x1 | uniform | | launches: h' "hint: 'launches'"
is_wrong 'a | 5 | 1x1 | uniform | | h | h | h | h | h | h | h | h | h | h | h | h | h' 'at most 12'
is_wrong '' 'there is no test'
verdict 'tables that are refused'
finish
