// SPDX-License-Identifier: MIT
// Control: no fault, but wasteful: treats the bytes that CUB asks for as a number of ints, and asks
// for four times as many. The checker must accept it.
#include <cub/cub.cuh>

#include "step.h"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const cudaError_t error =
        cub::DeviceReduce::Sum(d_work, *work_bytes, (const float *)d_in, (float *)d_out, n, stream);
    if (d_work == NULL) {
        *work_bytes *= sizeof(int);
    }
    return error;
}

extern "C" const step_t step = {
    .summary = "control: four times the scratch",
    .reduce = {{launch}},
};
