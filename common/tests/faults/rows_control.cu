// SPDX-License-Identifier: MIT
// Control: no fault. One warp a row.
#include "rows.cuh"

extern "C" const step_t step = {.summary = "control: one warp a row",
                                .rows = {{launch_rows<float, row_kernel>}}};
