// SPDX-License-Identifier: MIT
/*
 * proven.cu - kernels whose accesses all have hooks, though g++ 12 writes the address of an access
 * otherwise than that of its hook: each was refused once. hooked.sh proves this program, whose
 * main() does nothing.
 */
#include <cuda_runtime.h>
struct pixel {
    unsigned char r, g, b;
};
struct pack {
    double d;
    int i;
    float f;
};
struct holder {
    float4 *a;
    double s, v[3];
};
template <typename T, int N>
struct some {
    T v[N];
};
__device__ volatile float g[1 << 19];
__device__ unsigned h[1 << 19];
__device__ unsigned square[64][64];
__device__ short few[128];
static __device__ int table[8] = {3, 1, 2};
__device__ __noinline__ short pick(short a, short b, bool c)
{
    return c ? a : b;
}
/* A volatile array, and a second one, by rows. */
__global__ void rows(int rows)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    for (int row = warp; row < rows; row += warps) {
        g[row * 32 + lane] = row;
        h[row * 32 + lane] += row;
    }
}
/* A constant address without a register: lea 0xffffff00. */
__global__ void by_reference(int i)
{
    __shared__ volatile unsigned short s[128];
    auto &x = s[i];
    x = x + 1;
}
/* The address of thread-local memory is added, not loaded. */
__global__ void cubes(int i, int j, int n)
{
    __shared__ pixel s[2][4][8];
    __shared__ some<float, 5> t[8][33];
    for (int k = j; k < n; k++) {
        s[i][j][k] = s[j][k][i];
        t[k][i & 7] = t[i][k];
    }
}
/* What is outside the inner loop is computed below it. */
__global__ void members(holder *p, int n)
{
    for (long long i = n; i >= 0; i -= 32)
        for (int k = 0; k < 8; k++)
            p->s = p[i / 2].v[i / 2 % 3];
}
/* A short index is extended from 2 bytes here, from 4 there. */
__global__ void short_index(pack (*p)[16], int n)
{
    const int lane = threadIdx.x & 31;
    for (short i = lane; i < n; i += 32)
        ++p[i * 32 + lane][i & 7].i;
}
/* The float would be read twice, once for each half of the range. */
__global__ void to_integer(const float *p, unsigned long long *q, int i)
{
    q[i] = p[i];
}
/* Arrays that are never written would be taken for constants. */
__global__ void only_read(int *p, int i)
{
    __shared__ float s[8];
    p[i] = s[i & 7] > 1 ? s[1] + table[i & 7] : 0;
}
/* i / 2 * 2 is i & -2. */
__global__ void halves(int n)
{
    for (size_t i = threadIdx.x; i < n; i += 32)
        for (int k = 1; k < n; k *= 2)
            few[3] = pick(few[3], few[i / 2], k != 0);
}
/* A product of two bytes leaves rdx alone. */
__global__ void products(unsigned char (*p)[8], int i, int j, int n)
{
    __shared__ some<unsigned char, 7> s[2][4][8];
    for (int k = j; k < n; k++) {
        auto &x = s[(i * 3 + k) & 15][k + n][k * 32 + j].v[0];
        x *= s[i][k * 32 + i][k].v[6] > p[k / 2][k & 7] ? s[n][k][n - k].v[0] : p[k][0];
    }
}
/* A local of 8 bytes, of which 4 are read. */
__global__ void half_words(unsigned short (*p)[16], int n, int m, int *out)
{
    const long long t = (long long)blockIdx.y * gridDim.x + blockIdx.x;
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5, warps = blockDim.x >> 5;
    for (int i = w; i < m; i += warps)
        for (int j = lane; j < n; j += 32)
            for (size_t k = 0; k < 8; k++)
                for (int a = t, b = n - 1; a < b; a++, b--) {
                    p[lane - 1][t] = pick(p[k - 1][b * 2], 1, true);
                    out[t] += square[out[i]][(j * 3 + i) & 15];
                }
}
int main() {}
