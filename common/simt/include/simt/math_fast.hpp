// SPDX-License-Identifier: MIT
//
// math_fast.hpp - the part of math.hpp with the names that begin with __: fast functions, and
// operations with a named rounding.
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

SIMT_FN(double, __drcp_rn, (double x), 1.0 / x)
SIMT_FN(double, __dsqrt_rn, (double x), sqrt(x))
SIMT_FN(float, __fmaf_rn, (float a, float b, float c), fmaf(a, b, c))
SIMT_FN(double, __fma_rn, (double a, double b, double c), fma(a, b, c))

#endif
