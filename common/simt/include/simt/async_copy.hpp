// SPDX-License-Identifier: MIT
//
// async_copy.hpp - what memcpy_async() of cuda::barrier and of cooperative groups have in common.
#ifndef SIMT_ASYNC_COPY_HPP
#define SIMT_ASYNC_COPY_HPP

#include <cstddef>

#include "../cuda_runtime.h"

namespace cuda
{

// A number of bytes that guarantees an alignment.
template <size_t Alignment>
struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    SIMT_INLINE constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
    SIMT_INLINE constexpr operator size_t() const { return value; }
};

} // namespace cuda

namespace simt
{

// Any size and alignment: a GPU lets threads copy what its hardware does not support.
SIMT_INLINE void async_copy(void *to, const void *from, size_t bytes, uint64_t *barrier)
{
    if (barrier)
        simt_mbarrier_arrive(barrier, 0, (unsigned)bytes, 0);
    simt_async_copy(to, from, (unsigned)bytes, barrier);
}

} // namespace simt

#endif
