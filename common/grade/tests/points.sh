#!/bin/sh
# SPDX-License-Identifier: MIT
#
# points.sh - the table in the README of each exercise has the tests and points of its tests.txt,
# which add up to 100; BUGS.md has the table of all bugs. An invalid tests.txt is refused, with its
# line and the reason. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/../../.." || exit 1
. common/tests/check.sh
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

# A table of one line, of an exercise with the sizes n and threshold.
# shellcheck disable=SC2317 # run calls it
list() { # LINE
    printf '# a comment\n\n%s\n' "$1" >"$tmp/tests.txt"
    cp 01_naive/exercise/task.c "$tmp/"
    "${CC:-cc}" -std=c11 -Icommon -E "$tmp/task.c" |
        "${GRADE_BUILD:?}/make_list" common/grade/tasks/hints.txt "$tmp/tests.txt" 2>&1
}
refuses() { # LINE WORDS
    run list "$1"
    want "exit $status, expected an error" [ "$status" -ne 0 ]
    want "it does not say '$2'" names out "$2"
}
refuses 'a | 15 | 1x1 | uniform | ' 'tests.txt:3: a line has 6 columns'
refuses 'a | 0 | 1x1 | uniform | | h' "points: '0'"
refuses 'a | 5 points | 1x1 | uniform | | h' "points: '5 points'"
for sizes in 1 9..1x1 10..9x1 1x1x1 1x1@ 1x1@1@2 1x1+1 1x1@+1 '1x1,' '' x1 -1x1 1...2x1 \
    1x1,1x1,1x1,1x1,1x1,1x1,1x1,1x1,1x1; do
    refuses "a | 5 | $sizes | uniform | | h" "sizes: '$sizes'; accepted are up to 8 shapes"
done
refuses 'a | 5 | 1x1 | unifor | | h' "data: 'unifor'; accepted are uniform special"
for condition in 'launches = 1' 'launches' 'launches < 1 < 2' 'launches == "1"' 'no 1'; do
    refuses "a | 5 | 1x1 | uniform | no faults; $condition | h" "cannot read '$condition'"
done
refuses 'a | 5 | 1x1 | uniform | | rase: h' 'this test requires, and blocks store race '
refuses 'a | 5 | 1x1 | uniform | | launches: h' "hint: 'launches'"
refuses 'a | 5 | 1x1 | uniform | | h | h | h | h | h | h | h | h | h | h | h | h | h' 'at most 12'
refuses '' 'has no test'
verdict 'tables that are refused'

# The fields of the line are in the list. The compiler refuses what is not a C expression.
# shellcheck disable=SC2317 # run calls it
compiles() { "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Icommon -c "$tmp/list.c" -o "$tmp/o"; }
run list \
    'a \ "b" | 2.5 | 1x1..9@3, 7x8, 1x1@0+2 | special | n / 2 * 3 >= 4.5; no faults | h | n: of n'
cp "$tmp/out" "$tmp/list.c"
want 'no name' names out '"a \\ \"b\"", "special", 2.5'
want 'no shape' names out '{{{{1, 1}, {1, 9}}, {3, 3}, 0}, {{{7, 7}, {8, 8}}, {0, 0}, 0}, '
want 'no array further' names out '{{{1, 1}, {1, 1}}, {0, 0}, 2}}'
want 'no expression' names out 'fact(f, "n") / 2.0 * 3.0'
want 'no hint' names out '{{"", "", "h"}, {"n", "", "of n"}}'
run compiles
want 'it does not compile' [ "$status" -eq 0 ]
run list 'a | 5 | 1x1 | uniform | (n + 1 > 2 | h'
cp "$tmp/out" "$tmp/list.c"
run compiles
want 'a bracket without end compiles' [ "$status" -ne 0 ]
want 'another line is named' holds err 'tests.txt:3:'
verdict 'a table as the compiler gets it'
finish
