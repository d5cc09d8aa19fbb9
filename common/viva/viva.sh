#!/bin/sh
# SPDX-License-Identifier: MIT
#
# viva.sh VIVA ask|list|sheet SOURCE FOLDER SEED N [OUT] - `make viva`: runs a file and changed
# copies of it, and asks with the program VIVA, or writes a sheet. In the environment: BUILD; TASK,
# for a submission, which runs in the sandbox; STUDENT, who gets questions of her own; what viva.c
# reads.
# Without a SEED the questions are new each time.
set -eu
cd "$(dirname "$0")/../.."
viva=$1 command=$2 source=${3#"$PWD"/} folder=$4 seed=${5:-$(date +%s)} n=$6
case $seed in
*[!0-9]*)
    echo "make viva: SEED: '$seed' is not accepted; accepted: a whole number" >&2
    exit 2
    ;;
esac
[ -z "${STUDENT:-}" ] || seed=$(printf '%s' "$seed $STUDENT" | cksum | cut -d ' ' -f 1)
# Two sessions at once have folders of their own.
folder=${FOLDER:-$folder/$seed.$n$(printf '%s' "${ASKED:-}" | tr -d ' =')}
folder=${folder#"$PWD"/}
export SIMT_STEPS=8388608 # an endless loop ends soon

record() { # FILE NUMBER [VARIABLE=VALUE...]; a submission has N=SIZES alone
    file=$1 trace=$folder/$2.trace
    shift 2
    if [ -n "${TASK:-}" ]; then
        "$BUILD/grade/confined" "$PWD" "$BUILD" "$TASK" "$file" "$trace" ${1:+"${1#N=}"}
    else
        "${MAKE:-make}" --no-print-directory -f common/pages/trace/trace.mk record KERNEL="$file" \
            VARIANT= N= SEED= LIST= "$@" TRACE="$trace" </dev/null
    fi
}

mkdir -p "$folder"
rm -f "$folder"/*.trace
cp "$source" "$folder/0.cu" # the name of a submission may be any
if [ -n "${TASK:-}" ]; then
    # What a compiler says of a submission may hold what a terminal obeys.
    if record "$folder/0.cu" 0 2>"$folder/said"; then status=0; else status=2; fi
    tr -d '\000-\010\013-\037' <"$folder/said" >&2
    [ $status -eq 0 ] || exit $status
else
    record "$source" 0 || exit 2
fi
"$viva" plan "$source" "$folder" "$seed"
while IFS=, read -r k _ _ options _; do
    [ "$k" -gt 0 ] || continue
    # A copy that does not compile, or does not end, gives no question.
    # shellcheck disable=SC2086 # words
    { record "$folder/$k.cu" "$k" $options || rm -f "$folder/$k.trace"; } \
        </dev/null >/dev/null 2>&1 &
done <"$folder/runs"
wait
show="make show ${TASK:+TASK=$TASK SUBMISSION=}"
[ -n "${TASK:-}" ] || show="${show}KERNEL="
[ "$command" = sheet ] || set -- "$show"
[ "$command" != sheet ] || set -- "$7" "$STUDENT"
"$viva" "$command" "$source" "$folder" "$seed" "$n" "$@"
