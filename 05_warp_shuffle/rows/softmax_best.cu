// SPDX-License-Identifier: MIT
//
// 05 softmax best: a row stays in registers, so it is read once.
//
// Idea          A thread holds 32 bytes of its row; only if a block could not have enough
//               threads it holds more, up to 32 elements. Their exponentials take their place: one
//               for each. A row has 8, 16 or 32 lanes, or a block with as many warps as hold it. A
//               longer row stays in the shared memory of a cluster of blocks, if the GPU has
//               clusters: see softmax_cluster. If not, it goes through the registers in tiles:
//               maximum and sum in the online form, then a second read, from the row's end, which
//               was read last and may still be in L2.
// What was slow softmax reads each row twice, 4 bytes a load, and takes each exponential twice.
// What is slow  Rows that fit registers and do not start on 16 bytes go element by element.
// Source        OneFlow's softmax keeps short rows in registers too; the shapes here are our own.
#include <cfloat>
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"
#if CUDART_VERSION >= 12060 // before it cuda::ptx lacks bulk copies
#include "softmax_cluster.cuh"
#endif

#define WARP_SIZE 32
#define GROUP_BLOCK 128  // threads of a block that holds several rows
#define FEWEST 8         // threads a row, and elements a thread; from here they double
#define GOOD_BYTES 32    // a thread: longer rows get more threads, up to
#define GOOD_THREADS 512 // these; then more elements a thread; then still more threads
#define MOST_HELD 32     // elements; 1024 threads have 64 registers each
#define MOST_THREADS 1024

// The longest row that does not go to a cluster, if the GPU has clusters. Longer ones would fit
// registers as well, but only one or two of them an SM, and with few bytes in flight.
#define IN_REGISTERS_F32 16384
#define IN_REGISTERS_F16 8192

// N elements that are loaded and stored at once.
template <typename T, unsigned N>
struct alignas(N * sizeof(T)) pack_t {
    T elem[N];
};

// A NaN may lose here: its exponential is NaN, and so is the sum of its row.
struct larger_op {
    __device__ static float identity() { return -INFINITY; }
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// exp(x - max). The difference comes first: for a large max a fused x * log2(e) - max * log2(e)
// would be the difference of two rounding errors.
__device__ float exponential(float x, float max)
{
    const float log2_e = 1.44269504f;
    return exp2f((x - max) * log2_e);
}

// Reduces over the threads of a row: THREADS neighbouring lanes, or a whole block of at most
// THREADS. All of them get the result. All threads of a block must call it, once for each Op: every
// Op has its own s_warp.
template <unsigned THREADS, typename Op>
__device__ float row_reduce(float value)
{
    constexpr unsigned LANES = THREADS < WARP_SIZE ? THREADS : WARP_SIZE;
    constexpr unsigned WARPS = THREADS / LANES;
    const unsigned lane = threadIdx.x % WARP_SIZE;

    for (unsigned offset = LANES / 2; offset > 0; offset /= 2) {
        value = Op()(value, __shfl_xor_sync(0xffffffff, value, offset)); // mask: no lane has left
    }
    if (WARPS > 1) {
        __shared__ float s_warp[WARPS];
        if (lane == 0) {
            s_warp[threadIdx.x / WARP_SIZE] = value;
        }
        __syncthreads(); // the results of all warps are in place
        const bool there = lane % WARPS < blockDim.x / WARP_SIZE;
        value = there ? s_warp[lane % WARPS] : Op::identity();
        for (unsigned offset = WARPS / 2; offset > 0; offset /= 2) {
            value = Op()(value, __shfl_xor_sync(0xffffffff, value, offset)); // mask: all 32 lanes
        }
    }
    return value;
}

// HELD elements of a row in the registers of thread i: its packs i, i + threads, ... of a tile of
// threads * HELD elements. All loops have fixed ends and are unrolled: registers have no index.
template <typename T, unsigned N, unsigned HELD>
struct tile_t {
    using P = pack_t<T, N>;
    static constexpr int PACKS = HELD / N;
    const unsigned threads;
    float x[HELD];

    __device__ explicit tile_t(unsigned threads) : threads(threads) {}

    // Loads from a tile of n elements; returns the largest. No element: -Infinity, whose
    // exponential adds nothing.
    __device__ float load(const T *d_tile, unsigned n, unsigned i)
    {
        const int left = (int)n - (int)(i * N); // elements from the thread's first one to the end
        P pack[PACKS];
        for (int p = 0; p < PACKS; p++) {
            for (unsigned k = 0; k < N; k++) {
                pack[p].elem[k] = (T)-INFINITY;
            }
            if (p * (int)(threads * N) < left) {
                pack[p] = ((const P *)d_tile)[i + p * threads];
            }
        }
        float max = -INFINITY;
        for (unsigned k = 0; k < HELD; k++) {
            x[k] = (float)pack[k / N].elem[k % N];
            max = fmaxf(max, x[k]);
        }
        return max;
    }

    // Turns each x into exp(x - max); returns their sum.
    __device__ float to_exponentials(float max)
    {
        float sum = 0.0f;
        for (unsigned k = 0; k < HELD; k++) {
            x[k] = exponential(x[k], max);
            sum += x[k];
        }
        return sum;
    }

    // Stores scale * x to a tile of n elements.
    __device__ void store(T *d_tile, unsigned n, unsigned i, float scale) const
    {
        const int left = (int)n - (int)(i * N);
        for (int p = 0; p < PACKS; p++) {
            P pack;
            for (unsigned k = 0; k < N; k++) {
                pack.elem[k] = (T)(x[p * N + k] * scale);
            }
            if (p * (int)(threads * N) < left) {
                ((P *)d_tile)[i + p * threads] = pack;
            }
        }
    }
};

// Threads of a block for rows of `cols`. Neighbouring lanes: as many as several rows need. A whole
// block: as many warps as hold the row, so that few lanes are idle.
template <unsigned THREADS, unsigned HELD>
static unsigned block_size(size_t cols)
{
    const size_t of_warp = WARP_SIZE * HELD;
    return THREADS <= WARP_SIZE ? GROUP_BLOCK
                                : WARP_SIZE * (unsigned)((cols + of_warp - 1) / of_warp);
}

// A row of at most THREADS * HELD elements. Launch: block_size threads a block, THREADS a row or,
// where these are more than a warp, the block. Reads and writes each element once. Where N > 1,
// d_in and d_out must be aligned to a pack and cols be a multiple of N.
template <typename T, unsigned N, unsigned THREADS, unsigned HELD>
__global__ void __launch_bounds__(THREADS > WARP_SIZE ? THREADS : GROUP_BLOCK)
    held_kernel(const T *d_in, T *d_out, size_t rows, size_t cols)
{
    constexpr bool WHOLE = THREADS > WARP_SIZE; // a row has the whole block
    constexpr size_t ROWS = WHOLE ? 1 : GROUP_BLOCK / THREADS;
    const unsigned i = WHOLE ? threadIdx.x : threadIdx.x % THREADS;
    const size_t row = blockIdx.x * ROWS + (WHOLE ? 0 : threadIdx.x / THREADS);
    const unsigned n = row < rows ? (unsigned)cols : 0; // after the last row: no element
    tile_t<T, N, HELD> tile(WHOLE ? blockDim.x : THREADS);

    const float max = row_reduce<THREADS, larger_op>(tile.load(d_in + row * cols, n, i));
    const float sum = row_reduce<THREADS, sum_op<float>>(tile.to_exponentials(max));
    tile.store(d_out + row * cols, n, i, 1.0f / sum);
}

// A row of any length. Launch: MOST_THREADS threads a block, one block a row. Reads each element
// twice. N as above. -FLT_MAX: a thread that has met only -Infinity would find -Infinity -
// -Infinity, NaN.
template <typename T, unsigned N>
__global__ void __launch_bounds__(MOST_THREADS) long_kernel(const T *d_in, T *d_out, size_t cols)
{
    const size_t length = MOST_THREADS * MOST_HELD, row = blockIdx.x;
    const T *d_row = d_in + row * cols;
    tile_t<T, N, MOST_HELD> tile(MOST_THREADS);
    float max = -FLT_MAX, sum = 0.0f; // of this thread: the sum of exp(x - max)

    size_t first = 0;
    for (; first < cols; first += length) {
        const unsigned n = (unsigned)min(cols - first, length);
        const float larger = fmaxf(max, tile.load(d_row + first, n, threadIdx.x));
        sum = sum * exponential(max, larger) + tile.to_exponentials(larger);
        max = larger;
    }
    const float row_max = row_reduce<MOST_THREADS, larger_op>(max);
    sum = row_reduce<MOST_THREADS, sum_op<float>>(sum * exponential(max, row_max));
    while (first > 0) {
        first -= length;
        const unsigned n = (unsigned)min(cols - first, length);
        tile.load(d_row + first, n, threadIdx.x);
        tile.to_exponentials(row_max);
        tile.store(d_out + row * cols + first, n, threadIdx.x, 1.0f / sum);
    }
}

// Where a row is longer: GOOD_BYTES a thread, then GOOD_THREADS, then more elements, then still
// more threads.
template <typename T, unsigned N, unsigned THREADS = FEWEST, unsigned HELD = FEWEST>
static void launch_rows(const T *d_in, T *d_out, size_t rows, size_t cols, cudaStream_t stream)
{
    if (cols <= THREADS * HELD) {
        const unsigned block = block_size<THREADS, HELD>(cols);
        const unsigned block_rows = THREADS > WARP_SIZE ? 1 : GROUP_BLOCK / THREADS;
        const unsigned blocks = (unsigned)((rows + block_rows - 1) / block_rows);
        held_kernel<T, N, THREADS, HELD><<<blocks, block, 0, stream>>>(d_in, d_out, rows, cols);
    } else if constexpr (HELD * sizeof(T) < GOOD_BYTES) {
        launch_rows<T, N, THREADS, 2 * HELD>(d_in, d_out, rows, cols, stream);
    } else if constexpr (THREADS < GOOD_THREADS) {
        launch_rows<T, N, 2 * THREADS, HELD>(d_in, d_out, rows, cols, stream);
    } else if constexpr (HELD < MOST_HELD) {
        launch_rows<T, N, THREADS, 2 * HELD>(d_in, d_out, rows, cols, stream);
    } else if constexpr (THREADS < MOST_THREADS) {
        launch_rows<T, N, 2 * THREADS, HELD>(d_in, d_out, rows, cols, stream);
    } else {
        long_kernel<T, N><<<(unsigned)rows, MOST_THREADS, 0, stream>>>(d_in, d_out, cols);
    }
}

// One launch, no scratch. The order of additions depends on cols and the alignment: same bits every
// run. At most 2^31 - 1 blocks, so as many rows that need more than a warp.
template <typename T>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (rows == 0 || cols == 0) {
        return cudaSuccess;
    }
#if CUDART_VERSION >= 12060
    const size_t longest = sizeof(T) == 4 ? IN_REGISTERS_F32 : IN_REGISTERS_F16;
    if (cols > longest && cluster_softmax::available()) {
        return cluster_softmax::launch((const T *)d_in, (T *)d_out, rows, cols, stream);
    }
#endif
    const unsigned N = 16 / sizeof(T);
    const bool packed = cols % N == 0 && ((size_t)d_in | (size_t)d_out) % 16 == 0;
    const auto launch_n = packed ? launch_rows<T, N> : launch_rows<T, 1>;
    launch_n((const T *)d_in, (T *)d_out, rows, cols, stream);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "softmax: a row is held in registers between its one read and its one write",
    .softmax = {launch<float>, NULL, NULL, launch<half>},
};
