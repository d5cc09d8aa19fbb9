// SPDX-License-Identifier: MIT
//
// pack.hpp - `p[i].x` of a float4 in memory: nvcc moves what is read of one pack in one request.
// The translator names the object of a member; here the types are known that nvcc moves this way:
// those that are aligned to their size. simt_pack() passes the address of such an object to the
// counters. one_of() only keeps g++ from moving an index into `c ? a : b`.
#ifndef SIMT_PACK_HPP
#define SIMT_PACK_HPP

#include "device.hpp"

namespace simt
{

template <typename T>
SIMT_INLINE constexpr void tell_pack(const volatile T *p)
{
    if constexpr (__is_class(T))
        if constexpr (alignof(T) == sizeof(T) && (sizeof(T) == 8 || sizeof(T) == 16))
            if (!__builtin_is_constant_evaluated())
                simt_pack(p, sizeof(T));
}

template <typename T>
SIMT_INLINE constexpr T &pack(T &object)
{
    tell_pack(__builtin_addressof(object));
    return object;
}
template <typename T>
SIMT_INLINE constexpr T &&pack(const T &&object)
{
    return const_cast<T &&>(object);
}

template <typename T>
SIMT_INLINE constexpr T *pack_at(T *p)
{
    tell_pack(p);
    return p;
}
template <typename T>
SIMT_INLINE constexpr T &&pack_at(T &&pointer) // a class with its own operator
{
    return static_cast<T &&>(pointer);
}

template <typename T>
SIMT_INLINE constexpr T &&one_of(T &&object)
{
    return static_cast<T &&>(object);
}

} // namespace simt

#endif
