/* SPDX-License-Identifier: MIT */
/* math_functions.h - an older name for cuda_runtime.h. */
#ifndef SIMT_MATH_FUNCTIONS_H
#define SIMT_MATH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
