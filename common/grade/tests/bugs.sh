#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bugs.sh - find the bug (NN_name/bugs/): each file as handed out gets no points, the repair that
# ANSWERS.md shows gets all of them, and a program of right.txt gets those for correctness. Files
# without a repair in ANSWERS.md are correct: they get all points, and those for correctness after a
# change. changes.txt has other repairs.
#
# Needs GRADE_BUILD, the built grader, and COURSE. Without FULL=1 the bugs of one lesson.
# Last line: N passed, N failed.
set -u
cd "${COURSE:?}" || exit 1
. common/tests/check.sh
. common/grade/tests/programs.sh
group='bugs: '
mkdir "$tmp/right"
programs common/grade/tests/right.txt "$tmp/right" >"$tmp/list"
answers=common/grade/ANSWERS.md

has_points() { # POINTS BUG FILE
    run "$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" --seed 7 "$2=$3"
    want "not $1 points" names out "$1 of 100 points"
}

# The edit of a file that ANSWERS.md shows.
edit_of() { # FILE
    awk -v head="--- $1" '$0 == "```" { taken = 0 } taken { print } $0 == head { taken = 1 }' \
        $answers
}

explained() { # FILE
    sed 's,^// Why:.*,// Why: the test says so,' "$1"
}

for file in [0-9][0-9]_*/bugs/bug-*.cu; do
    bug=$(basename "$file" .cu)
    case ${FULL:-}$bug in bug-0[!2]* | bug-02c) continue ;; esac
    edit_of "$file" >"$tmp/edit"
    want 'ANSWERS.md has no line about it' grep -q "^\*\*$bug\.\*\* " $answers
    if [ -s "$tmp/edit" ]; then
        has_points 0 "$bug" "$file"
        want 'it does not say that the sentence is missing' names out 'nothing yet: write'
        verdict "$bug: as handed out"
        awk -f common/pages/edited.awk "$tmp/edit" "$file" >"$tmp/$bug.cu" || why='no such line'
        explained "$tmp/$bug.cu" >"$tmp/explained.cu"
        has_points 100 "$bug" "$tmp/explained.cu"
        want 'the sentence is not shown' names out 'the test says so'
        verdict "$bug: repaired"
    else
        has_points 100 "$bug" "$file"
        verdict "$bug: is right"
        sed 's/^}$/    (void)0;\n}/' "$file" >"$tmp/$bug.cu"
        has_points 60 "$bug" "$tmp/$bug.cu"
        want 'the numbers of lines are missing' names out 'lines were changed, the limit is 0'
        verdict "$bug: is right, and was changed"
    fi
    sed -n "s/^$bug  *//p" common/grade/tests/changes.txt >"$tmp/repairs"
    while read -r points name _ script; do
        sed -e "$script" "$file" >"$tmp/$bug.cu"
        if cmp -s "$file" "$tmp/$bug.cu"; then why='sed changes nothing'; fi
        has_points "$points" "$bug" "$tmp/$bug.cu"
        verdict "$bug: $name"
    done <"$tmp/repairs"
    case $(cat "$file") in
    *'the sum of n floats'*) anew='' ;;
    *'the largest of n floats'*)
        anew='s/mine = 0;/mine = -INFINITY;/; s/+= \(.*\);/= fmaxf(mine, \1);/'
        ;;
    *) continue ;;
    esac
    sed "$anew" "$tmp/right/bug_sum.cu" >"$tmp/anew.cu"
    has_points 60 "$bug" "$tmp/anew.cu"
    verdict "$bug: written anew"
done
has_points 0 bug-02c 02_no_divergence/bugs/bug-02c.cu
want 'the sizes that are right are missing' names out 'right with 1000'
verdict 'the sizes before the wrong one'
finish
