// SPDX-License-Identifier: MIT
#ifndef SIMT_THRUST_TRANSFORM_ITERATOR_H
#define SIMT_THRUST_TRANSFORM_ITERATOR_H

#include "../../simt/iterators.hpp"

namespace thrust
{

template <typename Function, typename Iterator>
using transform_iterator =
    simt::transform_iterator<simt::result_of<Function, Iterator>, Function, Iterator>;

template <typename Function, typename Iterator>
SIMT_INLINE transform_iterator<Function, Iterator> make_transform_iterator(Iterator in, Function f)
{
    return {in, f};
}

} // namespace thrust

#endif
