/* SPDX-License-Identifier: MIT */
/* device_atomic_functions.h - an older name for cuda_runtime.h. */
#ifndef SIMT_DEVICE_ATOMIC_FUNCTIONS_H
#define SIMT_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
