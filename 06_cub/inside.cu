// SPDX-License-Identifier: MIT
//
// inside.cu - shows what one call of cub::DeviceReduce queues: how many launches, their grids and
// blocks, and the scratch. inside.sh builds and runs it.
//
// Idea          A stream that is being captured queues nothing. The calls become nodes of a graph,
//               and a node knows its grid and block. That needs no profiler, no memory and no
//               time, and the pointers are never followed.
// Needs: nvcc's CUB
#include <cub/cub.cuh>

#include "harness/cuda_check.h"
#include "ops.cuh"

#define LARGEST_N ((size_t)1 << 28)
#define MOST_LAUNCHES 4

// What one call queues.
struct call_t {
    size_t launches, temp_bytes;
    cudaKernelNodeParams launch[MOST_LAUNCHES];
};

// The grids and blocks of a captured graph, in the order of the launches.
static void read_launches(cudaGraph_t graph, call_t *call)
{
    cudaGraphNode_t nodes[MOST_LAUNCHES];
    CUDA_CHECK(cudaGraphGetNodes(graph, NULL, &call->launches));
    if (call->launches > MOST_LAUNCHES) {
        fprintf(stderr, "inside: a call made %zu launches; there is room for %d\n", call->launches,
                MOST_LAUNCHES);
        exit(1);
    }
    CUDA_CHECK(cudaGraphGetNodes(graph, nodes, &call->launches));
    for (size_t i = 0; i < call->launches; i++) {
        CUDA_CHECK(cudaGraphKernelNodeGetParams(nodes[i], &call->launch[i]));
    }
}

template <typename T, typename Op>
static cudaError_t reduce(void *d_temp, size_t &temp_bytes, const T *d_in, T *d_out, size_t n,
                          Op op, cudaStream_t stream)
{
    return cub::DeviceReduce::Reduce(d_temp, temp_bytes, d_in, d_out, n, op, Op::identity(),
                                     stream);
}

// The sum goes to CUB under its own name, as in kernel.cu: CUB may have tuned it.
template <typename T>
static cudaError_t reduce(void *d_temp, size_t &temp_bytes, const T *d_in, T *d_out, size_t n,
                          sum_op<T>, cudaStream_t stream)
{
    return cub::DeviceReduce::Sum(d_temp, temp_bytes, d_in, d_out, n, stream);
}

template <typename T, typename Op>
static call_t look(size_t n, cudaStream_t stream)
{
    T *const d_nowhere = (T *)256; // aligned, not null, and never followed
    call_t call = {};
    cudaGraph_t graph;
    CUDA_CHECK(reduce(NULL, call.temp_bytes, d_nowhere, d_nowhere, n, Op(), stream));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(reduce(d_nowhere, call.temp_bytes, d_nowhere, d_nowhere, n, Op(), stream));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    read_launches(graph, &call);
    CUDA_CHECK(cudaGraphDestroy(graph));
    return call;
}

template <typename T, typename Op>
static void print_row(const char *type, const char *op, size_t n, cudaStream_t stream)
{
    const call_t call = look<T, Op>(n, stream);
    printf("%s,%s,%zu,%zu,%zu", type, op, n, call.temp_bytes, call.launches);
    for (size_t i = 0; i < 2; i++) {
        if (i < call.launches) {
            printf(",%u,%u", call.launch[i].gridDim.x, call.launch[i].blockDim.x);
        } else {
            printf(",,");
        }
    }
    printf("\n");
}

// Powers of two. Then, by bisection, the last n with the launches of n = 1 and the one after it,
// and likewise the first n with the largest grid.
template <typename T, typename Op>
static void print_rows(const char *type, const char *op, cudaStream_t stream)
{
    for (size_t n = 1; n <= LARGEST_N; n *= 2) {
        print_row<T, Op>(type, op, n, stream);
    }
    const call_t first = look<T, Op>(1, stream), last = look<T, Op>(LARGEST_N, stream);
    size_t low = 1, high = LARGEST_N;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        (look<T, Op>(middle, stream).launches == first.launches ? low : high) = middle;
    }
    print_row<T, Op>(type, op, low, stream);
    print_row<T, Op>(type, op, high, stream);
    high = LARGEST_N;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const call_t call = look<T, Op>(middle, stream);
        (call.launch[0].gridDim.x < last.launch[0].gridDim.x ? low : high) = middle;
    }
    print_row<T, Op>(type, op, low, stream);
    print_row<T, Op>(type, op, high, stream);
}

int main()
{
    cudaStream_t stream;
    int sms = 0;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    printf("# CUB: %d.%d.%d\n# SMs: %d\n", CUB_VERSION / 100000, CUB_VERSION / 100 % 1000,
           CUB_VERSION % 100, sms);
    printf("type,op,n,temp_bytes,launches,grid_1,block_1,grid_2,block_2\n");
    print_rows<float, sum_op<float>>("f32", "sum", stream);
    print_rows<double, sum_op<double>>("f64", "sum", stream);
    print_rows<int, max_op<int>>("i32", "max", stream);
    CUDA_CHECK(cudaStreamDestroy(stream));
    return 0;
}
