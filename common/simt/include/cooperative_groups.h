// SPDX-License-Identifier: MIT
//
// cooperative_groups.h - groups of threads: the grid, a cluster of blocks, the block, tiles of a
// warp, and the active lanes.
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#include "simt/group_ops.hpp"

namespace cooperative_groups
{

class thread_block
{
  public:
    using index_type = dim3;

    SIMT_INLINE void sync(int line = __builtin_LINE()) const { simt_barrier(0, line); }
    SIMT_INLINE unsigned thread_rank() const { return simt::thread_number(); }
    SIMT_INLINE unsigned size() const { return simt::threads_of_block(); }
    SIMT_INLINE unsigned num_threads() const { return simt::threads_of_block(); }
    SIMT_INLINE dim3 group_index() const { return simt_block_idx(); }
    SIMT_INLINE dim3 thread_index() const { return simt_thread_idx(); }
    SIMT_INLINE dim3 group_dim() const { return simt_block_dim(); }
    SIMT_INLINE dim3 dim_threads() const { return simt_block_dim(); }
};

SIMT_INLINE thread_block this_thread_block()
{
    return {};
}

// The blocks that can access each other's shared memory. From sm_90 on.
class cluster_group
{
  public:
    using arrival_token = unsigned;

    SIMT_INLINE static void sync(int = 0) { simt_cluster_sync(); }
    SIMT_INLINE static arrival_token barrier_arrive()
    {
        simt_cluster_arrive(1);
        return 0;
    }
    SIMT_INLINE static void barrier_wait() { simt_cluster_wait(); }
    SIMT_INLINE static void barrier_wait(arrival_token) { simt_cluster_wait(); }

    SIMT_INLINE static dim3 dim_blocks() { return simt_cluster_dim(); }
    SIMT_INLINE static unsigned num_blocks() { return simt::volume(simt_cluster_dim()); }
    SIMT_INLINE static unsigned block_rank() { return simt_cluster_rank(); }
    SIMT_INLINE static dim3 block_index()
    {
        const uint3 b = simt_block_idx(), c = simt_cluster_dim();
        return dim3(b.x % c.x, b.y % c.y, b.z % c.z);
    }
    SIMT_INLINE static dim3 dim_threads()
    {
        const uint3 b = simt_block_dim(), c = simt_cluster_dim();
        return dim3(b.x * c.x, b.y * c.y, b.z * c.z);
    }
    SIMT_INLINE static unsigned num_threads() { return num_blocks() * simt::threads_of_block(); }
    SIMT_INLINE static unsigned size() { return num_threads(); }
    SIMT_INLINE static unsigned thread_rank()
    {
        return block_rank() * simt::threads_of_block() + simt::thread_number();
    }
    template <typename T>
    SIMT_INLINE static T *map_shared_rank(T *shared, int rank)
    {
        return (T *)simt_cluster_map(shared, (unsigned)rank);
    }
    SIMT_INLINE static unsigned query_shared_rank(const void *shared)
    {
        return simt_cluster_owner(shared);
    }
};

SIMT_INLINE cluster_group this_cluster()
{
    return {};
}

// All threads of a cooperative launch.
class grid_group
{
  public:
    using arrival_token = unsigned;

    SIMT_INLINE void sync(int = 0) const { simt_grid_sync(); }
    SIMT_INLINE bool is_valid() const { return simt_grid_is_valid() != 0; }
    SIMT_INLINE unsigned long long num_blocks() const { return simt::volume(simt_grid_dim()); }
    SIMT_INLINE unsigned long long block_rank() const
    {
        const uint3 b = simt_block_idx(), g = simt_grid_dim();
        return b.x + (unsigned long long)g.x * (b.y + (unsigned long long)g.y * b.z);
    }
    SIMT_INLINE unsigned long long num_threads() const
    {
        return num_blocks() * simt::threads_of_block();
    }
    SIMT_INLINE unsigned long long size() const { return num_threads(); }
    SIMT_INLINE unsigned long long thread_rank() const
    {
        return block_rank() * simt::threads_of_block() + simt::thread_number();
    }
    SIMT_INLINE dim3 group_dim() const { return simt_grid_dim(); }
    SIMT_INLINE dim3 dim_blocks() const { return simt_grid_dim(); }
    SIMT_INLINE dim3 block_index() const { return simt_block_idx(); }
};

SIMT_INLINE grid_group this_grid()
{
    return {};
}

// Count neighbouring lanes, a power of two. `Parent` is the group that was divided into tiles.
template <unsigned Count, typename Parent = void>
class thread_block_tile : public simt::lane_group<thread_block_tile<Count, Parent>>
{
    static_assert(Count <= 32, "simtcc: a tile of more than 32 threads");
    static_assert(Count > 0 && (Count & (Count - 1)) == 0, "the size of a tile is a power of two");
    unsigned parent_size;

  public:
    SIMT_INLINE explicit thread_block_tile(unsigned parent) : parent_size(parent) {}
    template <typename Other>
    SIMT_INLINE thread_block_tile(const thread_block_tile<Count, Other> &t)
        : parent_size(t.parent_threads())
    {
    }
    SIMT_INLINE unsigned parent_threads() const { return parent_size; }
    SIMT_INLINE unsigned mask() const
    {
        const unsigned first = simt::thread_number() % 32 & ~(Count - 1);
        return (Count == 32 ? ~0u : (1u << Count % 32) - 1) << first;
    }
    SIMT_INLINE unsigned thread_rank() const { return simt::thread_number() % Count; }
    static constexpr unsigned size() { return Count; }
    static constexpr unsigned num_threads() { return Count; }
    SIMT_INLINE unsigned meta_group_rank() const
    {
        return simt::thread_number() % parent_size / Count;
    }
    SIMT_INLINE unsigned meta_group_size() const { return (parent_size + Count - 1) / Count; }

#define SIMT_TILE_SHUFFLE(name, op, type)                                                          \
    template <typename T>                                                                          \
    SIMT_INLINE T name(T v, type from, int line = __builtin_LINE()) const                          \
    {                                                                                              \
        return simt::shuffle_any(op, mask(), v, (int)from, Count, line);                           \
    }
    SIMT_TILE_SHUFFLE(shfl, SIMT_SHFL_IDX, int)
    SIMT_TILE_SHUFFLE(shfl_down, SIMT_SHFL_DOWN, unsigned)
    SIMT_TILE_SHUFFLE(shfl_up, SIMT_SHFL_UP, unsigned)
    SIMT_TILE_SHUFFLE(shfl_xor, SIMT_SHFL_XOR, unsigned)
#undef SIMT_TILE_SHUFFLE
};

// Any lanes of a warp: those at the same place, or a tile whose size is not a constant. A rank
// counts only the lanes of the group. Aligned as it is passed: old clangs copy it as one word.
class alignas(8) coalesced_group : public simt::lane_group<coalesced_group>
{
    unsigned lanes;
    unsigned char part, parts; // one of `n` that a group was divided into

  public:
    SIMT_INLINE explicit coalesced_group(unsigned mask, unsigned number = 0, unsigned count = 1)
        : lanes(mask), part((unsigned char)number), parts((unsigned char)count)
    {
    }
    SIMT_INLINE unsigned mask() const { return lanes; }
    SIMT_INLINE unsigned thread_rank() const { return __popc(lanes & ((1u << simt::lane()) - 1)); }
    SIMT_INLINE unsigned size() const { return __popc(lanes); }
    SIMT_INLINE unsigned num_threads() const { return __popc(lanes); }
    SIMT_INLINE unsigned meta_group_rank() const { return part; }
    SIMT_INLINE unsigned meta_group_size() const { return parts; }

    template <typename T>
    SIMT_INLINE T shfl(T v, int rank, int line = __builtin_LINE()) const
    {
        return simt::shuffle_any(SIMT_SHFL_IDX, lanes, v, simt::nth_lane(lanes, rank), 32, line);
    }
    // Past the end a lane gets its own value.
    template <typename T>
    SIMT_INLINE T shfl_down(T v, unsigned delta, int line = __builtin_LINE()) const
    {
        const unsigned rank = thread_rank(), from = rank + delta;
        return shfl(v, (int)(from < size() ? from : rank), line);
    }
    template <typename T>
    SIMT_INLINE T shfl_up(T v, unsigned delta, int line = __builtin_LINE()) const
    {
        const unsigned rank = thread_rank();
        return shfl(v, (int)(delta <= rank ? rank - delta : rank), line);
    }
};

SIMT_FN(coalesced_group, coalesced_threads, (), coalesced_group(__activemask()))

// Any of the groups above, for a function that takes them all.
class thread_group
{
    bool whole_block;
    coalesced_group lanes;

  public:
    SIMT_INLINE thread_group(thread_block) : whole_block(true), lanes(0) {}
    template <unsigned Count, typename Parent>
    SIMT_INLINE thread_group(thread_block_tile<Count, Parent> t)
        : whole_block(false), lanes(t.mask())
    {
    }
    SIMT_INLINE thread_group(coalesced_group g) : whole_block(false), lanes(g) {}

    SIMT_INLINE void sync(int line = __builtin_LINE()) const
    {
        if (whole_block)
            simt_barrier(0, line);
        else
            lanes.sync(line);
    }
    SIMT_INLINE unsigned thread_rank() const
    {
        return whole_block ? simt::thread_number() : lanes.thread_rank();
    }
    SIMT_INLINE unsigned size() const
    {
        return whole_block ? simt::threads_of_block() : lanes.size();
    }
    SIMT_INLINE unsigned num_threads() const { return size(); }
};

template <unsigned Count, typename Group>
SIMT_INLINE thread_block_tile<Count, Group> tiled_partition(const Group &group)
{
    return thread_block_tile<Count, Group>(group.size());
}

SIMT_INLINE thread_group tiled_partition(const thread_group &, unsigned n)
{
    const unsigned first = simt::lane() & ~(n - 1);
    return coalesced_group((n >= 32 ? ~0u : (1u << n) - 1) << first);
}

// For any lanes: tiles of neighbouring ranks.
SIMT_INLINE coalesced_group tiled_partition(const coalesced_group &group, unsigned n)
{
    const unsigned first = group.thread_rank() / n * n, parts = (group.size() + n - 1) / n;
    unsigned mask = 0;
    for (unsigned rank = first; rank < first + n && rank < group.size(); rank++)
        mask |= 1u << simt::nth_lane(group.mask(), (int)rank);
    return coalesced_group(mask, first / n, parts);
}

template <unsigned Count>
SIMT_INLINE coalesced_group tiled_partition(const coalesced_group &group)
{
    return tiled_partition(group, Count);
}

// The lanes of a tile, or of any group of lanes, with the same label. Parts are numbered by their
// first lanes; of two, the one with `true` is number 1.
template <typename Group>
SIMT_INLINE coalesced_group binary_partition(const Group &group, bool yes,
                                             int line = __builtin_LINE())
{
    const unsigned all = group.mask(), says_yes = __ballot_sync(all, yes, line);
    if (says_yes == 0 || says_yes == all)
        return coalesced_group(all);
    return coalesced_group(yes ? says_yes : all & ~says_yes, yes, 2);
}

template <typename Group, typename T>
SIMT_INLINE coalesced_group labeled_partition(const Group &group, T label,
                                              int line = __builtin_LINE())
{
    const unsigned same = __match_any_sync(group.mask(), label, line), first = same & -same;
    const unsigned leaders = __ballot_sync(group.mask(), 1u << simt::lane() == first, line);
    return coalesced_group(same, (unsigned)__popc(leaders & (first - 1)),
                           (unsigned)__popc(leaders));
}

template <typename Group>
SIMT_INLINE coalesced_group labeled_partition(const Group &group, bool label,
                                              int line = __builtin_LINE())
{
    return binary_partition(group, label, line);
}

template <typename Group>
SIMT_INLINE void sync(const Group &group, int line = __builtin_LINE())
{
    group.sync(line);
}
template <typename Group>
SIMT_INLINE unsigned thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <typename Group>
SIMT_INLINE unsigned group_size(const Group &group)
{
    return group.size();
}

} // namespace cooperative_groups

#endif
