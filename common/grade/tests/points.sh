#!/bin/sh
# SPDX-License-Identifier: MIT
#
# points.sh - the table in the README of each exercise has the tests and points of its tests.txt,
# and they are 100 in all. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/../../.." || exit 1
. common/tests/check.sh
group='points: '

# What is wrong with one folder; nothing if all is well.
differences() { # FOLDER
    awk -F ' *[|] *' '
        FNR == NR && !/^#/ && NF >= 6 { points[$1] = $2; sum += $2 }
        FNR == NR { next }
        /^## / { graded = /What is graded/ }
        graded && $3 + 0 > 0 {
            if (!($2 in points)) print "README.md: tests.txt has no test \"" $2 "\""
            else if (points[$2] != $3) print "README.md: " $2 ": " $3 ", tests.txt: " points[$2]
            listed[$2] = 1
        }
        END {
            for (name in points) if (!(name in listed)) print "README.md has no \"" name "\""
            if (sum != 100) print "tests.txt has " sum + 0 " points, not 100"
        }' "$1/tests.txt" "$1/README.md"
}

for file in [0-9][0-9]_*/*/tests.txt; do
    empty "${file%/*}" "$(differences "${file%/*}")"
done
finish
