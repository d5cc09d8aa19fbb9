// SPDX-License-Identifier: MIT
//
// scan.h - cg::inclusive_scan and cg::exclusive_scan over a tile or a coalesced group.
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

template <typename Group, typename T, typename Op = plus<T>>
SIMT_INLINE T inclusive_scan(const Group &group, T v, Op op = Op(), int line = __builtin_LINE())
{
    for (unsigned delta = 1; delta < group.size(); delta *= 2) {
        const T before = group.shfl_up(v, delta, line);
        if (group.thread_rank() >= delta)
            v = op(before, v);
    }
    return v;
}

// The first lane gets T().
template <typename Group, typename T, typename Op = plus<T>>
SIMT_INLINE T exclusive_scan(const Group &group, T v, Op op = Op(), int line = __builtin_LINE())
{
    const T before = group.shfl_up(inclusive_scan(group, v, op, line), 1, line);
    return group.thread_rank() > 0 ? before : T();
}

} // namespace cooperative_groups

#endif
