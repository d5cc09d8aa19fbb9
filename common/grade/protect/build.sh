#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build.sh - compiles one submission and links it with the child. The grader calls it in a folder of
# its own, with COURSE, BUILD, SUBMISSION, SIMT_BUILD, SIMT_FILTER and CXX set. It looks at
# compiled.o before it runs the program.
set -eu

# On x86-64 a call of a computed address becomes a call of __x86_indirect_thunk_rax, which nobody
# defines: so object.c sees it, and refuses it.
computed=''
case $(uname -m):$CXX in
x86_64:*clang*) ;;
x86_64:*) computed='-fcf-protection=none -mindirect-branch=thunk-extern -fno-jump-tables' ;;
esac

# Exceptions and warnings are of no use to a kernel. The messages name lines, they do not show them.
# shellcheck disable=SC2086 # a list of options
"$COURSE/common/simt/simtcc" -w -fno-exceptions -fno-diagnostics-show-caret $computed \
    -I"$COURSE/common" -c "$SUBMISSION" -o compiled.o

# No name of the submission but solve can stand for one of ours. Copies of memory go through the
# hooks. Answers of CUDA go into the caller's stack only.
"${OBJCOPY:-objcopy}" --keep-global-symbol=solve \
    --redefine-sym memcpy=simt_memcpy --redefine-sym memmove=simt_memmove \
    --redefine-sym memset=simt_memset \
    --redefine-sym cudaGetDevice=grade_get_device \
    --redefine-sym cudaDeviceGetAttribute=grade_device_attribute \
    --redefine-sym cudaGetDeviceProperties=grade_device_properties \
    --redefine-sym cudaFuncGetAttributes=grade_function_attributes \
    --redefine-sym cudaOccupancyMaxActiveBlocksPerMultiprocessor=grade_occupancy \
    compiled.o submission.o

"$CXX" "$BUILD/grade/protect/child.o" "$BUILD/grade/protect/confine.o" submission.o \
    "$BUILD/simt/libsimt.a" -lm -ldl -lpthread -o program
