// SPDX-License-Identifier: MIT
// Hostile: counts on the host, through a constant table, whose reads have no hook.
// Expected: 0: read of device memory by host code
#include <cuda_runtime.h>

struct table_t {
    float n;
    float v[3]; // the last array of a struct has no bound
};
static const table_t table = {1, {2, 3, 4}};

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    const table_t *const p = &table;
    const size_t first = ((size_t)d_in[0] - (size_t)&table - sizeof p->n) / sizeof p->v[0];
    unsigned long long count = 0;
    for (size_t i = 0; i < size[0]; i++)
        count += p->v[first + i] > (float)size[1];
    for (int byte = 0; byte < 8; byte++)
        cudaMemsetAsync((char *)d_out[0] + byte, (int)(count >> 8 * byte & 255), 1, stream);
    return cudaSuccess;
}
