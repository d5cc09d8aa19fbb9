// SPDX-License-Identifier: MIT
//
// tree.cu - three tree reductions in shared memory, one and two passes, for three types.
#include "check.h"

enum { BLOCK = 256 };

// Modulo indices: the classic first try.
template <typename T>
__global__ void tree_modulo(const T *in, T *out, size_t n)
{
    __shared__ T s_data[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    s_data[tid] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            s_data[tid] += s_data[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s_data[0];
}

template <typename T>
__global__ void tree_strided(const T *in, T *out, size_t n)
{
    static __shared__ T s_data[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    s_data[tid] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        const unsigned at = 2 * s * tid;
        if (at < blockDim.x)
            s_data[at] += s_data[at + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s_data[0];
}

template <typename T>
__global__ void tree_sequential(const T *in, T *out, size_t n)
{
    extern __shared__ __align__(16) unsigned char s_bytes[];
    T *s_data = reinterpret_cast<T *>(s_bytes);
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    s_data[tid] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            s_data[tid] += s_data[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s_data[0];
}

// All three kernels, with as many passes as it takes to reach one value.
template <typename T>
static T reduce(int which, const T *d_in, size_t n)
{
    T *d_a, *d_b;
    const size_t most = n / BLOCK + 1;
    CHECK(cudaMalloc(&d_a, most * sizeof(T)));
    CHECK(cudaMalloc(&d_b, most * sizeof(T)));
    const T *from = d_in;
    T *to = d_a;
    do {
        const unsigned blocks = (unsigned)((n + BLOCK - 1) / BLOCK);
        if (which == 0)
            tree_modulo<T><<<blocks, BLOCK>>>(from, to, n);
        else if (which == 1)
            tree_strided<<<blocks, BLOCK>>>(from, to, n);
        else
            tree_sequential<T><<<blocks, BLOCK, BLOCK * sizeof(T)>>>(from, to, n);
        CHECK(cudaGetLastError());
        n = blocks;
        from = to;
        to = to == d_a ? d_b : d_a;
    } while (n > 1);
    T value;
    CHECK(cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    return value;
}

template <typename T>
static void test(size_t n)
{
    T *h_in = new T[n], *d_in, expected = 0;
    for (size_t i = 0; i < n; i++)
        expected += h_in[i] = T(i * 7 % 13);
    CHECK(cudaMalloc(&d_in, n * sizeof(T)));
    CHECK(cudaMemcpy(d_in, h_in, n * sizeof(T), cudaMemcpyHostToDevice));
    for (int which = 0; which < 3; which++)
        EXPECT(reduce(which, d_in, n) == expected);
    CHECK(cudaFree(d_in));
    delete[] h_in;
}

int main()
{
    const size_t sizes[] = {1, 2, 31, 32, 33, 255, 256, 257, 1000, 65537};
    for (size_t n : sizes) {
        test<float>(n);
        test<double>(n);
        test<int>(n);
    }
    return 0;
}
