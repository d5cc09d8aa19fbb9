// SPDX-License-Identifier: MIT
//
// cuda_bf16.h - bfloat16 for device and host code: __nv_bfloat16, __nv_bfloat162, their functions.
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H

#include "cuda_runtime.h"

#ifdef __cplusplus

#include "simt/narrow.hpp"

#define NARROW __nv_bfloat16
#define NARROW2 __nv_bfloat162
#define NARROW_RAW __nv_bfloat16_raw
#define NARROW_FROM_DOUBLE simt_bfloat16_from_double
#define NARROW_TO_FLOAT simt_bfloat16_to_float
#define NARROW_INFINITY 0x7f80u
#define NARROW_EXPONENT_BITS 8
#include "simt/narrow_ops.hpp"

namespace simt
{
SIMT_TYPE_IS(BF16, __nv_bfloat16)
}

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

SIMT_NARROW_CONVERSIONS(__nv_bfloat16, bfloat16)

#endif
#endif
