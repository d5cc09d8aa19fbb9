// SPDX-License-Identifier: MIT
// REFUSED cub::DeviceRadixSort
#include <cub/cub.cuh>

int main()
{
    size_t bytes;
    int *p = nullptr;
    cub::DeviceRadixSort::SortKeys(nullptr, bytes, p, p, 10); // HERE
    return 0;
}
