// SPDX-License-Identifier: MIT
//
// 05 row best: each row of a matrix to one value, by as many threads as its length asks for.
//
// Idea          Short rows: a group of 1 to 32 lanes a row, as many as it has packs, and two rows
//               in flight. Long rows: a block a row. From 256 KiB on: several blocks a row, whose
//               partials are rows once more. For small matrices the launches of a stream overlap,
//               as in best of faster; large ones are cut into tiles, in the order of memory.
// What was slow A warp a row leaves lanes idle where a row is short: at 32 columns 24 of 32. A
//               block a row leaves SMs idle if there are few rows.
// Limit         If short rows are not a multiple of 16 bytes, or d_in is not at one, elements are
//               loaded one by one.
// Source        OneFlow's softmax picks warp or block by the length of the row; the rest is ours.
#include <algorithm>
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define GROUP_BLOCK 256   // threads of a block that holds groups
#define LONG_ROW 2048     // bytes; from here on a row gets a block
#define MANY_ROWS 8       // an SM: so many rows give groups 2 * LONG_ROW, see DEEPER
#define MOST_WARPS 32     // of that block, and half of it where SMs have several; a power of two
#define CUT_ROW 262144    // bytes; from here on pieces of a row repay a second launch
#define LEAST_PIECE 16384 // bytes
#define BLOCKS_PER_SM 2   // at most, by cutting rows into pieces
#define TILE 32768        // bytes of a piece where the matrix is larger than TILED_BEYOND
#define TILED_BEYOND ((size_t)32 << 20) // bytes
#define LONG_PIECE 65536 // bytes; beyond them a block goes round its piece more than once
#define LOADS 4          // packs that a thread of a long row has in flight
// Launches of a stream overlap up to this many bytes, and blocks an SM. Beyond them it is slower.
#define EARLY_UP_TO ((size_t)16 << 20)
#define EARLY_BLOCKS 8

// N elements that are loaded at once.
template <typename T, unsigned N>
struct alignas(N * sizeof(T)) pack_t {
    T elem[N];
};

// `value` and the elements of a pack.
template <typename T, typename A, typename Op, unsigned N>
__device__ A pack_reduce(A value, const pack_t<T, N> &pack)
{
    for (unsigned k = 0; k < N; k++) {
        value = Op()(value, (A)pack.elem[k]);
    }
    return value;
}

// Reduces over `lanes` neighbouring lanes, a power of two; the first of them gets the result.
template <typename A, typename Op>
__device__ A group_reduce(A value, unsigned lanes)
{
    const Op op;
    for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_down_sync(0xffffffff, value, offset));
    }
    return value;
}

// When the next launch of the stream may start, unless launches NEVER overlap. AT_END needs no
// call, because a block that has ended counts. Only speed depends on it: each launch waits for
// the one before it, in await_last().
enum next_t { NEVER, AT_ONCE, AFTER_LOADS, AT_END };

// Before the first access of memory: waits until the launch before this one has ended and what it
// wrote can be read.
static __device__ void await_last([[maybe_unused]] next_t next)
{
#if __CUDA_ARCH__ >= 900
    if (next != NEVER) {
        cudaGridDependencySynchronize();
    }
#endif
}

// When all blocks have been here with `now`, or have ended, the next launch may start.
static __device__ void let_next([[maybe_unused]] bool now)
{
#if __CUDA_ARCH__ >= 900
    if (now) {
        cudaTriggerProgrammaticLaunchCompletion();
    }
#endif
}

// `lanes` lanes a row, ROWS rows at once. Launch: GROUP_BLOCK threads a block, a group for every
// ROWS rows. Where N > 1, d_in must be aligned to a pack and cols be a multiple of N. UNROLL turns
// of the loop have their loads in flight together.
template <typename T, typename Out, typename A, typename Op, unsigned N, unsigned UNROLL>
__global__ void __launch_bounds__(GROUP_BLOCK)
    group_kernel(const T *d_in, Out *d_out, size_t rows, size_t cols, unsigned lanes, next_t next)
{
    constexpr unsigned ROWS = N > 1 ? 2 : 8;
    const size_t groups = GROUP_BLOCK / lanes;
    const size_t first = blockIdx.x * groups * ROWS + threadIdx.x / lanes;
    const unsigned lane = threadIdx.x % lanes;

    await_last(next);
    A value[ROWS];
    for (unsigned r = 0; r < ROWS; r++) {
        value[r] = Op::identity();
    }
#pragma unroll UNROLL
    for (size_t p = lane; p < cols / N; p += lanes) {
        pack_t<T, N> pack[ROWS];
        for (unsigned r = 0; r < ROWS; r++) {
            if (first + r * groups < rows) {
                pack[r] = ((const pack_t<T, N> *)(d_in + (first + r * groups) * cols))[p];
            }
        }
        for (unsigned r = 0; r < ROWS; r++) {
            if (first + r * groups < rows) {
                value[r] = pack_reduce<T, A, Op>(value[r], pack[r]);
            }
        }
    }
    let_next(next == AFTER_LOADS);

    for (unsigned r = 0; r < ROWS; r++) {
        value[r] = group_reduce<A, Op>(value[r], lanes);
        if (lane == 0 && first + r * groups < rows) {
            d_out[first + r * groups] = (Out)value[r];
        }
    }
}

// A block for each piece of a row, of `length` elements, less than 2^32; the last may have fewer.
// Launch: whole warps, a grid of rows x pieces, or where `along` of pieces x rows: then blocks that
// run at the same time read neighbouring memory. WHOLE: d_in is aligned to a pack, and a row is
// whole packs. Then there is no head and no tail.
template <typename T, typename Out, typename A, typename Op, bool WHOLE>
__global__ void __launch_bounds__(MOST_WARPS *WARP_SIZE)
    piece_kernel(const T *d_in, Out *d_out, size_t cols, unsigned length, bool along, next_t next)
{
    constexpr unsigned N = 16 / sizeof(T);
    __shared__ A s_warp[MOST_WARPS];
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t row = along ? blockIdx.y : blockIdx.x;
    const size_t piece = along ? blockIdx.x : blockIdx.y;
    const size_t begin = piece * length;
    const unsigned n = (unsigned)min((size_t)length, cols - begin);
    const T *d_piece = d_in + row * cols + begin;

    // A head up to the first 16-byte boundary, whole packs, a tail, as in 04.
    const unsigned head = WHOLE ? 0 : min((unsigned)(-(size_t)d_piece % 16 / sizeof(T)), n);
    const unsigned packs = (n - head) / N, tail = head + packs * N;
    const pack_t<T, N> *d_packs = (const pack_t<T, N> *)(d_piece + head);

    await_last(next);
    let_next(next == AT_ONCE);
    A value = Op::identity();
    unsigned p = tid;
    for (; p + (LOADS - 1) * blockDim.x < packs; p += LOADS * blockDim.x) {
        pack_t<T, N> pack[LOADS];
        for (unsigned j = 0; j < LOADS; j++) {
            pack[j] = d_packs[p + j * blockDim.x];
        }
        for (unsigned j = 0; j < LOADS; j++) {
            value = pack_reduce<T, A, Op>(value, pack[j]);
        }
    }
    if (p < packs) { // the last packs of this thread, at most LOADS - 1: they too all at once
        pack_t<T, N> pack[LOADS - 1];
        for (unsigned j = 0; j < LOADS - 1; j++) {
            if (p + j * blockDim.x < packs) {
                pack[j] = d_packs[p + j * blockDim.x];
            }
        }
        for (unsigned j = 0; j < LOADS - 1; j++) {
            if (p + j * blockDim.x < packs) {
                value = pack_reduce<T, A, Op>(value, pack[j]);
            }
        }
    }
    if constexpr (!WHOLE) {
        if (tid < head) {
            value = op(value, (A)d_piece[tid]);
        }
        if (tid < n - tail) {
            value = op(value, (A)d_piece[tail + tid]);
        }
    }
    let_next(next == AFTER_LOADS);

    value = group_reduce<A, Op>(value, WARP_SIZE);
    if (tid % WARP_SIZE == 0) {
        s_warp[tid / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
    if (tid < WARP_SIZE) {
        value = tid < blockDim.x / WARP_SIZE ? s_warp[tid] : Op::identity();
        value = group_reduce<A, Op>(value, MOST_WARPS);
    }
    if (tid == 0) {
        d_out[row * (along ? gridDim.x : gridDim.y) + piece] = (Out)value;
    }
}

// Where kernels are launched, and whether they overlap where blocks are few.
struct queue_t {
    cudaStream_t stream;
    size_t sms;
    bool overlap;

    template <typename Kernel, typename... Params>
    void launch(next_t next, Kernel kernel, dim3 blocks, unsigned block, Params... params) const
    {
        const bool early = overlap && (size_t)blocks.x * blocks.y <= sms * EARLY_BLOCKS;
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = blocks;
        config.blockDim = block;
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = early;
        cudaLaunchKernelEx(&config, kernel, params..., early ? next : NEVER);
    }
};

// A block has a thread for every LOADS packs of its piece, if it may have so many. If no SM has two
// blocks, the next launch fits beside this one, and may start at once.
template <typename T, typename Out, typename A, typename Op>
static void launch_pieces(const T *d_in, Out *d_out, size_t rows, size_t cols, size_t length,
                          bool along, const queue_t &queue)
{
    const size_t pieces = (cols + length - 1) / length;
    const dim3 blocks((unsigned)(along ? pieces : rows), (unsigned)(along ? rows : pieces));
    const size_t bytes = length * sizeof(T); // of a piece
    const size_t warps = (bytes / (LOADS * 16) + WARP_SIZE - 1) / WARP_SIZE;
    const bool apart = rows * pieces <= queue.sms; // a block an SM
    const size_t most = apart ? MOST_WARPS : MOST_WARPS / 2;
    const unsigned block = (unsigned)std::min(warps, most) * WARP_SIZE;
    const next_t next = apart ? AT_ONCE : bytes > LONG_PIECE ? AT_END : AFTER_LOADS;
    const bool whole = ((size_t)d_in | cols * sizeof(T)) % 16 == 0;
    const auto kernel =
        whole ? piece_kernel<T, Out, A, Op, true> : piece_kernel<T, Out, A, Op, false>;
    queue.launch(next, kernel, blocks, block, d_in, d_out, cols, (unsigned)length, along);
}

// Groups for short rows, in packs where every row allows it.
template <typename T, typename Out, typename A, typename Op>
static void launch_groups(const T *d_in, Out *d_out, size_t rows, size_t cols, const queue_t &queue)
{
    constexpr unsigned N = 16 / sizeof(T);
    const bool packed = cols % N == 0 && (size_t)d_in % 16 == 0;
    const size_t packs = packed ? cols / N : cols;
    unsigned lanes = 1;
    while (lanes < WARP_SIZE && lanes < packs) {
        lanes *= 2;
    }
    const size_t block_rows = GROUP_BLOCK / lanes * (packed ? 2 : 8);
    const unsigned blocks = (unsigned)((rows + block_rows - 1) / block_rows);
    // Out of memory the loads of four turns at once pay, if a lane has so many turns.
    const bool unroll = packs >= 4 * WARP_SIZE && rows * cols * sizeof(T) > TILED_BEYOND;
    const auto kernel = !packed  ? group_kernel<T, Out, A, Op, 1, 1>
                        : unroll ? group_kernel<T, Out, A, Op, N, 4>
                                 : group_kernel<T, Out, A, Op, N, 1>;
    queue.launch(AFTER_LOADS, kernel, blocks, GROUP_BLOCK, d_in, d_out, rows, cols, lanes);
}

// Whole rows: rows of `long_row` bytes get a block, shorter ones a group of lanes.
template <typename T, typename Out, typename A, typename Op>
static void launch_rows(const T *d_in, Out *d_out, size_t rows, size_t cols, size_t long_row,
                        const queue_t &queue)
{
    if (cols * sizeof(T) < long_row) {
        launch_groups<T, Out, A, Op>(d_in, d_out, rows, cols, queue);
    } else {
        launch_pieces<T, Out, A, Op>(d_in, d_out, rows, cols, cols, false, queue);
    }
}

// Scratch: one value a piece where a row is cut into pieces. The order of additions depends on the
// shape, the alignment of d_in and the number of SMs: same bits every run.
template <typename T, typename Op, typename A = T>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    int device = 0, sms = 0, major = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);

    // Tiles in the order of memory are fastest where memory sets the pace. Smaller matrices want
    // large pieces. And many short rows are done sooner by groups than by as many small blocks.
    const size_t row_bytes = cols * sizeof(T), bytes = rows * row_bytes;
    const bool tiled = bytes > TILED_BEYOND && row_bytes >= CUT_ROW && rows <= 65535;
    const bool many = rows >= (size_t)sms * MANY_ROWS;
    const size_t long_row = many ? 2 * LONG_ROW : LONG_ROW;
    size_t length = cols; // below 2^32: no memory holds such a row for each SM
    if (tiled) {
        length = TILE / sizeof(T);
    } else if (row_bytes >= CUT_ROW && rows > 0 && rows < (size_t)sms) {
        const size_t most = std::min(sms * BLOCKS_PER_SM / rows, row_bytes / LEAST_PIECE);
        length = (cols + most - 1) / most;
        length = (length + 1023) / 1024 * 1024; // each piece is aligned as the row is
    }
    const size_t pieces = cols > 0 ? (cols + length - 1) / length : 1;
    if (d_work == NULL) {
        *work_bytes = pieces > 1 ? rows * pieces * sizeof(A) : 0;
        return cudaSuccess;
    }
    if (rows == 0) {
        return cudaSuccess;
    }
    const T *d_src = (const T *)d_in;
    T *d_dst = (T *)d_out;
    A *d_part = (A *)d_work;
    const queue_t queue = {stream, (size_t)sms, major >= 9 && bytes <= EARLY_UP_TO};
    if (pieces == 1) {
        launch_rows<T, T, A, Op>(d_src, d_dst, rows, cols, long_row, queue);
    } else {
        launch_pieces<T, A, A, Op>(d_src, d_part, rows, cols, length, tiled, queue);
        launch_rows<A, T, A, Op>(d_part, d_dst, rows, pieces, long_row, queue);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "rows: a group of lanes, a block or several blocks a row, by its length",
    .rows = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
              launch<float, min_op<float>>},
             {launch<double, sum_op<double>>, launch<double, max_op<double>>,
              launch<double, min_op<double>>},
             {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>},
             {launch<half, sum_op<float>, float>, launch<half, max_op<float>, float>,
              launch<half, min_op<float>, float>}},
};
