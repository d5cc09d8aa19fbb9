/* SPDX-License-Identifier: MIT */
/*
 * cuda_stub.c - the CUDA calls of the harness, on host memory. "Kernels" are host functions.
 *
 * Enough to test the harness itself, without a GPU and without the emulator, under
 * AddressSanitizer. There are no graphs: capture returns cudaErrorNotSupported.
 */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include <cuda_runtime_api.h>
#include <simt/inspect.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "steps.h"

enum { STUB_FREE_BYTES = 1 << 30 };

/* Most calls have nothing to do here, whatever they are given. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define RETURN(result, type, name, ...)                                                            \
    type name(__VA_ARGS__)                                                                         \
    {                                                                                              \
        return result;                                                                             \
    }
#define SUCCEED(name, ...) RETURN(cudaSuccess, cudaError_t, name, __VA_ARGS__)
#define REFUSE(name, ...) RETURN(cudaErrorNotSupported, cudaError_t, name, __VA_ARGS__)
#define NOTHING(name, ...)                                                                         \
    void name(__VA_ARGS__) {}
SUCCEED(cudaGetLastError, void)
SUCCEED(cudaDeviceSynchronize, void)
SUCCEED(cudaStreamDestroy, cudaStream_t stream)
SUCCEED(cudaStreamSynchronize, cudaStream_t stream)
SUCCEED(cudaStreamWaitEvent, cudaStream_t stream, cudaEvent_t event, unsigned int flags)
SUCCEED(cudaEventSynchronize, cudaEvent_t event)
SUCCEED(cudaGraphDestroy, cudaGraph_t graph)
SUCCEED(cudaGraphExecDestroy, cudaGraphExec_t exec)
REFUSE(cudaStreamBeginCapture, cudaStream_t stream, enum cudaStreamCaptureMode mode)
REFUSE(cudaGraphInstantiate, cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
REFUSE(cudaGraphLaunch, cudaGraphExec_t exec, cudaStream_t stream)

/* The emulator's: calls are not checked, and ASan and the zones' own contents must do. */
RETURN(0, uint64_t, simt_found, void)
NOTHING(simt_watch, int on)
NOTHING(simt_blocks_take_turns, unsigned most_threads)
NOTHING(simt_break_off, int on)
NOTHING(simt_device_sms, int sms)
NOTHING(simt_written_before, cudaStream_t stream, const void *low, size_t bytes, size_t each)
NOTHING(simt_buffer, const void *low, size_t bytes, const char *name, size_t each, const char *type)

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess ? "no error" : "some error";
}

const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaSuccess ? "cudaSuccess" : "cudaErrorSome";
}

cudaError_t cudaGetDeviceCount(int *count)
{
    const char *devices = getenv("STUB_DEVICES");
    *count = devices != NULL ? atoi(devices) : 1;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    int count;
    cudaGetDeviceCount(&count);
    return device >= 0 && device < count ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    memset(properties, 0, sizeof *properties);
    strcpy(properties->name, "stub");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    static const struct {
        enum cudaDeviceAttr attribute;
        int value;
    } known[] = {{cudaDevAttrMultiProcessorCount, 4},
                 {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
                 {cudaDevAttrL2CacheSize, 1 << 20},
                 {cudaDevAttrMemoryClockRate, 1000000},
                 {cudaDevAttrGlobalMemoryBusWidth, 256}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].attribute == attribute) {
            *value = known[i].value;
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidValue;
}

/* Calls are not checked here, and every launch is one that a GPU accepts. */
void simt_probe_start(cudaStream_t stream, unsigned failing)
{
    steps_idle = failing > 0;
}

struct simt_probe simt_probe_stop(void)
{
    steps_idle = false;
    return (struct simt_probe){0};
}

const char *simt_call_text(struct simt_call call, char *out, size_t out_bytes)
{
    return call.name;
}

/* Aligned to 256 like the real one, and of exactly the size asked for: ASan sees the end. */
cudaError_t cudaMalloc(void **d_ptr, size_t bytes)
{
    if (bytes <= STUB_FREE_BYTES && posix_memalign(d_ptr, 256, bytes) == 0)
        return cudaSuccess;
    *d_ptr = NULL;
    return cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *d_ptr)
{
    free(d_ptr);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = *total_bytes = STUB_FREE_BYTES;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemsetAsync(void *d_ptr, int value, size_t bytes, cudaStream_t stream)
{
    memset(d_ptr, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    *stream = NULL;
    return cudaSuccess;
}

/* An event is the time when it was recorded, in milliseconds. */
cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = (cudaEvent_t)calloc(1, sizeof(double));
    return *event != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free((void *)event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    struct timespec now;
    double ms;

    timespec_get(&now, TIME_UTC);
    ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
    memcpy((void *)event, &ms, sizeof ms);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    double from, to;

    memcpy(&from, (void *)start, sizeof from);
    memcpy(&to, (void *)end, sizeof to);
    *ms = (float)(to - from);
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = NULL;
    return cudaErrorNotSupported;
}
