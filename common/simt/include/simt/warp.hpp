// SPDX-License-Identifier: MIT
//
// warp.hpp - barriers, shuffles and votes. Each one stops the lane in the runtime; the last,
// hidden argument is the source line of the call.
#ifndef SIMT_WARP_HPP
#define SIMT_WARP_HPP

#include "device.hpp"

namespace simt
{
template <typename T>
SIMT_INLINE uint64_t to_bits(T value)
{
    static_assert(sizeof(T) <= 8, "a warp operation takes at most 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}

// A barrier with a vote, a vote of a warp: the result is there when all have arrived.
SIMT_INLINE int vote(int own, int line)
{
    simt_barrier(own, line);
    return simt_votes();
}

SIMT_INLINE uint64_t warp_op(simt_op op, unsigned mask, uint64_t value, int line)
{
    simt_warp_op(op, mask, value, line);
    return simt_result();
}
} // namespace simt

SIMT_FN(void, __syncthreads, (int line = __builtin_LINE()), simt_barrier(0, line))

SIMT_FN(int, __syncthreads_count, (int p, int line = __builtin_LINE()),
        simt::vote(SIMT_COUNTING + (p != 0), line) % SIMT_COUNTING)

SIMT_FN(int, __syncthreads_or, (int p, int line = __builtin_LINE()), simt::vote(p != 0, line) != 0)

SIMT_FN(int, __syncthreads_and, (int p, int line = __builtin_LINE()), simt::vote(p == 0, line) == 0)

SIMT_FN(void, __syncwarp, (unsigned mask = 0xffffffffu, int line = __builtin_LINE()),
        simt_warp_op(SIMT_SYNCWARP, mask, 0, line))

SIMT_FN(unsigned, __activemask, (), simt_active_mask())

SIMT_FN(unsigned, __ballot_sync, (unsigned mask, int p, int line = __builtin_LINE()),
        (unsigned)simt::warp_op(SIMT_BALLOT, mask, p != 0, line))

SIMT_FN(int, __any_sync, (unsigned mask, int p, int line = __builtin_LINE()),
        simt::warp_op(SIMT_BALLOT, mask, p != 0, line) != 0)

SIMT_FN(int, __all_sync, (unsigned mask, int p, int line = __builtin_LINE()),
        simt::warp_op(SIMT_BALLOT, mask, p == 0, line) == 0)

// What CUDA has for these types. A smaller integer becomes an int; a struct has no overload.
#define SIMT_WARP_TYPES(X)                                                                         \
    X(int)                                                                                         \
    X(unsigned)                                                                                    \
    X(long)                                                                                        \
    X(unsigned long)                                                                               \
    X(long long)                                                                                   \
    X(unsigned long long)                                                                          \
    X(float)                                                                                       \
    X(double)

// The lanes with my value. And if all have the same value the mask, else 0.
#define SIMT_MATCH(type)                                                                           \
    SIMT_INLINE unsigned __match_any_sync(unsigned mask, type value, int line = __builtin_LINE())  \
    {                                                                                              \
        return (unsigned)simt::warp_op(SIMT_MATCH_ANY, mask, simt::to_bits(value), line);          \
    }                                                                                              \
    SIMT_INLINE unsigned __match_all_sync(unsigned mask, type value, int *all,                     \
                                          int line = __builtin_LINE())                             \
    {                                                                                              \
        const uint64_t bits = simt::to_bits(value);                                                \
        const unsigned same = (unsigned)simt::warp_op(SIMT_MATCH_ALL, mask, bits, line);           \
        *all = same != 0;                                                                          \
        return same;                                                                               \
    }
SIMT_WARP_TYPES(SIMT_MATCH)
#undef SIMT_MATCH

// Sums and the like over the lanes of the mask, in one instruction of sm_80 and newer.
#define SIMT_REDUCE(name, op, type)                                                                \
    SIMT_INLINE type name(unsigned mask, type v, int line = __builtin_LINE())                      \
    {                                                                                              \
        return (type)simt::warp_op(op, mask, (unsigned)v, line);                                   \
    }
SIMT_REDUCE(__reduce_add_sync, SIMT_REDUCE_ADD, int)
SIMT_REDUCE(__reduce_add_sync, SIMT_REDUCE_ADD, unsigned)
SIMT_REDUCE(__reduce_min_sync, SIMT_REDUCE_MIN_INT, int)
SIMT_REDUCE(__reduce_min_sync, SIMT_REDUCE_MIN, unsigned)
SIMT_REDUCE(__reduce_max_sync, SIMT_REDUCE_MAX_INT, int)
SIMT_REDUCE(__reduce_max_sync, SIMT_REDUCE_MAX, unsigned)
SIMT_REDUCE(__reduce_and_sync, SIMT_REDUCE_AND, unsigned)
SIMT_REDUCE(__reduce_or_sync, SIMT_REDUCE_OR, unsigned)
SIMT_REDUCE(__reduce_xor_sync, SIMT_REDUCE_XOR, unsigned)
#undef SIMT_REDUCE

namespace simt
{

// Any type of up to 8 bytes is passed as its bits.
template <typename T>
SIMT_INLINE T shuffle(simt_op op, unsigned mask, T value, int arg, int width, int line)
{
    simt_shuffle(op, mask, to_bits(value), sizeof value, arg, width, line);
    const uint64_t bits = simt_result();
    __builtin_memcpy((void *)&value, &bits, sizeof value);
    return value;
}

// A value of any size, 4 bytes at a time if it has more than 8.
template <typename T>
SIMT_INLINE T shuffle_any(simt_op op, unsigned mask, T value, int arg, int width, int line)
{
    if constexpr (sizeof(T) <= 8) {
        return shuffle(op, mask, value, arg, width, line);
    } else {
        constexpr int words = (int)((sizeof(T) + 3) / 4);
        unsigned word[words] = {};
        __builtin_memcpy(word, &value, sizeof value);
        for (int i = 0; i < words; i++)
            word[i] = shuffle(op, mask, word[i], arg, width, line);
        __builtin_memcpy((void *)&value, word, sizeof value);
        return value;
    }
}

} // namespace simt

#define SIMT_SHUFFLE(type, name, op, arg)                                                          \
    SIMT_INLINE type name(unsigned mask, type value, arg lane, int width = 32,                     \
                          int line = __builtin_LINE())                                             \
    {                                                                                              \
        return simt::shuffle(op, mask, value, (int)lane, width, line);                             \
    }
#define SIMT_SHUFFLES(type)                                                                        \
    SIMT_SHUFFLE(type, __shfl_sync, SIMT_SHFL_IDX, int)                                            \
    SIMT_SHUFFLE(type, __shfl_up_sync, SIMT_SHFL_UP, unsigned)                                     \
    SIMT_SHUFFLE(type, __shfl_down_sync, SIMT_SHFL_DOWN, unsigned)                                 \
    SIMT_SHUFFLE(type, __shfl_xor_sync, SIMT_SHFL_XOR, int)
SIMT_WARP_TYPES(SIMT_SHUFFLES)
#undef SIMT_WARP_TYPES

#endif
