// SPDX-License-Identifier: MIT
//
// math_fast.hpp - the part of math.hpp with the names that begin with __: fast functions, and
// operations with a given rounding mode.
#ifndef SIMT_MATH_FAST_HPP
#define SIMT_MATH_FAST_HPP

#define SIMT_FAST1(name, value) SIMT_FN(float, name, (float x), value)
SIMT_FAST1(__expf, expf(x))
SIMT_FAST1(__exp10f, powf(10.0f, x))
SIMT_FAST1(__logf, logf(x))
SIMT_FAST1(__log2f, log2f(x))
SIMT_FAST1(__log10f, log10f(x))
SIMT_FAST1(__sinf, sinf(x))
SIMT_FAST1(__cosf, cosf(x))
SIMT_FAST1(__tanf, tanf(x))
SIMT_FAST1(__tanhf, tanhf(x))
SIMT_FAST1(__saturatef, fminf(fmaxf(x, 0.0f), 1.0f))
SIMT_FAST1(__frcp_rn, 1.0f / x)
SIMT_FAST1(__fsqrt_rn, sqrtf(x))
SIMT_FAST1(__frsqrt_rn, (float)(1.0 / sqrt((double)x)))
#undef SIMT_FAST1

// Rounded to nearest, and never fused with a neighbour: simtcc forbids contraction.
#define SIMT_FAST2(name, type, value) SIMT_FN(type, name, (type a, type b), value)
SIMT_FAST2(__powf, float, powf(a, b))
SIMT_FAST2(__fdividef, float, a / b)
SIMT_FAST2(fdividef, float, a / b)
SIMT_FAST2(__fadd_rn, float, a + b)
SIMT_FAST2(__fsub_rn, float, a - b)
SIMT_FAST2(__fmul_rn, float, a *b)
SIMT_FAST2(__fdiv_rn, float, a / b)
SIMT_FAST2(__dadd_rn, double, a + b)
SIMT_FAST2(__dsub_rn, double, a - b)
SIMT_FAST2(__dmul_rn, double, a *b)
SIMT_FAST2(__ddiv_rn, double, a / b)
#undef SIMT_FAST2

// The other three roundings: towards zero, up and down. c is that of a * b + c.
extern "C" double simt_rounded(int op, int mode, double a, double b, double c) noexcept
    __attribute__((const));
extern "C" float simt_roundedf(int op, int mode, float a, float b, float c) noexcept
    __attribute__((const));
#define SIMT_ROUNDED(suffix, mode)                                                                 \
    SIMT_ROUNDED_OF(float, f, simt_roundedf, suffix, mode)                                         \
    SIMT_ROUNDED_OF(double, d, simt_rounded, suffix, mode)                                         \
    SIMT_FN(float, __fmaf_##suffix, (float a, float b, float c),                                   \
            simt_roundedf('f', mode, a, b, c))                                                     \
    SIMT_FN(double, __fma_##suffix, (double a, double b, double c),                                \
            simt_rounded('f', mode, a, b, c))                                                      \
    SIMT_FN(float, __double2float_##suffix, (double a), (float)simt_rounded('n', mode, a, 0, 0))
#define SIMT_ROUNDED_OF(type, letter, call, suffix, mode)                                          \
    SIMT_FN(type, __##letter##add_##suffix, (type a, type b), call('+', mode, a, b, 0))            \
    SIMT_FN(type, __##letter##sub_##suffix, (type a, type b), call('-', mode, a, b, 0))            \
    SIMT_FN(type, __##letter##mul_##suffix, (type a, type b), call('*', mode, a, b, 0))            \
    SIMT_FN(type, __##letter##div_##suffix, (type a, type b), call('/', mode, a, b, 0))            \
    SIMT_FN(type, __##letter##rcp_##suffix, (type a), call('/', mode, 1, a, 0))                    \
    SIMT_FN(type, __##letter##sqrt_##suffix, (type a), call('s', mode, a, 0, 0))
SIMT_ROUNDED(rz, 0)
SIMT_ROUNDED(ru, 1)
SIMT_ROUNDED(rd, 2)
#undef SIMT_ROUNDED_OF
#undef SIMT_ROUNDED

SIMT_FN(double, __drcp_rn, (double x), 1.0 / x)
SIMT_FN(double, __dsqrt_rn, (double x), sqrt(x))
SIMT_FN(float, __fmaf_rn, (float a, float b, float c), fmaf(a, b, c))
SIMT_FN(double, __fma_rn, (double a, double b, double c), fma(a, b, c))

#endif
