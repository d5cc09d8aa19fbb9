// SPDX-License-Identifier: MIT
// Hostile: writes a results file of its own.
// Expected: 0: it calls 'fopen'
#include <cuda_runtime.h>
#include <stdio.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    FILE *file = fopen("results.json", "w");
    fprintf(file, "{\"score\": %d}", 100);
    fclose(file);
    return cudaSuccess;
}
