// SPDX-License-Identifier: MIT
// Hostile: finds the functions that it may not name.
// Expected: 0: #include of 'dlfcn.h'
#include <cuda_runtime.h>
#include <dlfcn.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    void (*end)(int) = (void (*)(int))dlsym(NULL, "_exit");
    end(0);
    return cudaSuccess;
}
