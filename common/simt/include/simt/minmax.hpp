// SPDX-License-Identifier: MIT
//
// minmax.hpp - min and max of any two numbers.
#ifndef SIMT_MINMAX_HPP
#define SIMT_MINMAX_HPP

#include <math.h>

#include "device.hpp"

// min and max of numbers. With one unsigned argument the result is unsigned, as in CUDA.
#define SIMT_MIN_MAX(type)                                                                         \
    SIMT_FN(constexpr type, min, (type a, type b), b < a ? b : a)                                  \
    SIMT_FN(constexpr type, max, (type a, type b), a < b ? b : a)
SIMT_MIN_MAX(int)
SIMT_MIN_MAX(unsigned int)
SIMT_MIN_MAX(long)
SIMT_MIN_MAX(unsigned long)
SIMT_MIN_MAX(long long)
SIMT_MIN_MAX(unsigned long long)
#undef SIMT_MIN_MAX

#define SIMT_MIXED_MIN_MAX(a_type, b_type, type)                                                   \
    SIMT_FN(constexpr type, min, (a_type a, b_type b), min((type)a, (type)b))                      \
    SIMT_FN(constexpr type, max, (a_type a, b_type b), max((type)a, (type)b))
SIMT_MIXED_MIN_MAX(int, unsigned int, unsigned int)
SIMT_MIXED_MIN_MAX(unsigned int, int, unsigned int)
SIMT_MIXED_MIN_MAX(long, unsigned long, unsigned long)
SIMT_MIXED_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIXED_MIN_MAX(long long, unsigned long long, unsigned long long)
SIMT_MIXED_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef SIMT_MIXED_MIN_MAX

// A NaN loses to a number, as in fminf.
SIMT_FN(float, min, (float a, float b), fminf(a, b))
SIMT_FN(float, max, (float a, float b), fmaxf(a, b))
SIMT_FN(double, min, (double a, double b), fmin(a, b))
SIMT_FN(double, max, (double a, double b), fmax(a, b))
SIMT_FN(double, min, (float a, double b), fmin((double)a, b))
SIMT_FN(double, max, (float a, double b), fmax((double)a, b))
SIMT_FN(double, min, (double a, float b), fmin(a, (double)b))
SIMT_FN(double, max, (double a, float b), fmax(a, (double)b))

SIMT_FN(constexpr unsigned, umin, (unsigned a, unsigned b), min(a, b))
SIMT_FN(constexpr unsigned, umax, (unsigned a, unsigned b), max(a, b))
SIMT_FN(constexpr long long, llmin, (long long a, long long b), min(a, b))
SIMT_FN(constexpr long long, llmax, (long long a, long long b), max(a, b))

#endif
