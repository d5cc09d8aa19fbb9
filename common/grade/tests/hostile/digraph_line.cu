// SPDX-License-Identifier: MIT
// Hostile: a line marker in two-letter marks, with joined lines in it.
// Expected: 0: this directive is not accepted
#include <cuda_runtime.h>

// clang-format off
/* a comment */ %\
: \
1 "/usr/include/stdio.h" 3
static int value;
// clang-format on

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaSuccess;
}
