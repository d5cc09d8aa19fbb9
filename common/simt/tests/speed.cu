// SPDX-License-Identifier: MIT
//
// speed.cu - what a stop of a lane costs the processor, all checks on, in six kernels: `speed`,
// `speed N` for N elements, or `speed N NAME` for one of them. A stop is a load, store, atomic,
// shuffle or barrier of one thread.
//
// Group: simt
// Case: speed
// Run: $WORK/speed 4096
// Case: speed_addresses - with few addresses
// Run: ulimit -v 1000000; $WORK/speed 4096
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>

#include "check.h"

enum { BLOCK = 256, TILE = 16, BINS = 256, SAMPLES = 5 };

static __global__ void addition(const float *a, const float *b, float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

static __global__ void scattered_read(const float *a, const float *, float *c, size_t n)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x, count = (unsigned)n;
    if (i < n)
        c[i] = a[i * 2654435761u % count] + a[i * 2246822519u % count];
}

static __global__ void histogram(const float *a, const float *, float *c, size_t n)
{
    __shared__ unsigned s_bins[BINS];
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    s_bins[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&s_bins[(unsigned)a[i] % BINS], 1);
    __syncthreads();
    atomicAdd((unsigned *)c + threadIdx.x, s_bins[threadIdx.x]);
}

// Square matrices, with as many rows as give n elements in all.
static __global__ void tiled_product(const float *a, const float *b, float *c, size_t n)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    const unsigned side = TILE * gridDim.x, tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (unsigned t = 0; t < side && side * side <= n; t += TILE) {
        s_a[ty][tx] = a[row * side + t + tx];
        s_b[ty][tx] = b[(t + ty) * side + col];
        __syncthreads();
        for (unsigned k = 0; k < TILE; k++)
            sum += s_a[ty][k] * s_b[k][tx];
        __syncthreads();
    }
    c[row * side + col] = sum;
}

static __global__ void shuffle(const float *a, const float *, float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    float sum = i < n ? a[i] : 0;
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0)
        c[i / 32] = sum;
}

static __global__ void tree(const float *a, const float *, float *c, size_t n)
{
    __shared__ float s_sum[BLOCK];
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    s_sum[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        c[blockIdx.x] = s_sum[0];
}

static const struct test {
    const char *name;
    void (*kernel)(const float *a, const float *b, float *c, size_t n);
    double stops; // of an element
} tests[] = {
    {"addition", addition, 3},
    {"scattered read", scattered_read, 3},
    {"histogram", histogram, 7},
    {"tiled product", tiled_product, 0}, // the side counts
    {"shuffle", shuffle, 6 + 1.0 / 32},
    // BLOCK - 1 threads add, with 3 stops; all meet at 9 barriers
    {"tree", tree, 2 + 9 + (3.0 * (BLOCK - 1) + 2) / BLOCK},
};

static double seconds()
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static double fastest(const struct test *t, dim3 grid, dim3 block, float *d_data, size_t n)
{
    double least = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double start = seconds();
        t->kernel<<<grid, block>>>(d_data, d_data + n, d_data + 2 * n, n);
        CHECK(cudaDeviceSynchronize());
        const double time = seconds() - start;
        least = sample == 0 || time < least ? time : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? strtoull(argv[1], nullptr, 10) : 1 << 19;
    float *d_data;
    unsigned side = TILE;
    EXPECT(n >= BLOCK && n % BLOCK == 0);
    while ((size_t)(side + TILE) * (side + TILE) <= n / 16) // its work grows faster
        side += TILE;
    CHECK(cudaMalloc(&d_data, 3 * n * sizeof(float)));
    CHECK(cudaMemset(d_data, 0, 3 * n * sizeof(float)));
    printf("%-16s%10s%10s\n", "kernel", "ms", "ns/stop");
    for (const struct test &t : tests) {
        if (argc > 2 && strcmp(t.name, argv[2]) != 0)
            continue;
        const bool product = t.stops == 0;
        const dim3 grid = product ? dim3(side / TILE, side / TILE) : dim3((unsigned)(n / BLOCK));
        const dim3 block = product ? dim3(TILE, TILE) : dim3(BLOCK);
        const double per_tile = 2 + 2 + 2 + 2 * TILE; // loads, stores, barriers, reads
        const double stops =
            product ? (double)side * side * (side / TILE * per_tile + 1) : t.stops * (double)n;
        const double time = fastest(&t, grid, block, d_data, n);
        printf("%-16s%10.1f%10.1f\n", t.name, time * 1e3, time * 1e9 / stops);
    }
    CHECK(cudaFree(d_data));
    return 0;
}
