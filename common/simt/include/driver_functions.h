/* SPDX-License-Identifier: MIT */
/* driver_functions.h - makes the structs that describe a box of memory. */
#ifndef SIMT_DRIVER_FUNCTIONS_H
#define SIMT_DRIVER_FUNCTIONS_H

#include "cuda_runtime_api.h"

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    const struct cudaExtent e = {width, height, depth};
    return e;
}

static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    const struct cudaPos p = {x, y, z};
    return p;
}

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize,
                                                        size_t ysize)
{
    const struct cudaPitchedPtr p = {ptr, pitch, xsize, ysize};
    return p;
}

#endif
