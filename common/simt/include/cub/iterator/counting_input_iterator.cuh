// SPDX-License-Identifier: MIT
#ifndef SIMT_CUB_COUNTING_INPUT_ITERATOR_CUH
#define SIMT_CUB_COUNTING_INPUT_ITERATOR_CUH

#include "../../simt/iterators.hpp"

namespace cub
{

template <typename Value, typename Offset = ptrdiff_t>
using CountingInputIterator = simt::counting_iterator<Value>;

} // namespace cub

#endif
