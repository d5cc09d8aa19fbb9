// SPDX-License-Identifier: MIT
//
// reduce.h - cg::reduce(group, value, cg::plus<T>()): every lane of the group gets the result.
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include <type_traits>

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define SIMT_GROUP_OP(name, value)                                                                 \
    template <typename T>                                                                          \
    struct name {                                                                                  \
        SIMT_INLINE T operator()(T a, T b) const { return value; }                                 \
    };
SIMT_GROUP_OP(plus, a + b)
SIMT_GROUP_OP(less, b < a ? b : a)
SIMT_GROUP_OP(greater, a < b ? b : a)
SIMT_GROUP_OP(bit_and, a &b)
SIMT_GROUP_OP(bit_or, a | b)
SIMT_GROUP_OP(bit_xor, a ^ b)
#undef SIMT_GROUP_OP

namespace simt_detail
{

// Integers have their own instruction; -1 if an operation has none.
template <typename T, typename Op>
constexpr int reduce_op()
{
    constexpr bool is_int = std::is_same_v<T, int>, is_unsigned = std::is_same_v<T, unsigned>;
    if (!is_int && !is_unsigned)
        return -1;
    return std::is_same_v<Op, plus<T>>      ? SIMT_REDUCE_ADD
           : std::is_same_v<Op, less<T>>    ? (is_int ? SIMT_REDUCE_MIN_INT : SIMT_REDUCE_MIN)
           : std::is_same_v<Op, greater<T>> ? (is_int ? SIMT_REDUCE_MAX_INT : SIMT_REDUCE_MAX)
           : std::is_same_v<Op, bit_and<T>> ? SIMT_REDUCE_AND
           : std::is_same_v<Op, bit_or<T>>  ? SIMT_REDUCE_OR
           : std::is_same_v<Op, bit_xor<T>> ? SIMT_REDUCE_XOR
                                            : -1;
}

} // namespace simt_detail

template <unsigned Count, typename Parent, typename T, typename Op>
SIMT_INLINE T reduce(const thread_block_tile<Count, Parent> &tile, T v, Op op,
                     int line = __builtin_LINE())
{
    constexpr int code = simt_detail::reduce_op<T, std::decay_t<Op>>();
    if constexpr (code >= 0) {
        return (T)simt::warp_op((simt_op)code, tile.mask(), (unsigned)v, line);
    } else {
        for (unsigned lanes = Count / 2; lanes > 0; lanes /= 2)
            v = op(v, tile.shfl_xor(v, lanes, line));
        return v;
    }
}

// A group of any lanes: each reads all of them in the order of their ranks.
template <typename T, typename Op>
SIMT_INLINE T reduce(const coalesced_group &group, T v, Op op, int line = __builtin_LINE())
{
    T sum = group.shfl(v, 0, line);
    for (unsigned rank = 1; rank < group.size(); rank++)
        sum = op(sum, group.shfl(v, (int)rank, line));
    return sum;
}

} // namespace cooperative_groups

#endif
