// SPDX-License-Identifier: MIT
//
// floor.cu - what a small sum cannot go below: an empty kernel, and one that makes the loads of
// best.cu and reduces nothing, beside best.cu itself. floor.sh builds it and runs it.
//
// Idea          All are launched in one graph by the hundred, cold (256 inputs in turn, which up to
//               2^14 floats fit in L2) and warm (one input); each launch after the one before it,
//               and early. What best takes longer than the loads alone is the reduction: its
//               arithmetic, its barriers, and the way its blocks meet.
// Needs: a GPU, for its clock and for graphs
#include "best.cu"
#include "harness/cuda_check.h"

#include <algorithm>
#include <vector>

#define LAUNCHES 256
#define SAMPLES 21
#define MAX_BLOCKS 16384 // of a grid
#define NEVER 0x00abcdefu

__global__ void empty_kernel(const parts_t<float>, float *, mail_t *, uint64_t)
{
    let_next();
    await_last();
}

// The grid and the loads of reduce_kernel. A thread waits for all that it has loaded, because it
// would store if the words had exactly the bits of NEVER in common. It lets the next launch start
// first of all, whatever the number of blocks.
template <unsigned BLOCK, unsigned LOADS>
__global__ void __launch_bounds__(BLOCK)
    load_kernel(const parts_t<float> parts, float *d_out, mail_t *, uint64_t)
{
    const size_t tile = (size_t)BLOCK * LOADS;
    const uint4 *d_packs = (const uint4 *)parts.d_packs;
    unsigned all = ~0u;

    let_next();
    await_last();
    for (size_t p = blockIdx.x * tile + threadIdx.x; p < parts.packs; p += gridDim.x * tile) {
        uint4 pack[LOADS];
        for (unsigned j = 0; j < LOADS; j++) {
            pack[j] = p + j * BLOCK < parts.packs ? d_packs[p + j * BLOCK] : uint4();
        }
        for (unsigned j = 0; j < LOADS; j++) {
            all &= pack[j].x & pack[j].y & pack[j].z & pack[j].w;
        }
    }
    if (all == NEVER || (blockIdx.x == 0 && threadIdx.x == 0)) {
        d_out[0] = (float)all;
    }
}

// The kernel above with the threads and loads that tuned.h has for n.
static kernel_t<float> loads_of(size_t n)
{
#define IF_UP_TO(up_to, block, loads, per_sm)                                                      \
    if (n * sizeof(float) <= up_to) {                                                              \
        return load_kernel<block, loads>;                                                          \
    }
    TUNED(IF_UP_TO)
    return NULL;
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
static void print_row(const float *d_arena, size_t arena_bytes, float *d_out, mail_t *d_mail,
                      size_t n, bool warm, bool early)
{
    const size_t bytes = std::max(n * sizeof(float), arena_bytes / LAUNCHES / 256 * 256);
    const size_t slots = warm ? 1 : arena_bytes / bytes;
    const auto time = [&](kernel_t<float> kernel, bool alone) {
        return median_us([&](size_t i, cudaStream_t stream) {
            const parts_t<float> parts(d_arena + i % slots * (bytes / sizeof(float)), n);
            choice_t<float> choice = choose<float, sum_op<float>, float>(parts, n);
            choice.early = early && choice.early; // where the GPU has it
            if (kernel != NULL) {
                choice.kernel = kernel;
            }
            if (alone) {
                choice.blocks = 1;
                choice.block = WARP_SIZE;
            }
            return queue(choice, parts, d_out, d_mail, stream);
        });
    };
    printf("%zu,%d,%d,%.3f,%.3f,%.3f\n", n, warm, early, time(empty_kernel, true),
           time(loads_of(n), false), time(NULL, false));
}

int main()
{
    int l2_bytes = 0;
    float *d_arena, *d_out;
    mail_t *d_mail;
    CUDA_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    const size_t arena_bytes = (size_t)4 * l2_bytes;
    CUDA_CHECK(cudaMalloc(&d_arena, arena_bytes));
    CUDA_CHECK(cudaMalloc(&d_out, 256));
    CUDA_CHECK(cudaMalloc(&d_mail, MAX_BLOCKS * sizeof(mail_t)));
    CUDA_CHECK(cudaMemset(d_arena, 1, arena_bytes));
    printf("n,warm,early,empty_us,loads_us,best_us\n");
    for (size_t n = 1 << 10; n <= 1 << 22; n *= 4) {
        for (int warm = 0; warm <= 1; warm++) {
            print_row(d_arena, arena_bytes, d_out, d_mail, n, warm, false);
            print_row(d_arena, arena_bytes, d_out, d_mail, n, warm, true);
        }
    }
    CUDA_CHECK(cudaFree(d_arena));
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_mail));
    return 0;
}
