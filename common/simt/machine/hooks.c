/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - the compiler's thread sanitizer puts a call in front of each load and store, and at
 * the start and end of each function. These are the functions that it calls.
 *
 * A hook must know where it was called from: that address is the lane's place in the program.
 */
#include <string.h>

#include "../state/state.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))

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
    void __tsan_##name##bytes(void *p);                                                            \
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

void __tsan_read_range(void *p, size_t bytes);
void __tsan_read_range(void *p, size_t bytes)
{
    access_range(p, bytes, STOP_READ, CALLER);
}
void __tsan_write_range(void *p, size_t bytes);
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

void *simt_memcpy(void *to, const void *from, size_t bytes);
void *simt_memcpy(void *to, const void *from, size_t bytes)
{
    return copy(to, from, bytes, CALLER);
}

void *simt_memmove(void *to, const void *from, size_t bytes);
void *simt_memmove(void *to, const void *from, size_t bytes)
{
    return copy(to, from, bytes, CALLER);
}

void *simt_memset(void *to, int value, size_t bytes);
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
void __tsan_func_entry(void *call_pc);
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
        fault_lane(w, lane, cudaErrorLaunchFailure, (uintptr_t)call_pc, "more than %d nested calls",
                   (int)MAX_CALL_DEPTH);
        fiber_leave();
    }
    w->frame[w->depth[lane]++][lane] = (struct frame){(uintptr_t)call_pc, w->path[lane]};
    w->path[lane] = (w->path[lane] ^ (uintptr_t)call_pc) * 0x9e3779b97f4a7c15u;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
    struct warp *w = sim.warp;
    if (w && w->depth[sim.lane] > 0)
        w->path[sim.lane] = w->frame[--w->depth[sim.lane]][sim.lane].path;
}

/* What the sanitizer calls besides, and nobody needs here. */
void __tsan_init(void);
void __tsan_init(void) {}

void __tsan_vptr_update(void **p, void *value);
void __tsan_vptr_update(void **p, void *value)
{
    (void)p, (void)value;
}
void __tsan_vptr_read(void **p);
void __tsan_vptr_read(void **p)
{
    (void)p;
}

void simt_atomic(const volatile void *p, unsigned bytes)
{
    access(p, bytes, STOP_ATOMIC, CALLER);
}
