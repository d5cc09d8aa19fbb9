// SPDX-License-Identifier: MIT
//
// Prefix sums of one block: Hillis-Steele with two buffers, and Blelloch with padded indices, both
// in dynamic shared memory.
//
// COUNTS 1 barriers 160 (16 warps, 10 barriers)
// COUNTS 1 shared_st_requests 165 (16 warps, 10 stores; in the first warp 5 steps part the lanes)
// COUNTS 2 shared_ld_requests 116 (20 warps up with 2 loads, 20 down with 3, 16 at the end)
// COUNTS 3 shared_ld_wavefronts 116 (padded: 1 for each)
// COUNTS 3 shared_st_wavefronts 77
#include <stdio.h>

#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)

__global__ void scan_hillis_steele(float *g_odata, const float *g_idata, int n)
{
    extern __shared__ float temp[]; // two buffers, one after the other
    int thid = threadIdx.x;
    int pout = 0, pin = 1;
    temp[pout * n + thid] = (thid > 0) ? g_idata[thid - 1] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (thid >= offset)
            temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
        else
            temp[pout * n + thid] = temp[pin * n + thid];
        __syncthreads();
    }
    g_odata[thid] = temp[pout * n + thid];
}

template <bool PADDED>
__device__ int place(int i)
{
    return PADDED ? i + CONFLICT_FREE_OFFSET(i) : i;
}

template <bool PADDED>
__global__ void scan_blelloch(float *g_odata, const float *g_idata, int n)
{
    extern __shared__ float temp[];
    int thid = threadIdx.x;
    int offset = 1;
    temp[place<PADDED>(thid)] = g_idata[thid];
    temp[place<PADDED>(thid + n / 2)] = g_idata[thid + n / 2];

    for (int d = n >> 1; d > 0; d >>= 1) { // up: sums of pairs, of fours, ...
        __syncthreads();
        if (thid < d) {
            int ai = place<PADDED>(offset * (2 * thid + 1) - 1);
            int bi = place<PADDED>(offset * (2 * thid + 2) - 1);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0)
        temp[place<PADDED>(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) { // and down again
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = place<PADDED>(offset * (2 * thid + 1) - 1);
            int bi = place<PADDED>(offset * (2 * thid + 2) - 1);
            float t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    g_odata[thid] = temp[place<PADDED>(thid)];
    g_odata[thid + n / 2] = temp[place<PADDED>(thid + n / 2)];
}

static int check(const char *name, const float *d_out, const float *in, int n)
{
    float out[512], sum = 0;
    cudaMemcpy(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; sum += in[i++])
        if (out[i] != sum) {
            printf("%s: wrong at %d: %g, not %g\n", name, i, out[i], sum);
            return 1;
        }
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc, (void)argv;
    const int n = 512;
    float in[512], *d_in, *d_out;
    int wrong = 0;
    for (int i = 0; i < n; i++)
        in[i] = (float)(i * 13 % 9);
    cudaMalloc((void **)&d_in, sizeof in);
    cudaMalloc((void **)&d_out, sizeof in);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);

    scan_hillis_steele<<<1, n, 2 * n * sizeof(float)>>>(d_out, d_in, n);
    wrong += check("Hillis-Steele", d_out, in, n);
    scan_blelloch<false><<<1, n / 2, n * sizeof(float)>>>(d_out, d_in, n);
    wrong += check("Blelloch", d_out, in, n);
    scan_blelloch<true>
        <<<1, n / 2, (n + CONFLICT_FREE_OFFSET(n)) * sizeof(float)>>>(d_out, d_in, n);
    wrong += check("Blelloch, padded", d_out, in, n);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong;
}
