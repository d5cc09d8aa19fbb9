// SPDX-License-Identifier: MIT
// REFUSED <cublas_v2.h>
#include <cublas_v2.h> // HERE

int main()
{
    return 0;
}
