// SPDX-License-Identifier: MIT
//
// 07 bulk copy: the hardware fetches a tile of each input into shared memory. For two inputs or
// three.
//
// Idea          One thread of a block asks for 4 KiB of each input, and all wait until they are
//               there. No more than 6 blocks may share an SM: 48 KiB under way for two inputs, 72
//               for three.
// What was slow `best` has up to 64 KiB under way for two inputs and is 0.8 % slower; 96 KiB for
//               three, and 0.3 %. With 8 blocks, so 64 KiB, this kernel is slower too: DEEPER.md.
// Limit         Operations with two inputs or three. With the data in L2 `best` is faster at 2^20.
// Source        cub::DeviceTransform, and NVIDIA's CUDA C++ Programming Guide on bulk copies.
// Needs: a GPU of compute capability 9.0
#include <algorithm>
#include <cstdint>
#include <cuda/ptx>
#include <cuda_fp16.h>

#include "step.h"

#define BLOCK_SIZE 256
#define BLOCKS_PER_SM 6              // at most
#define TILE_BYTES (16 * BLOCK_SIZE) // of each input; a pack of 16 bytes for each thread

namespace ptx = cuda::ptx;

// What happens to one element: x[j] is that of input j. All compute in f32.
struct mul {
    __device__ float operator()(const float *x) const { return x[0] * x[1]; }
};

struct fma_op {
    __device__ float operator()(const float *x) const { return fmaf(x[0], x[1], x[2]); }
};

template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// A pointer for each input. In a struct, they reach the kernel by value.
template <typename T, int INPUTS>
struct inputs_t {
    const T *at[INPUTS];
};

// Launch: BLOCK_SIZE threads a block, a block for each tile and one more, INPUTS * TILE_BYTES of
// dynamic shared memory or more. `head` elements go one by one, then tiles, then the rest one by
// one. `aligned`: d_out + head and every input + head are at a multiple of 16 bytes; if not, all go
// one by one.
template <int INPUTS, typename F, typename T>
__global__ void __launch_bounds__(BLOCK_SIZE)
    map_kernel(F f, size_t n, size_t head, bool aligned, T *d_out, inputs_t<T, INPUTS> d_in)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char s_tile[]; // the tiles of all inputs
    __shared__ uint64_t s_full;                              // counts the bytes that have arrived
    const size_t tile = TILE_BYTES / sizeof(T);              // elements
    const size_t first = head + blockIdx.x * tile;
    const unsigned tid = threadIdx.x;
    float x[INPUTS];

    if (aligned && first + tile <= n) {
        if (tid == 0) {
            ptx::mbarrier_init(&s_full, 1);
            ptx::fence_proxy_async(ptx::space_shared); // the copies see the barrier's first state
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &s_full, INPUTS * TILE_BYTES);
            for (int j = 0; j < INPUTS; j++) {
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s_tile + j * TILE_BYTES,
                                   d_in.at[j] + first, TILE_BYTES, &s_full);
            }
        }
        __syncthreads(); // the barrier is set up
        while (!ptx::mbarrier_try_wait_parity(&s_full, 0)) {
        }
        const pack_t<T> *s_packs = (const pack_t<T> *)s_tile;
        pack_t<T> in[INPUTS], out;
        for (int j = 0; j < INPUTS; j++) {
            in[j] = s_packs[j * BLOCK_SIZE + tid];
        }
        for (unsigned k = 0; k < 16 / sizeof(T); k++) {
            for (int j = 0; j < INPUTS; j++) {
                x[j] = in[j].elem[k];
            }
            out.elem[k] = f(x);
        }
        ((pack_t<T> *)(d_out + first))[tid] = out;
    } else {
        for (size_t i = first + tid; i < min(first + tile, n); i += BLOCK_SIZE) {
            for (int j = 0; j < INPUTS; j++) {
                x[j] = d_in.at[j][i];
            }
            d_out[i] = f(x);
        }
    }
    if (blockIdx.x == 0 && tid < head) {
        for (int j = 0; j < INPUTS; j++) {
            x[j] = d_in.at[j][tid];
        }
        d_out[tid] = f(x);
    }
#endif
}

// The contract's launcher: one launch, no scratch.
template <int INPUTS, typename F, typename T>
static cudaError_t map(const void *const *d_in, void *d_out, size_t n, void *d_work,
                       size_t *work_bytes, cudaStream_t stream)
{
    int device = 0, major = 0, sm_bytes = 0, reserved = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&sm_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device);
    if (major < 9) {
        return cudaErrorNotSupported;
    }
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    // Each block asks for a share of the SM's shared memory. This is what limits the blocks.
    const auto kernel = map_kernel<INPUTS, F, T>;
    const int share = sm_bytes / BLOCKS_PER_SM - reserved - 256; // 256: s_full and its alignment
    const int shared_bytes = std::max(INPUTS * TILE_BYTES, share);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);

    const size_t to_boundary = (16 - (size_t)d_out % 16) % 16 / sizeof(T);
    const size_t head = std::min(to_boundary, n);
    inputs_t<T, INPUTS> in;
    bool aligned = true;
    for (int j = 0; j < INPUTS; j++) {
        in.at[j] = (const T *)d_in[j];
        aligned = aligned && (size_t)(in.at[j] + head) % 16 == 0;
    }
    const unsigned blocks = (unsigned)((n - head) / (TILE_BYTES / sizeof(T)) + 1);
    kernel<<<blocks, BLOCK_SIZE, shared_bytes, stream>>>(F(), n, head, aligned, (T *)d_out, in);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "two inputs or three, by bulk copies of a tile of each",
    .map = {{NULL, NULL, map<2, mul, float>, map<3, fma_op, float>, NULL},
            {}, // f64
            {}, // i32
            {NULL, NULL, map<2, mul, half>, map<3, fma_op, half>, NULL}},
};
