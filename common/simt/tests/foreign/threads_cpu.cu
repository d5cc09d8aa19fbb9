// SPDX-License-Identifier: MIT
//
// Half of the work on the GPU, half of it in a second thread of the host, at the same time.
//
// COUNTS 1 global_ld_requests 256 (256 warps)
// COUNTS 1 global_st_sectors 1024 (4 for each warp)
#include <stdio.h>

#include <functional>
#include <thread>
#include <vector>

#define N 8192

struct Range {
    double scale; // with a pointer: 16 bytes, and 8 is its boundary
    int steps;
};

__host__ __device__ float relax(float x, Range range)
{
    for (int i = 0; i < range.steps; i++)
        x = (float)(x * range.scale) + 1;
    return x;
}

__global__ void on_gpu(const float *in, float *out)
{
    Range range = {0.5, 20};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = relax(in[i], range);
}

static int parts;

static void on_cpu(std::vector<float> &data)
{
    Range range = {0.5, 20};
    for (int part = 0; part < 4; part++)
        for (size_t i = part * data.size() / 4; i < (part + 1) * data.size() / 4; i++)
            data[i] = relax(data[i], range);
    __atomic_fetch_add(&parts, 4, __ATOMIC_SEQ_CST);
}

int main()
{
    std::vector<float> a(N), b(N);
    for (int i = 0; i < N; i++)
        a[i] = b[i] = (float)(i % 100);

    float *d_in, *d_out;
    cudaMalloc(&d_in, N * sizeof(float));
    cudaMalloc(&d_out, N * sizeof(float));
    std::thread worker(on_cpu, std::ref(b));
    cudaMemcpy(d_in, a.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    on_gpu<<<N / 256, 256>>>(d_in, d_out);
    cudaMemcpy(a.data(), d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
    worker.join();
    cudaFree(d_in);
    cudaFree(d_out);

    if (parts != 4 || a != b)
        return printf("FAILED\n"), 1;
    printf("PASSED\n");
    return 0;
}
