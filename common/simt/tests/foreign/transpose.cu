// SPDX-License-Identifier: MIT
//
// Matrix transpose through a shared tile, with 32 and with 33 columns, and without a tile.
//
// COUNTS 1 global_st_requests 480 (15 blocks of 8 warps, 4 stores each)
// COUNTS 1 global_st_sectors 15360 (a column: 32 sectors for each)
// COUNTS 2 global_st_sectors 1920 (a row: 4 sectors for each)
// COUNTS 2 shared_ld_wavefronts 15360 (a column of the tile lies in one bank: 32 for each)
// COUNTS 3 shared_ld_wavefronts 480 (33 columns: all 32 banks, 1 for each)
// COUNTS 3 shared_wavefronts 960 (and 1 for each store)
#include <cstdio>
#include <vector>

constexpr int TILE_DIM = 32;
constexpr int BLOCK_ROWS = 8;

__global__ void transposeNaive(float *odata, const float *idata, int width, int height)
{
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height)
            odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

template <int PAD>
__global__ void transposeTile(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + PAD];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];

    __syncthreads();

    x = blockIdx.y * TILE_DIM + threadIdx.x; // the block's place in the transposed matrix
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width)
            odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main()
{
    const int width = 160, height = 96;
    const size_t bytes = sizeof(float) * width * height;
    std::vector<float> in(width * height), out(width * height);
    for (int i = 0; i < width * height; ++i)
        in[i] = static_cast<float>(i);

    float *d_in, *d_out;
    if (cudaMalloc(&d_in, bytes) != cudaSuccess || cudaMalloc(&d_out, bytes) != cudaSuccess)
        return 1;
    cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);

    dim3 dimBlock(TILE_DIM, BLOCK_ROWS);
    dim3 dimGrid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);
    for (int variant = 0; variant < 3; ++variant) {
        cudaMemset(d_out, 0, bytes);
        if (variant == 0)
            transposeNaive<<<dimGrid, dimBlock>>>(d_out, d_in, width, height);
        else if (variant == 1)
            transposeTile<0><<<dimGrid, dimBlock>>>(d_out, d_in, width, height);
        else
            transposeTile<1><<<dimGrid, dimBlock>>>(d_out, d_in, width, height);
        cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                if (out[x * height + y] != in[y * width + x]) {
                    std::printf("variant %d is wrong at %d, %d\n", variant, x, y);
                    return 1;
                }
    }
    cudaFree(d_in);
    cudaFree(d_out);
    return cudaGetLastError() != cudaSuccess;
}
