// SPDX-License-Identifier: MIT
//
// atomic.hpp - atomic operations. The lanes of a warp stop together, so one atomic instruction is
// seen as one request. Then each lane does its own read-modify-write, one lane after the other.
#ifndef SIMT_ATOMIC_HPP
#define SIMT_ATOMIC_HPP

#include "device.hpp"

namespace simt
{

enum class rmw { add, sub, min, max, exch, bit_and, bit_or, bit_xor, inc, dec };

// What touches memory without a hook, because the access has been announced: verify/hooked.c proves
// that it was, for each call. A program cannot call these. They are members of a class, because
// argument-dependent lookup would find functions of the namespace.
struct raw {
    template <rmw OP, typename T>
    SIMT_GLUE __attribute__((noinline)) static T apply(volatile T *p, T v)
    {
        const T old = *p;
        if constexpr (OP == rmw::add)
            *p = old + v;
        else if constexpr (OP == rmw::sub)
            *p = old - v;
        else if constexpr (OP == rmw::min)
            *p = v < old ? v : old;
        else if constexpr (OP == rmw::max)
            *p = v > old ? v : old;
        else if constexpr (OP == rmw::exch)
            *p = v;
        else if constexpr (OP == rmw::bit_and)
            *p = old & v;
        else if constexpr (OP == rmw::bit_or)
            *p = old | v;
        else if constexpr (OP == rmw::bit_xor)
            *p = old ^ v;
        else if constexpr (OP == rmw::inc)
            *p = old >= v ? 0 : old + 1;
        else
            *p = old == 0 || old > v ? v : old - 1;
        return old;
    }

    template <typename T>
    SIMT_GLUE __attribute__((noinline)) static T apply_cas(volatile T *p, T expected, T v)
    {
        const T old = *p;
        if (old == expected)
            *p = v;
        return old;
    }

    template <typename T>
    SIMT_GLUE __attribute__((noinline)) static T get(const volatile T *p)
    {
        return *p;
    }

    template <typename T>
    SIMT_GLUE __attribute__((noinline)) static void put(volatile T *p, T v)
    {
        *p = v;
    }
};

// The scope: the threads of the block, or all.
enum class reach { block, all };

template <reach REACH, typename T>
SIMT_INLINE void announce(T *p)
{
    if constexpr (REACH == reach::block)
        simt_block_atomic(p, sizeof *p);
    else
        simt_atomic(p, sizeof *p);
}

template <rmw OP, reach REACH, typename T>
SIMT_INLINE T atomic(T *p, T v)
{
    announce<REACH>(p);
    return raw::apply<OP, T>(p, v);
}

} // namespace simt

// Each function has three names.
#define SIMT_ATOMIC_NAME(name, op, type, who)                                                      \
    SIMT_INLINE type name(type *p, type v)                                                         \
    {                                                                                              \
        return simt::atomic<simt::rmw::op, simt::reach::who>(p, v);                                \
    }
#define SIMT_ATOMIC(name, op, type)                                                                \
    SIMT_ATOMIC_NAME(name, op, type, all)                                                          \
    SIMT_ATOMIC_NAME(name##_block, op, type, block)                                                \
    SIMT_ATOMIC_NAME(name##_system, op, type, all)

#define SIMT_CAS_NAME(name, type, who)                                                             \
    SIMT_INLINE type name(type *p, type expected, type v)                                          \
    {                                                                                              \
        simt::announce<simt::reach::who>(p);                                                       \
        return simt::raw::apply_cas<type>(p, expected, v);                                         \
    }
#define SIMT_CAS(type)                                                                             \
    SIMT_CAS_NAME(atomicCAS, type, all)                                                            \
    SIMT_CAS_NAME(atomicCAS_block, type, block)                                                    \
    SIMT_CAS_NAME(atomicCAS_system, type, all)

// The types that CUDA offers. Signed sums wrap on a GPU; simtcc compiles with -fwrapv.
#define SIMT_ATOMICS_OF_INTEGER(type)                                                              \
    SIMT_ATOMIC(atomicAdd, add, type)                                                              \
    SIMT_ATOMIC(atomicMin, min, type)                                                              \
    SIMT_ATOMIC(atomicMax, max, type)                                                              \
    SIMT_ATOMIC(atomicExch, exch, type)                                                            \
    SIMT_ATOMIC(atomicAnd, bit_and, type)                                                          \
    SIMT_ATOMIC(atomicOr, bit_or, type)                                                            \
    SIMT_ATOMIC(atomicXor, bit_xor, type)                                                          \
    SIMT_CAS(type)

SIMT_ATOMICS_OF_INTEGER(int)
SIMT_ATOMICS_OF_INTEGER(unsigned int)
SIMT_ATOMICS_OF_INTEGER(unsigned long long)
SIMT_ATOMIC(atomicMin, min, long long)
SIMT_ATOMIC(atomicMax, max, long long)
SIMT_ATOMIC(atomicSub, sub, int)
SIMT_ATOMIC(atomicSub, sub, unsigned int)
SIMT_ATOMIC(atomicInc, inc, unsigned int)
SIMT_ATOMIC(atomicDec, dec, unsigned int)
SIMT_ATOMIC(atomicAdd, add, float)
SIMT_ATOMIC(atomicAdd, add, double)
SIMT_ATOMIC(atomicExch, exch, float)
SIMT_CAS(unsigned short)

#undef SIMT_ATOMICS_OF_INTEGER

#endif
