/* SPDX-License-Identifier: MIT */
/*
 * cuda_runtime.h - the host API, and for a .cu file the device side too. simtcc includes it at the
 * head of each .cu file, as nvcc does with its own.
 */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* helper_cuda.h of NVIDIA's samples looks for it */

#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "simt/qualifiers.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include "simt/host_api.hpp"

#ifdef __CUDACC__
// A program may rely on what nvcc includes: these headers, std::min, std::max and std::swap.
#include <assert.h>
#include <initializer_list>
#include <limits.h>
#include <limits>
#include <math.h>
#include <new>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#else
#include <algorithm>
#endif

#include "simt/assembly.hpp"
#include "simt/atomic.hpp"
#include "simt/convert.hpp"
#include "simt/integer.hpp"
#include "simt/launch.hpp"
#include "simt/local.hpp"
#include "simt/loop.hpp"
#include "simt/math.hpp"
#include "simt/pack.hpp"
#include "simt/warp.hpp"
#endif
#endif

#endif
