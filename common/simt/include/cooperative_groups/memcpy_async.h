// SPDX-License-Identifier: MIT
//
// cooperative_groups/memcpy_async.h - copies into shared memory that a group waits for.
#ifndef SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../simt/async_copy.hpp"

namespace cooperative_groups
{

// All threads of the group must call it, and wait.
template <typename Group, typename To, typename From, typename Size>
SIMT_INLINE void memcpy_async(const Group &group, To *to, const From *from, const Size &bytes)
{
    simt::async_copy(group, to, from, bytes, nullptr);
    simt_bulk_commit();
}

// The same in elements: the smaller of the two layouts.
template <typename Group, typename T>
SIMT_INLINE void memcpy_async(const Group &group, T *to, size_t to_count, const T *from,
                              size_t from_count)
{
    memcpy_async(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}

// Waits until all copies have arrived, or all but the last Count.
template <typename Group>
SIMT_INLINE void wait(const Group &group, int line = __builtin_LINE())
{
    simt_bulk_wait(0);
    group.sync(line);
}
template <unsigned Count, typename Group>
SIMT_INLINE void wait_prior(const Group &group, int line = __builtin_LINE())
{
    simt_bulk_wait(Count);
    group.sync(line);
}

} // namespace cooperative_groups

#endif
