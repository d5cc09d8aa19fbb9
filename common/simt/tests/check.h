/* SPDX-License-Identifier: MIT */
/*
 * check.h - what every test program needs: exit with status 2 at the first failure.
 */
#ifndef SIMT_CHECK_H
#define SIMT_CHECK_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);              \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t check_error = (call);                                                    \
        if (check_error != cudaSuccess) {                                                          \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(check_error));                                              \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

#endif
