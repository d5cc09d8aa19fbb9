// SPDX-License-Identifier: MIT
// REFUSED cudaStreamBeginCapture
#include <cuda_runtime.h>

static int cudaGraphsOfMine()
{
    return 0;
}

int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); // HERE
    return 0;
}
