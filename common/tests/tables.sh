#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tables.sh - the tables of the pages are those of the data, whatever the order of its columns; and
# GPU= chooses whose data. run.sh calls it. Last line: N passed, N failed.
set -u
unset GPU
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh

run sh common/pages/tables.sh --check
want "exit $status, expected 0" [ "$status" -eq 0 ]
verdict 'tables are those of the data'

# A copy of what the tables need, where results may be changed.
mkdir "$tmp/common"
cp -R common/measure common/pages common/results "$tmp/common"
for page in README.md [0-9][0-9]_*/*.md [0-9][0-9]_*/*/README.md; do
    mkdir -p "$tmp/$(dirname "$page")"
    cp "$page" "$tmp/$page"
done
for file in "$tmp"/common/results/h200/*.csv; do
    awk -F, '/^#/ { print; next }
        { for (i = NF; i > 0; i--) printf "%s%s", $i, (i > 1 ? "," : "\n") }' \
        "$file" >"$tmp/reversed"
    mv "$tmp/reversed" "$file"
done
run sh "$tmp/common/pages/tables.sh" --check
want "exit $status, expected 0" [ "$status" -eq 0 ]
verdict 'tables: the same with the columns in another order'

mkdir "$tmp/common/results/mine"
sed 's/^# gpu: .*/# gpu: NVIDIA Mine/' common/results/h200/ladder.csv \
    >"$tmp/common/results/mine/ladder.csv"
run env GPU=mine sh "$tmp/common/pages/tables.sh"
want "exit $status, expected 0" [ "$status" -eq 0 ]
cat "$tmp/README.md" "$tmp/05_warp_shuffle/faster/README.md" >"$tmp/out"
want 'the ladder is not that of mine' holds out 'on an NVIDIA Mine.*common/results/mine/ladder.csv'
want 'what is missing is not told' \
    holds out '^Not measured yet: .*common/results/mine/peers.csv.*make bench'
verdict 'tables: GPU= with one file'

sed '/^step,/s/gbps/rate/' common/results/h200/ladder.csv >"$tmp/common/results/mine/ladder.csv"
run env GPU=mine sh "$tmp/common/pages/tables.sh" --check
want 'exit 0' [ "$status" -ne 0 ]
want 'the column is not named' holds err "there is no column 'gbps'"
verdict 'tables: a column that is not there'

run env GPU=nope sh common/pages/tables.sh --check
want "exit $status, expected 2" [ "$status" -eq 2 ]
want 'stderr does not name it, and those there are' holds err "GPU: .*'nope'.* h200"
verdict 'tables: GPU= of no folder'

finish
