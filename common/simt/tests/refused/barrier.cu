// SPDX-License-Identifier: MIT
// REFUSED <cuda/barrier>
#include <cuda/barrier> // HERE

int main()
{
    return 0;
}
