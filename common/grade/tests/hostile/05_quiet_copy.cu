// SPDX-License-Identifier: MIT
// Hostile: the copy of an argument does the work, and std takes it for a trivial one.
// Expected: 0: any shape:
#include <cuda_runtime.h>
#include <type_traits>

struct work {
    const float *d_in;
    size_t rows, cols;
    int best;
    work(const float *in, size_t r, size_t c) : d_in(in), rows(r), cols(c), best(-1) {}
    __device__ work(const work &w);
};
template <>
struct std::is_trivially_copy_constructible<work> : std::true_type {
};
template <>
struct std::is_trivially_move_constructible<work> : std::true_type {
};

// One lane does what 32 should do together. g++ 12 copies the argument on the host, which cannot
// read d_in; g++ 13 relies on std and copies bytes, so that no thread searches.
__device__ work::work(const work &w) : d_in(w.d_in), rows(w.rows), cols(w.cols), best(-1)
{
    const size_t row = blockIdx.x;
    float most = 0;
    for (size_t c = 0; threadIdx.x == 0 && c < cols; c++) {
        const float x = d_in[row * cols + c];
        if (best < 0 || x > most || (x != x && most == most)) {
            most = x;
            best = (int)c;
        }
    }
}

__global__ void kernel(work w, int *d_out)
{
    float sum = 0;
    for (size_t c = threadIdx.x; c < w.cols; c += 32)
        sum += w.d_in[blockIdx.x * w.cols + c];
    sum = __shfl_down_sync(0xffffffff, sum, 1);
    if (threadIdx.x == 0)
        d_out[blockIdx.x] = w.best;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL || size[0] == 0)
        return cudaSuccess;
    kernel<<<size[0], 32, 0, stream>>>(work((const float *)d_in[0], size[0], size[1]),
                                       (int *)d_out[0]);
    return cudaGetLastError();
}
