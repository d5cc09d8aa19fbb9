#!/bin/sh
# SPDX-License-Identifier: MIT
#
# heads.sh - the headers that simtcc has g++ precompile, and many calls of simtcc at once.
#
# Group: simt
# Suite: heads
# shellcheck disable=SC2016,SC2317
set -u
cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh
dir=$WORK/heads
rm -rf "$dir"
mkdir -p "$dir/include"
cd "$dir" || exit 1

# ---- the headers that g++ precompiles ----

cat >one.cu <<'END'
#include <algorithm>
__global__ void kernel(float *p, int n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] = __shfl_xor_sync(0xffffffff, min(p[0], 1.0f), 1);
}
int main()
{
    kernel<<<1, 32>>>(nullptr, 0);
    return cudaDeviceSynchronize();
}
END
sed 's/return/unknown_name(); return/' one.cu >wrong.cu
# A separate SIMT_BUILD; a file where the folder should be: nothing can be kept.
for name in keeps cannot; do
    mkdir $name
    ln -s "$SIMT_BUILD/libsimt.a" "$SIMT_BUILD/driver" $name/
done
: >cannot/heads
object() { SIMT_BUILD=$dir/$1 "$simtcc" -c one.cu -o "$2"; }
kept() { [ "$(find keeps -name '*.gch' | wc -l)" -eq $((heads * $1)) ]; }
case $("$CXX" --version) in *clang*) heads=0 ;; *) heads=1 ;; esac
printf '#include <%s>\n' cub/cub.cuh cooperative_groups/reduce.h cooperative_groups/memcpy_async.h \
    cuda/atomic cuda/barrier cuda/pipeline cuda/ptx >named.cu
check 'macros with names of a program' "$simtcc" -DN=9 -DM=8 -DTHREADS=64 -DBLOCK_THREADS=64 \
    -DCOUNT=3 -DITEMS=4 -DLANES=32 -DBYTES=4 -c named.cu -o named.o
check 'nothing can be kept' object cannot whole.o
check 'a head is kept' object keeps first.o
check 'by g++ alone' kept 1
check 'it is used' object keeps second.o
check 'the same object' cmp whole.o first.o
check 'the same object again' cmp whole.o second.o
check 'and no other head' kept 1
for name in keeps cannot; do
    run env SIMT_BUILD="$dir/$name" "$simtcc" -c wrong.cu -o wrong.o
    mv "$tmp/err" $name.messages
done
check 'the same message' cmp keeps.messages cannot.messages
check 'which names the line' grep -q '^wrong.cu:10:.*unknown_name' keeps.messages
check 'other options' env SIMT_BUILD="$dir/keeps" "$simtcc" -c -G one.cu -o other.o
check 'another head' kept 2

# ---- many at once ----

# Files with different includes, in an empty SIMT_BUILD, and another process that removes everything
# in between. FULL=1: 32 files, or ROUNDS times.
all=6
[ -z "${FULL:-}" ] || all=32
round=0
while [ $round -lt "${ROUNDS:-1}" ]; do
    round=$((round + 1))
    rm -rf at_once && mkdir at_once
    ln -s "$SIMT_BUILD/libsimt.a" "$SIMT_BUILD/driver" at_once/
    i=0
    while [ $i -lt $all ]; do
        i=$((i + 1))
        printf '#include "head%d.h"\n' $i >at_once/$i.cu
        cat one.cu >>at_once/$i.cu
        echo "const int number = $i;" >at_once/head$i.h
        SIMT_BUILD=$dir/at_once "$simtcc" -c at_once/$i.cu -o at_once/$i.o >at_once/$i.said 2>&1 &
    done
    while [ $heads -eq 1 ] && [ -z "$(find at_once -name '*.gch')" ] && kill -0 $! 2>/dev/null; do
        sleep 0.05
    done
    rm -rf at_once/heads
    wait
    cat at_once/*.said >"$tmp/out"
    want 'it says something' lines out 0
    want 'an object is missing' [ "$(find at_once -name '*.o' | wc -l)" -eq $all ]
    verdict "$all files at once, round $round"
done
finish
