/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - the compiler's thread sanitizer inserts a call before each load and store, and at the
 * start and end of each function. These are the functions that it calls.
 *
 * A hook must know where it was called from: that address is the lane's place in the program.
 *
 * The compiler also turns C++ atomics (std::atomic, __atomic_*) into calls. In host code they
 * simply execute; in a kernel the lane stops first, as for atomicAdd().
 */
#include <string.h>

#include "../count/count.h"
#include "../find/find.h"
#include "inside.h"

static inline void access(const volatile void *p, size_t bytes, enum stop why, uintptr_t pc)
{
    if (!is_local(p))
        lane_stop(why, (uintptr_t)p, (uint32_t)bytes, pc);
}

/*
 * A range of any length. It need not be aligned, so what only looks like one load is split into
 * pieces that are: as wide as the address allows, at least `least`.
 */
static inline void access_range(const volatile void *p, size_t bytes, enum stop why, uintptr_t pc,
                                size_t least)
{
    if (bytes == 0 || (is_local(p) && is_local((const volatile char *)p + bytes - 1)))
        return;
    const uintptr_t address = (uintptr_t)p, low_bits = address | bytes;
    size_t piece = bytes;
    if (is_width((uint32_t)bytes) && (low_bits & -low_bits) < bytes)
        piece = (low_bits & -low_bits) > least ? low_bits & -low_bits : least;
    for (size_t done = 0; done < bytes; done += piece)
        lane_stop(why, address + done, (uint32_t)piece, pc);
}

/*
 * g++ calls the same hook for a float4 and for a struct of 16 bytes that is aligned to 8, such as a
 * double and an index. If a type requires more alignment than the pointer has, trap.c has reported
 * it before this hook is called: so this one is two accesses of 8 bytes, as on a GPU.
 */
static inline void access_wide(const volatile void *p, size_t bytes, enum stop why, uintptr_t pc)
{
    if ((uintptr_t)p % 16 == 8)
        access_range(p, bytes, why, pc, 8);
    else
        access(p, bytes, why, pc);
}

/* What clang calls for a load of an aligned(1): any address. */
static inline void access_bytes(const volatile void *p, size_t bytes, enum stop why, uintptr_t pc)
{
    access_range(p, bytes, why, pc, 1);
}

/*
 * A struct, a bit-field, or a member of a packed struct, whose int may be at an odd address. If it
 * may not, trap.c has reported it. g++ calls this for 8 and 16 bytes if the type guarantees less
 * than 8 bytes of alignment. A GPU moves these in loads of 4 bytes, but not in shared memory, where
 * nvcc has aligned the array.
 */
static inline void access_struct(const volatile void *p, size_t bytes, enum stop why, uintptr_t pc)
{
    const bool parts = in_kernel() && (bytes == 8 || bytes == 16);
    const struct region *r = parts ? memory_find((uintptr_t)p) : NULL;
    const size_t piece = r && r->space != SPACE_SHARED ? 4 : bytes;
    for (size_t done = 0; done < bytes; done += piece)
        access_bytes((const volatile char *)p + done, piece, why, pc);
}

#define ACCESS_HOOK(act, name, bytes, why)                                                         \
    void __tsan_##name##bytes(void *p)                                                             \
    {                                                                                              \
        act(p, bytes, why, CALLER);                                                                \
    }

/* The host may poll a flag that a kernel sets. In a kernel volatile is not atomic. */
static inline void access_volatile(const volatile void *p, size_t bytes, enum stop why,
                                   uintptr_t pc)
{
    if (in_kernel())
        access_wide(p, bytes, why, pc);
    else
        access(p, bytes, why == STOP_READ ? STOP_STRONG_READ : STOP_STRONG_WRITE, pc);
}

#define ACCESS_HOOKS(act, bytes)                                                                   \
    ACCESS_HOOK(act, read, bytes, STOP_READ)                                                       \
    ACCESS_HOOK(act, write, bytes, STOP_WRITE)                                                     \
    ACCESS_HOOK(access_bytes, unaligned_read, bytes, STOP_READ)                                    \
    ACCESS_HOOK(access_bytes, unaligned_write, bytes, STOP_WRITE)                                  \
    ACCESS_HOOK(access_volatile, volatile_read, bytes, STOP_READ)                                  \
    ACCESS_HOOK(access_volatile, volatile_write, bytes, STOP_WRITE)                                \
    ACCESS_HOOK(access_bytes, unaligned_volatile_read, bytes, STOP_READ)                           \
    ACCESS_HOOK(access_bytes, unaligned_volatile_write, bytes, STOP_WRITE)

ACCESS_HOOKS(access, 1)
ACCESS_HOOKS(access, 2)
ACCESS_HOOKS(access, 4)
ACCESS_HOOKS(access, 8)
ACCESS_HOOKS(access_wide, 16)

void __tsan_read_range(void *p, size_t bytes)
{
    access_struct(p, bytes, STOP_READ, CALLER);
}
void __tsan_write_range(void *p, size_t bytes)
{
    access_struct(p, bytes, STOP_WRITE, CALLER);
}

/* One of memcpy() and its like: the counters know how nvcc makes it. */
static inline void access_copied(const volatile void *p, size_t bytes, enum stop why, uintptr_t pc)
{
    const uint32_t lane = in_kernel() ? 1u << sim.lane : 0;
    if (lane)
        sim.warp->copying |= lane;
    access_bytes(p, bytes, why, pc);
    if (lane)
        sim.warp->copying &= ~lane;
}

/*
 * memcpy() and the like are called by these names: see memory_function() in translate.c. The load
 * comes before the store.
 */
static inline void *copy(void *to, const void *from, size_t bytes, uintptr_t pc)
{
    access_copied(from, bytes, STOP_READ, pc);
    access_copied(to, bytes, STOP_WRITE, pc);
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
    access_copied(to, bytes, STOP_WRITE, CALLER);
    return memset(to, value, bytes);
}

int simt_memcmp(const void *a, const void *b, size_t bytes)
{
    access_copied(a, bytes, STOP_READ, CALLER);
    access_copied(b, bytes, STOP_READ, CALLER);
    return memcmp(a, b, bytes);
}

/* What a compiler makes of a struct: it knows its alignment. */
static inline void *moved(void *to, const void *from, size_t bytes, uintptr_t pc)
{
    access_bytes(from, bytes, STOP_READ, pc);
    access_bytes(to, bytes, STOP_WRITE, pc);
    return memmove(to, from, bytes);
}

void *simt_moved(void *to, const void *from, size_t bytes)
{
    return moved(to, from, bytes, CALLER);
}

void *simt_filled(void *to, int value, size_t bytes)
{
    access_bytes(to, bytes, STOP_WRITE, CALLER);
    return memset(to, value, bytes);
}

/* A local struct is where clang has placed it, with an alignment that we do not control. */
static bool is_of_compiler(const void *p)
{
    const struct region *r = memory_find((uintptr_t)p);
    return r && r->space == SPACE_MODULE && !symbols_is_device((uintptr_t)p);
}

/*
 * What clang makes of a copy of a struct, and so of a float4: it must be aligned. clang 14 calls
 * memcpy(), which simtcc renames.
 */
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    if (!is_width((uint32_t)bytes) || ((uintptr_t)from % bytes != 0 && is_of_compiler(from)))
        return moved(to, from, bytes, CALLER);
    access(from, bytes, STOP_READ, CALLER);
    access(to, bytes, STOP_WRITE, CALLER);
    return memmove(to, from, bytes);
}
void *__tsan_memmove(void *, const void *, size_t) __attribute__((alias("simt_moved")));
void *__tsan_memset(void *, int, size_t) __attribute__((alias("simt_filled")));

void simt_pack(const volatile void *p, size_t bytes)
{
    if (in_kernel() && !sim.quiet && !is_private(p))
        counters_pack(sim.warp, sim.lane, (uintptr_t)p, (uint32_t)bytes);
}

/* The calls that a lane is in, and a hash of them: its call path. */
void __tsan_func_entry(void *call_pc)
{
    struct warp *w = sim.warp;
    if (!in_kernel() || sim.quiet)
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
    if (!in_kernel() || sim.quiet || w->depth[sim.lane] == 0)
        return;
    w->path[sim.lane] = w->frame[--w->depth[sim.lane]][sim.lane].path;
    if (w->loop_depth[sim.lane] > w->depth[sim.lane])
        w->ahead &= ~(1u << sim.lane);
    if (sim.local_arrays)
        local_return(w, sim.lane);
}

void simt_quiet(int on)
{
    static uintptr_t low;
    static size_t bytes;
    if (on)
        low = sim.local_low, bytes = sim.local_bytes;
    sim.quiet = on;
    sim.local_low = on ? 0 : low;
    sim.local_bytes = on ? SIZE_MAX : bytes;
}

/* Other functions that the sanitizer calls, unused here. */
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

/* A release, unlike a plain atomic, is also a fence. */
static void stop(const volatile void *p, uint32_t bytes, int order, uintptr_t pc)
{
    if (is_local(p))
        return;
    if (order >= __ATOMIC_RELEASE)
        simt_fence(SIMT_FENCE_SYSTEM);
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
        simt_fence(SIMT_FENCE_SYSTEM);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
