// SPDX-License-Identifier: MIT
// REFUSED cublasSasum
#include <cublas_v2.h>

int main()
{
    cublasHandle_t handle;
    float sum = 0, *d_x = nullptr;
    cublasCreate(&handle);                                                // a handle may be made
    return cublasSasum(handle, 1, d_x, 1, &sum) != CUBLAS_STATUS_SUCCESS; // HERE
}
