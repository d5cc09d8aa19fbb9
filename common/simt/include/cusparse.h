/* SPDX-License-Identifier: MIT */
/* cusparse.h - types of cuSPARSE; a call of it is refused by name. */
#ifndef SIMT_CUSPARSE_H
#define SIMT_CUSPARSE_H

#include "simt/library.h"

SIMT_HANDLE(cusparseHandle_t, cusparseContext);

typedef enum cusparseStatus_t {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7
} cusparseStatus_t;

#endif
