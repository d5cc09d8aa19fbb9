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

/* Calls that have nothing to do here, and versions. */
#define NOTHING(name, type)                                                                        \
    cudaError_t name(type unused)                                                                  \
    {                                                                                              \
        (void)unused;                                                                              \
        return cudaSuccess;                                                                        \
    }
#define VERSION(name)                                                                              \
    cudaError_t name(int *version)                                                                 \
    {                                                                                              \
        *version = 13000;                                                                          \
        return cudaSuccess;                                                                        \
    }
NOTHING(cudaStreamDestroy, cudaStream_t)
NOTHING(cudaStreamSynchronize, cudaStream_t)
NOTHING(cudaEventSynchronize, cudaEvent_t)
NOTHING(cudaGraphDestroy, cudaGraph_t)
NOTHING(cudaGraphExecDestroy, cudaGraphExec_t)
VERSION(cudaDriverGetVersion)
VERSION(cudaRuntimeGetVersion)

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
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
    *count = getenv("STUB_NO_DEVICE") != NULL ? 0 : devices != NULL ? atoi(devices) : 1;
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
    (void)device;
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

    (void)device;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].attribute == attribute) {
            *value = known[i].value;
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidValue;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

/* Calls are not checked here, and every launch is one that a GPU accepts. */
void simt_probe_start(cudaStream_t stream, unsigned failing)
{
    (void)stream;
    steps_idle = failing > 0;
}

struct simt_probe simt_probe_stop(void)
{
    steps_idle = false;
    return (struct simt_probe){0};
}

const char *simt_call_text(struct simt_call call, char *out, size_t out_bytes)
{
    (void)out, (void)out_bytes;
    return call.name;
}

void simt_device_sms(int sms)
{
    (void)sms;
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
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemsetAsync(void *d_ptr, int value, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    memset(d_ptr, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    (void)flags;
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
    (void)flags;
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

    (void)stream;
    timespec_get(&now, TIME_UTC);
    ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
    memcpy((void *)event, &ms, sizeof ms);
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    (void)stream;
    (void)event;
    (void)flags;
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

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)stream;
    (void)mode;
    return cudaErrorNotSupported;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    (void)stream;
    *graph = NULL;
    return cudaErrorNotSupported;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)graph;
    (void)flags;
    *exec = NULL;
    return cudaErrorNotSupported;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)exec;
    (void)stream;
    return cudaErrorNotSupported;
}

uint64_t simt_found(void)
{
    return 0;
}

void simt_watch(int on)
{
    (void)on;
}

void simt_blocks_take_turns(unsigned most_threads)
{
    (void)most_threads;
}

void simt_break_off(int on)
{
    (void)on;
}

/* The steps here have no kernel that could start early. */
void simt_written_before(cudaStream_t stream, const void *low, size_t bytes, size_t element_bytes)
{
    (void)stream, (void)low, (void)bytes, (void)element_bytes;
}

/* The emulator's: here ASan and the zones' own contents must do. */
void simt_buffer(const void *low, size_t bytes, const char *name, size_t element_bytes,
                 const char *element)
{
    (void)low, (void)bytes, (void)name, (void)element_bytes, (void)element;
}
