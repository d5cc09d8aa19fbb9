#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tables.sh - `make tables`: rewrites the tables between `<!-- table:... -->` and `<!-- /table -->`
# in the README and in the pages of the lessons, English and Chinese, from the CSV files in
# common/results/<gpu>. GPU chooses the folder; without it h200. The page on GPUs covers all
# folders. With --check it only says which tables are stale.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
check=${1:-}
results=$(recorded_results 'make tables')
tables=$(page_tool tables)
zh=$(page_tool zh)

in_its_language() { # PAGE
    case $1 in
    *.zh.md) sed -f common/pages/zh/tables.sed | "$zh" linked "$1" ;;
    *) cat ;;
    esac
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
new=$work/new
status=0
for page in README.md README.zh.md [0-9][0-9]_*/*.md [0-9][0-9]_*/*/*.md common/docs/GPUS.md; do
    if ! grep -q '^<!-- table:' "$page"; then continue; fi
    "$tables" "${results##*/}" "$page" >"$work/made"
    in_its_language "$page" <"$work/made" >"$new"
    if cmp -s "$new" "$page"; then
        continue
    elif [ "$check" = --check ]; then
        echo "$page: a table differs from the results; run: make tables" >&2
        status=1
    else
        cp "$new" "$page"
        echo "wrote $page"
    fi
done
exit "$status"
