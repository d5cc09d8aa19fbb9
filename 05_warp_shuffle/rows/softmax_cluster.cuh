// SPDX-License-Identifier: MIT
//
// softmax_cluster.cuh - a softmax whose rows stay in the shared memory of a cluster of blocks: the
// kernel of softmax_cluster.cu, which says how it works, and of softmax_best.cu for long rows.
#ifndef SOFTMAX_CLUSTER_CUH
#define SOFTMAX_CLUSTER_CUH

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>
#include <cuda_fp16.h>

namespace cluster_softmax
{

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr unsigned WARP_SIZE = 32;
constexpr unsigned MOST_BLOCKS = 16;    // of a cluster
constexpr unsigned PORTABLE_BLOCKS = 8; // which every GPU has that has clusters
constexpr unsigned FEW_BYTES = 4096;    // of a warp; so 1536 threads fit an SM
constexpr unsigned STATIC_BYTES = 1024; // of a block, at most: barriers and pairs
constexpr unsigned SMALL_BLOCK = 256, LARGE_BLOCK = 512;
constexpr size_t SMALL_BLOCKS_UP_TO = 1280 * 1024; // bytes of a row
// Bytes of a row from which on, and up to which, some packs are in registers.
constexpr size_t HELD_FROM = 864 * 1024;
constexpr size_t HELD_UP_TO = 4 * 1024 * 1024;

template <typename T>
struct alignas(16) pack_t {
    static constexpr int N = 16 / sizeof(T);
    T elem[N];
};

// `max` and the elements of a pack.
template <typename T>
__device__ float pack_max(float max, const pack_t<T> &pack)
{
    for (T x : pack.elem) {
        max = fmaxf(max, (float)x);
    }
    return max;
}

// exp(x - max), as a power of 2. In f32 the difference comes first, because x * log2(e) may
// overflow. In f16 both are one fma: it takes off `top`, max * log2(e), which is rounded; but the
// same is taken off in the sum, so the quotient is right. There a result below 2^-126 becomes 0.
template <typename T>
struct powers_t {
    static constexpr bool F16 = sizeof(T) == 2;
    static constexpr float LOG2_E = 1.44269504f;

    static __device__ float top(float max) { return F16 ? max * LOG2_E : max; }
    static __device__ float of(float x, float top)
    {
        return F16 ? exp2_f16(fmaf(x, LOG2_E, -top)) : exp2f((x - top) * LOG2_E);
    }
    // What a sum is worth where not `top` but a higher one is taken off.
    static __device__ float below(float top, float higher)
    {
        return F16 ? exp2_f16(top - higher) : exp2f((top - higher) * LOG2_E);
    }
    static __device__ float exp2_f16(float x)
    {
        float result;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
        return result;
    }
};

// `sum` and what the elements of a pack add to it.
template <typename T>
__device__ float pack_sum(float sum, const pack_t<T> &pack, float top)
{
    for (T x : pack.elem) {
        sum += powers_t<T>::of((float)x, top);
    }
    return sum;
}

// The results for a pack.
template <typename T>
__device__ pack_t<T> pack_softmax(pack_t<T> pack, float top, float scale)
{
    for (T &x : pack.elem) {
        x = (T)(powers_t<T>::of((float)x, top) * scale);
    }
    return pack;
}

// Of some elements: `top` as above, and the sum of all exp(x - max). -FLT_MAX: where all are
// -Infinity, -Infinity - -Infinity would be NaN. A NaN is no maximum; it makes the sum NaN.
struct alignas(8) pair_t {
    float top, sum;
};

__device__ float warp_max(float x)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, offset)); // mask: all 32 lanes
    }
    return x;
}

__device__ float warp_sum(float x)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        x += __shfl_xor_sync(0xffffffff, x, offset); // mask: all 32 lanes
    }
    return x;
}

__device__ void wait_for(uint64_t *s_barrier, unsigned turn)
{
    while (!ptx::mbarrier_try_wait_parity(s_barrier, turn % 2)) {
    }
}

// A barrier in shared memory opens when so many bytes have arrived. For one thread.
__device__ void expect_bytes(uint64_t *s_barrier, unsigned bytes)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, s_barrier,
                                   bytes);
}

// A part of a row: packs at multiples of 16 bytes. The ends of the row may lie inside of packs.
template <typename T>
struct part_t {
    static constexpr int N = pack_t<T>::N;
    size_t at;      // index in the matrix of its first pack
    int begin, end; // the elements of the row in it: from `begin`, which is less than N, to `end`

    // The packs of a row from `first` on, `most` of them.
    __device__ part_t(const T *d_in, size_t row, size_t cols, size_t first, unsigned most)
    {
        const ptrdiff_t before = (size_t)(d_in + row * cols) % 16 / sizeof(T); // in pack 0
        const ptrdiff_t start = (ptrdiff_t)first * N - before; // in the row; negative before it
        at = row * cols + start;
        begin = start < 0 ? (int)-start : 0;
        end = (int)max((ptrdiff_t)0, min((ptrdiff_t)cols - start, (ptrdiff_t)most * N));
    }
    // Asks for the part, by one thread: a bulk copy of the whole packs; the ends one by one, with
    // -Infinity, whose exponential adds nothing, for what is not in the row.
    __device__ void fetch(const T *d_in, T *s_part, uint64_t *s_arrived) const
    {
        const int whole = (begin + N - 1) / N * N, whole_end = max(end / N * N, whole);
        const auto fill = [&](int i, int to) {
#pragma unroll 1 // few elements, and no registers to spare
            for (; i < to; i++) {
                s_part[i] = i >= begin && i < end ? d_in[at + i] : (T)-INFINITY;
            }
        };
        fill(0, whole);
        fill(whole_end, (end + N - 1) / N * N);
        // A copy goes another way than loads and stores: only a fence puts it after those of the
        // warp to the same bytes (PTX ISA, "Async Proxy").
        ptx::fence_proxy_async(ptx::space_shared);
        const unsigned bytes = (unsigned)((whole_end - whole) * sizeof(T));
        expect_bytes(s_arrived, bytes);
        if (bytes > 0) {
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s_part + whole,
                               d_in + at + whole, bytes, s_arrived);
        }
    }
    // Loads pack p, to registers. As four words, even where elements are smaller: to take these
    // apart, the loop of loads would wait for each of them.
    __device__ uint4 load(const T *d_in, int p) const
    {
        const int from = begin - p * N, to = end - p * N; // what is in the row
        if (from <= 0 && to >= N) {
            return ((const uint4 *)(d_in + at))[p];
        }
        pack_t<T> pack;
        for (int k = 0; k < N; k++) {
            pack.elem[k] = k >= from && k < to ? d_in[at + p * N + k] : (T)-INFINITY;
        }
        return *(const uint4 *)&pack;
    }
    // Stores pack p. `alike`: d_out is aligned as d_in is. If not, one by one.
    __device__ void store(T *d_out, int p, const pack_t<T> &pack, bool alike) const
    {
        const int from = begin - p * N, to = end - p * N; // what is in the row
        if (alike && from <= 0 && to >= N) {
            ((pack_t<T> *)(d_out + at))[p] = pack; // by [p]: nvcc 13 makes one store of it
            return;
        }
        for (int k = 0; k < N; k++) {
            if (k >= from && k < to) {
                d_out[at + p * N + k] = pack.elem[k];
            }
        }
    }
};

// The pair of all elements of which the lanes of a warp have pairs.
template <typename T>
__device__ pair_t warp_merge(pair_t pair)
{
    const float top = warp_max(pair.top);
    return {top, warp_sum(pair.sum * powers_t<T>::below(pair.top, top))};
}

// From a pair of each warp to that of the row, for all threads. Warp 0 merges those of its block
// and posts one to every block of the cluster, where s_posted counts the bytes. So there is no
// barrier of the cluster, and no fence. More posts would be slower: they arrive one by one.
template <typename T, unsigned WARPS>
__device__ pair_t cluster_merge(pair_t pair, pair_t *s_pair, uint64_t *s_posted)
{
    __shared__ pair_t s_warp[WARPS];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const unsigned blocks = cluster.num_blocks(), me = cluster.block_rank();
    const pair_t nothing = {-FLT_MAX, 0.0f};

    if (lane == 0) {
        s_warp[warp] = pair;
    }
    __syncthreads(); // the pairs of all warps are in place
    if (warp == 0) {
        pair = warp_merge<T>(lane < WARPS ? s_warp[lane] : nothing);
        if (lane == me) {
            s_pair[me] = pair;
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, s_posted);
        } else if (lane < blocks) {
            ptx::st_async(cluster.map_shared_rank((uint64_t *)&s_pair[me], lane),
                          *(uint64_t *)&pair, cluster.map_shared_rank(s_posted, lane));
        }
    }
    // By default it would acquire for its block; what st_async posts is released for the cluster
    // (PTX ISA, "st.async"), and another block has posted.
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, s_posted, 0)) {
    }
    return warp_merge<T>(lane < blocks ? s_pair[lane] : nothing);
}

// How a row is cut: into tiles, which a cluster takes one after the other, and those into parts of
// at most `packs` packs, one for each warp.
struct cut_t {
    unsigned tiles, packs;
};

// Blocks of an SM, as their registers allow: 40 a thread, with packs in them 64. Not all SMs that
// have clusters hold more than 24.
constexpr unsigned blocks_per_sm([[maybe_unused]] unsigned block_size, [[maybe_unused]] int held)
{
#if __CUDA_ARCH__ >= 900
    const unsigned blocks = (held == 0 ? 1536 : 1024) / block_size;
    return blocks < 24 ? blocks : 24;
#else
    return 1; // without clusters the kernel is empty
#endif
}

// Launch: a cluster for each row, of blocks of BLOCK_SIZE threads; 16 bytes of dynamic shared
// memory for each pack of a block. Reads and writes each element once if a row is one tile. Where
// HELD > 0 it must be one; of the part of each warp, each lane then has HELD packs in registers,
// and only those after them are in shared memory.
template <typename T, unsigned BLOCK_SIZE, int HELD>
__global__ void __launch_bounds__(BLOCK_SIZE, blocks_per_sm(BLOCK_SIZE, HELD))
    softmax_kernel(const T *d_in, T *d_out, size_t cols, cut_t cut)
{
#if __CUDA_ARCH__ >= 900
    using powers = powers_t<T>;
    constexpr unsigned WARPS = BLOCK_SIZE / WARP_SIZE;
    constexpr int N = pack_t<T>::N;
    extern __shared__ __align__(128) unsigned char s_parts[];
    __shared__ uint64_t s_full[WARPS], s_posted; // barriers that count bytes
    __shared__ pair_t s_pair[MOST_BLOCKS];       // one from each block of the cluster
    const unsigned lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const unsigned blocks = cg::cluster_group::num_blocks();
    const bool alike = ((size_t)d_in ^ (size_t)d_out) % 16 == 0;
    pack_t<T> *s_packs = (pack_t<T> *)s_parts + warp * cut.packs;

    const auto packs_of = [&](unsigned tile, unsigned skip, unsigned most) {
        const size_t block = (size_t)tile * blocks + cg::cluster_group::block_rank();
        const size_t first = (block * WARPS + warp) * (HELD * WARP_SIZE + cut.packs);
        return part_t<T>(d_in, blockIdx.x / blocks, cols, first + skip, most);
    };
    const auto part_of = [&](unsigned tile) { return packs_of(tile, HELD * WARP_SIZE, cut.packs); };
    const auto held_part = [&] { return packs_of(0, 0, HELD * WARP_SIZE); };
    uint4 held[HELD + 1]; // HELD may be 0
    const auto load_held = [&] {
        for (int h = 0; h < HELD; h++) {
            held[h] = held_part().load(d_in, h * WARP_SIZE + lane);
        }
    };
    if (BLOCK_SIZE <= SMALL_BLOCK) { // in larger blocks this would hold up the bulk copy
        load_held();
    }
    if (lane == 0) {
        ptx::mbarrier_init(&s_full[warp], 1);
        part_of(0).fetch(d_in, (T *)s_packs, &s_full[warp]);
    }
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_posted, 2); // this thread and, when it has its pair, this block
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        expect_bytes(&s_posted, (blocks - 1) * (unsigned)sizeof(pair_t));
    }
    if (BLOCK_SIZE > SMALL_BLOCK) {
        load_held();
    }
    const auto held_pack = [&](int h) { return *(const pack_t<T> *)&held[h]; };
    __syncwarp();                                  // the warp's barrier is set up
    ptx::barrier_cluster_arrive(ptx::sem_relaxed); // and this block's s_posted

    // Each warp has one part in shared memory, and waits here for nothing else.
    pair_t pair = {-FLT_MAX, 0.0f};
    for (unsigned tile = 0; tile < cut.tiles; tile++) {
        const int end = part_of(tile).end;
        wait_for(&s_full[warp], tile);
        float max = -INFINITY;
        for (int h = 0; h < HELD; h++) {
            max = pack_max(max, held_pack(h));
        }
#pragma unroll 2
        for (int p = lane; p * N < end; p += WARP_SIZE) {
            max = pack_max(max, s_packs[p]);
        }
        const float higher = fmaxf(pair.top, powers::top(warp_max(max)));
        pair = {higher, pair.sum * powers::below(pair.top, higher)};
        for (int h = 0; h < HELD; h++) {
            pair.sum = pack_sum(pair.sum, held_pack(h), pair.top);
        }
#pragma unroll 2
        for (int p = lane; p * N < end; p += WARP_SIZE) {
            pair.sum = pack_sum(pair.sum, s_packs[p], pair.top);
        }
        __syncwarp(); // all lanes have read
        if (lane == 0 && tile + 1 < cut.tiles) {
            part_of(tile + 1).fetch(d_in, (T *)s_packs, &s_full[warp]);
        }
    }
    pair.sum = warp_sum(pair.sum);
    ptx::barrier_cluster_wait(); // all blocks can be posted to
    pair = cluster_merge<T, WARPS>(pair, s_pair, &s_posted);

    // Backwards: the last tile is still here. Those before it are read again.
    const float scale = 1.0f / pair.sum;
    for (int h = 0; h < HELD; h++) {
        const pack_t<T> pack = pack_softmax(held_pack(h), pair.top, scale);
        held_part().store(d_out, h * WARP_SIZE + lane, pack, alike);
    }
    for (unsigned tile = cut.tiles; tile-- > 0;) {
        const part_t<T> part = part_of(tile);
        wait_for(&s_full[warp], tile); // the turns alternate as on the way here
#pragma unroll 2
        for (int p = lane; p * N < part.end; p += WARP_SIZE) {
            part.store(d_out, p, pack_softmax(s_packs[p], pair.top, scale), alike);
        }
        __syncwarp(); // all lanes have read
        if (lane == 0 && tile > 0) {
            part_of(tile - 1).fetch(d_in, (T *)s_packs, &s_full[warp]);
        }
    }
#endif
}

// The dynamic shared memory that a block may have.
static size_t most_block_bytes()
{
    int device = 0, bytes = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return bytes - STATIC_BYTES;
}

// The smallest cluster whose warps need no more than FEW_BYTES each, or one of most_blocks. If that
// one cannot hold the row, the row is cut into tiles.
template <typename T, unsigned BLOCK_SIZE, int HELD>
static cudaError_t launch_blocks(const T *d_in, T *d_out, size_t rows, size_t cols,
                                 cudaStream_t stream, unsigned most_blocks)
{
    const auto kernel = softmax_kernel<T, BLOCK_SIZE, HELD>;
    const auto divide_up = [](size_t a, size_t b) { return (a + b - 1) / b; };
    const size_t warps = BLOCK_SIZE / WARP_SIZE, few = warps * FEW_BYTES; // of a block
    const bool aligned = ((size_t)d_in | cols * sizeof(T)) % 16 == 0;
    const size_t packs = cols * sizeof(T) / 16 + (aligned ? 0 : 2); // of a row, at most
    unsigned blocks = 1;
    while (blocks < most_blocks && packs * 16 > blocks * few) {
        blocks *= 2;
    }
    size_t tiles = 1, lines = divide_up(packs, 8 * warps * blocks); // of 128 bytes, for a warp
    lines -= std::min(lines, (size_t)HELD * WARP_SIZE / 8);         // those in shared memory
    if (lines * 128 * warps > most_block_bytes()) {
        if (HELD > 0) { // takes one tile only
            return launch_blocks<T, BLOCK_SIZE, 0>(d_in, d_out, rows, cols, stream, most_blocks);
        }
        tiles = divide_up(lines * 128, FEW_BYTES);
        lines = divide_up(lines, tiles);
    }
    const unsigned bytes = (unsigned)(lines * 128 * warps);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);

    cudaLaunchAttribute asked[2] = {};
    asked[0].id = cudaLaunchAttributeClusterDimension;
    asked[0].val.clusterDim = {blocks, 1, 1};
    asked[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
    asked[1].val.clusterSchedulingPolicyPreference =
        HELD > 0 ? cudaClusterSchedulingPolicyLoadBalancing : cudaClusterSchedulingPolicyDefault;
    cudaLaunchConfig_t config = {.gridDim = blocks,
                                 .blockDim = BLOCK_SIZE,
                                 .dynamicSmemBytes = bytes,
                                 .stream = stream,
                                 .attrs = asked,
                                 .numAttrs = 1};
    int clusters = 1; // that the GPU holds at once
    if (blocks > PORTABLE_BLOCKS &&
        (cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) != cudaSuccess ||
         clusters == 0)) {
        cudaGetLastError(); // what was refused
        return launch_blocks<T, BLOCK_SIZE, HELD>(d_in, d_out, rows, cols, stream, PORTABLE_BLOCKS);
    }
    config.numAttrs = 2; // the preference too: it does not change what fits
    const cut_t cut = {(unsigned)tiles, (unsigned)lines * 8};
    const size_t most_rows = INT_MAX / blocks; // of one grid
    cudaError_t error = cudaSuccess;
    for (size_t row = 0; row < rows && error == cudaSuccess; row += most_rows) {
        config.gridDim.x = (unsigned)(rows - row < most_rows ? rows - row : most_rows) * blocks;
        error =
            cudaLaunchKernelEx(&config, kernel, d_in + row * cols, d_out + row * cols, cols, cut);
    }
    return error;
}

// True where the GPU has clusters.
static bool available()
{
    int device = 0, major = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    return major >= 9;
}

// One launch, or one for each 2^31 - 1 blocks; no scratch. The order of additions depends on cols,
// the alignment and the GPU: same bits every run. cols is not 0. hold: see HELD_FROM.
template <typename T>
static cudaError_t launch(const T *d_in, T *d_out, size_t rows, size_t cols, cudaStream_t stream,
                          bool hold = true)
{
    const size_t bytes = cols * sizeof(T);
    const bool held = hold && bytes > HELD_FROM && bytes <= HELD_UP_TO;
    auto launch_as = launch_blocks<T, 32, 0>; // all of a short row fits one warp
    if (bytes > SMALL_BLOCKS_UP_TO) {
        launch_as = held ? launch_blocks<T, LARGE_BLOCK, 10> : launch_blocks<T, LARGE_BLOCK, 0>;
    } else if (bytes > FEW_BYTES) {
        launch_as = held ? launch_blocks<T, SMALL_BLOCK, 6> : launch_blocks<T, SMALL_BLOCK, 0>;
    }
    return launch_as(d_in, d_out, rows, cols, stream, MOST_BLOCKS);
}

} // namespace cluster_softmax

#endif
