// SPDX-License-Identifier: MIT
// Hostile: takes the solution for its own.
// Expected: 0: solution.cu' is not accepted
#include <cuda_runtime.h>

#define launch other_launch
#include "../../01_naive/exercise/solution.cu"

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return cudaSuccess;
}
