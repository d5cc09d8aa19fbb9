/* SPDX-License-Identifier: MIT */
/*
 * library.h - for the headers of NVIDIA's libraries: a program may include one and name its types,
 * as shared helper headers do. The library's functions are not declared, so a call of one is
 * refused with its name and line.
 */
#ifndef SIMT_LIBRARY_H
#define SIMT_LIBRARY_H

#include "cuda_runtime_api.h"

#define SIMT_HANDLE(name, tag) typedef struct tag *name

/* A handle may be created and destroyed, but does nothing. */
#define SIMT_HANDLE_CALLS(status_t, success, handle_t, create, destroy)                            \
    static inline status_t create(handle_t *handle)                                                \
    {                                                                                              \
        static char place;                                                                         \
        *handle = (handle_t)&place;                                                                \
        return success;                                                                            \
    }                                                                                              \
    static inline status_t destroy(handle_t handle)                                                \
    {                                                                                              \
        (void)handle;                                                                              \
        return success;                                                                            \
    }

/* Shared by several libraries. */
typedef enum cudaDataType_t {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14
} cudaDataType_t;
typedef cudaDataType_t cudaDataType;

#endif
