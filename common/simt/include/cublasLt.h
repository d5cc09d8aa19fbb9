/* SPDX-License-Identifier: MIT */
/* cublasLt.h - types of cuBLASLt; a call is refused by name, unless it makes a handle. */
#ifndef SIMT_CUBLASLT_H
#define SIMT_CUBLASLT_H

#include "cublas_v2.h"

SIMT_HANDLE(cublasLtHandle_t, cublasLtContext);
SIMT_HANDLE_CALLS(cublasStatus_t, CUBLAS_STATUS_SUCCESS, cublasLtHandle_t, cublasLtCreate,
                  cublasLtDestroy)

#endif
