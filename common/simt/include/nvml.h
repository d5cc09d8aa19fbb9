/* SPDX-License-Identifier: MIT */
/*
 * nvml.h - the part of the management library that benchmarks use: the device, its name and its
 * clocks. What changes with time or temperature is missing.
 */
#ifndef SIMT_NVML_H
#define SIMT_NVML_H

#include <stdio.h>

#include "cuda_runtime_api.h"

typedef enum nvmlReturn_enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NOT_FOUND = 6
} nvmlReturn_t;

typedef enum nvmlClockType_enum {
    NVML_CLOCK_GRAPHICS = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_CLOCK_VIDEO = 3
} nvmlClockType_t;

typedef struct nvmlDevice_st *nvmlDevice_t;

/* The names of its second version. */
#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2

#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32

static inline nvmlReturn_t nvmlInit(void)
{
    return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlShutdown(void)
{
    return NVML_SUCCESS;
}

static inline const char *nvmlErrorString(nvmlReturn_t result)
{
    return result == NVML_SUCCESS ? "Success" : "Not found, or not supported";
}

static inline nvmlReturn_t nvmlDeviceGetCount(unsigned int *count)
{
    *count = 1;
    return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int number, nvmlDevice_t *device)
{
    static char place;
    *device = (nvmlDevice_t)&place;
    return number == 0 ? NVML_SUCCESS : NVML_ERROR_NOT_FOUND;
}

static inline nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *text, nvmlDevice_t *device)
{
    int number = 0;
    return cudaDeviceGetByPCIBusId(&number, text) == cudaSuccess
               ? nvmlDeviceGetHandleByIndex(0, device)
               : NVML_ERROR_NOT_FOUND;
}

static inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int bytes)
{
    struct cudaDeviceProp prop;
    (void)device;
    if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
        return NVML_ERROR_NOT_FOUND;
    snprintf(name, bytes, "%s", prop.name);
    return NVML_SUCCESS;
}

/* In MHz. */
static inline nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                                     unsigned int *clock)
{
    struct cudaDeviceProp prop;
    (void)device;
    if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
        return NVML_ERROR_NOT_FOUND;
    *clock = (unsigned int)(type == NVML_CLOCK_MEM ? prop.memoryClockRate : prop.clockRate) / 1000;
    return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                                  unsigned int *clock)
{
    return nvmlDeviceGetMaxClockInfo(device, type, clock);
}

#endif
