/* SPDX-License-Identifier: MIT */
/* cuda_profiler_api.h - cudaProfilerStart and Stop, which the host API has. */
#include "cuda_runtime_api.h"
