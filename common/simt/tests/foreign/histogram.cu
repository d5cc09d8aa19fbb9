// SPDX-License-Identifier: MIT
//
// Histogram of bytes: each block counts in shared memory, then adds to global memory.
//
// COUNTS 1 atomic_requests 689 (20000 / 32 in shared memory, 8 warps of bins in each of 8 blocks)
// COUNTS 1 barriers 96 (8 blocks of 6 warps, 2 barriers)
// COUNTS 1 global_ld_sectors 625 (32 bytes are one sector)
#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

constexpr unsigned kBins = 256;

void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

__global__ void histogram(const std::uint8_t *__restrict__ data, std::size_t count,
                          unsigned *__restrict__ bins)
{
    __shared__ unsigned local[kBins];
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        local[bin] = 0u;
    __syncthreads();

    const auto stride = static_cast<std::size_t>(blockDim.x) * gridDim.x;
    for (auto i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();

    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        if (local[bin] != 0u)
            atomicAdd(&bins[bin], local[bin]);
}

template <typename T>
class DeviceBuffer
{
  public:
    explicit DeviceBuffer(std::size_t n) : size_(n)
    {
        check(cudaMalloc(&ptr_, n * sizeof(T)), "cudaMalloc");
    }
    ~DeviceBuffer() { cudaFree(ptr_); }
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer &operator=(const DeviceBuffer &) = delete;
    T *get() const { return ptr_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

  private:
    T *ptr_ = nullptr;
    std::size_t size_;
};

} // namespace

int main()
try {
    std::vector<std::uint8_t> data(20000);
    std::array<unsigned, kBins> expected{}, result{};
    std::uint32_t state = 12345;
    for (auto &d : data) {
        state = state * 1664525u + 1013904223u;
        d = static_cast<std::uint8_t>((state >> 24) & (state >> 16));
        ++expected[d];
    }
    DeviceBuffer<std::uint8_t> d_data(data.size());
    DeviceBuffer<unsigned> d_bins(kBins);
    check(cudaMemcpy(d_data.get(), data.data(), d_data.bytes(), cudaMemcpyHostToDevice), "copy");
    check(cudaMemset(d_bins.get(), 0, d_bins.bytes()), "cudaMemset");
    histogram<<<8, 192>>>(d_data.get(), data.size(), d_bins.get());
    check(cudaGetLastError(), "launch");
    check(cudaMemcpy(result.data(), d_bins.get(), d_bins.bytes(), cudaMemcpyDeviceToHost), "copy");
    return result == expected ? 0 : 1;
} catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
