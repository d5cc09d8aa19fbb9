// SPDX-License-Identifier: MIT
//
// Loops as people write them for speed: unrolled, with several loads in flight, pipelined, with
// moving pointers, downwards. Whatever counters a compiler keeps in registers, each access must
// still be seen alone. One warp takes 1024 elements, 32 a request, or 32 packs.
//
// COUNTS 1 global_ld_requests 32 (unrolled by four, by hand)
// COUNTS 2 global_ld_requests 8 (two packs in flight)
// COUNTS 3 global_ld_requests 8 (four packs in flight, in an array)
// COUNTS 4 global_ld_requests 33 (pipelined: one before the loop, and one that is not used)
// COUNTS 5 global_ld_requests 32 (two pointers that walk towards each other)
// COUNTS 6 global_ld_requests 32 (unrolled by the compiler, doubles)
// COUNTS 7 global_ld_requests 64 (two arrays, pipelined by two)
// COUNTS 8 global_ld_requests 8 (packs downwards, 32-bit index)
// COUNTS 9 global_ld_requests 32 (two loops, one in the other)
// COUNTS 10 shared_ld_requests 62 (a tree in shared memory, unrolled, two arrays; the result)
// COUNTS 10 shared_st_requests 62
#include <cstdio>
#include <cstdlib>

constexpr int n = 1024;

__global__ void by_hand(const float *in, float *out)
{
    float a = 0, b = 0, c = 0, d = 0;
    size_t i = threadIdx.x;
    for (; i + 96 < n; i += 128) {
        a += in[i];
        b += in[i + 32];
        c += in[i + 64];
        d += in[i + 96];
    }
    out[threadIdx.x] = (a + b) + (c + d);
}

__global__ void two_packs(const float *in, float *out)
{
    const float4 *packs = reinterpret_cast<const float4 *>(in);
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0;
    for (size_t p = threadIdx.x; p + stride < n / 4; p += 2 * stride) {
        const float4 a = packs[p], b = packs[p + stride];
        sum += ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w));
    }
    out[threadIdx.x] = sum;
}

struct alignas(16) pack {
    int v[4];
};

__global__ void four_packs(const pack *in, float *out)
{
    int sum = 0;
    for (unsigned p = threadIdx.x; p < n / 4; p += 4 * blockDim.x) {
        pack held[4];
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            held[k] = in[p + k * blockDim.x];
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            for (unsigned j = 0; j < 4; j++)
                sum += held[k].v[j];
    }
    out[threadIdx.x] = (float)sum;
}

__global__ void pipelined(const float *in, float *out)
{
    size_t i = threadIdx.x;
    float next = in[i], sum = 0;
    for (; i < n; i += 32) {
        const float now = next;
        next = in[i + 32];
        sum += now;
    }
    out[threadIdx.x] = sum;
}

__global__ void walking(const float *in, float *out)
{
    const float *low = in + threadIdx.x, *high = in + n - 32 + threadIdx.x;
    float sum = 0;
    do {
        sum += *low + *high;
        low += 32;
        high -= 32;
    } while (low < high);
    out[threadIdx.x] = sum;
}

__global__ void by_compiler(const double *in, float *out)
{
    double sum = 0;
#pragma unroll 8
    for (int i = (int)threadIdx.x; i < n; i += 32)
        sum += in[i];
    out[threadIdx.x] = (float)sum;
}

__global__ void two_arrays(const float *x, const float *y, float *out)
{
    const unsigned step = blockDim.x * gridDim.x;
    float x0 = x[threadIdx.x], y0 = y[threadIdx.x];
    float x1 = x[threadIdx.x + step], y1 = y[threadIdx.x + step];
    float sum = 0;
    unsigned i = threadIdx.x + 2 * step;
    for (; i + step < n; i += 2 * step) {
        sum += x0 * y0;
        sum += x1 * y1;
        x0 = x[i], y0 = y[i];
        x1 = x[i + step], y1 = y[i + step];
    }
    out[threadIdx.x] = sum + x0 * y0 + x1 * y1;
}

__global__ void downwards(const int4 *in, float *out)
{
    int sum = 0;
    for (int p = n / 4 - 32 + (int)threadIdx.x; p >= 0; p -= 32) {
        const int4 a = in[p];
        sum += a.x + a.y + a.z + a.w;
    }
    out[threadIdx.x] = (float)sum;
}

__global__ void nested(const float *in, float *out, int rows)
{
    float sum = 0;
    for (int row = 0; row < rows; row++)
        for (int column = (int)threadIdx.x; column < n / rows; column += 32)
            sum += in[row * (n / rows) + column];
    out[threadIdx.x] = sum;
}

template <int SIZE>
__global__ void tree(const float *in, float *out)
{
    __shared__ float s_a[SIZE], s_b[SIZE];
    for (int i = (int)threadIdx.x; i < SIZE; i += 32) {
        s_a[i] = in[i];
        s_b[i] = in[SIZE + i];
    }
#pragma unroll
    for (int stride = SIZE / 2; stride >= 32; stride /= 2) {
        __syncthreads();
        for (int i = (int)threadIdx.x; i < stride; i += 32) {
            s_a[i] += s_a[i + stride];
            s_b[i] += s_b[i + stride];
        }
    }
    out[threadIdx.x] = s_a[threadIdx.x] + s_b[threadIdx.x];
}

static float *d_out;

static void expect(const char *name, float wanted)
{
    float h_out[32], sum = 0;
    cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost);
    for (float x : h_out)
        sum += x;
    if (sum != wanted) {
        printf("%s: %g, not %g\n", name, sum, wanted);
        exit(1);
    }
}

int main()
{
    float *d_in, h_in[n + 32];
    int *d_int, h_int[n];
    double *d_double, h_double[n];
    float sum = 0, squares = 0;
    for (int i = 0; i < n + 32; i++)
        h_in[i] = (float)(i % 7);
    for (int i = 0; i < n; i++) {
        h_int[i] = i % 7;
        h_double[i] = i % 7;
        sum += h_in[i];
        squares += h_in[i] * h_in[i];
    }
    cudaMalloc(&d_in, sizeof h_in);
    cudaMalloc(&d_int, sizeof h_int);
    cudaMalloc(&d_double, sizeof h_double);
    cudaMalloc(&d_out, 32 * sizeof *d_out);
    cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice);
    cudaMemcpy(d_int, h_int, sizeof h_int, cudaMemcpyHostToDevice);
    cudaMemcpy(d_double, h_double, sizeof h_double, cudaMemcpyHostToDevice);
    by_hand<<<1, 32>>>(d_in, d_out);
    expect("by_hand", sum);
    two_packs<<<1, 32>>>(d_in, d_out);
    expect("two_packs", sum);
    four_packs<<<1, 32>>>(reinterpret_cast<const pack *>(d_int), d_out);
    expect("four_packs", sum);
    pipelined<<<1, 32>>>(d_in, d_out);
    expect("pipelined", sum);
    walking<<<1, 32>>>(d_in, d_out);
    expect("walking", sum);
    by_compiler<<<1, 32>>>(d_double, d_out);
    expect("by_compiler", sum);
    two_arrays<<<1, 32>>>(d_in, d_in, d_out);
    expect("two_arrays", squares);
    downwards<<<1, 32>>>(reinterpret_cast<const int4 *>(d_int), d_out);
    expect("downwards", sum);
    nested<<<1, 32>>>(d_in, d_out, 4);
    expect("nested", sum);
    tree<n / 2><<<1, 32>>>(d_in, d_out);
    expect("tree", sum);
    return 0;
}
