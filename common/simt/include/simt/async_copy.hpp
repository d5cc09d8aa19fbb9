// SPDX-License-Identifier: MIT
//
// async_copy.hpp - what memcpy_async() of cuda::barrier and of cooperative groups have in common.
#ifndef SIMT_ASYNC_COPY_HPP
#define SIMT_ASYNC_COPY_HPP

#include <cstddef>
#include <type_traits>

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

struct one_thread {
    SIMT_INLINE unsigned thread_rank() const { return 0; }
    SIMT_INLINE unsigned size() const { return 1; }
};

// The alignment that an element guarantees, or a size.
template <typename T>
constexpr size_t alignment_of_type = alignof(std::conditional_t<std::is_void_v<T>, char, T>);
template <typename Size>
constexpr size_t alignment_of_size = 1;
template <size_t Count>
constexpr size_t alignment_of_size<cuda::aligned_size_t<Count>> = Count;

// The threads of a group copy in turn, as on a GPU, in words of 4, 8 or 16 bytes: the widest that
// the types guarantee, or else the addresses. Smaller pieces are copied at once.
template <typename Group, typename To, typename From, typename Size>
SIMT_INLINE void async_copy(const Group &group, To *to, const From *from, const Size &size,
                            uint64_t *barrier)
{
    constexpr size_t of_type = alignment_of_type<To>, of_size = alignment_of_size<Size>;
    constexpr size_t known = of_type > of_size ? of_type : of_size;
    const size_t bytes = (size_t)size, bits = (size_t)to | (size_t)from | bytes | 16;
    const size_t widest = bits & -bits, width = known >= 4 && known < widest ? known : widest;
    for (size_t i = group.thread_rank() * width; i < bytes; i += group.size() * width) {
        for (size_t k = i; width < 4 && k < i + width; k++)
            ((char *)to)[k] = ((const char *)from)[k];
        if (width < 4)
            continue;
        if (barrier)
            simt_mbarrier_arrive(barrier, 0, (unsigned)width, 0);
        simt_async_copy((char *)to + i, (const char *)from + i, (unsigned)width, barrier);
    }
}

} // namespace simt

#endif
