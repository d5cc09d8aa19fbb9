// SPDX-License-Identifier: MIT
// REFUSED cudaMallocArray
int main()
{
    return cudaMallocArray(nullptr, nullptr, 10, 10); // HERE
}
