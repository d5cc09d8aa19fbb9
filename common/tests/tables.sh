#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: tables - the tables of the pages match the data, whatever the order of its columns; so do
# the numbers in sentences and comments (numbers.txt). GPU= chooses whose data, and the page on GPUs
# has them all. run.sh calls it. Last line: N passed, N failed.
set -u
unset GPU
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh

run sh common/pages/tables.sh --check
want "exit $status, expected 0" [ "$status" -eq 0 ]
verdict 'tables are those of the data'

# The numbers in sentences and comments.
numbers() { # FOLDER LIST PAGE...: the pages by the names that the list has
    (cd "$1" && sed -n '/^#/d; s/.* := //p' "$2" | "$BUILD/pages/tables" --values) >"$tmp/values"
    folder=$1
    shift
    run sh -c 'script=$PWD/common/tests/numbers.awk && cd "$0" && awk -f "$script" "$@"' \
        "$folder" "$tmp/values" "$@"
}
# shellcheck disable=SC2046 # names without spaces
numbers . common/tests/numbers.txt README.md common/README.md $( # the Chinese ones: zh.sh
    find common/docs [0-9]* ! -name '*.zh.md' \( -name '*.md' -o -name '*.cu' -o -name '*.cuh' -o \
        -name '*.h' \))
want "exit $status, expected 0: change the page, or a line of common/tests/numbers.txt" silent
verdict 'numbers in sentences are those of the data'

# A copy of what the tables need, where results may be changed.
mkdir "$tmp/common"
cp -R common/measure common/pages common/results "$tmp/common"
for page in README.md README.zh.md [0-9][0-9]_*/*.md [0-9][0-9]_*/*/*.md common/docs/GPUS.md; do
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

page=06_cub/DEEPER.md
grep "^$page: " common/tests/numbers.txt >"$tmp/numbers.txt"
numbers "$tmp" numbers.txt "$page"
want "exit $status, expected 0" silent
verdict 'numbers: the same with the columns in another order'
{
    sed 's/in this run 2\.[0-9]*/in this run 2.99/' "$page"
    echo 'It takes 3.33 us.'
} >"$tmp/$page"
sed -e 's/2\.[0-9][0-9]\(\]\{0,1\} and\)/2.99\1/' \
    -e 's/with 32 elements and \[/with 31 elements and [/' \
    common/tests/numbers.txt | grep "^$page: " >"$tmp/numbers.txt"
numbers "$tmp" numbers.txt "$page"
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'another number than the data have' holds out '2\.99 and: the data have 2\.'
want 'words that the page does not have' holds out 'does not say: with 31 elements'
want 'a number of no line' holds out 'no line of numbers.txt: .*3\.33 us'
want 'something else' lines out 3
verdict 'numbers: planted ones are found'
cp "$page" "$tmp/$page"

# One GPU, and then a second one with a single file. Only the latter lacks some of the cells.
gpus() {
    for name in machines ladder claims; do
        printf '%s\n' "<!-- table:gpus $name -->" '<!-- /table -->'
    done >"$tmp/common/docs/GPUS.md"
    run sh "$tmp/common/pages/tables.sh"
    cp "$tmp/common/docs/GPUS.md" "$tmp/out"
}
rm -rf "$tmp"/common/results/*
mkdir "$tmp/common/results/h200" "$tmp/common/results/mine"
cp common/results/h200/*.csv "$tmp/common/results/h200"
gpus
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'the GPU is not there' names out '| | H200 |'
want 'a cell is missing' lacks out '\| - \|'
verdict 'tables: GPUs, one'
sed 's/^# gpu: .*/# gpu: NVIDIA Mine/' common/results/h200/ladder.csv \
    >"$tmp/common/results/mine/ladder.csv"
gpus
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'the GPUs are not there' names out '| | H200 | Mine |'
want 'no row for it' names out '| Mine | 4814 GB/s | 60 MiB |'
want 'a factor is not there twice' holds out '^\| 02: .*\| 1\.6[0-9] times \| 1\.6[0-9] times \|'
want 'what it has not measured is not "-"' holds out '^\| .best. of 05 \| [0-9].* \| - \|'
verdict 'tables: GPUs, two'

page=common/docs/GPUS.md
echo 'They reach 419 and 419 GB/s.' >"$tmp/$page"
printf '%s\n' "$page: reach [419] and := ladder(01_naive,kernel,f32,sum,2^28).gbps" \
    "$page: 419 and [419] GB/s := mine/ladder(01_naive,kernel,f32,sum,2^28).gbps" \
    >"$tmp/numbers.txt"
numbers "$tmp" numbers.txt "$page"
want "exit $status, expected 0" silent
sed -i.bak '/,sum,268435456,/s/,419/,418/' "$tmp/common/results/mine/ladder.csv"
numbers "$tmp" numbers.txt "$page"
want 'the number of the other GPU is not found' holds out '419 and 419 .* the data have 418'
want 'something else' lines out 1
verdict 'numbers: of another GPU'
cp "$page" "$tmp/$page"

sed 's/^# gpu: .*/# gpu: NVIDIA Mine/; s/^# memory: 4814/# memory: 2407/' \
    common/results/h200/ladder.csv >"$tmp/common/results/mine/ladder.csv"
run env GPU=mine sh "$tmp/common/pages/tables.sh"
want "exit $status, expected 0" [ "$status" -eq 0 ]
cat "$tmp/README.md" "$tmp"/0[47]*/README.md "$tmp/05_warp_shuffle/faster/README.md" >"$tmp/out"
want 'the ladder is not that of mine' holds out 'on an NVIDIA Mine.*common/results/mine/ladder.csv'
want 'the least time is not that of a memory half as fast' holds out \
    '^1.07 GB at the peak of 2407 GB/s .* less than 446 us; this lesson takes 24. us \(0\.5. times'
want 'a GELU reads and writes' holds out '^2.15 GB at the peak of 2407 GB/s .* less than 892 us'
want 'what is missing is not reported' \
    holds out '^Not measured yet: .*common/results/mine/peers.csv.*make bench'
verdict 'tables: GPU= with one file'

# Sums alone: best and CUB, in three ways.
{
    echo '# gpu: NVIDIA Mine'
    echo 'cub,step,variant,type,op,n,way,median_us,min_us,p90_us'
    for way in between host row; do
        echo "3.5.0,05_warp_shuffle,best,f32,sum,1024,$way,2,1,3"
        echo "3.5.0,06_cub,kernel,f32,sum,1024,$way,3,2,4"
    done
} >"$tmp/common/results/mine/lone.csv"
printf '%s\n' '<!-- table:lone -->' '<!-- /table -->' >"$tmp/README.md"
run env GPU=mine sh "$tmp/common/pages/tables.sh"
want 'the times are not there, or not their quotient' \
    grep -q '| 2^10 | 2.00 us | 1.50 | 2.00 us | 1.50 | 2.00 us | 1.50 |' "$tmp/README.md"
want 'CUB is not named with its release' grep -q 'CUB 3.5.0' "$tmp/README.md"
verdict 'tables: sums alone'
cp README.md "$tmp/README.md"

sed '/^cub,/s/gbps/rate/' common/results/h200/ladder.csv >"$tmp/common/results/mine/ladder.csv"
run env GPU=mine sh "$tmp/common/pages/tables.sh" --check
want 'exit 0' [ "$status" -ne 0 ]
want 'the column is not named' holds err "there is no column 'gbps'"
verdict 'tables: a column that is not there'

run env GPU=nope sh common/pages/tables.sh --check
want "exit $status, expected 2" [ "$status" -eq 2 ]
want 'stderr does not name it, and those there are' holds err "GPU: .*'nope'.* h200"
verdict 'tables: GPU= of no folder'

finish
