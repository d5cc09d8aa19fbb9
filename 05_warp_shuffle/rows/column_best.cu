// SPDX-License-Identifier: MIT
//
// 05 column best: packs of 16 bytes, whatever the number of columns.
//
// Idea          Read as packs from the first 16-byte boundary on, the matrix has wider rows: each
//               is as many of its own rows as it takes until one begins at a boundary again.
//               A thread walks down one column of packs, 8 loads in flight, N running sums.
//               The slices of a column, and the rows that were folded, go through a second kernel.
// What was slow column_block has four elements in flight a thread, and below 32 columns idle lanes.
// Limit         The second launch. A matrix of few rows, whose width is no multiple of a pack, is
//               read element by element.
// Source        See column_naive. What was chosen below follows a sweep on an H200.
#include <algorithm>
#include <cstring>
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

#define BLOCK 256
#define LOADS 8 // in flight a thread: with 4 it waits longer

// Tiles: packs of a row that a block takes. 16 packs are 256 bytes, so that it takes 16 rows at
// once: half as many slices, and partials, as with 32. If rows are not whole tiles, wider tiles
// have fewer lines in common.
#define TILE 16
#define UNEVEN_TILE 32
#define NARROW 4 // tiles; a wide matrix has more

// Blocks an SM. 4 are resident together, and end together. A wide matrix gets 4 waves of 5, so that
// an SM that is done early takes the next block. Not so a matrix of halves, whose 2^16 columns are
// enough blocks as they are. If rows are not whole tiles, more than 3 blocks were slower.
#define BLOCKS 4
#define WIDE_BLOCKS 20
#define UNEVEN_BLOCKS 3

#define FOLD_ROWS 64     // rows for each row of partials, at least, or folding does not pay
#define FINISH_BLOCK 512 // threads of the second kernel
#define FINISH_LOADS 8

// N elements that are loaded at once.
template <typename T, unsigned N>
struct alignas(N * sizeof(T)) pack_t {
    T elem[N];
};

// A pack that is not read again: its 16 bytes need not stay in a cache. Without that hint: __ldca.
#define LOAD __ldcs
template <typename T, unsigned N>
__device__ pack_t<T, N> load(const pack_t<T, N> *d_pack)
{
    pack_t<T, N> pack;
    if constexpr (sizeof(pack) == 16) {
        const int4 bits = LOAD((const int4 *)d_pack);
        memcpy(&pack, &bits, 16);
    } else {
        pack = *d_pack;
    }
    return pack;
}

// value = op(value, other), element by element.
template <typename Op, typename A, typename T, unsigned N>
__device__ void combine(pack_t<A, N> &value, const pack_t<T, N> &other)
{
    for (unsigned k = 0; k < N; k++) {
        value.elem[k] = Op()(value.elem[k], (A)other.elem[k]);
    }
}

// The matrix as packs of N elements from element `head` on, in rows of `width` packs.
struct plan_t {
    unsigned N;
    size_t head, tail;         // elements [0, head) and [tail, n) are in no pack
    size_t width, whole, rest; // packs a row; whole rows; packs of the row after them
    unsigned tile, tiles;      // packs that a block takes of a row; blocks that share a row
    size_t slices;             // blocks that share a column of packs
    size_t partial_rows;       // rows of cols partials, or 0: the first kernel is the only one
};

// ---- the first kernel: packs to one row a slice ----

// Launch: BLOCK threads, tiles * slices blocks. Reads each pack once. Writes N elements for each
// column of packs and slice: partials, or the results. d_in: aligned to a pack.
template <typename T, typename Out, typename A, typename Op, unsigned N>
__global__ void __launch_bounds__(BLOCK) slice_kernel(const T *d_in, Out *d_out, plan_t plan)
{
    __shared__ pack_t<A, N> s_value[BLOCK];
    const unsigned high = BLOCK / plan.tile; // rows that the block takes at once
    const unsigned x = threadIdx.x % plan.tile;
    const unsigned y = threadIdx.x / plan.tile;
    const unsigned slice = blockIdx.x / plan.tiles;
    const size_t column = (size_t)(blockIdx.x % plan.tiles) * plan.tile + x; // of packs
    const bool busy = column < plan.width && y < high;

    // high = 8, 2 slices: slice 0 takes the rows 0 to 7, 16 to 23, ..., slice 1 those between.
    const size_t rows = busy ? plan.whole + (column < plan.rest) : 0;
    size_t row = (size_t)slice * high + y;
    const size_t step = plan.slices * high;
    const size_t stride = step * plan.width;
    const pack_t<T, N> *d_pack = (const pack_t<T, N> *)d_in + row * plan.width + column;

    pack_t<A, N> value;
    for (unsigned k = 0; k < N; k++) {
        value.elem[k] = Op::identity();
    }
    for (; row + (LOADS - 1) * step < rows; row += LOADS * step) {
        pack_t<T, N> pack[LOADS];
        for (unsigned j = 0; j < LOADS; j++) {
            pack[j] = load(d_pack + j * stride);
        }
        for (unsigned j = 0; j < LOADS; j++) {
            combine<Op>(value, pack[j]);
        }
        d_pack += LOADS * stride;
    }
    if (row < rows) { // the rest, all in flight as well
        pack_t<T, N> pack[LOADS - 1];
        for (unsigned j = 0; j < LOADS - 1; j++) {
            if (row + j * step < rows) {
                pack[j] = load(d_pack + j * stride);
            }
        }
        for (unsigned j = 0; j < LOADS - 1; j++) {
            if (row + j * step < rows) {
                combine<Op>(value, pack[j]);
            }
        }
    }

    s_value[threadIdx.x] = value;
    __syncthreads(); // the values of all rows of the block are in place
    for (unsigned h = high; h > 1; h = (h + 1) / 2) { // h rows become half of them, rounded up
        const unsigned half = (h + 1) / 2;
        if (y + half < h) {
            const pack_t<A, N> other = s_value[threadIdx.x + half * plan.tile];
            combine<Op>(value, other);
            s_value[threadIdx.x] = value;
        }
        __syncthreads(); // the next round reads what other warps have written
    }
    if (y == 0 && busy) {
        for (unsigned k = 0; k < N; k++) {
            d_out[(slice * plan.width + column) * N + k] = (Out)value.elem[k];
        }
    }
}

// ---- the second kernel: rows of partials, and the ends, to the results ----

// Launch: FINISH_BLOCK threads, a block for every `wide` columns, a power of two.
// Column c of the partials is column (head + c) % cols of the matrix.
template <typename T, typename A, typename Op>
__global__ void __launch_bounds__(FINISH_BLOCK)
    finish_kernel(const A *d_partials, const T *d_in, T *d_out, size_t n, size_t cols,
                  unsigned wide, plan_t plan)
{
    __shared__ A s_value[FINISH_BLOCK];
    const Op op;
    const unsigned high = FINISH_BLOCK / wide;
    const unsigned y = threadIdx.x / wide;
    const size_t c = (size_t)blockIdx.x * wide + threadIdx.x % wide;
    const size_t rows = c < cols ? plan.partial_rows : 0;

    A value = Op::identity();
    for (size_t row = y; row < rows; row += FINISH_LOADS * high) {
        A part[FINISH_LOADS];
        for (unsigned j = 0; j < FINISH_LOADS; j++) {
            const size_t from = row + j * high;
            part[j] = from < rows ? d_partials[from * cols + c] : Op::identity();
        }
        for (unsigned j = 0; j < FINISH_LOADS; j++) {
            value = op(value, part[j]);
        }
    }
    s_value[threadIdx.x] = value;
    __syncthreads(); // the values of all rows of the block are in place
    for (unsigned half = high / 2; half > 0; half /= 2) {
        if (y < half) {
            value = op(value, s_value[threadIdx.x + half * wide]);
            s_value[threadIdx.x] = value;
        }
        __syncthreads(); // the next round reads what other warps have written
    }
    if (y > 0 || c >= cols) {
        return;
    }
    const size_t column = (c + plan.head) % cols;
    for (size_t i = column; i < plan.head; i += cols) {
        value = op(value, (A)d_in[i]);
    }
    for (size_t i = plan.tail + (column + cols - plan.tail % cols) % cols; i < n; i += cols) {
        value = op(value, (A)d_in[i]);
    }
    d_out[column] = (T)value;
}

// ---- the choice, and the launches ----

// `most`: elements of a pack. `off`: elements up to the first boundary.
static plan_t make_plan(size_t rows, size_t cols, unsigned most, size_t off, size_t sms)
{
    plan_t plan = {};
    const size_t n = rows * cols;
    size_t fold = most; // 3 columns in packs of 4: 4 rows are 3 packs
    while (fold > 1 && cols * (fold / 2) % most == 0) {
        fold /= 2;
    }
    const bool fits = fold == 1 && off == 0;
    plan.N = fits || rows >= FOLD_ROWS * fold ? most : 1;
    fold = plan.N > 1 ? fold : 1;
    plan.head = plan.N > 1 ? std::min(off, n) : 0;
    const size_t packs = (n - plan.head) / plan.N;
    plan.tail = plan.head + packs * plan.N;

    plan.width = cols * fold / plan.N;
    plan.whole = packs / plan.width;
    plan.rest = packs % plan.width;

    const bool uneven = plan.N > 1 && plan.width % TILE > 0 && TILE % plan.width > 0;
    const unsigned tile = plan.N == 1 ? BLOCK : uneven ? UNEVEN_TILE : TILE; // 1: a column a thread
    plan.tiles = (unsigned)((plan.width + tile - 1) / tile);
    plan.tile = (unsigned)((plan.width + plan.tiles - 1) / plan.tiles); // 33 packs: 17 and 16
    const bool wide = !uneven && plan.tiles > NARROW;
    const bool halves = plan.N == 8;
    const size_t blocks = sms * (uneven ? UNEVEN_BLOCKS : wide && !halves ? WIDE_BLOCKS : BLOCKS);
    const size_t enough = (plan.whole + 1) / (BLOCK / plan.tile * LOADS);
    plan.slices = std::max(std::min(blocks / plan.tiles, enough), (size_t)1);
    const bool alone = plan.slices == 1 && fold == 1 && plan.head == 0 && plan.tail == n;
    plan.partial_rows = alone ? 0 : plan.slices * fold;
    return plan;
}

template <typename T, typename A, typename Op, unsigned N>
static void launch_plan(const plan_t &plan, const T *d_in, T *d_out, A *d_partials, size_t n,
                        size_t cols, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)(plan.tiles * plan.slices);
    if (plan.partial_rows == 0) {
        slice_kernel<T, T, A, Op, N><<<blocks, BLOCK, 0, stream>>>(d_in, d_out, plan);
        return;
    }
    slice_kernel<T, A, A, Op, N><<<blocks, BLOCK, 0, stream>>>(d_in + plan.head, d_partials, plan);
    unsigned high = 1; // threads a column: up to 64, each with FINISH_LOADS rows
    while (high < 64 && high * FINISH_LOADS < plan.partial_rows) {
        high *= 2;
    }
    unsigned wide = FINISH_BLOCK / high;
    while (wide > 1 && wide / 2 >= cols) {
        wide /= 2;
    }
    finish_kernel<T, A, Op><<<(unsigned)((cols + wide - 1) / wide), FINISH_BLOCK, 0, stream>>>(
        d_partials, d_in, d_out, n, cols, wide, plan);
}

// Scratch: the partials. The order of additions depends on the shape, the alignment of d_in and the
// number of SMs: same bits every run.
template <typename T, typename Op, typename A = T>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    constexpr unsigned N = 16 / sizeof(T);
    int device = 0, sms = 1; // should the queries fail, one SM's blocks still do the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);

    if (d_work == NULL) { // enough for every alignment
        *work_bytes = 0;
        for (size_t off = 0; off < 2 && cols > 0; off++) {
            const plan_t plan = make_plan(rows, cols, N, off, (size_t)sms);
            *work_bytes = std::max(*work_bytes, plan.partial_rows * cols * sizeof(A));
        }
        return cudaSuccess;
    }
    if (cols == 0) {
        return cudaSuccess;
    }
    const size_t off = (16 - (size_t)d_in % 16) % 16 / sizeof(T);
    const plan_t plan = make_plan(rows, cols, N, off, (size_t)sms);
    const auto launch_it = plan.N == 1 ? launch_plan<T, A, Op, 1> : launch_plan<T, A, Op, N>;
    launch_it(plan, (const T *)d_in, (T *)d_out, (A *)d_work, rows * cols, cols, stream);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "columns: 16 bytes a load whatever the width, slices of rows",
    .columns = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                 launch<float, min_op<float>>},
                {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                 launch<double, min_op<double>>},
                {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>},
                {launch<half, sum_op<float>, float>, launch<half, max_op<float>, float>,
                 launch<half, min_op<float>, float>}},
};
