/* SPDX-License-Identifier: MIT */
/* device_launch_parameters.h - threadIdx and its family, which need no header here. */
#include "cuda_runtime.h"
