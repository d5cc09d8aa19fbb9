#!/bin/sh
# SPDX-License-Identifier: MIT
#
# report.sh - what SIMT_COUNTERS, SIMT_REPORT and SIMT_TRACE write for the kernels of report.cu.
#
# Group: simt
# Suite: report
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh
here=common/simt/tests
work=$tmp

# expect NAME FILE 'line': the file has this line, whatever its spaces.
expect() {
    sed -e 's/  */ /g' -e 's/^ //' "$2" >"$tmp/out"
    want "there is no line '$3'" grep -qxF -- "$3" "$tmp/out"
    verdict "$1"
}
line() { grep -n "// LINE $1\$" "$here/report.cu" | cut -d: -f1; }

SIMT_COUNTERS=$work/report.csv SIMT_TRACE=$work/report.trace SIMT_REPORT=1 "$WORK/report" \
    >"$work/launches.txt"
SIMT_REPORT=source "$WORK/report" >"$work/source.txt"

csv=$work/report.csv
expect 'header' "$csv" launch,kernel,grid,block,counter,value
expect 'strided loads' "$csv" 1,strided,1x1x1,256x1x1,shared_ld_requests,25
expect 'strided loads, 70 too many' "$csv" 1,strided,1x1x1,256x1x1,shared_ld_wavefronts,95
expect 'strided stores' "$csv" 1,strided,1x1x1,256x1x1,shared_st_requests,20
expect 'strided stores, 35 too many' "$csv" 1,strided,1x1x1,256x1x1,shared_st_wavefronts,55
expect 'sequential loads' "$csv" 2,sequential,1x1x1,256x1x1,shared_ld_wavefronts,25
expect 'sequential stores' "$csv" 2,sequential,1x1x1,256x1x1,shared_st_wavefronts,20
expect 'column' "$csv" 3,column,1x1x1,32x32x1,shared_ld_wavefronts,1024
expect 'padded column' "$csv" 4,column,1x1x1,32x32x1,shared_ld_wavefronts,32
expect 'a double takes two shuffles' "$csv" 6,parted,1x1x1,32x1x1,shuffles,2
expect 'a branch of the source' "$csv" 6,parted,1x1x1,32x1x1,divergent_branches,1
expect 'active lanes' "$csv" 6,parted,1x1x1,32x1x1,active_lanes_per_memory_instruction,21.333

expect 'table of launches' "$work/launches.txt" '45 150 105 9 33 3.7 0 72 0 6 23.7'
expect 'equal launches' "$work/launches.txt" 'column<<<(1,1,1), (32,32,1)>>> 2 times, each:'
expect 'source line' "$work/source.txt" \
    "$(line column) out[y * 32 + x] = s_tile[x][y]; // LINE column"
expect 'source, conflicts' "$work/source.txt" 'shared load, 4 B 32 1024 32 32.0 32.0'
SIMT_REPORT=source:4 "$WORK/report" >"$work/fourth.txt"
equal 'source:4, the padded column alone' "$(sed -n '/^column/,/^cost/p' "$work/fourth.txt" |
    sed 's/  */ /g' | grep -E 'load|launch')" " global load, 4 B 32 128 128 1.0 32.0
 shared load, 4 B 32 32 32 1.0 32.0
cost: wavefronts of shared memory, sectors of global and local memory, in launch 4."
for wrong in source: source:0 source:2x sources; do
    run env SIMT_REPORT="$wrong" "$WORK/report"
    want "exit $status, expected 2" [ "$status" -eq 2 ]
    want 'it is not named' names err "simt: SIMT_REPORT: '$wrong': source, or source:N for launch N"
    verdict "refused: SIMT_REPORT=$wrong"
done
# 300 requests; a word of 32 lanes is 4 sectors.
after() { # LINE TEXT: the row of an access at this line
    awk -v line="$(line "$1")" '$1 ~ /^[0-9]+$/ { here = $1 == line } here' "$work/source.txt" \
        >"$tmp/source"
    expect "$1, $2" "$tmp/source" "$2"
}
after squares 'local store, 4 B 300 1200 1200 1.0 32.0'
after own 'local store, 8 B 300 2400 2400 1.0 32.0'
equal 'local arrays: no other one is memory' \
    "$(grep -cE '^ *local (load|store), ' "$work/source.txt")" 4

expect 'trace, version' "$work/report.trace" 'simt-trace 1'
awk -v line="$(line tree)" '/^step / { counts = $2 == "load" && $5 == line }
    /^lane / { n += counts }
    END { print n }' "$work/report.trace" >"$work/count.txt"
expect 'trace, 2 * 255 loads in the tree' "$work/count.txt" 510
finish
