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
#include <type_traits>
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

// The same by the functions of the API. translate.c takes the usual cast to `void *` off the
// kernel, so its parameters are known here.
template <typename... Params, std::size_t... I>
inline void simt_launch_array(void (*kernel)(Params...), dim3 grid, dim3 block, void **args,
                              size_t shared_bytes, cudaStream_t stream, std::index_sequence<I...>)
{
    simt::launch(
        [=](auto... a) __attribute__((always_inline)) { kernel(a...); }, grid, block, shared_bytes,
        stream)(*(std::decay_t<Params> *)args[I]...);
}

template <typename... Params>
inline cudaError_t cudaLaunchKernel(void (*kernel)(Params...), dim3 grid, dim3 block, void **args,
                                    size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    simt_launch_array(kernel, grid, block, args, shared_bytes, stream,
                      std::index_sequence_for<Params...>());
    return cudaPeekAtLastError();
}

__attribute__((error("simtcc: cudaLaunchKernel of a void pointer"))) cudaError_t
cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared_bytes = 0,
                 cudaStream_t stream = 0);

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    struct cudaLaunchAttribute *attrs; // not defined: there are none
    unsigned int numAttrs;
};

template <typename... Params, typename... Args>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Params...),
                                      Args &&...args)
{
    simt::launch(
        [=](auto... a) __attribute__((always_inline)) { kernel(a...); }, config->gridDim,
        config->blockDim, config->dynamicSmemBytes, config->stream)((std::decay_t<Params>)args...);
    return cudaPeekAtLastError();
}

#endif
