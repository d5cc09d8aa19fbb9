// SPDX-License-Identifier: MIT
//
// loop.hpp - the end of an iteration, where lanes that are ahead wait for the others of their warp.
// simtcc inserts the call: translate/loops.c.
#ifndef SIMT_LOOP_HPP
#define SIMT_LOOP_HPP

#include "device.hpp"

namespace simt
{

// To the compiler it is a function of a number that changes, and touches no memory: so a load that
// is the same in each iteration may still leave the loop, and the call may not.
SIMT_INLINE void next_iteration()
{
    unsigned number;
    __asm__ volatile("" : "=r"(number));
    number = simt_iterate(number);
    __asm__ volatile("" : : "r"(number));
}

SIMT_INLINE constexpr void iterate()
{
    if (!__builtin_is_constant_evaluated())
        next_iteration();
}

} // namespace simt

#endif
