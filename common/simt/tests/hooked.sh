#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hooked.sh - proves on the machine code of all programs that the tests have built, and of the
# course's own if they are built, that no load or store bypasses the hooks: see hooked.c. And it
# builds programs with a hole, for which the proof must fail.
#
# Group: simt
# Suite: hooked
# shellcheck disable=SC2317
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh

if [ "$(uname -m)" != x86_64 ] || ! command -v objdump >/dev/null; then
    echo 'skip hooked: it reads what objdump says on x86-64'
    exit 0
fi

# clang may have tables of functions without a relocation.
tables=-hwR
! is_clang || tables=-hw

prove() { # PROGRAM: $PROGRAM.map says which code is its own
    objdump "$tables" "$1" >"$tmp/code" 2>/dev/null
    objdump -s -j .eh_frame -j .gcc_except_table "$1" >>"$tmp/code" 2>/dev/null
    objdump -d -j .text --no-show-raw-insn "$1" >>"$tmp/code" &&
        "$WORK/hooked" "$1.map" <"$tmp/code"
}

# The emulator's tests were linked with a map, SIMT_MAP=1; those of an older simtcc do not count.
find "$WORK" -name '*.map' -newer "$SIMT_BUILD/driver/simtcc" >"$tmp/maps" 2>/dev/null
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
hole=$tmp/hole

# PROGRAM of $tmp/code.cu, or .s, is proved: $tmp/said has what it says.
proved() {
    run "$@"
    run prove "$hole"
    cp "$tmp/out" "$tmp/said"
    proof=$status
}
caught() { # NAME LINE: in a program with holes
    cp "$tmp/said" "$tmp/out"
    want "exit $proof, expected 1" [ "$proof" -eq 1 ]
    want "there is no line '$2'" holds out "$2"
    verdict "$1"
}
passed() { # NAME: in a program without
    cp "$tmp/said" "$tmp/out"
    want "exit $proof, expected 0" [ "$proof" -eq 0 ]
    verdict "$1"
}

# A struct goes straight from a call to its place; g++ alone does that. And what the headers touch
# after an announcement, in a program that announces less, or nothing.
name=make_$(printf '%0300d' 0)
cat >"$tmp/code.cu" <<END
#include <new>
#ifdef __clang__
__attribute__((disable_sanitizer_instrumentation))
#else
__attribute__((no_sanitize("thread")))
#endif
__device__ void unseen(int *p) { p[3] = p[2]; }
__global__ void unhooked(int *p) { unseen(p); }
struct wide { int v[8]; };
__device__ __noinline__ wide make(int i) { return wide{{i, i + 1, i + 2}}; }
__device__ __noinline__ wide $name(int i) { return wide{{i, i + 1, i + 2}}; }
__global__ void in_place(wide *p) { new (p) wide(make(3)); }
__global__ void long_name(wide *p) { new (p) wide($name(3)); }
__global__ void by_pointer(wide *p, wide (*f)(int)) { new (p) wide(f(3)); }
__global__ void put_alone(long long *p) { simt::raw::put(p, 1LL); }
__global__ void put_half(long long *p) { simt_atomic(p, 4); simt::raw::put(p, 1LL); }
__global__ void put_read(long long *p) { simt_strong_load(p, 8); simt::raw::put(p, 1LL); }
int main()
{
    unhooked<<<1, 1>>>(nullptr);
    in_place<<<1, 1>>>(nullptr);
    long_name<<<1, 1>>>(nullptr);
    by_pointer<<<1, 1>>>(nullptr, make);
    put_alone<<<1, 1>>>(nullptr);
    put_half<<<1, 1>>>(nullptr);
    put_read<<<1, 1>>>(nullptr);
}
END
proved "$simtcc" "$tmp/code.cu" -o "$hole"
caught 'a function without hooks' 'unseen.*(a load|first argument)|unhooked.* uses the address'
for kernel in put_alone put_half put_read; do
    caught "a store that is not announced, $kernel" "$kernel.* _ZN4simt3raw.* uses the address"
done
if ! is_clang; then
    caught 'a struct at the place of its result' 'in_place.* .*make.* uses the address'
    caught 'the same, by a function with a long name' 'long_name.* .*make.* uses the address'
    caught 'the same, called through a pointer' \
        'by_pointer.* a function called through a pointer uses'
    cat >"$tmp/code.cu" <<'END'
#include <new>
struct wide { int v[8]; };
struct base { __device__ virtual wide make(int i) const; };
__device__ __noinline__ wide base::make(int i) const { return wide{{i, i + 1, i + 2}}; }
__global__ void kernel(wide *p, int i) { base b[2]; new (p) wide(b[i].make(3)); }
int main() { kernel<<<1, 1>>>(nullptr, 1); }
END
    proved "$simtcc" "$tmp/code.cu" -o "$hole"
    caught 'the same, called as a virtual function' 'kernel.* a function called through a pointer'

    # As it would be without the flag: structs of by_value.cu go straight from memory to calls.
    cat >"$tmp/g++" <<END
#!/bin/sh
for word; do
    shift
    [ "\$word" = -fno-elide-constructors ] || set -- "\$@" "\$word"
done
exec $CXX "\$@"
END
    chmod +x "$tmp/g++"
    proved env CXX="$tmp/g++" "$simtcc" --expt-relaxed-constexpr \
        common/simt/tests/foreign/by_value.cu -o "$hole"
    caught 'structs that are taken' 'taken.*a load without a hook'
fi

# Without a hole: no pointer can hold the address of make().
cat >"$tmp/code.cu" <<'END'
__global__ void put(long long *p) { simt_strong_store(p, 8); simt::raw::put(p, 1LL); }
#ifndef __clang__
struct wide { int v[8]; };
__device__ __noinline__ wide make(int i) { return wide{{i, i + 1, i + 2}}; }
__device__ int first(int *p) { return *p; }
__global__ void held(int *p, int (*f)(int *)) { *p = f(p) + make(3).v[1]; }
void launch() { held<<<1, 1>>>(nullptr, first); }
#endif
__global__ void jumps(const float *in, int *p, int n)
{
    switch (n & 7) {
    case 0: {
        const int v[] = {(int)in[2] & (int)threadIdx.x, n};
        *p = v[n & 1];
    }
    case 1: break;
    case 3: case 5: case 6: *p = 3;
    }
}
int main() { put<<<1, 1>>>(nullptr); }
END
proved "$simtcc" "$tmp/code.cu" -o "$hole"
passed 'an announced store, a struct beside a call through a pointer, an array in a switch'

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
run "$simtcc" -v -c "$tmp/adl.cu" -o "$hole.o"
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
template <typename T> void seen(void (*kernel)(T *, const T *, int))
{
    static void (*volatile used)(T *, const T *, int);
    used = kernel;
}
template <typename T, int N> struct some { T v[N]; };
template <int N> struct alignas(N) pack { float v[N / 4]; };
int main() {'
    for n in $(seq 1 64); do
        echo "seen(kernel<some<char, $n>>);"
        echo "seen(kernel<some<float, $n>>);"
    done
    echo 'seen(kernel<pack<16>>); seen(kernel<pack<32>>); seen(kernel<pack<64>>);
    seen(kernel<pack<128>>);
}'
} >"$tmp/sizes.cu"
proved common/simt/simtcc -w "$tmp/sizes.cu" -o "$hole"
passed 'structs of any size and alignment'

# ---- in assembly: what the compilers here do not write ----

# FUNCTION, whose body is the input; main does not call it.
routine() {
    printf '    .type %s, @function\n%s:\n' "$1" "$1"
    cat
    printf '    ret\n    .size %s, .-%s\n' "$1" "$1"
}

# Between the hook and the load there is an instruction.
load_after() { # FUNCTION INSTRUCTION REGISTER
    routine "$1" <<END
    push %rbx
    push %rbp
    mov %rdi, %rbp
    mov %rsi, %rbx
    lea (%rbp,%rbx), %rdi
    call __tsan_read8
    mov %rbx, %rax
    $2
    mov (%rbp,$3), %rcx
    pop %rbp
    pop %rbx
END
}
# Of 25 bytes in the hook, 16 and then 16 more from some place on.
load_again() { # FUNCTION PLACE INSTRUCTION
    routine "$1" <<END
    push %rbx
    mov %rsi, %rbx
    mov %rsi, %rdi
    mov \$25, %esi
    call __tsan_read_range
    movdqu (%rbx), %xmm0
    movdqu $2(%rbx), %xmm1
    $3
    pop %rbx
END
}

# Two counters of a loop, as g++ 13 of Ubuntu has them. The hook names p[i + stride], and the load
# takes p[j], where j began as i + stride. STEP is what j goes on by; where the stack has j, WHERE
# is (%rsp).
loop() { # FUNCTION STEP WHERE
    routine "$1" <<END
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
    mov %rbx, $3
    jmp 2f
1:  mov %r12, %rdi
    add %rbx, %rdi
    shl \$4, %rdi
    add %rbp, %rdi
    call __tsan_read16
    mov $3, %rax
    shl \$4, %rax
    movdqa (%rbp,%rax,1), %xmm0
    add %rbx, %r12
    add $2, $3
2:  cmp %r14, %r12
    jb 1b
    add \$16, %rsp
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
END
}

# An exception in the call at 1 continues at 3, and if PADS has it, at 4. There %rbp is to be 8
# bytes on from %rbx.
throws() { # FUNCTION PADS BEFORE-THE-CALL AT-THE-PAD
    routine "$1" <<END
    .cfi_startproc
    .cfi_personality 0x1b, main
    .cfi_lsda 0x1b, $1_table
    push %rbx
    push %rbp
    mov %rsi, %rbx
    $3
1:  call exits
2:  pop %rbp
    pop %rbx
    ret
3:  $4
    test \$7, %bl
    je 4f
    nop
4:  mov %rbp, %rdi
    call __tsan_read8
    mov 8(%rbx), %rcx
    call abort
    .cfi_endproc
    .section .gcc_except_table, "a"
$1_table:
    .byte 0xff, 0xff, 1
    .uleb128 6f - 5f
5:  $(for pad in $2; do echo ".uleb128 1b - $1, 2b - 1b, ${pad}b - $1, 0;"; done)
6:
    .text
END
}

# A frame of 16 KiB, whose pages are touched one by one, has the address from the hook to the load.
large_frame() { # FUNCTION JUMP
    routine "$1" <<END
    lea -0x4000(%rsp), %r11
1:  sub \$0x1000, %rsp
    orq \$0, (%rsp)
    cmp %r11, %rsp
    $2 1b
    mov %rdi, 8(%rsp)
    call __tsan_read8
    mov 8(%rsp), %rax
    mov (%rax), %rcx
    add \$0x4000, %rsp
END
}

assembled() { # of $tmp/functions
    {
        echo '    .text'
        cat "$tmp/functions"
        echo '    xor %eax, %eax' | routine main
        printf '    .globl main\n    .section .note.GNU-stack,"",@progbits\n'
    } >"$tmp/code.s"
    proved "$CXX" "$tmp/code.s" "$SIMT_BUILD/libsimt.a" -lm -ldl -lpthread -o "$hole" \
        -Wl,-Map="$hole.map"
}

{
    load_after by_rbx nop %rbx
    load_after by_rax nop %rax
    loop in_register %rbx %r13
    loop on_stack %rbx '(%rsp)'
    load_again last_of_25 9 nop
    throws to_one 3 nop 'lea 8(%rbx), %rbp'
    throws to_later 3 'call exits; lea 8(%rbx), %rbp' nop
    large_frame large_frame jne
    routine exits </dev/null
} >"$tmp/functions"
assembled
passed 'loads after their hooks'

# After four of these instructions the register has another value; a counter goes on by more; 16
# bytes are past 25, or are taken twice; a frame has an unknown size; an exception may continue at a
# load, by no table, in a function that jumps by table, where %rbp is set on one path to the call or
# is what the call had pushed. One path has the hook, the other calls a function whose name only
# begins like that of exit().
{
    load_after after_xchg 'xchg %rbx, (%rsp)' %rbx
    load_after after_xadd 'lock xadd %rbx, (%rsp)' %rbx
    load_after after_bts 'bts %rcx, %rbx' %rbx
    load_after after_cwtl cwtl %rax
    loop more_in_register %r14 %r13
    loop more_on_stack %r14 '(%rsp)'
    load_again past_25 10 nop
    load_again first_twice 0 nop
    load_again last_twice 9 'movdqu 9(%rbx), %xmm2'
    throws to_both '3 4' nop 'lea 8(%rbx), %rbp'
    large_frame unknown_frame jb
    throws to_none '' nop 'lea 8(%rbx), %rbp'
    throws by_table 3 'jmp *(%rsp)' 'lea 8(%rbx), %rbp'
    throws to_some 3 'je 1f; lea 8(%rbx), %rbp' nop
    throws to_pushed 3 'call exits; lea 8(%rbx), %rbp; push %rbp' 'mov (%rsp), %rbp'
    routine exits </dev/null
    routine after_exits <<'END'
    push %rbx
    mov %rdi, %rbx
    test %rsi, %rsi
    jne 1f
    call __tsan_read8
    jmp 2f
1:  call exits
2:  mov (%rbx), %rcx
    pop %rbx
END
} >"$tmp/functions"
assembled
for name in after_xchg after_xadd after_bts after_cwtl more_in_register more_on_stack past_25 \
    first_twice last_twice unknown_frame to_both to_none by_table to_some to_pushed after_exits; do
    caught "a load, $name" "$name: .*(a load|an access) without a hook"
done

# The hook's address and the load's come from the same number by these instructions.
two_ways() { # FUNCTION INSTRUCTIONS-ON-%rcx INSTRUCTIONS-ON-%rbx
    routine "$1" <<END
    push %rbx
    push %rbp
    mov %rdi, %rbp
    mov %rsi, %rbx
    mov %rsi, %rcx
    $2
    lea (%rbp,%rcx), %rdi
    call __tsan_read8
    $3
    mov (%rbp,%rbx), %rcx
    pop %rbp
    pop %rbx
END
}
# shellcheck disable=SC2016
{
    two_ways halves 'and $-8, %rcx' 'sar $3, %rbx; shl $3, %rbx'
    two_ways low_bits 'and $7, %ecx; movswq %cx, %rcx' 'and $7, %ebx; movslq %ebx, %rbx'
    two_ways next 'inc %rcx; inc %rcx; dec %rcx' 'add $1, %rbx'
    two_ways bit 'and $1, %ecx; imul $12, %rcx, %rcx' 'and $1, %ebx; neg %ebx; and $12, %ebx'
    two_ways division 'and $7, %ecx' \
        'and $7, %ebx; jnz 1f; xor %ebx, %ebx; call __ubsan_handle_divrem_overflow_abort; 1:'
} >"$tmp/functions"
assembled
passed 'i / 8 * 8 and i & -8, and other ways to one number'
# shellcheck disable=SC2016
{
    two_ways other_mask 'and $-4, %rcx' 'sar $3, %rbx; shl $3, %rbx'
    two_ways many_bits 'and $0xffff, %ecx; movswq %cx, %rcx' 'and $0xffff, %ebx; movslq %ebx, %rbx'
    two_ways added 'and $7, %ecx' 'add $7, %ebx'
    two_ways last 'dec %rcx' 'inc %rbx'
    two_ways with_sign 'shr $3, %rcx' 'sar $3, %rbx'
    two_ways two_bits 'and $3, %ecx; imul $12, %rcx, %rcx' 'and $3, %ebx; neg %ebx; and $12, %ebx'
    two_ways not_minus 'and $1, %ecx; imul $12, %rcx, %rcx' 'and $1, %ebx; and $12, %ebx'
    two_ways absolute 'mov $0, %ecx' 'lea 0x1000, %rbx'
} >"$tmp/functions"
assembled
for name in other_mask many_bits added last with_sign two_bits not_minus absolute; do
    caught "another number, $name" "$name: .*(a load|an access) without a hook"
done
finish
