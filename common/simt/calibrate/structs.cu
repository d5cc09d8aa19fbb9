// SPDX-License-Identifier: MIT
//
// structs.cu - structs by value, memset(), memcpy() and half2 in kernels, as styles.cu: what Nsight
// Compute counts for them is compared with the emulator's counts.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

enum { THREADS = 128, BLOCKS = 4 };

struct words3_t {
    float x, y, z;
};
struct words2_t {
    int a, b;
};
struct words4_t {
    float x, y, z, w;
};
struct words6_t {
    float v[6];
};
struct doubles_t {
    double x, y;
};
struct alignas(16) aligned_t {
    float x, y, z, w;
};

// ---- a struct goes from global to shared memory and back, whole ----

template <typename T>
__global__ void move_whole(const T *in, T *out)
{
    __shared__ T s_data[THREADS];
    const int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
    s_data[tid] = in[i];
    __syncthreads();
    out[i] = s_data[THREADS - 1 - tid];
}

// ---- functions that take and return structs, not inlined ----

template <typename T>
__device__ __noinline__ T turned(T v, T *zero)
{
    T result = v;
    result.x = v.y + zero->x;
    return result;
}

template <typename T>
__global__ void by_value(const T *in, T *out)
{
    __shared__ T s_data[THREADS], s_zero;
    const int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
    if (tid == 0)
        s_zero = T{};
    __syncthreads();
    s_data[tid] = turned(in[i], &s_zero);
    __syncthreads();
    out[i] = turned(s_data[tid ^ 1], &s_zero);
}

// ---- memset() and memcpy() ----

__global__ void set_known(float4 *out)
{
    __shared__ float4 s_data[THREADS];
    const int tid = threadIdx.x;
    memset(&s_data[tid], 0, sizeof(float4));
    __syncthreads();
    out[blockIdx.x * THREADS + tid] = s_data[tid ^ 1];
}

__global__ void set_unknown(char *out, int n)
{
    memset(out + (blockIdx.x * THREADS + threadIdx.x) * n, 0, n);
}

__global__ void copy_known(const float4 *in, float4 *out)
{
    __shared__ float4 s_data[THREADS];
    const int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
    memcpy(&s_data[tid], in + i, sizeof(float4));
    __syncthreads();
    memcpy(out + i, &s_data[tid ^ 1], sizeof(float4));
}

__global__ void copy_words(const int *in, int *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    memcpy(out + 4 * i, in + 4 * i, 4 * sizeof(int));
}

__global__ void copy_unknown(const char *in, char *out, int n)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    memcpy(out + i * n, in + i * n, n);
}

__global__ void bits_of_float(const float *in, unsigned *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    unsigned bits;
    memcpy(&bits, in + i, sizeof bits);
    out[i] = bits ^ 1u;
}

// ---- half2 ----

struct alignas(16) half8_t {
    __half2 v[4];
};

__global__ void add_half2(const __half2 *a, const __half2 *b, __half2 *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    out[i] = __hadd2(a[i], b[i]);
}

__global__ void fma_half8(const half8_t *a, const half8_t *b, half8_t *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const half8_t x = a[i], y = b[i];
    half8_t z;
    for (int k = 0; k < 4; k++)
        z.v[k] = __hfma2(x.v[k], y.v[k], x.v[k]);
    out[i] = z;
}

__global__ void turn_half2(const __half2 *in, __half2 *out)
{
    __shared__ __half2 s_data[THREADS];
    const int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
    s_data[tid] = in[i];
    __syncthreads();
    out[i] = __lowhigh2highlow(s_data[THREADS - 1 - tid]);
}

template <typename T>
static void run(char *d_in, char *d_out)
{
    move_whole<<<BLOCKS, THREADS>>>((const T *)d_in, (T *)d_out);
}

int main()
{
    const size_t bytes = BLOCKS * THREADS * 32;
    char *d_in, *d_out;
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    cudaMemset(d_in, 0, bytes);
    run<words3_t>(d_in, d_out);
    run<words2_t>(d_in, d_out);
    run<words4_t>(d_in, d_out);
    run<words6_t>(d_in, d_out);
    run<doubles_t>(d_in, d_out);
    run<aligned_t>(d_in, d_out);
    by_value<<<BLOCKS, THREADS>>>((const words3_t *)d_in, (words3_t *)d_out);
    by_value<<<BLOCKS, THREADS>>>((const aligned_t *)d_in, (aligned_t *)d_out);
    set_known<<<BLOCKS, THREADS>>>((float4 *)d_out);
    set_unknown<<<BLOCKS, THREADS>>>(d_out, 8);
    copy_known<<<BLOCKS, THREADS>>>((const float4 *)d_in, (float4 *)d_out);
    copy_words<<<BLOCKS, THREADS>>>((const int *)d_in, (int *)d_out);
    copy_unknown<<<BLOCKS, THREADS>>>(d_in, d_out, 8);
    bits_of_float<<<BLOCKS, THREADS>>>((const float *)d_in, (unsigned *)d_out);
    add_half2<<<BLOCKS, THREADS>>>((const __half2 *)d_in, (const __half2 *)d_in, (__half2 *)d_out);
    fma_half8<<<BLOCKS, THREADS>>>((const half8_t *)d_in, (const half8_t *)d_in, (half8_t *)d_out);
    turn_half2<<<BLOCKS, THREADS>>>((const __half2 *)d_in, (__half2 *)d_out);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "structs: %s\n", cudaGetErrorString(error));
        return 1;
    }
    return 0;
}
