// SPDX-License-Identifier: MIT
//
// narrow.hpp - what the two 16-bit types have in common: conversions and atomics.
#ifndef SIMT_NARROW_HPP
#define SIMT_NARROW_HPP

#include <limits>
#include <math.h>
#include <type_traits>

#include "atomic.hpp"
#include "convert.hpp"
#include "math.hpp"

namespace simt
{

// A GPU adds to both members of a pair in one request, each of them atomically on its own. `Word`
// has the bits of one number or of two.
template <typename Word, uint16_t (*FROM)(double), float (*TO)(uint16_t)>
struct narrow_raw {
    SIMT_GLUE __attribute__((noinline)) static Word add(volatile Word *p, Word v)
    {
        const Word old = *p;
        Word sum = 0;
        for (unsigned bit = 0; bit < 8 * sizeof old; bit += 16)
            sum |=
                (Word)((Word)FROM((double)(TO((uint16_t)(old >> bit)) + TO((uint16_t)(v >> bit))))
                       << bit);
        *p = sum;
        return old;
    }
};

template <uint16_t (*FROM)(double), float (*TO)(uint16_t), typename T>
SIMT_INLINE T narrow_add(T *p, T v)
{
    using word = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
    static_assert(sizeof(T) == sizeof(word), "one number or two");
    word bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    simt_atomic(p, sizeof *p);
    bits = narrow_raw<word, FROM, TO>::add((word *)p, bits);
    __builtin_memcpy((void *)&v, &bits, sizeof bits);
    return v;
}

// One step back towards zero if rounding to nearest went away from it.
template <typename T>
SIMT_INLINE T toward_zero(T rounded, float exact)
{
    if (fabsf((float)rounded) > fabsf(exact))
        rounded.bits--;
    return rounded;
}

} // namespace simt

// __int2half_rn, __half2int_rz, __half22float2 and the like; `word` is half or bfloat16.
#define SIMT_NARROW_FROM(type, word, from_type, from)                                              \
    SIMT_FN(type, __##from##2##word##_rn, (from_type v), type(v))
#define SIMT_NARROW_TO(type, word, to_type, to)                                                    \
    SIMT_FN(to_type, __##word##2##to##_rn, (type v),                                               \
            simt::to_integer<to_type>(rint((double)(float)v)))                                     \
    SIMT_FN(to_type, __##word##2##to##_rz, (type v),                                               \
            simt::to_integer<to_type>(trunc((double)(float)v)))                                    \
    SIMT_FN(to_type, __##word##2##to##_rd, (type v),                                               \
            simt::to_integer<to_type>(floor((double)(float)v)))                                    \
    SIMT_FN(to_type, __##word##2##to##_ru, (type v),                                               \
            simt::to_integer<to_type>(ceil((double)(float)v)))

#define SIMT_NARROW_CONVERSIONS(type, word)                                                        \
    SIMT_FN(type, __float2##word, (float v), type(v))                                              \
    SIMT_FN(type, __float2##word##_rz, (float v), simt::toward_zero(type(v), v))                   \
    SIMT_FN(float, __##word##2float, (type v), (float)v)                                           \
    SIMT_NARROW_FROM(type, word, float, float)                                                     \
    SIMT_NARROW_FROM(type, word, int, int)                                                         \
    SIMT_NARROW_FROM(type, word, unsigned, uint)                                                   \
    SIMT_NARROW_FROM(type, word, long long, ll)                                                    \
    SIMT_NARROW_TO(type, word, int, int)                                                           \
    SIMT_NARROW_TO(type, word, unsigned, uint)                                                     \
    SIMT_NARROW_TO(type, word, long long, ll)                                                      \
    SIMT_FN(type, __double2##word, (double v), type(v))                                            \
    SIMT_FN(type, __ushort_as_##word, (unsigned short bits), type##_raw{bits})                     \
    SIMT_FN(type, __short_as_##word, (short bits), type##_raw{(unsigned short)bits})               \
    SIMT_FN(unsigned short, __##word##_as_ushort, (type v), v.bits)                                \
    SIMT_FN(short, __##word##_as_short, (type v), (short)v.bits)                                   \
    SIMT_NARROW_PAIR(type, type##2, word)

#define SIMT_NARROW_PAIR(type, pair, word)                                                         \
    SIMT_FN(pair, __##word##2##word##2, (type a), pair(a, a))                                      \
    SIMT_FN(pair, __float2##word##2_rn, (float v), pair(type(v), type(v)))                         \
    SIMT_FN(pair, __float22##word##2_rn, (float2 v), pair(type(v.x), type(v.y)))                   \
    SIMT_FN(pair, __floats2##word##2_rn, (float a, float b), pair(type(a), type(b)))               \
    SIMT_FN(float2, __##word##22float2, (pair v), make_float2((float)v.x, (float)v.y))             \
    SIMT_FN(pair, make_##word##2, (type a, type b), pair(a, b))                                    \
    SIMT_FN(pair, __halves2##word##2, (type a, type b), pair(a, b))                                \
    SIMT_FN(type, __low2##word, (pair v), v.x)                                                     \
    SIMT_FN(type, __high2##word, (pair v), v.y)                                                    \
    SIMT_FN(pair, __low2##word##2, (pair v), pair(v.x, v.x))                                       \
    SIMT_FN(pair, __high2##word##2, (pair v), pair(v.y, v.y))                                      \
    SIMT_FN(pair, __lows2##word##2, (pair a, pair b), pair(a.x, b.x))                              \
    SIMT_FN(pair, __highs2##word##2, (pair a, pair b), pair(a.y, b.y))                             \
    SIMT_FN(float, __low2float, (pair v), (float)v.x)                                              \
    SIMT_FN(float, __high2float, (pair v), (float)v.y)                                             \
    SIMT_FN(pair, __lowhigh2highlow, (pair v), pair(v.y, v.x))

#endif
