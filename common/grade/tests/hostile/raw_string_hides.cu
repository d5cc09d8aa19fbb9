// SPDX-License-Identifier: MIT
// Hostile: a raw string that begins in a part which is left out, and hides the end of it.
// Expected: 0: a raw string that is in a directive
#include <cuda_runtime.h>

#if 0
R"(
#endif
asm("");
#if 0
)";
#endif

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaSuccess;
}
