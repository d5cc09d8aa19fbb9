// SPDX-License-Identifier: MIT
//
// styles.cu - small kernels in styles that the course does not use. Their counters, as
// Nsight Compute recorded them, are compared with those of the emulator: see record.sh and
// tests/calibrate.sh.
#include <cstdio>
#include <cuda_fp16.h>

#define N 8192
#define TILE 32

// ---- transposes: a column of a tile lies in one bank, unless the rows are padded ----

template <int PAD>
__device__ void transpose_tile(const float *in, float *out, int width)
{
    __shared__ float s_tile[TILE][TILE + PAD];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8) {
        s_tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
    __syncthreads();
    const int to_x = blockIdx.y * TILE + threadIdx.x, to_y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8) {
        out[(to_y + j) * width + to_x] = s_tile[threadIdx.x][threadIdx.y + j];
    }
}

__global__ void transpose_plain(const float *in, float *out, int width)
{
    transpose_tile<0>(in, out, width);
}

__global__ void transpose_padded(const float *in, float *out, int width)
{
    transpose_tile<1>(in, out, width);
}

// Without shared memory: each store touches 32 sectors.
__global__ void transpose_direct(const float *in, float *out, int width)
{
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * width + y] = in[y * width + x];
}

// ---- neighbours ----

__global__ void stencil(const float *in, float *out, int n)
{
    __shared__ float s_row[256 + 4];
    const int i = blockIdx.x * 256 + threadIdx.x, at = threadIdx.x + 2;
    s_row[at] = in[i];
    if (threadIdx.x < 2) {
        s_row[threadIdx.x] = i >= 2 ? in[i - 2] : 0.0f;
        s_row[at + 256] = i + 256 < n ? in[i + 256] : 0.0f;
    }
    __syncthreads();
    out[i] = s_row[at - 2] + s_row[at - 1] + s_row[at] + s_row[at + 1] + s_row[at + 2];
}

// ---- prefix sums, by doubling, with two buffers ----

__global__ void scan(const int *in, int *out)
{
    __shared__ int s_sum[2][256];
    const int tid = threadIdx.x;
    int from = 0;
    s_sum[0][tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        const int value = s_sum[from][tid];
        s_sum[1 - from][tid] = tid >= d ? value + s_sum[from][tid - d] : value;
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 256 + tid] = s_sum[from][tid];
}

__global__ void scan_shuffle(const int *in, int *out)
{
    const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
    int sum = in[i];
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, sum, d);
        sum += lane >= d ? other : 0;
    }
    out[i] = sum;
}

// ---- sums of other types ----

__global__ void dot_double(const double *a, const double *b, double *out, int n)
{
    __shared__ double s_part[8];
    double sum = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        sum += a[i] * b[i];
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    }
    if (threadIdx.x % 32 == 0) {
        s_part[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        double all = 0;
        for (int w = 0; w < 8; w++) {
            all += s_part[w];
        }
        out[blockIdx.x] = all;
    }
}

__global__ void sum_half2(const __half2 *in, float *out)
{
    __shared__ float2 s_sum[128];
    const int tid = threadIdx.x;
    s_sum[tid] = __half22float2(in[blockIdx.x * 128 + tid]);
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (tid < d) {
            const float2 a = s_sum[tid], b = s_sum[tid + d];
            s_sum[tid] = make_float2(a.x + b.x, a.y + b.y);
        }
        __syncthreads();
    }
    if (tid == 0) {
        out[blockIdx.x] = s_sum[0].x + s_sum[0].y;
    }
}

// ---- structs, bytes, two dimensions ----

struct point_t {
    float x, y, z;
};

// 12 bytes a thread: three loads, each with a stride of three words.
__global__ void lengths(const point_t *points, float *out)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float x = points[i].x, y = points[i].y, z = points[i].z;
    out[i] = x * x + y * y + z * z;
}

__global__ void invert_bytes(const uchar4 *in, uchar4 *out, int n)
{
    const int i = blockIdx.x * 192 + threadIdx.x; // 192 threads: the last block is not full
    if (i < n) {
        const uchar4 c = in[i];
        out[i] = make_uchar4(255 - c.x, 255 - c.y, 255 - c.z, 255 - c.w);
    }
}

// C = A * B, 32 x 32 tiles, 1,024 threads.
__global__ void matmul(const float *a, const float *b, float *c, int width)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int tile = 0; tile < width; tile += TILE) {
        s_a[threadIdx.y][threadIdx.x] = a[y * width + tile + threadIdx.x];
        s_b[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * width + x];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < TILE; k++) {
            sum += s_a[threadIdx.y][k] * s_b[k][threadIdx.x];
        }
        __syncthreads();
    }
    c[y * width + x] = sum;
}

// Rows of 33 float4: 16 bytes a lane from shared memory, down a column.
__global__ void gather_wide(const float4 *in, float4 *out)
{
    __shared__ float4 s_rows[8][33];
    const int tid = threadIdx.x;
    s_rows[tid / 32][tid % 32] = in[tid];
    __syncthreads();
    out[tid] = s_rows[tid % 8][tid / 8];
}

// 16 bytes as one struct. Eight halves move as a whole; pairs, which have their own copy
// constructor, move one by one.
struct alignas(16) halves_t {
    half elem[8];
};
struct alignas(16) pairs_t {
    half2 pair[4];
};

template <typename T>
__global__ void copy_pack(const T *in, T *out)
{
    const T pack = in[threadIdx.x];
    out[threadIdx.x] = pack;
}

int main()
{
    char *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, N * sizeof(double));
    cudaMalloc(&d_b, N * sizeof(double));
    cudaMalloc(&d_c, N * sizeof(double));
    cudaMemset(d_a, 0, N * sizeof(double));
    cudaMemset(d_b, 0, N * sizeof(double));
    const auto in = (const float *)d_a;
    const auto out = (float *)d_c;
    transpose_plain<<<dim3(2, 2), dim3(TILE, 8)>>>(in, out, 64);
    transpose_padded<<<dim3(2, 2), dim3(TILE, 8)>>>(in, out, 64);
    transpose_direct<<<dim3(2, 8), dim3(TILE, 8)>>>(in, out, 64);
    stencil<<<N / 256, 256>>>(in, out, N);
    scan<<<N / 256, 256>>>((const int *)d_a, (int *)d_c);
    scan_shuffle<<<N / 256, 256>>>((const int *)d_a, (int *)d_c);
    dot_double<<<8, 256>>>((const double *)d_a, (const double *)d_b, (double *)d_c, N - 100);
    sum_half2<<<N / 256, 128>>>((const __half2 *)d_a, out);
    lengths<<<16, 128>>>((const point_t *)d_a, out);
    invert_bytes<<<11, 192>>>((const uchar4 *)d_a, (uchar4 *)d_c, 2000);
    matmul<<<dim3(2, 2), dim3(TILE, TILE)>>>(in, (const float *)d_b, out, 64);
    gather_wide<<<1, 256>>>((const float4 *)d_a, (float4 *)d_c);
    copy_pack<<<1, 64>>>((const halves_t *)d_a, (halves_t *)d_c);
    copy_pack<<<1, 64>>>((const pairs_t *)d_a, (pairs_t *)d_c);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "styles: %s\n", cudaGetErrorString(error));
        return 1;
    }
    return 0;
}
