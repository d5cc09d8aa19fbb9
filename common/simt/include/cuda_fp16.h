// SPDX-License-Identifier: MIT
//
// cuda_fp16.h - half precision for device and host code: __half, __half2 and their functions.
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus

#include "simt/narrow.hpp"

#define NARROW __half
#define NARROW2 __half2
#define NARROW_RAW __half_raw
#define NARROW_FROM_DOUBLE simt_half_from_double
#define NARROW_TO_FLOAT simt_half_to_float
#define NARROW_INFINITY 0x7c00u
#define NARROW_EXPONENT_BITS 5
#include "simt/narrow_ops.hpp"

namespace simt
{
SIMT_TYPE_IS(F16, __half)
}

using half = __half;
using half2 = __half2;

SIMT_NARROW_CONVERSIONS(__half, half)

#endif
#endif
