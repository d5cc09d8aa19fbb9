// SPDX-License-Identifier: MIT
//
// narrow_ops.hpp - one 16-bit type, NARROW, its pair, NARROW2, and their operations. It is included
// twice: by cuda_fp16.h for __half and by cuda_bf16.h for __nv_bfloat16.
//
// Each operation computes in float or double and rounds once, to nearest even. That gives the same
// bits as hardware: float has more than twice the digits, so sum, product and quotient are correct,
// and a fused multiply-add goes through double.

// ---- one number, and a pair ----

struct NARROW_RAW {
    unsigned short x;
};

struct alignas(2) NARROW {
    unsigned short bits;

    NARROW() = default;
    SIMT_INLINE NARROW(NARROW_RAW raw) : bits(raw.x) {}
    SIMT_INLINE NARROW(float v) : bits(NARROW_FROM_DOUBLE(v)) {}
    SIMT_INLINE NARROW(double v) : bits(NARROW_FROM_DOUBLE(v)) {}
    SIMT_INLINE NARROW(int v) : bits(NARROW_FROM_DOUBLE(v)) {}
    SIMT_INLINE NARROW(unsigned v) : bits(NARROW_FROM_DOUBLE(v)) {}
    SIMT_INLINE NARROW(long long v) : bits(NARROW_FROM_DOUBLE((double)v)) {}
    SIMT_INLINE NARROW(unsigned long long v) : bits(NARROW_FROM_DOUBLE((double)v)) {}
    SIMT_INLINE operator float() const { return NARROW_TO_FLOAT(bits); }
    SIMT_INLINE operator NARROW_RAW() const { return NARROW_RAW{bits}; }
};

struct alignas(4) NARROW2 {
    NARROW x, y;

    NARROW2() = default;
    SIMT_INLINE NARROW2(NARROW a, NARROW b) : x(a), y(b) {}
    // As in CUDA's header, so that a struct of pairs is copied pair by pair, not as a whole.
    SIMT_INLINE NARROW2(const NARROW2 &other)
    {
        __builtin_memcpy((void *)this, &other, sizeof other);
    }
    SIMT_INLINE NARROW2 &operator=(const NARROW2 &other)
    {
        __builtin_memcpy((void *)this, &other, sizeof other);
        return *this;
    }
};

// ---- what all numbers have: shuffles, loads and stores with cache hints ----

#ifdef SIMT_SHUFFLES // not in a .cpp file
SIMT_SHUFFLES(NARROW)
SIMT_SHUFFLES(NARROW2)
#endif
namespace simt
{
template <>
inline constexpr bool has_hints<NARROW> = true;
template <>
inline constexpr bool has_hints<NARROW2> = true;
} // namespace simt

// ---- arithmetic ----

SIMT_FN(NARROW, __hadd, (NARROW a, NARROW b), NARROW((float)a + (float)b))
SIMT_FN(NARROW, __hsub, (NARROW a, NARROW b), NARROW((float)a - (float)b))
SIMT_INLINE NARROW __hmul(NARROW a, NARROW b)
{
    return NARROW((float)a * (float)b);
}
SIMT_FN(NARROW, __hdiv, (NARROW a, NARROW b), NARROW((float)a / (float)b))
SIMT_FN(NARROW, __hneg, (NARROW a), NARROW_RAW{(unsigned short)(a.bits ^ 0x8000u)})
SIMT_FN(NARROW, __habs, (NARROW a), NARROW_RAW{(unsigned short)(a.bits & 0x7fffu)})

// The product of two 16-bit numbers is exact in a double, and the sum is exact enough for the
// rounding.
SIMT_INLINE NARROW __hfma(NARROW a, NARROW b, NARROW c)
{
    return NARROW((double)(float)a * (double)(float)b + (double)(float)c);
}

SIMT_FN(bool, __hisnan, (NARROW a), (a.bits & 0x7fffu) > NARROW_INFINITY)
SIMT_INLINE int __hisinf(NARROW a)
{
    return (a.bits & 0x7fffu) != NARROW_INFINITY ? 0 : a.bits & 0x8000u ? -1 : 1;
}

// A NaN loses to a number in hmax and wins in hmax_nan.
SIMT_FN(NARROW, __hmax, (NARROW a, NARROW b), NARROW(fmaxf((float)a, (float)b)))
SIMT_FN(NARROW, __hmin, (NARROW a, NARROW b), NARROW(fminf((float)a, (float)b)))
SIMT_FN(NARROW, __hmax_nan, (NARROW a, NARROW b),
        __hisnan(a) || __hisnan(b) ? NARROW(NARROW_RAW{0x7fff}) : __hmax(a, b))
SIMT_FN(NARROW, __hmin_nan, (NARROW a, NARROW b),
        __hisnan(a) || __hisnan(b) ? NARROW(NARROW_RAW{0x7fff}) : __hmin(a, b))

// Comparisons: of one number, of both members of a pair (1 or 0 each), of both together (b...).
#define SIMT_NARROW_COMPARE(name, op)                                                              \
    SIMT_FN(bool, __h##name, (NARROW a, NARROW b), (float)a op(float) b)                           \
    SIMT_INLINE NARROW2 __h##name##2(NARROW2 a, NARROW2 b)                                         \
    {                                                                                              \
        return NARROW2(NARROW(__h##name(a.x, b.x) ? 1.0f : 0.0f),                                  \
                       NARROW(__h##name(a.y, b.y) ? 1.0f : 0.0f));                                 \
    }                                                                                              \
    SIMT_FN(bool, __hb##name##2, (NARROW2 a, NARROW2 b),                                           \
            __h##name(a.x, b.x) && __h##name(a.y, b.y))                                            \
    SIMT_FN(bool, operator op, (NARROW a, NARROW b), __h##name(a, b))
SIMT_NARROW_COMPARE(eq, ==)
SIMT_NARROW_COMPARE(ne, !=)
SIMT_NARROW_COMPARE(lt, <)
SIMT_NARROW_COMPARE(le, <=)
SIMT_NARROW_COMPARE(gt, >)
SIMT_NARROW_COMPARE(ge, >=)
#undef SIMT_NARROW_COMPARE

// Operators for one number, and for both members of a pair.
#define SIMT_NARROW_OPERATOR(op, name)                                                             \
    SIMT_FN(NARROW, operator op, (NARROW a, NARROW b), name(a, b))                                 \
    SIMT_INLINE NARROW &operator op##=(NARROW &a, NARROW b)                                        \
    {                                                                                              \
        a = name(a, b);                                                                            \
        return a;                                                                                  \
    }                                                                                              \
    SIMT_FN(NARROW2, name##2, (NARROW2 a, NARROW2 b), NARROW2(name(a.x, b.x), name(a.y, b.y)))     \
    SIMT_FN(NARROW2, operator op, (NARROW2 a, NARROW2 b), name##2(a, b))                           \
    SIMT_INLINE NARROW2 &operator op##=(NARROW2 &a, NARROW2 b)                                     \
    {                                                                                              \
        a = name##2(a, b);                                                                         \
        return a;                                                                                  \
    }
SIMT_NARROW_OPERATOR(+, __hadd)
SIMT_NARROW_OPERATOR(-, __hsub)
SIMT_NARROW_OPERATOR(*, __hmul)
SIMT_NARROW_OPERATOR(/, __hdiv)
#undef SIMT_NARROW_OPERATOR

SIMT_FN(NARROW, operator-, (NARROW a), __hneg(a))
SIMT_FN(NARROW, operator+, (NARROW a), a)
SIMT_INLINE NARROW &operator++(NARROW &a)
{
    return a += NARROW(1.0f);
}
SIMT_INLINE NARROW &operator--(NARROW &a)
{
    return a -= NARROW(1.0f);
}
SIMT_FN(NARROW2, operator-, (NARROW2 a), NARROW2(__hneg(a.x), __hneg(a.y)))
SIMT_FN(bool, operator==, (NARROW2 a, NARROW2 b), __hbeq2(a, b))
SIMT_FN(bool, operator!=, (NARROW2 a, NARROW2 b), !__hbeq2(a, b))

SIMT_FN(NARROW2, __hfma2, (NARROW2 a, NARROW2 b, NARROW2 c),
        NARROW2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)))
SIMT_FN(NARROW2, __hmax2, (NARROW2 a, NARROW2 b), NARROW2(__hmax(a.x, b.x), __hmax(a.y, b.y)))
SIMT_FN(NARROW2, __hmin2, (NARROW2 a, NARROW2 b), NARROW2(__hmin(a.x, b.x), __hmin(a.y, b.y)))
SIMT_FN(NARROW2, __hmax2_nan, (NARROW2 a, NARROW2 b),
        NARROW2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)))
SIMT_FN(NARROW2, __hmin2_nan, (NARROW2 a, NARROW2 b),
        NARROW2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)))
SIMT_FN(NARROW2, __h2div, (NARROW2 a, NARROW2 b), __hdiv2(a, b))
SIMT_FN(NARROW2, __habs2, (NARROW2 a), NARROW2(__habs(a.x), __habs(a.y)))
SIMT_FN(NARROW2, __hneg2, (NARROW2 a), NARROW2(__hneg(a.x), __hneg(a.y)))
SIMT_FN(NARROW, __hadd_sat, (NARROW a, NARROW b),
        NARROW(fminf(fmaxf((float)__hadd(a, b), 0.0f), 1.0f)))
SIMT_FN(NARROW, __hmul_sat, (NARROW a, NARROW b),
        NARROW(fminf(fmaxf((float)__hmul(a, b), 0.0f), 1.0f)))

#define SIMT_NARROW_MATH(name, function)                                                           \
    SIMT_FN(NARROW, h##name, (NARROW a), NARROW(function((double)(float)a)))                       \
    SIMT_FN(NARROW2, h2##name, (NARROW2 a), NARROW2(h##name(a.x), h##name(a.y)))
SIMT_NARROW_MATH(sqrt, sqrt)
SIMT_NARROW_MATH(rsqrt, rsqrt)
SIMT_NARROW_MATH(exp, exp)
SIMT_NARROW_MATH(exp2, exp2)
SIMT_NARROW_MATH(exp10, exp10)
SIMT_NARROW_MATH(log, log)
SIMT_NARROW_MATH(log2, log2)
SIMT_NARROW_MATH(log10, log10)
SIMT_NARROW_MATH(sin, sin)
SIMT_NARROW_MATH(cos, cos)
SIMT_NARROW_MATH(tanh, tanh)
SIMT_NARROW_MATH(rint, rint)
SIMT_NARROW_MATH(trunc, trunc)
SIMT_NARROW_MATH(floor, floor)
SIMT_NARROW_MATH(ceil, ceil)
SIMT_NARROW_MATH(rcp, 1.0 /)
#undef SIMT_NARROW_MATH

template <>
struct std::numeric_limits<NARROW> : std::numeric_limits<float> {
    static constexpr int digits = 16 - NARROW_EXPONENT_BITS, digits10 = (digits - 1) * 3 / 10;
    static constexpr int max_exponent = 1 << (NARROW_EXPONENT_BITS - 1);
    static constexpr int min_exponent = 3 - max_exponent;
    static NARROW lowest() { return NARROW_RAW{NARROW_INFINITY - 1 + 0x8000}; }
    static NARROW max() { return NARROW_RAW{NARROW_INFINITY - 1}; }
    static NARROW min() { return NARROW_RAW{1 << (15 - NARROW_EXPONENT_BITS)}; }
    static NARROW epsilon() { return NARROW(2.0f / (1 << digits)); }
    static NARROW infinity() { return NARROW_RAW{NARROW_INFINITY}; }
    static NARROW quiet_NaN() { return NARROW_RAW{0x7fff}; }
};

SIMT_INLINE NARROW atomicAdd(NARROW *p, NARROW v)
{
    return simt::narrow_add<NARROW_FROM_DOUBLE, NARROW_TO_FLOAT>(p, v);
}
SIMT_INLINE NARROW2 atomicAdd(NARROW2 *p, NARROW2 v)
{
    return simt::narrow_add<NARROW_FROM_DOUBLE, NARROW_TO_FLOAT>(p, v);
}

#undef NARROW
#undef NARROW2
#undef NARROW_RAW
#undef NARROW_INFINITY
#undef NARROW_FROM_DOUBLE
#undef NARROW_TO_FLOAT
#undef NARROW_EXPONENT_BITS
