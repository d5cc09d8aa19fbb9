// SPDX-License-Identifier: MIT
// A right submission, to find out whether this system can grade at all: it copies 64 floats.
#include <cuda_runtime.h>

static __global__ void copy(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    copy<<<1, 64, 0, stream>>>(static_cast<const float *>(d_in[0]), static_cast<float *>(d_out[0]));
    return cudaGetLastError();
}
