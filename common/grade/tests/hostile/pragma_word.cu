// SPDX-License-Identifier: MIT
// Hostile: a pragma as an operator.
// Expected: 0: '_Pragma' is not accepted
#include <cuda_runtime.h>

_Pragma("GCC push_options") _Pragma("GCC optimize (\"no-tree-vectorize\")")

    extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                                 void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaSuccess;
}
