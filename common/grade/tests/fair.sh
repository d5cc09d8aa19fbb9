#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fair.sh - right solutions in other people's styles get all points: each exercise's solution with
# what fair/styles.txt has, as an editor of Windows saves it, and the files NN_*.cu of that folder.
#
# Needs GRADE_BUILD, the built grader, and COURSE. Last line: N passed, N failed.
set -u
cd "${COURSE:?}" || exit 1
. common/tests/check.sh
group='fair: '
fair=common/grade/tests/fair

# The styles stand behind the file's own #include lines; solve prints and waits when it has
# launched. A byte order mark comes first, lines begin with tabs and end with CR LF.
in_style() { # SOLUTION
    printf '\357\273\277'
    awk -v styles="$fair/styles.txt" '
        FNR == NR { if (/^#include/) last = FNR; next }
        /^    return launch\(/ {
            sub(/return launch/, "const cudaError_t result = launch")
            open = 1
        }
        { print }
        FNR == last { while ((getline line < styles) > 0) print line }
        open && /;$/ {
            print "    if (d_work)\n        prints(size, stream);\n    return result;"
            open = 0
        }
    ' "$1" "$1" | sed -e 's/^    /\t/' -e 's/$/\r/'
}

full() { # NAME EXERCISE FILE
    run "$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" "$2=$3"
    want 'it has not 100 points' names out '100 of 100 points'
    verdict "$1"
}

for solution in [0-9][0-9]_*/*/solution.cu; do
    exercise=${solution%%_*}
    case $solution in */capstone/*) exercise=capstone ;; esac
    in_style "$solution" >"$tmp/$exercise.cu"
    want 'no style is in it' grep -q 'prints(size, stream)' "$tmp/$exercise.cu"
    full "$exercise in another style" "$exercise" "$tmp/$exercise.cu"
done
for file in "$fair"/*.cu; do
    name=$(basename "$file" .cu)
    full "$name" "${name%%_*}" "$file"
done
finish
