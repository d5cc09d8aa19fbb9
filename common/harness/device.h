/* SPDX-License-Identifier: MIT */
/*
 * device.h - the GPU, or the emulator, that the program runs on. Anyone may call it.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    char name[256];
    int sms;
    size_t resident_threads; /* that all SMs hold at once */
    size_t l2_bytes;
    double peak_gbps;    /* of the memory, in theory; 0 if the driver does not say */
    int driver, runtime; /* CUDA versions, 12040 for 12.4 */
    bool emulated;       /* the emulator: times are meaningless */
    bool few_sms;        /* fewer multiprocessors are shown than the device has */
} device_t;

/* Open the first device and describe it. Returns false, with the reason in *why, if none is
 * usable. */
bool device_open(device_t *device, const char **why);

/*
 * What the kernels of this program were compiled for: 90 for ARCH=sm_90. An error if none of them
 * can run on the device. Not in the emulator.
 */
cudaError_t device_compiled_for(int *capability);

/* Free memory of the device now, in bytes. */
size_t device_free_bytes(void);

/* How many mistakes the emulator has found in kernels; 0 on a GPU, which does not check. */
uint64_t device_found(void);

/*
 * From now on the emulator shows a GPU with `sms` multiprocessors, and so does *device. A
 * grid-stride loop then has many iterations, even with few elements.
 */
void device_set_sms(device_t *device, int sms);

/* Copy after what is queued on `stream`, and wait for it. */
void device_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                 cudaStream_t stream);

/*
 * Whether `bytes` bytes of d_data are the `period` bytes of d_model, again and again; both stay on
 * the device.
 */
bool device_repeats(const void *d_data, size_t bytes, const void *d_model, size_t period,
                    cudaStream_t stream);

#endif
