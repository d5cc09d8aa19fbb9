/* SPDX-License-Identifier: MIT */
/*
 * error.c - the two kinds of CUDA error. A wrong call sets the last error, which can be asked for
 * once. A kernel's violation is sticky: every later call returns it, until the process ends.
 */
#include "inside.h"

static cudaError_t last, sticky;

cudaError_t error_set(cudaError_t error)
{
    if (error != cudaSuccess)
        last = error;
    return error;
}

void error_set_sticky(cudaError_t error)
{
    if (sticky == cudaSuccess)
        sticky = error;
}

cudaError_t error_sticky(void)
{
    return sticky;
}

/* The kernel's error if there was one, else the call's own. */
cudaError_t error_result(cudaError_t error)
{
    return sticky ? sticky : error_set(error);
}

cudaError_t cudaPeekAtLastError(void)
{
    return sticky ? sticky : last;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = cudaPeekAtLastError();
    last = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define ERROR_NAME(name, value, text)                                                              \
    case name:                                                                                     \
        return #name;
        SIMT_ERRORS(ERROR_NAME)
#undef ERROR_NAME
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
#define ERROR_TEXT(name, value, text)                                                              \
    case name:                                                                                     \
        return text;
        SIMT_ERRORS(ERROR_TEXT)
#undef ERROR_TEXT
    }
    return "unrecognized error code";
}
