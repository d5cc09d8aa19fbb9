// SPDX-License-Identifier: MIT
// Control: no fault. A grid-stride loop, warp shuffles and two passes, as in lesson 05.
#include "reduce.cuh"

extern "C" const step_t step = {.summary = "control: grid-stride loop, warp shuffles",
                                .reduce = {{launch_grid<grid_kernel>}}};
