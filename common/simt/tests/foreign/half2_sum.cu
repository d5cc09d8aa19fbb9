// SPDX-License-Identifier: MIT
//
// Sum of half precision numbers, two at a time, by shuffles and one shared slot for each warp.
//
// COUNTS 1 shuffles 180 (4 blocks: 8 warps and the first again, 5 steps)
// COUNTS 1 atomic_requests 4
// COUNTS 1 global_ld_requests 64
// COUNTS 1 shared_st_requests 32
#include <cuda_fp16.h>

#include <cassert>
#include <vector>

static __device__ __forceinline__ __half2 warp_sum(__half2 v)
{
#pragma unroll
    for (int mask = warpSize / 2; mask > 0; mask >>= 1)
        v = __hadd2(v, __shfl_xor_sync(0xffffffff, v, mask));
    return v;
}

__global__ void __launch_bounds__(256) sum_half2(const __half2 *in, float *out, int n2)
{
    __shared__ __half2 partial[8];
    __half2 v = __float2half2_rn(0.f);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n2; i += gridDim.x * blockDim.x)
        v = __hadd2(v, in[i]);
    v = warp_sum(v);
    if ((threadIdx.x & 31) == 0)
        partial[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < 8 ? partial[threadIdx.x] : __float2half2_rn(0.f);
        v = warp_sum(v);
        if (threadIdx.x == 0)
            atomicAdd(out, __low2float(v) + __high2float(v));
    }
}

int main()
{
    const int n2 = 2048;
    std::vector<__half2> host(n2);
    float expected = 0.f, got = 0.f;
    for (int i = 0; i < n2; i++) {
        const float x = float(i % 3), y = float(i % 2) * 0.5f; // small sums stay exact in half
        host[i] = __floats2half2_rn(x, y);
        expected += x + y;
    }
    __half2 *in;
    float *out;
    cudaMalloc(&in, n2 * sizeof(__half2));
    cudaMalloc(&out, sizeof(float));
    cudaMemcpy(in, host.data(), n2 * sizeof(__half2), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(float));
    sum_half2<<<4, 256>>>(in, out, n2);
    const cudaError_t e = cudaMemcpy(&got, out, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return e != cudaSuccess || got != expected;
}
