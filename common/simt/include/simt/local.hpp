// SPDX-License-Identifier: MIT
//
// local.hpp - variables of a thread: those without a value, and arrays. One that is larger than all
// of its registers is memory on a GPU. The runtime gets its address: so the compiler no longer sees
// that it is private, and gives each access a hook.
#ifndef SIMT_LOCAL_HPP
#define SIMT_LOCAL_HPP

#include <type_traits>

#include "device.hpp"

namespace simt
{

constexpr size_t ALL_REGISTERS = 255 * 4; // bytes

template <typename T, size_t Count>
SIMT_INLINE constexpr void local_array(T (&array)[Count])
{
    if constexpr (sizeof array > ALL_REGISTERS)
        if (!__builtin_is_constant_evaluated())
            simt_local((volatile void *)array, sizeof array);
}
template <typename T>
SIMT_INLINE constexpr void local_array(const T &) // not an array, or without a size
{
}

// A variable whose first use reads it. simtcc inserts this after its declaration.
template <typename T>
SIMT_INLINE constexpr void no_start(const char *name, unsigned line)
{
    if constexpr (std::is_trivially_default_constructible_v<T>)
        if (!__builtin_is_constant_evaluated())
            simt_no_start(name, line);
}

} // namespace simt

#endif
