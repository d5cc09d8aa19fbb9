// SPDX-License-Identifier: MIT
// REFUSED cudaGraphAddEmptyNode
#include <cuda_runtime.h>

static int cudaGraphsOfMine()
{
    return 0;
}

int main()
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphAddEmptyNode(&node, graph, nullptr, 0); // HERE
    return cudaGraphsOfMine();
}
