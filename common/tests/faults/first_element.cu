// SPDX-License-Identifier: MIT
// Fault: no kernel at all. The first element is returned as the result. Shows for n > 1.
#include "step.h"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (n == 0) {
        return cudaMemsetAsync(d_out, 0, sizeof(float), stream);
    }
    return cudaMemcpyAsync(d_out, d_in, sizeof(float), cudaMemcpyDeviceToDevice, stream);
}

extern "C" const step_t step = {
    .summary = "fault: copies the first element",
    .reduce = {{launch}},
};
