// SPDX-License-Identifier: MIT
// REFUSED <mma.h>
#include <mma.h> // HERE

int main()
{
    return 0;
}
