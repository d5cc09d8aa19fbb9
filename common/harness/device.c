/* SPDX-License-Identifier: MIT */
#include "device.h"

#include "cuda_check.h"

#include <string.h>

#ifdef SIMT
#include "simt/include/simt/inspect.h"
#endif

/* An attribute, or 0 if the device does not know it: none of them is worth stopping for. */
static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, 0) != cudaSuccess) {
        cudaGetLastError(); /* a later cudaGetLastError() must not see it */
        return 0;
    }
    return value;
}

bool device_open(device_t *device, const char **why)
{
    struct cudaDeviceProp properties;
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);

    *device = (device_t){0};
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error == cudaSuccess)
        error = cudaSetDevice(0);
    if (error == cudaSuccess)
        error = cudaFree(NULL); /* creates the context now: a broken driver shows here */
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess) {
        *why = cudaGetErrorString(error);
        return false;
    }
#ifdef SIMT
    device->emulated = true;
#else
    int capability;
    error = device_compiled_for(&capability);
    if (error != cudaSuccess) {
        *why = "the kernels were not compiled for it; build with ARCH=native on its machine";
        return false;
    }
    /* Some launchers ask only the GPU whether it has the features of 9.0. */
    if (properties.major >= 9 && capability < 90) {
        *why = "it has sm_90 or newer, but the kernels were compiled for older, so some would give "
               "wrong results; build with ARCH=native on its machine, or with ARCH=sm_90";
        return false;
    }
#endif
    memcpy(device->name, properties.name, sizeof device->name - 1);
    device->sms = attribute(cudaDevAttrMultiProcessorCount);
    int threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    device->resident_threads = (size_t)device->sms * (size_t)threads;
    if (device->resident_threads == 0)
        device->resident_threads = 1024; /* the maximum per block on any GPU */
    device->l2_bytes = (size_t)attribute(cudaDevAttrL2CacheSize);
    /* Two transfers a clock (DDR); kHz times bits / 8 is a thousandth of bytes a second. */
    device->peak_gbps = 2.0 * attribute(cudaDevAttrMemoryClockRate) *
                        attribute(cudaDevAttrGlobalMemoryBusWidth) / 8 / 1e6;
    CUDA_CHECK(cudaDriverGetVersion(&device->driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&device->runtime));
    return true;
}

void device_set_sms(device_t *device, int sms)
{
    device->resident_threads = device->resident_threads / (size_t)device->sms * (size_t)sms;
    device->sms = sms;
    device->few_sms = true;
#ifdef SIMT
    simt_device_sms(sms);
#endif
}

size_t device_free_bytes(void)
{
    size_t free_bytes = 0, total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    return free_bytes;
}

uint64_t device_found(void)
{
#ifdef SIMT
    return simt_found();
#else
    return 0;
#endif
}

void device_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                 cudaStream_t stream)
{
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
}

#ifdef SIMT /* a GPU compares on the device: repeats.cu */
bool device_repeats(const void *d_data, size_t bytes, const void *d_model, size_t period,
                    cudaStream_t stream)
{
    enum { MOST = 1 << 16 };
    static unsigned char h_data[MOST], h_model[MOST];
    for (size_t begin = 0, count; begin < bytes; begin += count) {
        const size_t at = begin % period;
        count = bytes - begin < MOST ? bytes - begin : MOST;
        count = period - at < count ? period - at : count;
        device_copy(h_data, (const unsigned char *)d_data + begin, count, cudaMemcpyDeviceToHost,
                    stream);
        device_copy(h_model, (const unsigned char *)d_model + at, count, cudaMemcpyDeviceToHost,
                    stream);
        if (memcmp(h_data, h_model, count) != 0)
            return false;
    }
    return true;
}
#endif
