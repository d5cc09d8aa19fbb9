/* SPDX-License-Identifier: MIT */
/* cublasLt.h - types of cuBLASLt; a call of it is refused by name. */
#ifndef SIMT_CUBLASLT_H
#define SIMT_CUBLASLT_H

#include "cublas_v2.h"

SIMT_HANDLE(cublasLtHandle_t, cublasLtContext);

#endif
