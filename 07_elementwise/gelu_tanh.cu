// SPDX-License-Identifier: MIT
//
// 07 gelu tanh: the usual approximation of GELU, measured beside the others. It is too rough to be
// a variant: --check refuses it in f32 and in f16.
//
// Idea          tanh instead of the error function: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
// How rough     Off by up to 0.0005 around |x| = 2. For x < -3 the result itself is near 0, and the
//               error is hundreds of its units in the last place in f16, millions in f32. For x > 0
//               an f16 result is at most one unit off. `make accuracy-07` measures it.
// Source        D. Hendrycks and K. Gimpel, "Gaussian Error Linear Units (GELUs)", section 2.
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 256

// Launch: BLOCK_SIZE threads a block, one thread an element. No alignment is needed.
template <typename T>
__global__ void gelu_kernel(const T *d_in, T *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n) {
        const float x = d_in[i];
        const float inner = 0.79788456f * (x + 0.044715f * x * x * x); // sqrt(2 / pi)
        d_out[i] = 0.5f * x * (1.0f + tanhf(inner));
    }
}

template <typename T>
static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (blocks > 0) {
        gelu_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in[0], (T *)d_out, n);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "GELU by the tanh approximation, too rough for --check",
    .map = {{NULL, launch<float>}, {}, {}, {NULL, launch<half>}},
};
