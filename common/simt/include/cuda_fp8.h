/* SPDX-License-Identifier: MIT */
/* cuda_fp8.h - for programs that include it and use none of it; its types are refused by name. */
#ifndef SIMT_CUDA_FP8_H
#define SIMT_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#endif
