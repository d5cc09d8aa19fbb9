#!/bin/sh
# SPDX-License-Identifier: MIT
#
# viva.sh VIVA ask|list|sheet SOURCE FOLDER SEED N [OPTION...] - `make viva`: runs a file and
# changed copies of it, and asks with the program VIVA, or writes a sheet. OPTIONs are those of a
# program. In the environment: BUILD; TASK, for a submission, which runs in the sandbox, else
# PROGRAM, which is compiled from SOURCE; STUDENT, who gets questions of her own; SHEET, the OUT of
# viva.c, and what else that reads. Without a SEED the questions are new each time.
set -eu
cd "$(dirname "$0")/../.."
viva=$1 command=$2 source=${3#"$PWD"/} folder=$4 seed=${5:-$(date +%s)} n=$6
shift 6
refuse() {
    echo "make viva: $*" >&2
    exit 2
}
case $command:${STUDENT:+exam}:${TASK:+task} in
list:exam:*) refuse 'LIST: not with STUDENT: it would list the answers of an exam' ;;
*:exam:) refuse 'STUDENT: an exam is about an exercise: give TASK=03 SUBMISSION=my.cu' ;;
esac
case $seed in *[!0-9]*) refuse "SEED: '$seed' is not accepted; accepted: a whole number" ;; esac
export GIVEN="$seed"
[ -z "${STUDENT:-}" ] || seed=$(printf '%s' "$seed $STUDENT" | cksum | cut -d ' ' -f 1)
# Two sessions at once have folders of their own.
folder=${FOLDER:-$folder/$seed.$n$(printf '%s' "${ASKED:-}" | tr -d ' =')}
folder=${folder#"$PWD"/}
export SIMT_STEPS=1048576 # an endless loop ends soon

# Leaves FOLDER/NUMBER.trace, and NUMBER.trace.1 to 4 of other inputs, of which the last ones begin
# one element later. A copy has a file of its own, unless only the size is another.
record() { # NUMBER SIZES, of a submission; NUMBER OPTION..., of a program
    trace=$folder/$1.trace file=$folder/0
    [ ! -f "$folder/$1.cu" ] || file=$folder/$1
    shift
    if [ -n "${TASK:-}" ]; then
        "$BUILD/grade/confined" "$PWD" "$BUILD" "$TASK" "$file.cu" "$trace" "$@"
    else
        [ "$file" != "$folder/0" ] || file=$PROGRAM
        sh common/pages/trace/record.sh "$trace" "$file" --once "$@" || return
        for k in 1 2 3 4; do
            sh common/pages/trace/record.sh "$trace.$k" "$file" --once "$@" --seed $((k + 1)) \
                --offset $((k / 4)) || :
        done
    fi
}

mkdir -p "$folder"
rm -f "$folder"/[0-9].cu "$folder"/[0-9] "$folder"/[0-9].trace*
cp "$source" "$folder/0.cu" # the name of a submission may be any
SUM=$(cksum <"$folder/0.cu" | tr ' ' .)
export SUM
if [ -n "${TASK:-}" ]; then
    as_options='s/N=//' show="make show TASK=$TASK SUBMISSION="
    set --
else
    as_options='s/N=/-n /' show='make show KERNEL='
fi
status=0
record 0 "$@" 2>"$folder/said" || status=2
# What a compiler says of a submission may hold what a terminal obeys.
tr -d '\000-\010\013-\037' <"$folder/said" >&2
[ $status -eq 0 ] || exit $status
"$viva" plan "$source" "$folder" "$seed" "$n"
# A copy that does not compile, or does not end, gives no question.
[ -n "${TASK:-}" ] || "${MAKE:-make}" -k -f common/viva/viva.mk copies FOLDER="$folder" \
    </dev/null >/dev/null 2>&1 || :
while IFS=, read -r k _ _ options _; do
    [ "$k" -gt 0 ] || continue
    options=$(echo "$options" | sed "$as_options")
    # The last block; or the first, since a mistake in an earlier one may end the launch.
    for block in last 0; do
        export SIMT_TRACE_BLOCK=$block
        # shellcheck disable=SC2086 # words
        record "$k" "$@" $options || rm -f "$folder/$k.trace"
        if ! [ -f "$folder/$k.trace" ] || grep -q '^block' "$folder/$k.trace"; then break; fi
    done </dev/null >/dev/null 2>&1 &
done <"$folder/runs"
wait
"$viva" "$command" "$source" "$folder" "$seed" "$n" "${SHEET:-$show}"
