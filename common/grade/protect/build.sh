#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build.sh - checks one submission, compiles it and links it with the child. The grader calls it in
# its own folder, with COURSE, BUILD and SUBMISSION set. Why a submission is refused goes to stdout,
# `my.cu:12: error: ...`; any other failure to stderr.
#
#   build.sh --check      says what is missing for that, and exits with 3
set -eu
SIMT_BUILD=$BUILD/simt
export SIMT_BUILD
protect=$COURSE/common/grade/protect

# With gcc, because clang gives other counts (common/simt/README.md) and marks must be the same
# everywhere.
names=${GRADE_CXX:-${CXX:-} g++ g++-15 g++-14 g++-13 g++-12 g++-11}
CXX=''
for name in $names; do
    case $name in *clang*) continue ;; *g++*) ;; *) continue ;; esac
    if command -v "$name" >/dev/null; then CXX=$name && break; fi
done
export CXX

if [ "${1:-}" = --check ]; then
    missing=''
    lacks() { missing="$missing${missing:+; }$1"; }
    [ -n "$CXX" ] ||
        lacks "no compiler of these was found: $names (Debian, Ubuntu: apt install g++)"
    tools=''
    for tool in awk sed as ld objcopy objdump addr2line c++filt; do
        command -v $tool >/dev/null || tools="$tools $tool"
    done
    [ -z "$tools" ] ||
        lacks "these tools were not found:$tools (Debian, Ubuntu: apt install binutils)"
    for file in "$COURSE/common/simt/simtcc" "$SIMT_BUILD/driver/simtcc" \
        "$BUILD/grade/hooked" "$BUILD/grade/policy"; do
        [ -x "$file" ] || lacks "'$file' cannot be executed"
    done
    for file in "$protect/accepted.txt" "$BUILD/grade/protect/child.o" "$SIMT_BUILD/libsimt.a"; do
        [ -r "$file" ] || lacks "'$file' cannot be read"
    done
    [ -n "$missing" ] || exit 0
    echo "$missing"
    exit 3
fi

policy=$BUILD/grade/policy
"$policy" "$protect/accepted.txt" "$SUBMISSION"

# On x86-64 a call of a computed address becomes a call of __x86_indirect_thunk_rax, which is ours,
# and the start addresses of functions are listed in a section for it: see called.c.
computed=''
case $(uname -m) in
x86_64) computed='-fcf-protection=none -mindirect-branch=thunk-extern -fno-jump-tables
    -fpatchable-function-entry=1' ;;
esac

# Exceptions, run-time types and warnings are of no use to a kernel. The messages name lines, but do
# not show them. A builtin function might read memory without a hook.
# shellcheck disable=SC2086 # a list of options
"$COURSE/common/simt/simtcc" -w -fno-exceptions -U__cpp_exceptions -U__EXCEPTIONS -fno-rtti \
    -U__cpp_rtti -U__GXX_RTTI -fno-builtin -fno-diagnostics-show-caret $computed \
    -ffunction-sections -fdata-sections -isystem "$protect/include" -include "$protect/given.h" \
    -I"$COURSE/common" -c "$SUBMISSION" -o compiled.o 2>messages || {
    "$policy" --messages "$SUBMISSION" <messages
    cat messages >&2
    exit 1
}
"$policy" "$protect/accepted.txt" "$SUBMISSION" compiled.o

# Removes sections whose functions would run before or after main(). No name of the submission
# except solve can replace one of ours.
"${OBJCOPY:-objcopy}" -R '.init*' -R '.preinit*' -R '.fini*' -R '.ctors*' -R '.dtors*' \
    -R '__libc*' --keep-global-symbol=solve --redefine-syms renames compiled.o submission.o

# A GPU has no long double: nvcc uses double for it. Here only long double needs the instructions
# whose names begin with f; on other processors it is a call that is not listed.
if [ "$(uname -m)" = x86_64 ]; then
    objdump -d -l --no-show-raw-insn submission.o | awk -v name="$SUBMISSION" '
        /^[^ ].*:[0-9]+$/ || /^[^ ].*:[0-9]+ [(]discriminator/ { place = $1 }
        $2 ~ /^f/ && /^ / { wrong = 1; exit }
        END {
            sub(/.*\//, "", place)
            if (wrong)
                print (index(place, name ":") == 1 ? place : name ":1") \
                    ": error: long double is not accepted, because a GPU has none: write double"
            exit wrong
        }'
fi

link() { # OPTION...
    "$CXX" "$@" "$BUILD/grade/protect/child.o" "$BUILD/grade/protect/called.o" \
        "$BUILD/grade/protect/host.o" "$BUILD/grade/protect/filter.o" submission.o \
        aliases "$BUILD/simt/libsimt.a" -lm -lpthread
}

# One file without libraries: it reads no other when it starts. Nothing of it is below 4 GiB, so a
# number of 32 bits is no address: verify/hooked.c.
link -static-pie -Wl,-z,noexecstack -o program

# Each memory access has its hook: this is proven wherever we can read the machine code. Without the
# libraries there is less to read.
if [ "$(uname -m)" = x86_64 ]; then
    link -o proof -Wl,-Map=map
    { objdump -hw proof && objdump -d -j .text --no-show-raw-insn proof; } >code
    if ! "$BUILD/grade/hooked" map "$BUILD"/grade/protect/*.o <code >holes; then
        function=$(sed -n '1s/:.*//p' holes | c++filt)
        address=$(sed -n '1s/[^:]*: \(0x[0-9a-f]*\): .*/\1/p' holes)
        line=$(addr2line -i -e proof "${address:-0}" | awk -v name="$SUBMISSION:" '
            (at = index($0, name)) { print substr($0, at + length(name)) + 0; exit }')
        echo "$SUBMISSION:${line:-1}: error: $function reaches memory in a way that is not" \
            "counted, as bit-fields in shared or global memory do; accepted are plain loads and" \
            "stores, and CUDA's functions: take whole words"
        exit 1
    fi
    rm proof map code holes
fi
