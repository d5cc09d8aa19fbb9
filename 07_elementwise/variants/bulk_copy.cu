// SPDX-License-Identifier: MIT
//
// 07 bulk copy: the hardware fetches a tile of each input into shared memory. For two or three
// inputs.
//
// Idea          One thread of a block asks for 4 KiB of each input, and all wait until they are
//               there. No more than 6 blocks share an SM, with 48 KiB under way for two inputs and
//               72 for three.
// What was slow A pack a thread, by plain loads, has up to 64 KiB under way for two inputs and is
//               0.8 % slower, and 96 KiB for three and 0.3 %. With 8 blocks, so 64 KiB, this kernel
//               is slower too (DEEPER.md).
// Limit         Operations with two or three inputs. Up to 64 MiB `best` has plain loads.
// Source        cub::DeviceTransform, and NVIDIA's CUDA C++ Programming Guide on bulk copies.
// Needs: CUDA 12.6
#include <cuda_fp16.h>

#include "bulk_copy.cuh"
#include "step.h"

#define BLOCKS_PER_SM 6 // at most

// What happens to one element: x[j] is that of input j. All compute in f32.
struct mul {
    __device__ float operator()(const float *x) const { return x[0] * x[1]; }
};

struct fma_op {
    __device__ float operator()(const float *x) const { return fmaf(x[0], x[1], x[2]); }
};

// The contract's launcher: see bulk_copy.cuh.
template <int INPUTS, typename F, typename T>
static cudaError_t map(const void *const *d_in, void *d_out, size_t n, void *d_work,
                       size_t *work_bytes, cudaStream_t stream)
{
    if (!bulk::available()) {
        return cudaErrorNotSupported;
    }
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    return bulk::launch<INPUTS, F, T>(d_in, d_out, n, stream, BLOCKS_PER_SM);
}

extern "C" const step_t step = {
    .summary = "two inputs or three, by bulk copies of a tile of each",
    .map = {{NULL, NULL, map<2, mul, float>, map<3, fma_op, float>, NULL},
            {}, // f64
            {}, // i32
            {NULL, NULL, map<2, mul, half>, map<3, fma_op, half>, NULL}},
};
