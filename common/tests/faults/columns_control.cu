// SPDX-License-Identifier: MIT
// Control: no fault. A block of 32 x 8 threads for 32 columns.
#include "columns.cuh"

extern "C" const step_t step = {.summary = "control: a block for 32 columns",
                                .columns = {{launch_columns<float, column_kernel>}}};
