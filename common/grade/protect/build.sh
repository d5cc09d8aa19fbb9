#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build.sh - compiles one submission and links it with the child. The grader calls it in a folder of
# its own, with COURSE, BUILD, SUBMISSION, SIMT_BUILD and CXX set. It looks at compiled.o before it
# runs the program.
set -eu

# On x86-64 a call of a computed address becomes a call of __x86_indirect_thunk_rax, which is ours,
# and the addresses where functions begin are left in a section for it: see called.c.
computed=''
case $(uname -m) in
x86_64) computed='-fcf-protection=none -mindirect-branch=thunk-extern -fno-jump-tables
    -fpatchable-function-entry=1' ;;
esac

# Exceptions and warnings are of no use to a kernel. The messages name lines, they do not show them.
# A builtin function might read memory without a hook.
# shellcheck disable=SC2086 # a list of options
"$COURSE/common/simt/simtcc" -w -fno-exceptions -U__cpp_exceptions -U__EXCEPTIONS -fno-diagnostics-show-caret -fno-builtin $computed \
    -include "$COURSE/common/grade/protect/given.h" -I"$COURSE/common" -c "$SUBMISSION" \
    -o compiled.o

# No name of the submission but solve can stand for one of ours. Copies of memory go through the
# hooks. Answers of CUDA go into the caller's stack only. What it prints, and what it would have
# done at the end, is not done.
renamed=''
for name in printf fprintf puts putchar fputs fputc fflush fwrite __cxa_atexit; do
    renamed="$renamed --redefine-sym $name=grade_$name"
done
for name in memcpy memmove memset memcmp; do
    renamed="$renamed --redefine-sym $name=simt_$name"
done
# shellcheck disable=SC2086 # a list of options
"${OBJCOPY:-objcopy}" --keep-global-symbol=solve $renamed \
    --redefine-sym cudaGetDevice=grade_get_device \
    --redefine-sym cudaDeviceGetAttribute=grade_device_attribute \
    --redefine-sym cudaGetDeviceProperties=grade_device_properties \
    --redefine-sym cudaFuncGetAttributes=grade_function_attributes \
    --redefine-sym cudaOccupancyMaxActiveBlocksPerMultiprocessor=grade_occupancy \
    compiled.o submission.o

cd_objects="$BUILD/grade/protect/child.o $BUILD/grade/protect/confine.o $BUILD/grade/protect/called.o"
# shellcheck disable=SC2086 # a list of files
"$CXX" $cd_objects submission.o "$BUILD/simt/libsimt.a" -lm -ldl -lpthread -o program

# Each access of memory has its hook: this is proven on the machine code, where we can read it.
if [ "$(uname -m)" = x86_64 ]; then
    # shellcheck disable=SC2086 # a list of files
    nm --defined-only $cd_objects "$BUILD/simt/libsimt.a" |
        awk 'NF == 3 && $3 != "solve" { print $3 }
            END { print "_start\natexit\nframe_dummy\nregister_tm_clones\nderegister_tm_clones\n\
__do_global_dtors_aux" }' >names
    { objdump -hw program && objdump -d -j .text --no-show-raw-insn program; } >code
    if ! "$BUILD/grade/hooked" names <code >holes; then
        function=$(sed -n '1s/:.*//p' holes | c++filt)
        echo "$SUBMISSION:1: error: $function reaches memory in a way that is not counted; accepted" \
            "are plain loads and stores, and CUDA's functions" >&2
        exit 1
    fi
fi
