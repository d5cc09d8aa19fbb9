#!/bin/sh
# SPDX-License-Identifier: MIT
#
# quiz.sh PROGRAM FOLDER - marks the quiz answers of the students of a class, files named quiz.csv
# or the like, as rows of marks_long.csv. find.awk says whose each is; of several the last by name
# counts. From the environment: STUDENT, only this one; QUIZ, the required questions, as in `SEED=7
# LEVEL=2 N=10`: other answers have 0 points.
set -eu
program=$1 folder=$2 here=${0%/*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A line for find.awk. A name with control characters is not accepted: it may have printable ASCII
# except \, and UTF-8 except its control characters and those that change the direction of the text.
# Awks disagree about bytes.
cat >"$work/line.sh" <<'END'
two=$(printf '\302[\240-\277]\\|[\303-\337][\200-\277]')
three=$(printf '[\340-\357][\200-\277][\200-\277]')
four=$(printf '[\360-\364][\200-\277][\200-\277][\200-\277]')
turning=$(printf '\342\200[\252-\256]\\|\342\201[\246-\251]')
for path; do
    why=
    if [ -L "$path" ]; then
        why='is a link: hand in the file itself'
    elif [ ! -f "$path" ]; then
        why='is not a plain file'
    fi
    path=${path#"$folder"/}
    left=$(printf '%s.' "$path" | tr '\n' '\001' | sed -e "/$turning/b" \
        -e "s/$two//g; s/$three//g; s/$four//g; s/[]^-~ -Z[]//g")
    if [ -z "$left" ]; then
        printf '%s\t%s\t1\t\n' "$path" "$why"
    else
        echo 'grade: the answers of a quiz are not accepted: the name of the file or its folder' \
            'has a \ or a control character; rename it' >&2
    fi
done
END
export folder
export LC_ALL=C
find "$folder/" -name '*[Qq][Uu][Ii][Zz]*.[Cc][Ss][Vv]' ! -type d \
    -exec sh "$work/line.sh" {} + | sort >"$work/files"
if [ ! -s "$work/files" ] || [ -z "$program" ]; then exit 0; fi

# No answers of this student: that is not a failure.
KIND=class TASKS=quiz ASKED=quiz STUDENT=${STUDENT:-} SHOWN='' FOLDER=$folder \
    awk -f "$here/find.awk" "$work/files" 2>/dev/null | sed 1d >"$work/rows"

tab=$(printf '\t')
while IFS= read -r row; do
    student=${row%%"$tab"*} instead=${row##*"$tab"}
    numbers=${row%"$tab"*}
    last=${numbers##*[ "$tab"]} file=''
    mark="0 - missing: $instead"
    if [ -n "$last" ]; then
        file=$(sed -n "$((last + 1))s/$tab.*//p" "$work/files")
        mark=$("$program" --mark "$folder/$file" "${QUIZ:-}") || mark='0 - cannot be read'
    fi
    note=${mark#* }
    seed=${note%% *}
    printf 'row\t%s\t100\t%s\t0.0\t%s\tquiz\t%s\t%s\n' "${mark%% *}" "${seed#-}" "$student" \
        "$file" "${note#* }"
done <"$work/rows" | FORMAT=rows awk -f "$here/csv.awk" -f "$here/formats.awk"
