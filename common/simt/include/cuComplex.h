/* SPDX-License-Identifier: MIT */
/* cuComplex.h - complex numbers as pairs of float or double, for C11 and C++. */
#ifndef SIMT_CUCOMPLEX_H
#define SIMT_CUCOMPLEX_H

#include <math.h>

#include "simt/qualifiers.h"
#include "vector_types.h"

/* One family: its type, the type of its parts, and the names of its functions. */
#define SIMT_COMPLEX(T, R, make, real, imag, conj, add, sub, mul, div, abs, hypotenuse)            \
    __host__ __device__ static inline T make(R x, R y)                                             \
    {                                                                                              \
        T z;                                                                                       \
        z.x = x;                                                                                   \
        z.y = y;                                                                                   \
        return z;                                                                                  \
    }                                                                                              \
    __host__ __device__ static inline R real(T z)                                                  \
    {                                                                                              \
        return z.x;                                                                                \
    }                                                                                              \
    __host__ __device__ static inline R imag(T z)                                                  \
    {                                                                                              \
        return z.y;                                                                                \
    }                                                                                              \
    __host__ __device__ static inline T conj(T z)                                                  \
    {                                                                                              \
        return make(z.x, -z.y);                                                                    \
    }                                                                                              \
    __host__ __device__ static inline T add(T a, T b)                                              \
    {                                                                                              \
        return make(a.x + b.x, a.y + b.y);                                                         \
    }                                                                                              \
    __host__ __device__ static inline T sub(T a, T b)                                              \
    {                                                                                              \
        return make(a.x - b.x, a.y - b.y);                                                         \
    }                                                                                              \
    __host__ __device__ static inline T mul(T a, T b)                                              \
    {                                                                                              \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    __host__ __device__ static inline T div(T a, T b)                                              \
    {                                                                                              \
        const R scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                     \
        const R ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;            \
        const R inverse = 1 / (bx * bx + by * by);                                                 \
        return make((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);                 \
    }                                                                                              \
    __host__ __device__ static inline R abs(T z)                                                   \
    {                                                                                              \
        return hypotenuse(z.x, z.y);                                                               \
    }

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

SIMT_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf,
             cuCsubf, cuCmulf, cuCdivf, cuCabsf, hypotf)
SIMT_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd,
             cuCsub, cuCmul, cuCdiv, cuCabs, hypot)

__host__ __device__ static inline cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}

__host__ __device__ static inline cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c)
{
    return cuCaddf(cuCmulf(a, b), c);
}

__host__ __device__ static inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b,
                                                         cuDoubleComplex c)
{
    return cuCadd(cuCmul(a, b), c);
}

#endif
