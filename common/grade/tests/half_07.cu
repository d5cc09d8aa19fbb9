// SPDX-License-Identifier: MIT
// Half right: packs, but each pack loads its piece of the bias again.
// Expected: 75 points
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>

__device__ float gelu(float v)
{
    return 0.5f * v * (1.0f + erff(0.70710678f * v)); // 1 / sqrt(2)
}

template <int N>
struct alignas(N * sizeof(half)) pack_t {
    half elem[N];
};

template <int N>
__global__ void fused_kernel(const half *d_x, const half *d_bias, const half *d_residual,
                             half *d_out, size_t rows, size_t cols)
{
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= rows * cols / N) {
        return;
    }
    const pack_t<N> bias = ((const pack_t<N> *)d_bias)[p % (cols / N)];
    const pack_t<N> x = ((const pack_t<N> *)d_x)[p];
    const pack_t<N> residual = ((const pack_t<N> *)d_residual)[p];
    pack_t<N> out;
    for (int k = 0; k < N; k++) {
        const float v = (float)x.elem[k] + (float)bias.elem[k];
        out.elem[k] = (float)residual.elem[k] + gelu(v);
    }
    ((pack_t<N> *)d_out)[p] = out;
}

template <int N>
static cudaError_t launch(const void *const *d_in, void *const *d_out, const size_t *size,
                          cudaStream_t stream)
{
    const size_t packs = size[0] * size[1] / N;
    if (packs > 0) {
        fused_kernel<N><<<(packs + 255) / 256, 256, 0, stream>>>(
            (const half *)d_in[0], (const half *)d_in[1], (const half *)d_in[2], (half *)d_out[0],
            size[0], size[1]);
    }
    return cudaGetLastError();
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t bits = (size_t)d_in[0] | (size_t)d_in[1] | (size_t)d_in[2] | (size_t)d_out[0] |
                        size[1] * sizeof(half);
    return bits % 16 == 0  ? launch<8>(d_in, d_out, size, stream)
           : bits % 8 == 0 ? launch<4>(d_in, d_out, size, stream)
                           : launch<1>(d_in, d_out, size, stream);
}
