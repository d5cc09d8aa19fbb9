// SPDX-License-Identifier: MIT
//
// loop.hpp - the end of an iteration, where lanes that are ahead wait for the others of their warp.
// simtcc inserts the call: translate/loops.c.
#ifndef SIMT_LOOP_HPP
#define SIMT_LOOP_HPP

#include "device.hpp"

#include <cstddef>

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

// Where a range begins and ends: an array's elements, a class's own functions, or others that only
// its namespace has.
template <typename T, std::size_t n>
SIMT_FN(constexpr T *, range_begin, (T(&r)[n], int), r)
template <typename T, std::size_t n>
SIMT_FN(constexpr T *, range_end, (T(&r)[n], int), r + n)
template <typename R>
SIMT_FN(constexpr auto, range_begin, (R & r, int)->decltype(r.begin()), r.begin())
template <typename R>
SIMT_FN(constexpr auto, range_end, (R & r, int)->decltype(r.end()), r.end())
template <typename R>
SIMT_FN(constexpr auto, range_begin, (R & r, long)->decltype(begin(r)), begin(r))
template <typename R>
SIMT_FN(constexpr auto, range_end, (R & r, long)->decltype(end(r)), end(r))

// The range of a `for (a : b)`, whose iterator marks the end of each iteration.
template <typename Range>
struct marked {
    Range &&range;

    template <typename Iterator>
    struct iterator {
        Iterator at;

        SIMT_INLINE constexpr decltype(auto) operator*() const { return *at; }

        SIMT_INLINE constexpr void operator++()
        {
            iterate();
            ++at;
        }

        template <typename End>
        SIMT_INLINE constexpr bool operator!=(const End &end) const
        {
            return at != end;
        }
    };

    SIMT_INLINE constexpr auto begin() const
    {
        return iterator<decltype(range_begin(range, 0))>{range_begin(range, 0)};
    }

    SIMT_INLINE constexpr auto end() const { return range_end(range, 0); }
};

template <typename Range>
marked(Range &&) -> marked<Range>;

} // namespace simt

#endif
