/* SPDX-License-Identifier: MIT */
/* cuda_device_runtime_api.h - an older name for cuda_runtime_api.h. */
#include "cuda_runtime_api.h"
