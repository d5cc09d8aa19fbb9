// SPDX-License-Identifier: MIT
// Hostile: an object whose table of virtual functions is its own.
// Expected: 0: one block:
#include <cuda_runtime.h>

struct base {
    virtual int call(int x) { return x; }
};

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    void *table[4] = {(char *)solve + 9, (char *)solve + 9, (char *)solve + 9, (char *)solve + 9};
    void *object[2] = {table, table};
    base *volatile b = (base *)object;
    *work_bytes = b->call(1);
    return cudaSuccess;
}
