// SPDX-License-Identifier: MIT
//
// 07 streaming: loads and stores of data that is not needed again.
//
// Idea          A hint: __ldcs() and __stcs() mark a cache line as the first to be evicted, so that
//               what is read or written once leaves the cache to data that is used again.
// Isolates      The hints, against one_input. LOAD=__ldca and STORE=__stwb are without.
// Limit         No element is used twice here, so the hints protect nothing.
// Source        CUDA C++ Programming Guide, "Load Functions Using Cache Hints".
#include <algorithm>

#include "step.h"

#define BLOCK_SIZE 256
#define WAVES 32 // upper limit of the grid: this many times the threads that the GPU holds
#define PACK 4   // floats of a float4, which is loaded and stored at once
#define LOAD __ldcs
#define STORE __stcs

// ---- functors: what happens to one element ----

struct relu { // NaN stays NaN
    __device__ float operator()(float x) const { return x < 0.0f ? 0.0f : x; }
};

struct gelu {
    __device__ float operator()(float x) const
    {
        return 0.5f * x * (1.0f + erff(0.70710678f * x)); // 1 / sqrt(2)
    }
};

// ---- the kernel: how memory is walked ----

// Launch: BLOCK_SIZE threads a block, any grid. Reads each element once, writes each once. `head`
// elements go one by one, then whole packs, then the rest one by one. Both arrays must be aligned
// to a pack at element `head`; head = n always fits. n may be 0.
template <typename F>
__global__ void map_kernel(F f, size_t n, size_t head, float *d_out, const float *d_in)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    const size_t packs = (n - head) / PACK;
    const size_t tail = head + packs * PACK; // index of the tail's first element

    for (size_t p = i; p < packs; p += threads) {
        const float4 x = LOAD((const float4 *)(d_in + head) + p);
        STORE((float4 *)(d_out + head) + p, make_float4(f(x.x), f(x.y), f(x.z), f(x.w)));
    }
    for (size_t j = i; j < head; j += threads) {
        d_out[j] = f(d_in[j]);
    }
    if (i < n - tail) {
        d_out[tail + i] = f(d_in[tail + i]);
    }
}

// ---- the launcher ----

// Blocks for `work` items: enough for all, at most WAVES times what the GPU holds, at least one.
static unsigned grid_size(size_t work)
{
    int device = 0, sms = 0, sm_threads = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    const size_t most = (size_t)sms * (sm_threads / BLOCK_SIZE) * WAVES;
    return std::max<size_t>(1, std::min((work + BLOCK_SIZE - 1) / BLOCK_SIZE, most));
}

// The contract's launcher. The head brings the output to a boundary of 16 bytes. If the input is
// not at one there, all elements are head.
template <typename F>
static cudaError_t map(const void *const *d_in, void *d_out, size_t n, void *d_work,
                       size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const float *d_x = (const float *)d_in[0];
    const size_t past = (size_t)d_out / sizeof(float) % PACK; // elements after the last boundary
    size_t head = std::min((PACK - past) % PACK, n);
    if ((size_t)(d_x + head) % sizeof(float4) != 0) {
        head = n;
    }
    const size_t work = std::max((n - head) / PACK, head);
    map_kernel<<<grid_size(work), BLOCK_SIZE, 0, stream>>>(F(), n, head, (float *)d_out, d_x);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "one input of floats, with hints that no line is needed again",
    .map = {{map<relu>, map<gelu>}},
};
