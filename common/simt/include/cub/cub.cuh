// SPDX-License-Identifier: MIT
//
// cub.cuh - NOT NVIDIA's CUB. A small stand-in with the same calls, so that programs that use the
// reductions and scans of CUB run in the emulator. It shows what the calls do, not how CUB does it,
// and its counts are its own.
#ifndef SIMT_CUB_CUH
#define SIMT_CUB_CUH

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "block/block_load_store.cuh"
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "device/device_reduce.cuh"
#include "device/device_scan.cuh"
#include "iterator/counting_input_iterator.cuh"
#include "iterator/transform_input_iterator.cuh"
#include "warp/warp_reduce.cuh"
#include "warp/warp_scan.cuh"

#endif
