// SPDX-License-Identifier: MIT
// Control: no fault. A tree in shared memory, as in lesson 03; the checker must accept it.
#include "reduce.cuh"

extern "C" const step_t step = {.summary = "control: tree in shared memory",
                                .reduce = {{launch_passes<float, tree_kernel>}}};
