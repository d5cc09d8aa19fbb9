#!/bin/sh
# SPDX-License-Identifier: MIT
#
# class.sh GRADER OPTIONS... - grades the class in the folder DIR and writes its tables there:
# marks_long.csv keeps the marks from run to run, marks.csv is made of it. TASK, STUDENT, SEED,
# MARKS (instead of DIR/marks.csv) and FORMAT (canvas or moodle: what they import) are those of
# make, and come by the environment, so that nothing in a name is run. Ends with 2 where a mark is
# missing by the grader's own fault.
set -u
end='
'

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
folder=$(here "$DIR")
marks=$(here "${MARKS:-$DIR/marks.csv}")
long=${marks%.csv}_long.csv
TASKS=$("$1" --list | awk '{ print $1 }')
export TASKS

old=/dev/null
if [ -f "$long" ]; then old=$long; fi
rows=''

table() { # WHICH
    printf '%s' "$rows" | TABLE=$1 awk -f "${0%/*}/csv.awk" -f "${0%/*}/table.awk" "$old" -
}

# A file is complete, or stays as it was.
write() { # FILE WHICH
    if [ -e "$1" ] && [ ! -f "$1" ] || [ -L "$1" ]; then
        die "cannot write '$1': it is no plain file"
    fi
    rm -f "$1.new"
    if ! table "$2" >"$1.new" || ! mv -f "$1.new" "$1"; then
        rm -f "$1.new"
        die "cannot write '$1'; the marks of this run are not in it"
    fi
}

# One student again gets the inputs that the others have had. The grader ends when this script does.
seeds=$(table seeds) || exit 2
status=0
if [ -n "${STUDENT:-}" ] && [ -n "$seeds" ] && [ -z "${SEED:-}" ]; then
    for task in ${TASK:-$(printf '%s\n' "$seeds" | cut -d ' ' -f 1)}; do
        seed=$(printf '%s\n' "$seeds" | awk -v task="$task" '$1 == task { print $2 }')
        new=$("$@" --class "$folder" --student "$STUDENT" --only "$task" \
            ${seed:+--seed "$seed"}) || status=$?
        rows=$rows$new$end
    done
else
    rows=$("$@" --class "$folder" ${STUDENT:+--student "$STUDENT"} ${TASK:+--only "$TASK"} \
        ${SEED:+--seed "$SEED"}) || status=$?
    rows=$rows$end
fi
[ "$rows" != "$end" ] || exit 2

write "$long" long
old=$long
rows=''
write "$marks" wide
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
