#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hooked.sh - proves on the machine code of all programs that the tests have built, and of the
# course's own if they are built, that no load or store bypasses the hooks: see hooked.c. And it
# builds programs with a hole, for which the proof must fail. CXX chooses the compiler, SIMT_BUILD
# the built emulator. Last line: N passed, N failed.
# shellcheck disable=SC2317
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/tests/check.sh
group='hooked: '
: "${CXX:=c++}" "${SIMT_BUILD:=$PWD/build/cpu/simt}"
export CXX SIMT_BUILD
here=$PWD/common/simt/tests verify=$PWD/common/simt/verify
work=$SIMT_BUILD/tests-$(basename "$CXX")
mkdir -p "$work"

if [ "$(uname -m)" != x86_64 ] || ! command -v objdump >/dev/null; then
    echo 'skip hooked: it reads what objdump says on x86-64'
    echo '0 passed, 0 failed'
    exit 0
fi

check 'it compiles' "${CC:-cc}" -std=c11 -O2 -D_POSIX_C_SOURCE=200809L "$verify"/*.c \
    -o "$work/hooked"

# clang may have tables of functions without a relocation.
tables=-hwR
! "$CXX" --version | grep -q clang || tables=-hw

prove() { # PROGRAM: $PROGRAM.map says which code is its own
    objdump "$tables" "$1" >"$tmp/code" 2>/dev/null
    objdump -d -j .text --no-show-raw-insn "$1" >>"$tmp/code" &&
        "$work/hooked" "$1.map" <"$tmp/code"
}

# The emulator's tests were linked with a map, SIMT_MAP=1; those of an older simtcc do not count.
find "$work"/* -prune -type f -name '*.map' ! -name 'hole.map' \
    -newer "$SIMT_BUILD/driver/simtcc" >"$tmp/maps" 2>/dev/null
# The course's programs are linked once more.
build=${SIMT_BUILD%/simt}
for object in "$build"/[0-9][0-9]_*.o; do
    [ -n "$(find "$object" -newer "$SIMT_BUILD/driver/simtcc" 2>/dev/null)" ] || continue
    program=$tmp/$(basename "$object" .o)
    "$CXX" "$object" "$build/libharness.a" "$SIMT_BUILD/libsimt.a" -lm -ldl -lpthread \
        -o "$program" -Wl,-Map="$program.map" && echo "$program.map" >>"$tmp/maps"
done
programs=$(grep -c . "$tmp/maps")
while read -r map; do
    run prove "${map%.map}"
    [ "$status" -eq 0 ] || { want "${map%.map}" false; break; }
done <"$tmp/maps"
want 'there is none' [ "$programs" -gt 0 ]
verdict "no access of $programs programs goes past the hooks"

# ---- holes ----

export SIMT_MAP=1

# NAME MESSAGE: $work/hole must be caught.
caught() {
    run prove "$work/hole"
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    want "there is no line '$2'" holds out "$2"
    verdict "$1"
}

cat >"$tmp/hole.cu" <<'END'
#ifdef __clang__
__attribute__((disable_sanitizer_instrumentation))
#else
__attribute__((no_sanitize("thread")))
#endif
__device__ void unseen(int *p) { p[3] = p[2]; }
__global__ void kernel(int *p) { unseen(p); }
int main() { kernel<<<1, 1>>>(nullptr); }
END
run common/simt/simtcc "$tmp/hole.cu" -o "$work/hole"
caught 'a function without hooks' 'unseen.*(a load|first argument)|kernel.* uses the address'

# As it would be without the flag: structs of by_value.cu go straight from memory to calls.
if ! "$CXX" --version | grep -q clang; then
    cat >"$work/g++" <<END
#!/bin/sh
for word; do
    shift
    [ "\$word" = -fno-elide-constructors ] || set -- "\$@" "\$word"
done
exec $CXX "\$@"
END
    chmod +x "$work/g++"
    run env CXX="$work/g++" common/simt/simtcc --expt-relaxed-constexpr \
        "$here/foreign/by_value.cu" -o "$work/hole"
    caught 'structs that are taken' 'taken.*a load without a hook'
    cat >"$tmp/place.cu" <<'END'
#include <new>
struct wide { int v[8]; };
__device__ __noinline__ wide make(int i) { return wide{{i, i + 1, i + 2}}; }
__global__ void kernel(wide *p) { new (p) wide(make(3)); }
int main()
{
    wide *p;
    cudaMalloc(&p, sizeof *p);
    kernel<<<1, 1>>>(p);
}
END
    run common/simt/simtcc "$tmp/place.cu" -o "$work/hole"
    caught 'a struct at the place of its result' 'kernel.* .*make.* uses the address'
    sed "s/make/make_$(printf '%0300d' 0)/g" "$tmp/place.cu" >"$tmp/long.cu"
    run common/simt/simtcc "$tmp/long.cu" -o "$work/hole"
    caught 'the same, by a function with a long name' 'kernel.* .*make.* uses the address'
    sed -e 's/kernel(wide \*p)/kernel(wide *p, wide (*f)(int))/' -e 's/make(3)/f(3)/' \
        -e 's/(p);/(p, make);/' "$tmp/place.cu" >"$tmp/pointer.cu"
    run common/simt/simtcc "$tmp/pointer.cu" -o "$work/hole"
    caught 'the same, called through a pointer' 'kernel.* a function called through a pointer uses'
    sed -e 's/^__device__.*/struct base { __device__ virtual wide make(int i) const; };\
__device__ __noinline__ wide base::make(int i) const { return wide{{i, i + 1, i + 2}}; }/' \
        -e 's/kernel(wide \*p)/kernel(wide *p, int i)/' -e 's/new (p)/base b[2]; &/' \
        -e 's/make(3)/b[i].make(3)/' -e 's/(p);/(p, 1);/' "$tmp/place.cu" >"$tmp/virtual.cu"
    run common/simt/simtcc "$tmp/virtual.cu" -o "$work/hole"
    caught 'the same, called as a virtual function' 'kernel.* a function called through a pointer'
    sed -e 's/kernel(wide \*p)/kernel(int *p, int (*f)(int *))/' \
        -e 's/new .*;/*p = f(p) + make(3).v[1];/' \
        -e 's/^__global__/__device__ int first(int *p) { return *p; }\
&/' -e 's/wide \*p;/int *p;/' -e 's/(p);/(p, first);/' "$tmp/place.cu" >"$tmp/held.cu"
    run common/simt/simtcc "$tmp/held.cu" -o "$work/hole" && run prove "$work/hole"
    want 'no pointer can hold the address of make()' [ "$status" -eq 0 ]
    verdict 'a struct beside a call through a pointer'
fi

# What the headers touch after an announcement, in a program that announces less, or nothing.
for announced in '' 'simt_atomic(p, 4);' 'simt_strong_load(p, 8);'; do
    cat >"$tmp/raw.cu" <<END
__global__ void kernel(long long *p) { $announced simt::raw::put(p, 1LL); }
int main() { kernel<<<1, 1>>>(nullptr); }
END
    run common/simt/simtcc "$tmp/raw.cu" -o "$work/hole"
    caught "a store after '$announced'" 'kernel.* _ZN4simt3raw.* uses the address'
done
sed -i 's/simt_strong_load(p, 8)/simt_strong_store(p, 8)/' "$tmp/raw.cu"
run common/simt/simtcc "$tmp/raw.cu" -o "$work/hole"
check 'a store that was announced' prove "$work/hole"

# A program that has a class of the emulator's finds none of its functions by their names alone.
cat >"$tmp/adl.cu" <<'END'
#include <cooperative_groups.h>
#include <cuda_fp16.h>
typedef cooperative_groups::coalesced_group *word;
__global__ void kernel(word *p)
{
    get((const volatile word *)p);
    put((volatile word *)p, *p);
    apply_cas(p, *p, *p);
    narrow_apply(p, *p);
    argument(*p[0]);
    load_bytes(p);
}
int main() { kernel<<<1, 1>>>(nullptr); }
END
run common/simt/simtcc -v "$tmp/adl.cu" -o "$work/hole"
for name in get put apply_cas narrow_apply argument load_bytes; do
    want "it finds $name" grep -q "$name.* \(is not known\|was not declared\|has not\)" "$tmp/err"
done
verdict 'no accessor is found by its argument'

# A copy of some sizes goes over bytes that it has copied before; from 32 bytes' alignment on a
# function rounds its stack pointer.
{
    echo 'template <typename T> __device__ __noinline__ T turned(T v)
{
    for (auto &x : v.v)
        x = x + x;
    return v;
}
template <typename T> __global__ void kernel(T *p, const T *q, int i)
{
    __shared__ T s_v[2];
    T x = q[i];
    for (auto &v : x.v)
        v = v * v;
    s_v[i] = x;
    __syncthreads();
    p[i] = turned(s_v[i ^ 1]);
}
template <typename T, int N> struct some { T v[N]; };
template <int N> struct alignas(N) pack { float v[N / 4]; };
int main() {'
    for n in $(seq 1 64); do
        echo "kernel<some<char, $n>><<<1, 1>>>(0, 0, 0);"
        echo "kernel<some<float, $n>><<<1, 1>>>(0, 0, 0);"
    done
    echo 'kernel<pack<16>><<<1, 1>>>(0, 0, 0); kernel<pack<32>><<<1, 1>>>(0, 0, 0);
    kernel<pack<64>><<<1, 1>>>(0, 0, 0); kernel<pack<128>><<<1, 1>>>(0, 0, 0);
}'
} >"$tmp/sizes.cu"
run common/simt/simtcc -w "$tmp/sizes.cu" -o "$work/hole"
check 'structs of any size and alignment' prove "$work/hole"

# ---- in assembly: what the compilers here do not write ----

# Links $tmp/code.s, with a function `walk`, which main does not call.
assemble() {
    cat >>"$tmp/code.s" <<'END'
    .globl main
    .type main, @function
main:
    xor %eax, %eax
    ret
    .size main, .-main
    .section .note.GNU-stack,"",@progbits
END
    run "$CXX" "$tmp/code.s" "$SIMT_BUILD/libsimt.a" -lm -ldl -lpthread -o "$work/hole" \
        -Wl,-Map="$work/hole.map"
}

# Between the hook and the load there is an instruction.
load_after() { # INSTRUCTION REGISTER
    cat >"$tmp/code.s" <<END
    .text
    .type walk, @function
walk:
    push %rbx
    push %rbp
    mov %rdi, %rbp
    mov %rsi, %rbx
    lea (%rbp,%rbx), %rdi
    call __tsan_read8
    mov %rbx, %rax
    $1
    mov (%rbp,$2), %rcx
    pop %rbp
    pop %rbx
    ret
    .size walk, .-walk
END
    assemble
}
for register in %rbx %rax; do
    load_after nop $register
    check "a load after its hook, by $register" prove "$work/hole"
done
# After these the register has another value.
for changes in 'xchg %rbx, (%rsp)' 'lock xadd %rbx, (%rsp)' 'bts %rcx, %rbx' 'cwtl'; do
    register=%rbx
    [ "$changes" != cwtl ] || register=%rax
    load_after "$changes" $register
    caught "a load after $changes" 'walk: .*a load without a hook'
done

# Of 25 bytes in the hook, 16 and then 16 more from some place on.
load_again() { # PLACE INSTRUCTION
    cat >"$tmp/code.s" <<END
    .text
    .type walk, @function
walk:
    push %rbx
    mov %rsi, %rbx
    mov %rsi, %rdi
    mov \$25, %esi
    call __tsan_read_range
    movdqu (%rbx), %xmm0
    movdqu $1(%rbx), %xmm1
    $2
    pop %rbx
    ret
    .size walk, .-walk
END
    assemble
}
load_again 9 nop
check 'the last 16 of 25 bytes' prove "$work/hole"
load_again 10 nop
caught '16 bytes past 25' 'walk: .*a load without a hook'
load_again 0 nop
caught 'the first 16 bytes twice' 'walk: .*a load without a hook'
load_again 9 'movdqu 9(%rbx), %xmm2'
caught 'the last 16 bytes twice' 'walk: .*a load without a hook'

# One path has the hook, the other calls a function whose name only begins like that of exit().
cat >"$tmp/code.s" <<'END'
    .text
    .type exits, @function
exits:
    ret
    .size exits, .-exits
    .type walk, @function
walk:
    push %rbx
    mov %rdi, %rbx
    test %rsi, %rsi
    jne 1f
    call __tsan_read8
    jmp 2f
1:  call exits
2:  mov (%rbx), %rcx
    pop %rbx
    ret
    .size walk, .-walk
END
assemble
caught 'a load after exits()' 'walk: an access without a hook'

# Two counters of a loop, as g++ 13 of Ubuntu has them. The hook names p[i + stride], and the load
# takes p[j], where j began as i + stride. STEP is what j goes on by; where the stack has j, WHERE
# is (%rsp).
loop() { # STEP WHERE
    cat >"$tmp/code.s" <<END
    .text
    .type walk, @function
walk:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    sub \$16, %rsp
    mov %rdi, %rbp
    mov %rsi, %r14
    mov %rdx, %rbx
    mov \$0, %r12d
    mov %rbx, $2
    jmp 2f
1:  mov %r12, %rdi
    add %rbx, %rdi
    shl \$4, %rdi
    add %rbp, %rdi
    call __tsan_read16
    mov $2, %rax
    shl \$4, %rax
    movdqa (%rbp,%rax,1), %xmm0
    add %rbx, %r12
    add $1, $2
2:  cmp %r14, %r12
    jb 1b
    add \$16, %rsp
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
    .size walk, .-walk
END
    assemble
}
for where in %r13 '(%rsp)'; do
    loop %rbx "$where"
    check "a loop of two counters, one in $where" prove "$work/hole"
    loop %r14 "$where"
    caught "one of them, in $where, goes on by more" 'walk: .*a load without a hook'
done
finish
