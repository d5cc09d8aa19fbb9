#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: rebuilt - what make builds again: nothing; then only the users of a header. Nobody else may
# build meanwhile.
# Where: alone
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
root=$PWD

set --
for name in $STEPS ${VARIANTS:-}; do set -- "$@" "$BUILD/$name"; done
mk "$@" >"$tmp/log" 2>&1 # nothing, unless the caller's options differed
ends 0 mk "$@"
want 'something was built' lacks err '^  [A-Z]+ +'
verdict 'make: a second make builds nothing'

kernel='^  (SIMTCC|NVCC) +'
run mk -W "$root/common/ops.cuh" "$BUILD/01_naive" "$BUILD/07_elementwise"
want '01 was not compiled' holds err "${kernel}01_naive"
want '07 was compiled, and does not include it' lacks err "${kernel}07_elementwise"
verdict 'make: a changed ops.cuh compiles its users'

run mk -W "$root/common/harness/bench.h" "$BUILD/01_naive"
want 'bench.c was not compiled' holds err '^  CC +common/harness/bench.c'
want 'dtype.c was compiled, and does not include it' lacks err '^  CC +common/harness/dtype.c'
want '01 was not linked' holds err '^  LINK .*01_naive'
want '01 was compiled' lacks err "$kernel"
verdict 'make: a changed bench.h compiles its users'

finish
