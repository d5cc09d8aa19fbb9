/* SPDX-License-Identifier: MIT */
/* device_launch_parameters.h - threadIdx and its family, which need no header here. */
#ifndef SIMT_DEVICE_LAUNCH_PARAMETERS_H
#define SIMT_DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif
