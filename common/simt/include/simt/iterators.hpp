// SPDX-License-Identifier: MIT
//
// iterators.hpp - the iterators of Thrust and CUB that compute what they point to: a count, or a
// function of another iterator's element. Only what a reduction or a scan reads from.
#ifndef SIMT_ITERATORS_HPP
#define SIMT_ITERATORS_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "../cuda_runtime.h"

namespace simt
{

template <typename Value>
struct iterator_types {
    using value_type = Value;
    using reference = Value;
    using pointer = Value *;
    using difference_type = ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;
};

// Value: what an element is converted to.
template <typename Value, typename Function, typename Iterator>
struct transform_iterator : iterator_types<Value> {
    Iterator in;
    Function function;
    SIMT_INLINE transform_iterator(Iterator from, Function f) : in(from), function(f) {}
    SIMT_INLINE Value operator[](ptrdiff_t i) const { return function(in[i]); }
    SIMT_INLINE Value operator*() const { return function(*in); }
    SIMT_INLINE transform_iterator operator+(ptrdiff_t i) const { return {in + i, function}; }
};

template <typename Value>
struct counting_iterator : iterator_types<Value> {
    Value first;
    SIMT_INLINE explicit counting_iterator(Value from) : first(from) {}
    SIMT_INLINE Value operator[](ptrdiff_t i) const { return (Value)(first + (Value)i); }
    SIMT_INLINE Value operator*() const { return first; }
    SIMT_INLINE counting_iterator operator+(ptrdiff_t i) const
    {
        return counting_iterator((*this)[i]);
    }
};

template <typename Function, typename Iterator>
using result_of =
    std::decay_t<decltype(std::declval<const Function &>()(*std::declval<Iterator>()))>;

} // namespace simt

#endif
