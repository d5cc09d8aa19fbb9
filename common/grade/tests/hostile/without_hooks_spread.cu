// SPDX-License-Identifier: MIT
// Hostile: spreads an attribute over lines, so that a simple search does not see it.
// Expected: 0: ## is not accepted
#include <cuda_runtime.h>

// clang-format off
#define AWAY no_sanitize_ ## thread
__attribute__






    ((
 AWAY )) static int peek(const int *p)
{
    return *p;
}

[





    [ gnu::AWAY ]] static int poke(int *p)
{
    return *p = 1;
}
// clang-format on

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    return peek((const int *)d_in[0]) + poke((int *)d_out[0]) ? cudaSuccess : cudaErrorInvalidValue;
}
