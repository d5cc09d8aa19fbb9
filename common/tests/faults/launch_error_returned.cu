// SPDX-License-Identifier: MIT
// Fault: blocks of 2048 threads, which CUDA refuses; the error is returned. Shows for every n.
#define BLOCK_SIZE 2048 // more than the 1024 that a block can have
#include "reduce.cuh"

extern "C" const step_t step = {.summary = "fault: every launch is refused",
                                .reduce = {{launch_passes<float, tree_kernel>}}};
