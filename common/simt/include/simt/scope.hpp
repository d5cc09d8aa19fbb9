// SPDX-License-Identifier: MIT
//
// scope.hpp - which threads a barrier, an atomic or a fence of namespace cuda is for.
#ifndef SIMT_SCOPE_HPP
#define SIMT_SCOPE_HPP

namespace cuda
{

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10
};

} // namespace cuda

#endif
