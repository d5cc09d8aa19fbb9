/* SPDX-License-Identifier: MIT */
/* curand.h - types of cuRAND's host side; a call of it is refused by name. */
#ifndef SIMT_CURAND_H
#define SIMT_CURAND_H

#include "simt/library.h"

SIMT_HANDLE(curandGenerator_t, curandGenerator_st);

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

#endif
