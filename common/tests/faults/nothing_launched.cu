// SPDX-License-Identifier: MIT
// Fault: launches nothing and reports success. Shows for every n.
#include "step.h"

static cudaError_t launch(const void *, void *, size_t, void *d_work, size_t *work_bytes,
                          cudaStream_t)
{
    if (d_work == NULL) {
        *work_bytes = 0;
    }
    return cudaSuccess;
}

extern "C" const step_t step = {
    .summary = "fault: launches nothing",
    .reduce = {{launch}},
};
