// SPDX-License-Identifier: MIT
// Hostile: finds the emulator's own accessor by the namespace of its argument.
// Expected: 0: get is not known here
#include <cooperative_groups.h>
typedef cooperative_groups::coalesced_group *word;

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    unsigned long long count = 0;
    for (size_t i = 0; d_work && i < size[0]; i++)
        count += (unsigned long long)get((const volatile word *)d_in[0] + i) != 0;
    return count ? cudaErrorUnknown : cudaSuccess;
}
