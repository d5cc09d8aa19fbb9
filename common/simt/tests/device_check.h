/* SPDX-License-Identifier: MIT */
/*
 * device_check.h - for tests in device code: TRUE(condition) remembers the last line where it did
 * not hold, and main returns failed_line().
 */
#ifndef SIMT_DEVICE_CHECK_H
#define SIMT_DEVICE_CHECK_H

#include "check.h"

__device__ unsigned failures;

inline __device__ void check_line(bool holds, unsigned line)
{
    if (!holds)
        atomicMax(&failures, line);
}

#define TRUE(condition) check_line((condition), __LINE__)
#define NEAR(value, expected)                                                                      \
    check_line(fabs((double)(value) - (expected)) < 2e-6 * fabs(expected), __LINE__)

inline int failed_line(const char *file)
{
    unsigned line;
    CHECK(cudaMemcpyFromSymbol(&line, failures, sizeof line));
    if (line != 0)
        fprintf(stderr, "%s:%u: not true\n", file, line);
    return line != 0 ? 2 : 0;
}

#endif
