// SPDX-License-Identifier: MIT
//
// Conway's Game of Life on a torus, a byte for each cell, two boards that are swapped.
//
// COUNTS 1 global_ld_requests 864 (96 warps, 9 cells)
// COUNTS 1 global_st_sectors 192 (a warp is 2 rows of 16 bytes)
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <utility>

typedef uint8_t cell_t;
enum { W = 64, H = 48, STEPS = 12 };

__host__ __device__ inline cell_t rule(int alive, int neighbours)
{
    return neighbours == 3 || (alive && neighbours == 2);
}

template <typename Board>
__host__ __device__ cell_t next(const Board &board, int x, int y)
{
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx || dy)
                sum += board[(y + dy + H) % H * W + (x + dx + W) % W];
    return rule(board[y * W + x], sum);
}

__global__ void life(cell_t *to, const cell_t *from)
{
    const int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    to[y * W + x] = next(from, x, y);
}

int main()
{
    static cell_t board[W * H], other[W * H];
    cell_t *d_board, *d_other;
    unsigned seed = 1;
    for (auto &c : board)
        c = ((seed = seed * 1103515245u + 12345u) >> 16) % 3 == 0;
    cudaMalloc(&d_board, sizeof board);
    cudaMalloc(&d_other, sizeof board);
    cudaMemcpy(d_board, board, sizeof board, cudaMemcpyHostToDevice);
    for (int step = 0; step < STEPS; ++step) {
        dim3 block(16, 4), grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
        life<<<grid, block>>>(d_other, d_board);
        std::swap(d_board, d_other);
        for (int y = 0; y < H; ++y)
            for (int x = 0; x < W; ++x)
                other[y * W + x] = next(board, x, y);
        memcpy(board, other, sizeof board);
    }
    cudaMemcpy(other, d_board, sizeof board, cudaMemcpyDeviceToHost);
    const int wrong = memcmp(board, other, sizeof board) != 0;
    if (wrong)
        puts("the boards differ");
    cudaFree(d_board);
    cudaFree(d_other);
    return wrong;
}
