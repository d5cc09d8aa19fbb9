// SPDX-License-Identifier: MIT
//
// minmax.hpp - min and max of any two numbers.
#ifndef SIMT_MINMAX_HPP
#define SIMT_MINMAX_HPP

#include <math.h>

#include "device.hpp"

// min and max of numbers. With one unsigned argument the result is unsigned, as in CUDA.
#define SIMT_MIN_MAX(type)                                                                         \
    SIMT_INLINE constexpr type min(type a, type b)                                                 \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    SIMT_INLINE constexpr type max(type a, type b)                                                 \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
SIMT_MIN_MAX(int)
SIMT_MIN_MAX(unsigned int)
SIMT_MIN_MAX(long)
SIMT_MIN_MAX(unsigned long)
SIMT_MIN_MAX(long long)
SIMT_MIN_MAX(unsigned long long)
#undef SIMT_MIN_MAX

#define SIMT_MIXED_MIN_MAX(a_type, b_type, type)                                                   \
    SIMT_INLINE constexpr type min(a_type a, b_type b)                                             \
    {                                                                                              \
        return min((type)a, (type)b);                                                              \
    }                                                                                              \
    SIMT_INLINE constexpr type max(a_type a, b_type b)                                             \
    {                                                                                              \
        return max((type)a, (type)b);                                                              \
    }
SIMT_MIXED_MIN_MAX(int, unsigned int, unsigned int)
SIMT_MIXED_MIN_MAX(unsigned int, int, unsigned int)
SIMT_MIXED_MIN_MAX(long, unsigned long, unsigned long)
SIMT_MIXED_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIXED_MIN_MAX(long long, unsigned long long, unsigned long long)
SIMT_MIXED_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef SIMT_MIXED_MIN_MAX

// A NaN loses against a number, as in fminf.
SIMT_INLINE float min(float a, float b)
{
    return fminf(a, b);
}
SIMT_INLINE float max(float a, float b)
{
    return fmaxf(a, b);
}
SIMT_INLINE double min(double a, double b)
{
    return fmin(a, b);
}
SIMT_INLINE double max(double a, double b)
{
    return fmax(a, b);
}
SIMT_INLINE double min(float a, double b)
{
    return fmin((double)a, b);
}
SIMT_INLINE double max(float a, double b)
{
    return fmax((double)a, b);
}
SIMT_INLINE double min(double a, float b)
{
    return fmin(a, (double)b);
}
SIMT_INLINE double max(double a, float b)
{
    return fmax(a, (double)b);
}

SIMT_INLINE constexpr unsigned umin(unsigned a, unsigned b)
{
    return min(a, b);
}
SIMT_INLINE constexpr unsigned umax(unsigned a, unsigned b)
{
    return max(a, b);
}
SIMT_INLINE constexpr long long llmin(long long a, long long b)
{
    return min(a, b);
}
SIMT_INLINE constexpr long long llmax(long long a, long long b)
{
    return max(a, b);
}

#endif
