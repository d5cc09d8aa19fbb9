#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tables.sh - rewrites the tables between `<!-- table:... -->` and `<!-- /table -->` in the README
# and in the pages of the lessons from the CSV files in common/results/h200. With --check it only
# says which are stale.
set -eu
cd "$(dirname "$0")/../.."
results=common/results/h200
new=$(mktemp)
trap 'rm -f "$new"' EXIT
status=0
for page in README.md [0-9][0-9]_*/*.md [0-9][0-9]_*/*/README.md; do
    awk -f common/pages/tables_peers.awk -f common/pages/tables.awk file=1 "$results/ladder.csv" \
        file=2 "$results/counters.csv" file=3 "$results/ablate.csv" file=4 "$results/peers.csv" \
        file=5 "$results/accuracy.csv" file=6 "$results/gelu.csv" \
        file=7 "$results/cub_inside.csv" file=8 "$results/sm_finish.csv" \
        file=9 "$results/bulk_from.csv" file=0 "$page" >"$new"
    if cmp -s "$new" "$page"; then
        continue
    elif [ "${1:-}" = --check ]; then
        echo "$page: a table differs from $results; run: make tables" >&2
        status=1
    else
        cp "$new" "$page"
        echo "wrote $page"
    fi
done
exit "$status"
