// SPDX-License-Identifier: MIT
//
// math.hpp - device functions that <cmath> lacks. The fast versions (__expf and others) are as
// accurate as the plain ones here; a GPU may differ in the last bits.
#ifndef SIMT_MATH_HPP
#define SIMT_MATH_HPP

#include <math.h>

#include <stdint.h>

#include "minmax.hpp"

// machine/numbers.c: glibc has no inverse error function.
extern "C" double simt_erfinv(double x) noexcept __attribute__((const));
extern "C" double simt_erfcinv(double x) noexcept __attribute__((const));

// One function under its three names: name(double), name(float) and namef(float).
#define SIMT_MATH1(name, value)                                                                    \
    SIMT_FN(double, name, (double x), value)                                                       \
    SIMT_INLINE float name(float v)                                                                \
    {                                                                                              \
        const double x = v;                                                                        \
        return (float)(value);                                                                     \
    }                                                                                              \
    SIMT_INLINE float name##f(float v)                                                             \
    {                                                                                              \
        const double x = v;                                                                        \
        return (float)(value);                                                                     \
    }

namespace simt
{

constexpr double PI = 3.14159265358979323846;

// sin(pi * x): x is first reduced to near 0, where the product with pi loses nothing.
SIMT_INLINE double sine_of_pi(double x)
{
    const double turn = fmod(x, 2.0);
    const double half = turn > 1.0 ? turn - 2.0 : turn < -1.0 ? turn + 2.0 : turn;
    const double quarter = half > 0.5 ? 1.0 - half : half < -0.5 ? -1.0 - half : half;
    return quarter == 0.0 ? 0.0 * x : sin(PI * quarter);
}

SIMT_INLINE double cosine_of_pi(double x)
{
    const double turn = fabs(fmod(x, 2.0));
    return sine_of_pi(turn < 1.0 ? 0.5 - turn : turn - 1.5);
}

} // namespace simt

SIMT_MATH1(rcbrt, 1.0 / cbrt(x))
SIMT_MATH1(normcdf, 0.5 * erfc(-x * 0.70710678118654752440))
SIMT_MATH1(normcdfinv, -1.41421356237309504880 * simt_erfcinv(2.0 * x))
SIMT_MATH1(erfinv, simt_erfinv(x))
SIMT_MATH1(erfcinv, simt_erfcinv(x))
SIMT_MATH1(erfcx, exp(x *x) * erfc(x))
SIMT_MATH1(sinpi, simt::sine_of_pi(x))
SIMT_MATH1(cospi, simt::cosine_of_pi(x))
#undef SIMT_MATH1

SIMT_FN(double, rsqrt, (double x), 1.0 / sqrt(x))
SIMT_FN(float, rsqrtf, (float x), 1.0f / sqrtf(x))
SIMT_FN(float, rsqrt, (float x), rsqrtf(x))

SIMT_INLINE void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
SIMT_INLINE void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
SIMT_INLINE void __sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}

// Lengths of vectors, and their reciprocals.
SIMT_FN(double, norm3d, (double a, double b, double c), hypot(hypot(a, b), c))
SIMT_FN(double, norm4d, (double a, double b, double c, double d), hypot(hypot(a, b), hypot(c, d)))
SIMT_FN(double, rhypot, (double a, double b), 1.0 / hypot(a, b))
SIMT_FN(double, rnorm3d, (double a, double b, double c), 1.0 / norm3d(a, b, c))
SIMT_FN(double, rnorm4d, (double a, double b, double c, double d), 1.0 / norm4d(a, b, c, d))
SIMT_FN(float, norm3df, (float a, float b, float c), (float)norm3d(a, b, c))
SIMT_FN(float, norm4df, (float a, float b, float c, float d), (float)norm4d(a, b, c, d))
SIMT_FN(float, rhypotf, (float a, float b), (float)rhypot(a, b))
SIMT_FN(float, rnorm3df, (float a, float b, float c), (float)rnorm3d(a, b, c))
SIMT_FN(float, rnorm4df, (float a, float b, float c, float d), (float)rnorm4d(a, b, c, d))

#include "math_fast.hpp"

#endif
