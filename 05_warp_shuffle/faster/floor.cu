// SPDX-License-Identifier: MIT
//
// floor.cu - what a small sum cannot go below: an empty kernel, and one that makes the loads of
// best.cu and reduces nothing, beside best.cu itself. floor.sh builds it and runs it.
//
// Idea          All are launched in one graph by the hundred, cold (the inputs rotate over four
//               times the L2) and warm (one input). What lies between the loads alone and best is
//               the reduction: its arithmetic, its barriers and the blocks' meeting.
// Needs: nvcc, as best does
#include "best.cu"
#include "harness/cuda_check.h"

#include <algorithm>
#include <vector>

#define LAUNCHES 256
#define SAMPLES 21
#define NEVER 0x00abcdefu

__global__ void empty_kernel() {}

// The grid and the loads of reduce_kernel. A thread waits for all that it has loaded, because it
// would store if the words had exactly the bits of NEVER in common.
template <unsigned BLOCK, unsigned LOADS>
__global__ void __launch_bounds__(BLOCK) load_kernel(const float *d_in, float *d_out, size_t n)
{
    const parts_t<float> parts(d_in, n);
    const size_t tile = (size_t)BLOCK * LOADS;
    unsigned all = ~0u;
    for (size_t p = blockIdx.x * tile + threadIdx.x; p < parts.packs; p += gridDim.x * tile) {
        uint4 pack[LOADS];
        for (unsigned j = 0; j < LOADS; j++) {
            if (p + j * BLOCK < parts.packs) {
                pack[j] = ((const uint4 *)parts.d_packs)[p + j * BLOCK];
            }
        }
        for (unsigned j = 0; j < LOADS; j++) {
            if (p + j * BLOCK < parts.packs) {
                all &= pack[j].x & pack[j].y & pack[j].z & pack[j].w;
            }
        }
    }
    if (all == NEVER || (blockIdx.x == 0 && threadIdx.x == 0)) {
        d_out[0] = (float)all;
    }
}

// The launch of best.cu, with the kernel above.
static cudaError_t launch_loads(const float *d_in, float *d_out, size_t n, cudaStream_t stream)
{
#define LOAD_PLAN(up_to, block, loads, per_sm)                                                     \
    {up_to, load_kernel<block, loads>, block, loads, per_sm},
    static const plan_t<float> table[] = {TUNED(LOAD_PLAN)};
    const plan_t<float> *plan = table;
    while (n * sizeof(float) > plan->up_to) {
        plan++;
    }
    int sms = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const size_t tile_bytes = (size_t)16 * plan->block * plan->loads;
    const size_t needed = (n * sizeof(float) + tile_bytes - 1) / tile_bytes;
    const size_t blocks = std::min(needed, (size_t)sms * plan->blocks_per_sm);
    plan->kernel<<<(unsigned)blocks, plan->block, 0, stream>>>(d_in, d_out, n);
    return cudaGetLastError();
}

// Microseconds of one `work(i, stream)`: the median of SAMPLES graphs of LAUNCHES each.
template <typename Work>
static double median_us(Work work)
{
    std::vector<float> samples;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (size_t i = 0; i < LAUNCHES; i++) {
        CUDA_CHECK(work(i, stream));
    }
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int sample = -2; sample < SAMPLES; sample++) { // two to warm up
        float ms;
        CUDA_CHECK(cudaEventRecord(start, stream));
        CUDA_CHECK(cudaGraphLaunch(exec, stream));
        CUDA_CHECK(cudaEventRecord(stop, stream));
        CUDA_CHECK(cudaEventSynchronize(stop));
        CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
        if (sample >= 0) {
            samples.push_back(1000 * ms / LAUNCHES);
        }
    }
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaStreamDestroy(stream));
    std::sort(samples.begin(), samples.end());
    return samples[SAMPLES / 2];
}

// Prints the row of one size. Launch i reads slot i of the arena, or always the first one.
static void print_row(const float *d_arena, size_t arena_bytes, float *d_out, size_t n, bool warm)
{
    size_t work_bytes = 0;
    const size_t bytes = std::max(n * sizeof(float), arena_bytes / LAUNCHES / 256 * 256);
    const size_t slots = warm ? 1 : arena_bytes / bytes;
    const auto input = [&](size_t i) { return d_arena + i % slots * (bytes / sizeof(float)); };
    const double empty = median_us([&](size_t, cudaStream_t stream) {
        empty_kernel<<<1, 32, 0, stream>>>();
        return cudaGetLastError();
    });
    const double loads = median_us(
        [&](size_t i, cudaStream_t stream) { return launch_loads(input(i), d_out, n, stream); });
    const double best = median_us([&](size_t i, cudaStream_t stream) {
        return step.reduce[DTYPE_F32][OP_SUM](input(i), d_out, n, d_out, &work_bytes, stream);
    });
    printf("%zu,%d,%.3f,%.3f,%.3f\n", n, warm, empty, loads, best);
}

int main()
{
    int l2_bytes = 0;
    float *d_arena, *d_out;
    CUDA_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    const size_t arena_bytes = (size_t)4 * l2_bytes;
    CUDA_CHECK(cudaMalloc(&d_arena, arena_bytes));
    CUDA_CHECK(cudaMalloc(&d_out, 256));
    CUDA_CHECK(cudaMemset(d_arena, 1, arena_bytes));
    printf("n,warm,empty_us,loads_us,best_us\n");
    for (size_t n = 1 << 10; n <= 1 << 22; n *= 4) {
        print_row(d_arena, arena_bytes, d_out, n, false);
        print_row(d_arena, arena_bytes, d_out, n, true);
    }
    CUDA_CHECK(cudaFree(d_arena));
    CUDA_CHECK(cudaFree(d_out));
    return 0;
}
