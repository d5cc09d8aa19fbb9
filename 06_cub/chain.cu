// SPDX-License-Identifier: MIT
//
// chain.cu - the path from a CUB call to a kernel, as far as a program can see it. chain.sh builds
// and runs it. DEEPER.md says what to look for.
//
// Idea          With CUB_DEBUG_LOG CUB prints each launch with the policy that it chose. The calls
//               are captured into a graph, so nothing runs and the pointers are never followed.
// Needs: nvcc's CUB
#define CUB_DEBUG_LOG
#include <cub/cub.cuh>

#include "harness/cuda_check.h"

static cudaStream_t stream;

// One call with n of type N: CUB's own lines, and the kernel that it launched first.
template <typename T, typename N>
static void show(const char *call, N n)
{
    T *const d_nowhere = (T *)256; // aligned, not null, and never followed
    size_t temp_bytes = 0, nodes = 1;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaKernelNodeParams launch;
    const char *name = NULL;
    printf("\n%s\n", call);
    CUDA_CHECK(cub::DeviceReduce::Sum(NULL, temp_bytes, d_nowhere, d_nowhere, n, stream));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cub::DeviceReduce::Sum(d_nowhere, temp_bytes, d_nowhere, d_nowhere, n, stream));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphGetNodes(graph, &node, &nodes));
    CUDA_CHECK(cudaGraphKernelNodeGetParams(node, &launch));
#if CUDART_VERSION >= 12030
    CUDA_CHECK(cudaFuncGetName(&name, launch.func));
    printf("scratch %zu bytes, kernel %s\n", temp_bytes, name);
#endif
    CUDA_CHECK(cudaGraphDestroy(graph));
}

// An unrelated error, from before the call. CUB looks for errors after each launch.
static void show_old_error()
{
    void *d_none = NULL;
    size_t temp_bytes = 0;
    float *const d_nowhere = (float *)256;
    printf("\nan allocation that fails before the call\n");
    cudaMalloc(&d_none, (size_t)1 << 60);
    const cudaError_t first = cub::DeviceReduce::Sum(NULL, temp_bytes, d_nowhere, d_nowhere, 1);
    printf("CUB's size query returns: %s\n", cudaGetErrorString(first));
    printf("cudaGetLastError() then:  %s\n", cudaGetErrorString(cudaGetLastError()));
}

#if CUB_VERSION >= 300100
// The single-phase call of CCCL 3.1: what it puts on the stream between its two brackets.
static void show_single_phase()
{
    float *const d_nowhere = (float *)256;
    cudaGraphNode_t nodes[8];
    size_t count = 8;
    cudaGraph_t graph;
    printf("\nsingle phase, f32 sum, n = 2^28:");
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cub::DeviceReduce::Sum(d_nowhere, d_nowhere, 1 << 28, cuda::stream_ref{stream}));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphGetNodes(graph, nodes, &count));
    for (size_t i = 0; i < count; i++) {
        cudaGraphNodeType type;
        CUDA_CHECK(cudaGraphNodeGetType(nodes[i], &type));
        printf(" %s", type == cudaGraphNodeTypeMemAlloc  ? "allocate"
                      : type == cudaGraphNodeTypeMemFree ? "free"
                      : type == cudaGraphNodeTypeKernel  ? "kernel"
                                                         : "other");
    }
    printf("\n");
    CUDA_CHECK(cudaGraphDestroy(graph));
}
#else
static void show_single_phase()
{
    printf("\nsingle phase: needs CCCL 3.1\n");
}
#endif

int main()
{
    int ptx = 0, sm = 0;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cub::PtxVersion(ptx));
    CUDA_CHECK(cub::SmVersion(sm, 0));
    printf("CUB %d.%d.%d, the kernels' PTX version is %d, the GPU's %d\n", CUB_VERSION / 100000,
           CUB_VERSION / 100 % 1000, CUB_VERSION % 100, ptx, sm);
    show<float>("f32 sum, n = 2^12, size_t", (size_t)1 << 12);
    show<float>("f32 sum, n = 2^28, size_t", (size_t)1 << 28);
    show<float>("f32 sum, n = 2^28, int", 1 << 28);
    show<double>("f64 sum, n = 2^28, size_t", (size_t)1 << 28);
    show<float>("f32 sum, n = 2^32, size_t", (size_t)1 << 32);
    show<float>("f32 sum, n = 2^32 in an unsigned, which is 0", (unsigned)((size_t)1 << 32));
    show_single_phase();
    show_old_error();
    CUDA_CHECK(cudaStreamDestroy(stream));
    return 0;
}
