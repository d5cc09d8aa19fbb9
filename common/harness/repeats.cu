// SPDX-License-Identifier: MIT
//
// repeats.cu - the only kernel of the harness, for a GPU: it compares billions of elements on the
// device, because reading them back takes seconds. For the emulator device.c does it. And it
// represents all kernels of the program when asked what they were compiled for.
extern "C" {
#include "cuda_check.h"
#include "device.h"
}

static __device__ int differs;

// Launch: any. Reads a byte per thread: it is seldom called, and buffers may start anywhere.
static __global__ void compare_kernel(const unsigned char *d_data, size_t bytes,
                                      const unsigned char *d_model, size_t period)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += threads) {
        if (d_data[i] != d_model[i % period]) {
            differs = 1; // all that find one store the same value
            return;
        }
    }
}

extern "C" bool device_repeats(const void *d_data, size_t bytes, const void *d_model, size_t period,
                               cudaStream_t stream)
{
    int found = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = 1024;
    config.blockDim = 512;
    config.stream = stream;
    CUDA_CHECK(
        cudaMemcpyToSymbolAsync(differs, &found, sizeof found, 0, cudaMemcpyHostToDevice, stream));
    // Not <<<>>>: cudaGetLastError() would clear an error that the step has left.
    CUDA_CHECK(cudaLaunchKernelEx(&config, compare_kernel, (const unsigned char *)d_data, bytes,
                                  (const unsigned char *)d_model, period));
    CUDA_CHECK(cudaMemcpyFromSymbolAsync(&found, differs, sizeof found, 0, cudaMemcpyDeviceToHost,
                                         stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    return found == 0;
}

extern "C" cudaError_t device_compiled_for(int *capability)
{
    cudaFuncAttributes attributes = {};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, compare_kernel);
    *capability = attributes.ptxVersion;
    return error;
}
