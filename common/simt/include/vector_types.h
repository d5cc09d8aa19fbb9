/* SPDX-License-Identifier: MIT */
/*
 * vector_types.h - float4, uint2, dim3 and their family, for C11 and C++.
 *
 * Vectors of 2 and 4 are aligned to their size (16 bytes at most): this lets a GPU move one with a
 * single instruction, and it makes a misaligned pointer to one an error.
 */
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H

#define SIMT_ALIGN(bytes) __attribute__((aligned(bytes)))

#define SIMT_VECTORS(name, type, align2, align4)                                                   \
    typedef struct name##1                                                                         \
    {                                                                                              \
        type x;                                                                                    \
    }                                                                                              \
    name##1;                                                                                       \
    typedef struct SIMT_ALIGN(align2) name##2                                                      \
    {                                                                                              \
        type x, y;                                                                                 \
    }                                                                                              \
    name##2;                                                                                       \
    typedef struct name##3                                                                         \
    {                                                                                              \
        type x, y, z;                                                                              \
    }                                                                                              \
    name##3;                                                                                       \
    typedef struct SIMT_ALIGN(align4) name##4                                                      \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    }                                                                                              \
    name##4;

SIMT_VECTORS(char, signed char, 2, 4)
SIMT_VECTORS(uchar, unsigned char, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(ushort, unsigned short, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(uint, unsigned int, 8, 16)
SIMT_VECTORS(long, long, 16, 16)
SIMT_VECTORS(ulong, unsigned long, 16, 16)
SIMT_VECTORS(longlong, long long, 16, 16)
SIMT_VECTORS(ulonglong, unsigned long long, 16, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)

#undef SIMT_VECTORS

/* The shape of a grid or of a block. An int means (int, 1, 1). */
typedef struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
} dim3;

#endif
