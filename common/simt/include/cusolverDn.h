/* SPDX-License-Identifier: MIT */
/* cusolverDn.h - types of cuSOLVER; a call of it is refused by name. */
#ifndef SIMT_CUSOLVERDN_H
#define SIMT_CUSOLVERDN_H

#include "cublas_v2.h"

SIMT_HANDLE(cusolverDnHandle_t, cusolverDnContext);

typedef enum cusolverStatus_t {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_NOT_INITIALIZED = 1,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_STATUS_INVALID_VALUE = 3,
    CUSOLVER_STATUS_ARCH_MISMATCH = 4,
    CUSOLVER_STATUS_EXECUTION_FAILED = 6,
    CUSOLVER_STATUS_INTERNAL_ERROR = 7
} cusolverStatus_t;

#endif
