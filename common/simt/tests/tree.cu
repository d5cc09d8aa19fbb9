// SPDX-License-Identifier: MIT
//
// tree.cu - three tree reductions in shared memory, one and two passes, for three types.
// With a size, `tree 1048576`: how long they take for so many floats.
#include <ctime>

#include "check.h"

// The stops of the lanes of one block, each at a load, a store or a barrier: s_data[tid] and
// in[i]; the barriers; two loads and a store for each sum; the result.
enum { BLOCK = 256, LEVELS = 8 };
enum { STOPS = 2 * BLOCK + (LEVELS + 1) * BLOCK + 3 * (BLOCK - 1) + 2 };

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

// The processor time of each kernel, all passes, the best of five runs.
static void measure(size_t n)
{
    const char *const names[] = {"tree_modulo", "tree_strided", "tree_sequential"};
    const double stops = (double)STOPS * ((n + BLOCK - 1) / BLOCK);
    float *d_in;
    CHECK(cudaMalloc(&d_in, n * sizeof *d_in));
    CHECK(cudaMemset(d_in, 0, n * sizeof *d_in));
    for (int which = 0; which < 3; which++) {
        double best = 0;
        for (int run = 0; run < 5; run++) {
            const clock_t start = clock();
            reduce(which, d_in, n);
            const double seconds = double(clock() - start) / CLOCKS_PER_SEC;
            best = run == 0 || seconds < best ? seconds : best;
        }
        printf("%-15s %.3f s, %.1f ns a stop\n", names[which], best, best / stops * 1e9);
    }
    CHECK(cudaFree(d_in));
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        measure(strtoull(argv[1], nullptr, 10));
        return 0;
    }
    const size_t sizes[] = {1, 2, 31, 32, 33, 255, 256, 257, 1000, 65537};
    for (size_t n : sizes) {
        test<float>(n);
        test<double>(n);
        test<int>(n);
    }
    return 0;
}
