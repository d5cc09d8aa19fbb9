/* SPDX-License-Identifier: MIT */
/* cuda_device_runtime_api.h - an older name for cuda_runtime_api.h. */
#ifndef SIMT_CUDA_DEVICE_RUNTIME_API_H
#define SIMT_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#endif
