#!/bin/sh
# SPDX-License-Identifier: MIT
#
# class.sh VIVA SEED N - `make viva-class`: a sheet with questions for each student of a class, and
# a key. In the environment: DIR, TASK, BUILD, as for `make grade-class`; ANSWERS, a CSV file with
# what was written on the sheets: then it only adds a column of marks to MARKS, default
# DIR.marks/marks.csv. Its status is 1 if a row was refused.
set -eu
viva=$1 seed=$2 n=$3
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/common/viva}
out=${DIR%/}.marks/viva.$TASK

class() {
    "$BUILD/grade/grade" --course "$root" --build "$BUILD" --class "$DIR" --only "$TASK" "$@"
}
refuse() {
    echo "make viva-class: $*" >&2
    exit 2
}

if [ -n "${ANSWERS:-}" ]; then
    [ -f "$out/key.csv" ] ||
        refuse "there is no '$out/key.csv': make the sheets first, without ANSWERS"
    status=0
    "$viva" mark "$out/key.csv" "$ANSWERS" >"$out/marks.csv" || status=$?
    [ $status -gt 1 ] || {
        class --marks "${MARKS:-}" --viva "$out/marks.csv"
        echo "${MARKS:-${DIR%/}.marks/marks.csv}: the column viva"
    }
    exit $status
fi
case $seed in '' | *[!0-9]*) refuse "SEED: '$seed' is not accepted; give a number: SEED=7" ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
class --format files >"$work/list"
mkdir -p "$out"
echo 'student,seed,file,number,answer,kind,line,question' >"$work/key"
tab=$(printf '\t')
k=0
while IFS=$tab read -r student file; do
    k=$((k + 1))
    printf '%s\n' "viva of $student" >&2
    cp -P "$DIR/$file" "$work/$TASK.cu"
    # A name may have any character, so the number keeps two of them apart.
    name=$(printf '%03d_%s' $k "$student" | tr -c 'A-Za-z0-9_\n\200-\377-' _)
    STUDENT=$student SHEET=$(cd "$out" && pwd)/$name sh "$here/viva.sh" "$viva" sheet \
        "$work/$TASK.cu" "$work/runs" "$seed" "$n" >>"$work/key" </dev/null ||
        printf '%s\n' "make viva-class: no sheet for $student" >&2
done <"$work/list"
mv "$work/key" "$out/key.csv"
echo "$out: a sheet for each student, as .md and .html, and key.csv"
