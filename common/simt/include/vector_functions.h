/* SPDX-License-Identifier: MIT */
/*
 * vector_functions.h - make_float4 and its family, for C11 and C++.
 */
#ifndef SIMT_VECTOR_FUNCTIONS_H
#define SIMT_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define SIMT_MAKE static inline __attribute__((always_inline, unused))

#define SIMT_MAKERS(name, type)                                                                    \
    SIMT_MAKE name##1 make_##name##1(type x)                                                       \
    {                                                                                              \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    SIMT_MAKE name##2 make_##name##2(type x, type y)                                               \
    {                                                                                              \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    SIMT_MAKE name##3 make_##name##3(type x, type y, type z)                                       \
    {                                                                                              \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    SIMT_MAKE name##4 make_##name##4(type x, type y, type z, type w)                               \
    {                                                                                              \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }

SIMT_MAKERS(char, signed char)
SIMT_MAKERS(uchar, unsigned char)
SIMT_MAKERS(short, short)
SIMT_MAKERS(ushort, unsigned short)
SIMT_MAKERS(int, int)
SIMT_MAKERS(uint, unsigned int)
SIMT_MAKERS(long, long)
SIMT_MAKERS(ulong, unsigned long)
SIMT_MAKERS(longlong, long long)
SIMT_MAKERS(ulonglong, unsigned long long)
SIMT_MAKERS(float, float)
SIMT_MAKERS(double, double)

#undef SIMT_MAKERS
#undef SIMT_MAKE

#endif
