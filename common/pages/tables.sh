#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tables.sh - `make tables`: rewrites the tables between `<!-- table:... -->` and `<!-- /table -->`
# in the README and in the pages of the lessons from the CSV files in common/results/<gpu>. GPU
# chooses the folder; without it h200. With --check it only says which are stale.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
check=${1:-}
results=$(recorded_results 'make tables')
set --
for file in "$results"/*.csv; do
    case $file in */course.csv | */tune.csv) continue ;; esac # long, and of no table
    if [ -f "$file" ]; then set -- "$@" "$file"; fi
done
new=$(mktemp)
trap 'rm -f "$new"' EXIT
status=0
for page in README.md [0-9][0-9]_*/*.md [0-9][0-9]_*/*/*.md; do
    if ! grep -q '^<!-- table:' "$page"; then continue; fi
    awk -v results="$results" -f common/measure/columns.awk -f common/pages/tables.awk \
        "$@" "$page" >"$new"
    if cmp -s "$new" "$page"; then
        continue
    elif [ "$check" = --check ]; then
        echo "$page: a table differs from $results; run: make tables" >&2
        status=1
    else
        cp "$new" "$page"
        echo "wrote $page"
    fi
done
exit "$status"
