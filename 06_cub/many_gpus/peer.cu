// SPDX-License-Identifier: MIT
//
// peer.cu - the sum of sum.cu without NCCL: GPUs write into each other's memory.
//
// Idea          Each GPU has a mailbox for the partial of every GPU. One warp a GPU posts its own
//               partial into the boxes of all and waits until its own boxes are full. Half of each
//               8-byte word is the number of the round, which marks the word as new, so no fence is
//               needed and no box is ever emptied: mailbox.cu of lesson 05, between GPUs.
// Why two       A GPU may be one round ahead of another, never two: it waits for all partials.
//   rows        So even and odd rounds have separate boxes, and no partial is overwritten.
// Launch        One warp; at most MANY_GPUS GPUs, each of which can write the memory of the others.
// Needs: nvcc, and for more than one GPU peer access between them
#include <cuda/atomic>

#include "harness/cuda_check.h"
#include "many.h"
#include "ops.cuh"

#define WARP_SIZE 32

typedef unsigned long long word_t;

struct boxes_t {
    word_t word[2][MANY_GPUS][2]; // even and odd rounds; the sender; half a double a word
};

// What a GPU needs to know: the boxes of all GPUs, and its own round.
struct post_t {
    boxes_t *boxes[MANY_GPUS];
    unsigned *d_round;
    unsigned me, gpus;
};

static post_t posts[MANY_GPUS];

// Both GPUs see the word: relaxed order is enough, because nothing but the word is passed on.
typedef cuda::atomic_ref<word_t, cuda::thread_scope_system> shared_word_t;

template <typename T>
__device__ void send(word_t *box, T value, unsigned round)
{
    unsigned part[sizeof(T) / 4];
    memcpy(part, &value, sizeof(T));
    for (unsigned w = 0; w < sizeof(T) / 4; w++) {
        shared_word_t(box[w]).store((word_t)round << 32 | part[w], cuda::memory_order_relaxed);
    }
}

template <typename T>
__device__ T receive(word_t *box, unsigned round)
{
    T value;
    unsigned part[sizeof(T) / 4];
    for (unsigned w = 0; w < sizeof(T) / 4; w++) {
        word_t word;
        do {
            word = shared_word_t(box[w]).load(cuda::memory_order_relaxed);
        } while ((unsigned)(word >> 32) != round);
        part[w] = (unsigned)word;
    }
    memcpy(&value, part, sizeof(T));
    return value;
}

template <typename T, typename Op>
__global__ void join_kernel(const T *d_part, T *d_out, const post_t post)
{
    __shared__ T s_part[MANY_GPUS];
    const unsigned lane = threadIdx.x;
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize(); // it may have started early: see launch()
#endif
    const unsigned round = *post.d_round + 1;

    if (lane < post.gpus) { // lane g serves GPU g
        send(post.boxes[lane]->word[round % 2][post.me], *d_part, round);
        s_part[lane] = receive<T>(post.boxes[post.me]->word[round % 2][lane], round);
    }
    __syncwarp(); // all partials are here, and all lanes have read the round
    if (lane == 0) {
        T value = Op::identity();
        for (unsigned g = 0; g < post.gpus; g++) { // in one order on all GPUs: the same bits
            value = Op()(value, s_part[g]);
        }
        *d_out = value;
        *post.d_round = round;
    }
}

// From compute capability 9.0 on, a kernel may be placed on its SM while the previous one still
// runs; it waits there for the end of that one, which saves half a microsecond between the two.
static bool early = true;

template <typename T, typename Op>
static cudaError_t launch(const gpu_t *gpu, const post_t *post)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};

    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = 1;
    config.blockDim = WARP_SIZE;
    config.stream = gpu->stream;
    config.attrs = &attribute;
    config.numAttrs = early;
    return cudaLaunchKernelEx(&config, join_kernel<T, Op>, (const T *)gpu->d_part, (T *)gpu->d_out,
                              *post);
}

static void join(const many_t *m)
{
    static cudaError_t (*const launchers[][3])(const gpu_t *gpu, const post_t *post) = {
        {launch<float, sum_op<float>>, launch<float, max_op<float>>, launch<float, min_op<float>>},
        {launch<double, sum_op<double>>, launch<double, max_op<double>>,
         launch<double, min_op<double>>},
        {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}};

    for (int g = 0; g < m->gpus; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(launchers[m->type][m->op](&m->gpu[g], &posts[g]));
    }
}

static void sum(const many_t *m, size_t copy)
{
    for (int g = 0; g < m->gpus; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        many_reduce(m, g, copy, m->gpu[g].d_part);
    }
    join(m);
}

// ---- the boxes ----

static const char *open_boxes(int gpus)
{
    for (int g = 0; g < gpus; g++) {
        int major = 0;
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, g));
        early = early && major >= 9;
        for (int other = 0; other < gpus; other++) {
            int can = 0;
            if (other == g) {
                continue;
            }
            CUDA_CHECK(cudaDeviceCanAccessPeer(&can, g, other));
            if (!can) {
                return "a GPU cannot reach another one's memory: nvidia-smi topo -p2p w";
            }
            CUDA_CHECK(cudaDeviceEnablePeerAccess(other, 0));
        }
        boxes_t *boxes;
        CUDA_CHECK(cudaMalloc(&boxes, sizeof *boxes));
        CUDA_CHECK(cudaMemset(boxes, 0, sizeof *boxes));
        CUDA_CHECK(cudaMalloc(&posts[g].d_round, sizeof *posts[g].d_round));
        CUDA_CHECK(cudaMemset(posts[g].d_round, 0, sizeof *posts[g].d_round));
        CUDA_CHECK(cudaDeviceSynchronize()); // empty before another GPU writes
        posts[g].me = g;
        posts[g].gpus = gpus;
        for (int other = 0; other < gpus; other++) {
            posts[other].boxes[g] = boxes;
        }
    }
    return NULL;
}

static void close_boxes(int gpus)
{
    for (int g = 0; g < gpus; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaFree(posts[g].boxes[g]));
        CUDA_CHECK(cudaFree(posts[g].d_round));
    }
}

int main(int argc, char **argv)
{
    const way_t peer = {.name = "peer",
                        .summary = "one warp a GPU swaps the partials through mailboxes",
                        .open = open_boxes,
                        .sum = sum,
                        .join = join,
                        .close = close_boxes};
    return many_main(argc, argv, &peer);
}
