/* SPDX-License-Identifier: MIT */
/* device_functions.h - an older name for cuda_runtime.h. */
#include "cuda_runtime.h"
