// SPDX-License-Identifier: MIT
//
// bulk_copy.cuh - an elementwise kernel that gets its inputs by bulk copies: the kernel of
// bulk_copy.cu, which says how it works, and of best.cu for large inputs.
#ifndef BULK_COPY_CUH
#define BULK_COPY_CUH

#include <algorithm>
#include <cstdint>
#include <cuda/ptx>

namespace bulk
{

namespace ptx = cuda::ptx;

constexpr int BLOCK_SIZE = 256;
constexpr int TILE_BYTES = 16 * BLOCK_SIZE; // of each input; a pack of 16 bytes for each thread

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
#if __CUDA_ARCH__ >= 900 && CUDART_VERSION >= 12060
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

// True if the GPU has bulk copies, and cuda::ptx has all that they need: that came with CUDA 12.6.
static bool available()
{
    int device = 0, major = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    return major >= 9 && CUDART_VERSION >= 12060;
}

// One launch, no scratch. Only if available(). blocks_per_sm: at most.
template <int INPUTS, typename F, typename T>
static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, cudaStream_t stream,
                          int blocks_per_sm = 6)
{
    int device = 0, sm_bytes = 0, reserved = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sm_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device);
    // Each block asks for a share of the SM's shared memory. This is what limits the blocks.
    const auto kernel = map_kernel<INPUTS, F, T>;
    const int share = sm_bytes / blocks_per_sm - reserved - 256; // 256: s_full and its alignment
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

} // namespace bulk

#endif
