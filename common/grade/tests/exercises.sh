#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exercises.sh - every program gets the points that it should, and its report says why: solutions,
# also in other people's styles; exercise.cu as handed out; files with a bug, and their repairs in
# ANSWERS.md; what changes.txt makes of them; right and hostile programs of others. Those of an
# exercise are handed in as a class, so none of them stops the grader or another one.
#
#   exercises.sh               all; last line: N passed, N failed
#   exercises.sh EXERCISE      those of one
#
# Without FULL=1 all solutions but of open tasks, the bugs of one lesson, and some of each list.
# GRADE_BUILD is the built grader, build/cpu/grade of the course. GRADE_SEEDS lists the seeds,
# default one.
cd "$(dirname "$0")/../../.." || exit 1
: "${COURSE:=$(pwd -P)}"
: "${GRADE_BUILD:=$COURSE/build/cpu/grade}"
. common/grade/tests/programs.sh
tests=common/grade/tests
only=${1:-}
mkdir "$tmp/right" "$tmp/hostile"

# A class for each exercise, in which NAME hands in FILE. The report has the text, of which `|` is
# between the parts.
hand_in() { # EXERCISE NAME FILE POINTS [TEXT]
    if [ "${only:-$1}" != "$1" ]; then return; fi
    [ ! -e "$tmp/$1/$2" ] || want "two programs are called $1 $2" false
    mkdir -p "$tmp/$1/$2"
    cp "$3" "$tmp/$1/$2/$1.cu"
    printf '%s\n' "$2 $4 ${5:-}" >>"$tmp/list.$1"
}

# Of a long list every eighth without FULL=1.
place=0
is_chosen() {
    place=$((place + 1))
    [ -n "${FULL:-}$only" ] || [ $((place % 8)) -eq 1 ]
}

# The styles come after the file's own #include lines; solve prints and waits after its launches. A
# byte order mark comes first, then an include guard; lines begin with tabs and end with CR LF.
in_style() { # SOLUTION
    printf '\357\273\277#ifndef __STYLE_CU__\n#define __STYLE_CU__\n'
    awk -v styles=$tests/styles.txt '
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
        END { print "#endif // __STYLE_CU__" }
    ' "$1" "$1" | sed -e 's/^    /\t/' -e 's/$/\r/'
}

exercise() { # EXERCISE FOLDER
    handed_out=$(tr '\n' ' ' <"$2/README.md" | sed -n 's/.* gets \([0-9]*\) points.*/\1/p')
    score=$(tr '\n' ' ' <"$2/README.md" | tr -d , |
        sed -n 's/.*[Oo]ur solution scores \([0-9.]*[0-9]\)[. ].*/score on the board: \1;/p')
    case ${FULL:-$only}:$1 in
    :open-scan | [!:]*:open-*) : "${score:=a score in README.md}" ;;
    :open-*) return ;;
    esac
    want "no half-right program of $1" grep -qE "^(=== $1 [a-z_]*:|$1) +[1-9][0-9]?[: ]" \
        $tests/changes.txt $tests/hostile.txt
    hand_in "$1" solution "$2/solution.cu" 100 "$score"
    case ${FULL:-$only}:$1 in :0[15] | [!:]*)
        if [ "$1" != host ]; then # it prints in none of its programs
            in_style "$2/solution.cu" >"$tmp/style.cu"
            want "no style in $1" grep -q 'prints(size, stream)' "$tmp/style.cu"
            hand_in "$1" another_style "$tmp/style.cu" 100
        fi ;;
    esac
    [ -z "${FULL:-}" ] || hand_in "$1" as_handed_out "$2/exercise.cu" \
        "${handed_out:-a number in README.md}"
}

# A file without a repair in ANSWERS.md is right.
bug() { # BUG FILE
    case ${FULL:-$only}:$1 in :bug-02[abd]) ;; :*) return ;; esac
    awk -v head="--- $2" '$0 == "```" { taken = 0 } taken { print } $0 == head { taken = 1 }' \
        common/grade/ANSWERS.md >"$tmp/edit"
    want "ANSWERS.md has no line about $1" grep -q "^\*\*$1\.\*\* " common/grade/ANSWERS.md
    if [ -s "$tmp/edit" ]; then
        hand_in "$1" as_handed_out "$2" 0 'nothing yet: write'
        awk -f common/pages/edited.awk "$tmp/edit" "$2" | sed 's,^// Why:.*,& the test says so,' \
            >"$tmp/my.cu"
        hand_in "$1" repaired "$tmp/my.cu" 100 'the test says so'
    else
        hand_in "$1" as_handed_out "$2" 100
        sed 's/^}$/    (void)0;\n}/' "$2" >"$tmp/my.cu"
        hand_in "$1" changed "$tmp/my.cu" 60 'lines were changed, the limit is 0'
    fi
    case $(cat "$2") in
    *'the sum of n floats'*) anew='' ;;
    *'the largest of n floats'*)
        anew='s/mine = 0;/mine = -INFINITY;/; s/+= \(.*\);/= fmaxf(mine, \1);/'
        ;;
    *) return ;;
    esac
    sed "$anew" "$tmp/right/bug_sum.cu" >"$tmp/my.cu"
    hand_in "$1" written_anew "$tmp/my.cu" 60
}

programs $tests/right.txt "$tmp/right" >"$tmp/right.list"
programs $tests/hostile.txt "$tmp/hostile" >"$tmp/hostile.list"
grader --list >"$tmp/exercises"
while read -r name folder _; do
    case $name in
    bug-*) bug "$name" "$folder/$name.cu" ;;
    *) exercise "$name" "$folder" ;;
    esac
done <"$tmp/exercises"
{ tr '\n' '\r' <"$(echo 03_*/exercise/solution.cu)"; printf '\032'; } >"$tmp/old.cu"
hand_in 03 line_ends_of_an_old_editor "$tmp/old.cu" 100
hand_in bug-02c one_size_is_right 02_no_divergence/bugs/bug-02c.cu 0 'right with 1000'
verdict 'what is handed in'

while read -r base points name text script; do
    case $base in '#'* | '') continue ;; esac
    is_chosen || continue
    file=$(ls "$base"_*/exercise/solution.cu ./*/"$base/solution.cu" ./*/bugs/"$base.cu" \
        "$tmp/right/$base.cu" 2>/dev/null)
    sed -e "$script" "$file" >"$tmp/my.cu"
    if cmp -s "$file" "$tmp/my.cu"; then want "sed changes nothing: $name" false; fi
    hand_in "${base%_*}" "$name" "$tmp/my.cu" "$points" \
        "$([ "$text" = - ] || echo "$text" | tr . ' ')"
done <$tests/changes.txt
for list in right hostile; do
    while read -r exercise name expected; do
        if [ "$exercise" = bug ] || ! is_chosen; then continue; fi
        case $expected in *:*) text=${expected#*: } ;; *) text='' ;; esac
        hand_in "$exercise" "$name" "$tmp/$list/${exercise}_$name.cu" "${expected%%:*}" "$text"
    done <"$tmp/$list.list"
done
verdict 'what is handed in, of lists'

# The text is in the row of the table, or in the report, whose lines are broken elsewhere.
is_marked() { # EXERCISE NAME POINTS TEXT
    row=$(grep "^$2,$1,$3,100," "$tmp/$1.marks/marks_long.csv")
    want "not $3 points" [ -n "$row" ]
    tr -s ' \n' '  ' <"$tmp/$1.marks/reports/$2.$1.txt" >"$tmp/out"
    echo "$row" >>"$tmp/out"
    while IFS= read -r part; do
        want "the report does not say '$part'" names out "$part"
    done <<END
$(echo "$4" | tr '|' '\n')
END
    [ -z "$why" ] || cp "$tmp/log.$1" "$tmp/err"
    verdict "exercise $1: $2"
}

# With many cores some classes at once: most are small.
at_once=$((cores < 4 ? 1 : 4))
for seed in ${GRADE_SEEDS:-1}; do
    started=0
    for list in "$tmp"/list.*; do
        exercise=${list#"$tmp/list."}
        grader --class "$tmp/$exercise" --only "$exercise" --seed "$seed" \
            --jobs $(((cores + at_once - 1) / at_once)) >"$tmp/log.$exercise" 2>&1 &
        started=$((started + 1))
        [ $((started % at_once)) -ne 0 ] || wait
    done
    wait
    for list in "$tmp"/list.*; do
        while read -r name points text; do
            is_marked "${list#"$tmp/list."}" "$name" "$points" "$text"
        done <"$list"
    done
done
finish
