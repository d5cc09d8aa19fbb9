#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build.sh - compiles one submission and links it with the child. The grader calls it in a folder of
# its own, with COURSE, BUILD, SUBMISSION, SIMT_BUILD and SIMT_FILTER set. It looks at compiled.o
# before it runs the program.
#
#   build.sh --check      says what is missing to do so, and ends with 3
set -eu

need() { # WHAT COMMAND...
    what=$1
    shift
    "$@" >/dev/null 2>&1 || { echo "$what"; exit 3; }
}

# Of gcc, since clang gives other counts (common/simt/README.md) and marks are the same everywhere.
names=${GRADE_CXX:-${CXX:-} g++ g++-15 g++-14 g++-13 g++-12 g++-11}
CXX=''
for name in $names; do
    case $name in *clang*) continue ;; *g++*) ;; *) continue ;; esac
    if command -v "$name" >/dev/null; then CXX=$name && break; fi
done
export CXX

if [ "${1:-}" = --check ]; then
    need "no compiler of these was found: $names (Debian, Ubuntu: apt install g++)" [ -n "$CXX" ]
    for tool in as ld objcopy addr2line; do
        need "'$tool' was not found (Debian, Ubuntu: apt install binutils)" command -v $tool
    done
    for tool in "$COURSE/common/simt/simtcc" "$SIMT_BUILD/translate/translate" "$SIMT_FILTER"; do
        need "'$tool' cannot be executed" [ -x "$tool" ]
    done
    for file in "$BUILD/grade/protect/child.o" "$SIMT_BUILD/libsimt.a"; do
        need "'$file' cannot be read" [ -r "$file" ]
    done
    exit
fi

# On x86-64 a call of a computed address becomes a call of __x86_indirect_thunk_rax, which nobody
# defines: so object.c sees it, and refuses it.
computed=''
case $(uname -m) in
x86_64) computed='-fcf-protection=none -mindirect-branch=thunk-extern -fno-jump-tables' ;;
esac

# Exceptions and warnings are of no use to a kernel. The messages name lines, they do not show them.
# shellcheck disable=SC2086 # a list of options
"$COURSE/common/simt/simtcc" -w -fno-exceptions -fno-diagnostics-show-caret $computed \
    -I"$COURSE/common" -c "$SUBMISSION" -o compiled.o

# Sections go whose functions would be called before or after main(), by us or by the C library.
# No name of the submission but solve can stand for one of ours. Copies of memory go through the
# hooks. Answers of CUDA go into the caller's stack only.
"${OBJCOPY:-objcopy}" -R '.init*' -R '.preinit*' -R '.fini*' -R '.ctors*' -R '.dtors*' \
    -R '__libc*' --keep-global-symbol=solve \
    --redefine-sym memcpy=simt_memcpy --redefine-sym memmove=simt_memmove \
    --redefine-sym memset=simt_memset \
    --redefine-sym cudaGetDevice=grade_get_device \
    --redefine-sym cudaDeviceGetAttribute=grade_device_attribute \
    --redefine-sym cudaGetDeviceProperties=grade_device_properties \
    --redefine-sym cudaFuncGetAttributes=grade_function_attributes \
    --redefine-sym cudaOccupancyMaxActiveBlocksPerMultiprocessor=grade_occupancy \
    compiled.o submission.o

# One file without libraries: when it starts it reads no other.
"$CXX" -static -Wl,-z,noexecstack "$BUILD/grade/protect/child.o" "$BUILD/grade/protect/filter.o" \
    submission.o "$BUILD/simt/libsimt.a" -lm -lpthread -o program
