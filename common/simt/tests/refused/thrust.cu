// SPDX-License-Identifier: MIT
// REFUSED <thrust/device_vector.h>
#include <thrust/device_vector.h> // HERE

int main()
{
    thrust::device_vector<int> v(10);
    return 0;
}
