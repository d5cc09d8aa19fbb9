// SPDX-License-Identifier: MIT
//
// group_ops.hpp - what the groups of cooperative_groups.h have in common.
#ifndef SIMT_GROUP_OPS_HPP
#define SIMT_GROUP_OPS_HPP

#include "integer.hpp"
#include "warp.hpp"

namespace simt
{

SIMT_INLINE unsigned thread_number()
{
    const uint3 t = simt_thread_idx(), b = simt_block_dim();
    return t.x + b.x * (t.y + b.y * t.z);
}

SIMT_INLINE unsigned volume(uint3 n)
{
    return n.x * n.y * n.z;
}

SIMT_FN(unsigned, threads_of_block, (), volume(simt_block_dim()))

SIMT_FN(unsigned, lane, (), thread_number() % 32)

// The lane of rank `rank` in a mask.
SIMT_INLINE int nth_lane(unsigned mask, int rank)
{
    for (; rank > 0; rank--)
        mask &= mask - 1;
    return __ffs((int)mask) - 1;
}

// Votes of a group of lanes, which provides mask(). Ballots count from the group's first lane.
template <typename Group>
class lane_group
{
    SIMT_INLINE unsigned mask() const { return static_cast<const Group *>(this)->mask(); }

    // Turns bits of lanes into bits of ranks.
    SIMT_INLINE unsigned by_rank(unsigned lanes) const
    {
        unsigned ranks = 0, bit = 1;
        for (unsigned rest = mask(); rest != 0; rest &= rest - 1, bit <<= 1)
            ranks |= lanes & rest & -rest ? bit : 0;
        return ranks;
    }

  public:
    SIMT_INLINE void sync(int line = __builtin_LINE()) const { __syncwarp(mask(), line); }
    SIMT_INLINE int any(int p, int line = __builtin_LINE()) const
    {
        return __any_sync(mask(), p, line);
    }
    SIMT_INLINE int all(int p, int line = __builtin_LINE()) const
    {
        return __all_sync(mask(), p, line);
    }
    SIMT_INLINE unsigned ballot(int p, int line = __builtin_LINE()) const
    {
        return by_rank(__ballot_sync(mask(), p, line));
    }
    template <typename T>
    SIMT_INLINE unsigned match_any(T v, int line = __builtin_LINE()) const
    {
        return by_rank(__match_any_sync(mask(), v, line));
    }
    template <typename T>
    SIMT_INLINE unsigned match_all(T v, int &all, int line = __builtin_LINE()) const
    {
        return by_rank(__match_all_sync(mask(), v, &all, line));
    }
};

} // namespace simt

#endif
