// SPDX-License-Identifier: MIT
// REFUSED cublasCreate
#include <cublas_v2.h>

int main()
{
    cublasHandle_t handle;
    return cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS; // HERE
}
