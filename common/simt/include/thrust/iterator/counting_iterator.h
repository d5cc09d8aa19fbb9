// SPDX-License-Identifier: MIT
#ifndef SIMT_THRUST_COUNTING_ITERATOR_H
#define SIMT_THRUST_COUNTING_ITERATOR_H

#include "../../simt/iterators.hpp"

namespace thrust
{

template <typename Value>
using counting_iterator = simt::counting_iterator<Value>;

template <typename Value>
SIMT_INLINE counting_iterator<Value> make_counting_iterator(Value first)
{
    return counting_iterator<Value>(first);
}

} // namespace thrust

#endif
