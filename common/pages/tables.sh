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

# The files that tables use: not course.csv and tune.csv, which are long.
tables_in() { # FOLDER...
    for folder in "$@"; do
        for file in "$folder"/*.csv; do
            case $file in */course.csv | */tune*.csv) continue ;; esac
            if [ -f "$file" ]; then echo "$file"; fi
        done
    done
}
made() { # PAGE
    case $1 in
    common/docs/GPUS.md)
        # shellcheck disable=SC2046 # names without spaces
        awk -f common/measure/columns.awk -f common/pages/formula.awk -f common/pages/gpus.awk \
            $(tables_in common/results/*) common/pages/gpus.txt "$1"
        ;;
    *)
        # shellcheck disable=SC2046
        awk -v results="$results" -f common/measure/columns.awk -f common/pages/tables.awk \
            $(tables_in "$results") "$1"
        ;;
    esac
}
in_its_language() { # PAGE
    case $1 in
    *.zh.md) sed -f common/pages/zh/tables.sed | sh common/pages/zh.sh linked "$1" ;;
    *) cat ;;
    esac
}
new=$(mktemp)
trap 'rm -f "$new"' EXIT
status=0
for page in README.md README.zh.md [0-9][0-9]_*/*.md [0-9][0-9]_*/*/*.md common/docs/GPUS.md; do
    if ! grep -q '^<!-- table:' "$page"; then continue; fi
    made "$page" | in_its_language "$page" >"$new"
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
