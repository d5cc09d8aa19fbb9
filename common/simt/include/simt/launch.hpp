// SPDX-License-Identifier: MIT
//
// launch.hpp - what `kernel<<<grid, block, shared, stream>>>(args)` becomes:
//
//     simt::launch([&](auto... a) GLUE { kernel(a...); }, grid, block, shared, stream)(args);
//
// The arguments are evaluated once, on the host. Each thread then calls the kernel with copies.
#ifndef SIMT_LAUNCH_HPP
#define SIMT_LAUNCH_HPP

#include <initializer_list> // nvcc brings these two in as well
#include <utility>

#include "device.hpp"

namespace simt
{

// Where a thread starts. `F` is the lambda below, with the arguments of this launch in it.
template <typename F>
SIMT_GLUE void thread_main(void *f)
{
    (*(F *)f)();
}

template <typename Call>
struct launcher {
    Call call;
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;

    template <typename... Args>
    void operator()(Args... args) const
    {
        auto thread = [&]() __attribute__((always_inline))
        {
            call(args...);
        };
        simt_launch(grid, block, shared_bytes, stream, thread_main<decltype(thread)>, &thread);
    }
};

template <typename Call>
launcher<Call> launch(Call call, dim3 grid, dim3 block, size_t shared_bytes = 0,
                      cudaStream_t stream = nullptr)
{
    return {call, grid, block, shared_bytes, stream};
}

} // namespace simt

#endif
