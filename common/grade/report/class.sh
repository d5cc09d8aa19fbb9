#!/bin/sh
# SPDX-License-Identifier: MIT
#
# class.sh GRADER OPTIONS... - grades the class in the folder DIR and writes its tables beside it,
# in DIR.marks: marks_long.csv keeps the marks from run to run, and marks.csv is made from it. No
# file in DIR is read as marks, and nothing is written there. TASK, STUDENT, SEED, MARKS (instead of
# DIR.marks/marks.csv) and FORMAT (canvas or moodle: what they import) are those of make. They come
# through the environment, so that nothing in a name is executed. SPEED is the folder where speed.sh
# builds, on a GPU, else empty; QUIZ and QUIZ_PROGRAM are for quiz.sh. Exits with 2 if a mark is
# missing because the grader failed.
set -u
end='
'
tab=$(printf '\t')

die() {
    printf 'grade: %s\n' "$*" >&2
    exit 2
}

here() { case $1 in /*) printf '%s' "$1" ;; *) printf './%s' "$1" ;; esac; }

[ -n "${DIR:-}" ] || die "DIR: give the folder of the class: make grade-class DIR=submissions"
case ${FORMAT:-text} in
text | canvas | moodle) ;;
*) die "FORMAT: '$FORMAT' is not one for a class; accepted are text, canvas and moodle" ;;
esac
# The full name of a folder, and a dot, so that its last character can be a line break too.
full() {
    case $1 in /*) ;; *) set -- "./$1" "$2" ;; esac
    (cd "$1" 2>/dev/null && pwd "$2" && echo .)
}

folder=$(full "$DIR" -L) || die "DIR: '$DIR' is not a folder that can be read"
folder=${folder%"$end".}
marks=$folder.marks/marks.csv
if [ -n "${MARKS:-}" ]; then
    marks=$(here "$MARKS")
else
    mkdir -p "$folder.marks" || die "cannot write '$folder.marks'; give MARKS=file"
fi
place=$(full "${marks%/*}" -P) || die "MARKS: '$MARKS' is in no folder"
inside=$(full "$folder" -P)
case ${place%"$end".}/ in
"${inside%"$end".}"/*) die "MARKS: '$MARKS' is in DIR, where files are of students; accepted is" \
    "a file elsewhere, or none: '$folder.marks/marks.csv'" ;;
esac
reports=${marks%/*}/reports
mkdir -p "$reports" || die "cannot write '$reports'"
long=${marks%.csv}_long.csv
TASKS="$("$1" --list | awk '{ print $1 }') quiz"
export TASKS

old=/dev/null
if [ -f "$long" ]; then old=$long; fi
rows=''

table() { # WHICH
    printf '%s' "$rows" | TABLE=$1 awk -f "${0%/*}/csv.awk" -f "${0%/*}/table.awk" "$old" -
}

# A file is either complete or unchanged.
write() { # FILE WHICH
    if [ -e "$1" ] && [ ! -f "$1" ] || [ -L "$1" ]; then
        die "cannot write '$1': it is not a plain file"
    fi
    rm -f "$1.new"
    if ! table "$2" >"$1.new" || ! mv -f "$1.new" "$1"; then
        rm -f "$1.new"
        die "cannot write '$1'; the marks of this run are not in it"
    fi
}

# With DEVICE=gpu, for all on the board: exercise, student, the speed as a ratio to the solution.
times_of_board() {
    [ -n "${SPEED:-}" ] || return 0
    table files | while IFS="$tab" read -r task student file; do
        printf '%s\t%s\t%s\n' "$task" "$student" "$(sh "${0%/*}/speed.sh" "$SPEED" "$task" \
            "$folder/$file" </dev/null | sed -n 's/^ *\([0-9.]*\) times the solution.*/\1/p')"
    done
}

# The quiz is not an exercise of the grader: without it the list of exercises may be empty.
asked=${TASK:-}
case " ${asked:-quiz} " in
*' quiz '*) quiz=$(sh "${0%/*}/quiz.sh" "${QUIZ_PROGRAM:-}" "$folder") || exit 2 ;;
*) quiz='' ;;
esac
TASK=$(printf ' %s ' "$asked" | sed 's/ quiz / /; s/^ *//; s/ *$//')

# A single student gets the same inputs as the others. The grader ends when this script does.
seeds=$(table seeds) || exit 2
status=0
if [ -n "$asked" ] && [ -z "$TASK" ]; then
    [ -n "$quiz" ] || die "no answers of a quiz in '$DIR'; accepted are files named quiz.csv"
elif [ -n "${STUDENT:-}" ] && [ -n "$seeds" ] && [ -z "${SEED:-}" ]; then
    for task in ${TASK:-$(printf '%s\n' "$seeds" | cut -d ' ' -f 1 | grep -vx quiz)}; do
        seed=$(printf '%s\n' "$seeds" | awk -v task="$task" '$1 == task { print $2 }')
        new=$("$@" --class "$folder" --reports "$reports" --student "$STUDENT" --only "$task" \
            ${seed:+--seed "$seed"}) || status=$?
        rows=$rows$new$end
    done
else
    rows=$("$@" --class "$folder" --reports "$reports" ${STUDENT:+--student "$STUDENT"} \
        ${TASK:+--only "$TASK"} ${SEED:+--seed "$SEED"}) || status=$?
    rows=$rows$end
fi
rows=$rows$quiz$end
[ "$rows" != "$end$end" ] || exit 2

write "$long" long
old=$long
rows=''
write "$marks" wide
if [ -n "$(table files)" ]; then
    TIMES=$(times_of_board)
    export TIMES
    write "${marks%/*}/board.csv" board
fi
case ${FORMAT:-} in
canvas) write "${marks%/*}/canvas.csv" canvas ;;
moodle)
    for TASK in $(table seeds | awk '{ print $1 }'); do
        export TASK
        write "${marks%/*}/moodle.$TASK.csv" moodle
    done
    ;;
esac
echo "$marks" >&2
exit "$status"
