#!/bin/sh
# SPDX-License-Identifier: MIT
#
# predict.sh VIVA FOLDER LESSON [--list] - `make predict-03`: records the traces that answer the
# questions of LESSON/README.md into a folder, and asks them with the program VIVA.
set -eu
cd "$(dirname "$0")/../.."
viva=$1 folder=$2 page=$3/README.md
mkdir -p "$folder"
"$viva" predict "$page" >"$folder/commands"
k=0
while read -r _ goal options; do
    k=$((k + 1))
    # shellcheck disable=SC2086 # N=1K VARIANT=scalar
    "${MAKE:-make}" --no-print-directory -f common/pages/trace/trace.mk record \
        STEP="${goal#report-}" N= TYPE= OP= VARIANT= BLOCK= $options \
        TRACE="$folder/$k.trace" </dev/null
done <"$folder/commands"
if [ $# -eq 3 ] && ! "$viva" predict "$page" "$folder" --list >"$folder/list" 2>&1; then
    echo "make predict: the emulator counts other numbers here than $page has. With clang, which" \
        'does not optimise kernels, give CC=gcc CXX=g++' >&2
    exit 2
fi
"$viva" predict "$page" "$folder" ${4:+"$4"}
