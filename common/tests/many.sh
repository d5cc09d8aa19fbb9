#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: many - what `make many` says if GPUs, NCCL or a valid word are missing, and that simtcc
# refuses NCCL by name. What its programs do is tested by unit/test_many.c.
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='many: '

many() { "${MAKE:-make}" --no-print-directory BUILD_DIR="$tmp/build" many "$@"; }

run many DEVICE=cpu
says err 'Error 77 | needs GPUs and the CUDA toolkit'
want 'something was built' [ ! -e "$tmp/build/cpu/many" ]
verdict 'without a GPU'

mkdir -p "$tmp/nccl/include" "$tmp/nccl/lib"
run many DEVICE=cpu NCCL_HOME="$tmp/nccl"
says err "Error 77 | no nccl.h libnccl.so in $tmp/nccl"
want 'stderr does not name the packages' \
    [ "$(grep -cE 'install (libnccl-dev|nvidia-nccl-cu)' "$tmp/err")" -eq 2 ]
verdict 'without NCCL'

: >"$tmp/nccl/include/nccl.h"
run many DEVICE=cpu NCCL_HOME="$tmp/nccl"
says err "no libnccl.so in $tmp/nccl"
: >"$tmp/nccl/lib/libnccl.so.2" # as in the wheel
run many DEVICE=cpu NCCL_HOME="$tmp/nccl"
want 'NCCL is there, and is called missing' lacks err 'NCCL is missing'
verdict 'the header and the library are looked for'

run many DEVICE=cpu NCCL_HOME="$tmp/none" WAYS=peer
want 'NCCL is asked for' lacks err 'NCCL is missing'
verdict 'WAYS=peer needs no NCCL'

run many DEVICE=cpu WAYS=tree
want 'exit 0' [ "$status" -ne 0 ]
want 'stderr does not name it, and what is accepted' \
    holds err "WAYS: 'tree'.*accepted are sum.* peer"
verdict 'WAYS=tree'

# With a header of the library and without one: the library is named, not its contents.
for header in "$tmp/nccl/include" "$tmp"; do
    run env SIMT_BUILD="$BUILD/simt" common/simt/simtcc -Icommon -isystem "$header" \
        -c 06_cub/many_gpus/sum.cu -o "$tmp/sum.o"
    want 'exit 0' [ "$status" -ne 0 ]
    want 'stderr does not name it with its line' \
        holds err '^06_cub/many_gpus/sum.cu:[0-9]+: simtcc: <nccl.h> is outside the subset'
done
verdict 'simtcc refuses nccl.h by name'

finish
