// SPDX-License-Identifier: MIT
#ifndef SIMT_CUB_TRANSFORM_INPUT_ITERATOR_CUH
#define SIMT_CUB_TRANSFORM_INPUT_ITERATOR_CUH

#include "../../simt/iterators.hpp"

namespace cub
{

template <typename Value, typename Function, typename Iterator, typename Offset = ptrdiff_t>
using TransformInputIterator = simt::transform_iterator<Value, Function, Iterator>;

} // namespace cub

#endif
