/* SPDX-License-Identifier: MIT */
/*
 * device.h - the GPU, or the emulator, that the program runs on. Anyone may call it.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char name[256];
    int sms;
    size_t resident_threads; /* that all SMs hold at once */
    size_t l2_bytes;
    double peak_gbps;    /* of the memory, in theory; 0 where the driver does not say */
    int driver, runtime; /* CUDA versions, 12040 for 12.4 */
    bool emulated;       /* the emulator: times mean nothing */
} device_t;

/* Open the first device and describe it. Returns false, with the reason in *why, where none is
 * usable. */
bool device_open(device_t *device, const char **why);

/* Free memory of the device now, in bytes. */
size_t device_free_bytes(void);

/* Copy behind what is queued on `stream`, and wait for it. */
void device_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                 cudaStream_t stream);

#endif
