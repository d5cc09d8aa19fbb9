// SPDX-License-Identifier: MIT
// REFUSED <curand_kernel.h>
#include <curand_kernel.h> // HERE

int main()
{
    return 0;
}
