/* SPDX-License-Identifier: MIT */
/* driver_functions.h - an older name for what cuda_runtime_api.h brings. */
#ifndef SIMT_DRIVER_FUNCTIONS_H
#define SIMT_DRIVER_FUNCTIONS_H

#include "cuda_runtime_api.h"

#endif
