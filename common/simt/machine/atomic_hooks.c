/* SPDX-License-Identifier: MIT */
/*
 * atomic_hooks.c - the compiler also turns C++ atomics (std::atomic, __atomic_*) into calls. In
 * host code they do what they say; in a kernel the lane stops first, as for atomicAdd().
 */
#include "../state/state.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* A release, unlike a plain atomic, is a fence as well. */
static void stop(const volatile void *p, uint32_t bytes, int order, uintptr_t pc)
{
    if (is_local(p))
        return;
    if (order >= __ATOMIC_RELEASE)
        simt_fence(1);
    lane_stop(STOP_ATOMIC, (uintptr_t)p, bytes, pc);
}

#define STOP(p, order) stop(p, sizeof *(p), order, (uintptr_t)__builtin_return_address(0))

#define FETCH_HOOK(bits, name, builtin)                                                            \
    u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits v, int order);               \
    u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits v, int order)                \
    {                                                                                              \
        STOP(p, order);                                                                            \
        return builtin(p, v, __ATOMIC_SEQ_CST);                                                    \
    }

#define CAS_HOOK(bits, name)                                                                       \
    int __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits *expected, u##bits v, int good,  \
                                     int bad);                                                     \
    int __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits *expected, u##bits v, int good,  \
                                     int bad)                                                      \
    {                                                                                              \
        (void)bad;                                                                                 \
        STOP(p, good);                                                                             \
        return __atomic_compare_exchange_n(p, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }

#define ATOMIC_HOOKS(bits)                                                                         \
    u##bits __tsan_atomic##bits##_load(const volatile u##bits *p, int order);                      \
    u##bits __tsan_atomic##bits##_load(const volatile u##bits *p, int order)                       \
    {                                                                                              \
        STOP(p, order);                                                                            \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile u##bits *p, u##bits v, int order);                   \
    void __tsan_atomic##bits##_store(volatile u##bits *p, u##bits v, int order)                    \
    {                                                                                              \
        STOP(p, order);                                                                            \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
    u##bits __tsan_atomic##bits##_compare_exchange_val(volatile u##bits *p, u##bits expected,      \
                                                       u##bits v, int good, int bad);              \
    u##bits __tsan_atomic##bits##_compare_exchange_val(volatile u##bits *p, u##bits expected,      \
                                                       u##bits v, int good, int bad)               \
    {                                                                                              \
        (void)bad;                                                                                 \
        STOP(p, good);                                                                             \
        __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
        return expected;                                                                           \
    }                                                                                              \
    FETCH_HOOK(bits, exchange, __atomic_exchange_n)                                                \
    FETCH_HOOK(bits, fetch_add, __atomic_fetch_add)                                                \
    FETCH_HOOK(bits, fetch_sub, __atomic_fetch_sub)                                                \
    FETCH_HOOK(bits, fetch_and, __atomic_fetch_and)                                                \
    FETCH_HOOK(bits, fetch_or, __atomic_fetch_or)                                                  \
    FETCH_HOOK(bits, fetch_xor, __atomic_fetch_xor)                                                \
    FETCH_HOOK(bits, fetch_nand, __atomic_fetch_nand)                                              \
    CAS_HOOK(bits, compare_exchange_strong)                                                        \
    CAS_HOOK(bits, compare_exchange_weak)

ATOMIC_HOOKS(8)
ATOMIC_HOOKS(16)
ATOMIC_HOOKS(32)
ATOMIC_HOOKS(64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    if (order >= __ATOMIC_RELEASE)
        simt_fence(1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
