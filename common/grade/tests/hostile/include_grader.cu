// SPDX-License-Identifier: MIT
// Hostile: takes the reference of the grader.
// Expected: 0: #include of '../01_naive/exercise/task.c' is not accepted
#include <cuda_runtime.h>

#include "../01_naive/exercise/task.c"

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return cudaSuccess;
}
