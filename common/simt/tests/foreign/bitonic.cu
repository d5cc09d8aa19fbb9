// SPDX-License-Identifier: MIT
//
// Bitonic sort of keys in shared memory, a thread for each pair; several arrays, a block each.
//
// COUNTS 1 barriers 1104 (3 blocks of 8 warps: 1 + ... + 9 steps, and the end)
// COUNTS 1 global_ld_requests 48
// COUNTS 3 global_ld_sectors 384 (keys of 8 bytes)
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

constexpr unsigned kSize = 512;

template <typename Key>
__device__ inline void Comparator(Key &keyA, Key &keyB, bool dir)
{
    if ((keyA > keyB) == dir) {
        Key t = keyA;
        keyA = keyB;
        keyB = t;
    }
}

template <typename Key>
__global__ void bitonicSortShared(Key *keys, bool dir)
{
    __shared__ Key s_key[kSize];
    keys += blockIdx.x * kSize;
    s_key[threadIdx.x] = keys[threadIdx.x];
    s_key[threadIdx.x + kSize / 2] = keys[threadIdx.x + kSize / 2];

    for (unsigned size = 2; size < kSize; size <<= 1) {
        const bool ddd = dir ^ ((threadIdx.x & (size / 2)) != 0);
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            const unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(s_key[pos], s_key[pos + stride], ddd);
        }
    }
    for (unsigned stride = kSize / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        const unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        Comparator(s_key[pos], s_key[pos + stride], dir);
    }
    __syncthreads();
    keys[threadIdx.x] = s_key[threadIdx.x];
    keys[threadIdx.x + kSize / 2] = s_key[threadIdx.x + kSize / 2];
}

template <typename Key>
bool sorts(bool up)
{
    const unsigned arrays = 3;
    std::vector<Key> keys(arrays * kSize), back(arrays * kSize);
    std::mt19937 random(7);
    for (Key &k : keys)
        k = static_cast<Key>(random() % 1000);
    Key *device = nullptr;
    cudaMalloc(reinterpret_cast<void **>(&device), keys.size() * sizeof(Key));
    cudaMemcpy(device, keys.data(), keys.size() * sizeof(Key), cudaMemcpyHostToDevice);
    bitonicSortShared<Key><<<arrays, kSize / 2>>>(device, up);
    cudaMemcpy(back.data(), device, keys.size() * sizeof(Key), cudaMemcpyDeviceToHost);
    cudaFree(device);
    for (unsigned a = 0; a < arrays; ++a) {
        auto first = keys.begin() + a * kSize, last = first + kSize;
        std::sort(first, last);
        if (!up)
            std::reverse(first, last);
    }
    return keys == back;
}

int main()
{
    const bool ok = sorts<unsigned>(true) && sorts<int>(false) && sorts<double>(true);
    std::puts(ok ? "sorted" : "not sorted");
    return ok ? 0 : 1;
}
