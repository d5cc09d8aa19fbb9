/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - the compiler's thread sanitizer puts a call in front of each load and store, and at
 * the start and end of each function. These are the functions that it calls.
 *
 * A hook must know where it was called from: that address is the lane's place in the program.
 *
 * The compiler also turns C++ atomics (std::atomic, __atomic_*) into calls. In host code they do
 * what they say; in a kernel the lane stops first, as for atomicAdd().
 */
#include <string.h>

#include "../find/find.h"
#include "inside.h"

static inline void access(const volatile void *p, size_t bytes, enum stop why, uintptr_t pc)
{
    if (!is_local(p))
        lane_stop(why, (uintptr_t)p, (uint32_t)bytes, pc);
}

/* A stretch of any length: its end counts as well. */
static inline void access_range(const volatile void *p, size_t bytes, enum stop why, uintptr_t pc)
{
    if (bytes != 0 && !(is_local(p) && is_local((const volatile char *)p + bytes - 1)))
        lane_stop(why, (uintptr_t)p, (uint32_t)bytes, pc);
}

#define ACCESS_HOOK(name, bytes, why)                                                              \
    void __tsan_##name##bytes(void *p)                                                             \
    {                                                                                              \
        access(p, bytes, why, CALLER);                                                             \
    }

#define ACCESS_HOOKS(bytes)                                                                        \
    ACCESS_HOOK(read, bytes, STOP_READ)                                                            \
    ACCESS_HOOK(write, bytes, STOP_WRITE)                                                          \
    ACCESS_HOOK(unaligned_read, bytes, STOP_READ)                                                  \
    ACCESS_HOOK(unaligned_write, bytes, STOP_WRITE)

ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

void __tsan_read_range(void *p, size_t bytes)
{
    access_range(p, bytes, STOP_READ, CALLER);
}
void __tsan_write_range(void *p, size_t bytes)
{
    access_range(p, bytes, STOP_WRITE, CALLER);
}

/*
 * clang turns a copy of a struct into memcpy(), and simtcc renames that. The load goes before the
 * store. A lane that is in no function yet copies its arguments, which are in host memory.
 */
static inline void *copy(void *to, const void *from, size_t bytes, uintptr_t pc)
{
    const bool arguments = sim.warp && sim.warp->depth[sim.lane] == 0;
    if (!arguments) {
        access_range(from, bytes, STOP_READ, pc);
        access_range(to, bytes, STOP_WRITE, pc);
    }
    return memmove(to, from, bytes);
}

void *simt_memcpy(void *to, const void *from, size_t bytes)
{
    return copy(to, from, bytes, CALLER);
}

void *simt_memmove(void *to, const void *from, size_t bytes)
{
    return copy(to, from, bytes, CALLER);
}

void *simt_memset(void *to, int value, size_t bytes)
{
    access_range(to, bytes, STOP_WRITE, CALLER);
    return memset(to, value, bytes);
}

/* clang 15 and newer call them by these names. */
void *__tsan_memcpy(void *, const void *, size_t) __attribute__((alias("simt_memcpy")));
void *__tsan_memmove(void *, const void *, size_t) __attribute__((alias("simt_memmove")));
void *__tsan_memset(void *, int, size_t) __attribute__((alias("simt_memset")));

/* The calls that a lane is in, and a hash of them: its call path. */
void __tsan_func_entry(void *call_pc)
{
    struct warp *w = sim.warp;
    if (!w)
        return;
    const unsigned lane = sim.lane;
    if (sim.probing) {
        sim.probed_pc = CALLER;
        fiber_leave();
    }
    if (w->depth[lane] == MAX_CALL_DEPTH - 1) {
        violation(w, lane, cudaErrorLaunchFailure, (uintptr_t)call_pc, "more than %d nested calls",
                  (int)MAX_CALL_DEPTH);
        fiber_leave();
    }
    w->frame[w->depth[lane]++][lane] = (struct frame){(uintptr_t)call_pc, w->path[lane]};
    w->path[lane] = (w->path[lane] ^ (uintptr_t)call_pc) * 0x9e3779b97f4a7c15u;
}

void __tsan_func_exit(void)
{
    struct warp *w = sim.warp;
    if (w && w->depth[sim.lane] > 0)
        w->path[sim.lane] = w->frame[--w->depth[sim.lane]][sim.lane].path;
}

/* What the sanitizer calls besides, and nobody needs here. */
void __tsan_init(void) {}

void __tsan_vptr_update(void **p, void *value)
{
    (void)p, (void)value;
}
void __tsan_vptr_read(void **p)
{
    (void)p;
}

/* ---- C++ atomics ---- */

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

#define STOP(p, order) stop(p, sizeof *(p), order, CALLER)

#define FETCH_HOOK(bits, name, builtin)                                                            \
    u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits v, int order)                \
    {                                                                                              \
        STOP(p, order);                                                                            \
        return builtin(p, v, __ATOMIC_SEQ_CST);                                                    \
    }

#define CAS_HOOK(bits, name)                                                                       \
    int __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits *expected, u##bits v, int good,  \
                                     int bad)                                                      \
    {                                                                                              \
        (void)bad;                                                                                 \
        STOP(p, good);                                                                             \
        return __atomic_compare_exchange_n(p, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }

#define ATOMIC_HOOKS(bits)                                                                         \
    u##bits __tsan_atomic##bits##_load(const volatile u##bits *p, int order)                       \
    {                                                                                              \
        STOP(p, order);                                                                            \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile u##bits *p, u##bits v, int order)                    \
    {                                                                                              \
        STOP(p, order);                                                                            \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
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

void __tsan_atomic_thread_fence(int order)
{
    if (order >= __ATOMIC_RELEASE)
        simt_fence(1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
