// SPDX-License-Identifier: MIT
//
// launch.hpp - what `kernel<<<grid, block, shared, stream>>>(args)` becomes:
//
//     simt::launch([&](auto &...a) GLUE { kernel(simt::argument(a)...), simt_thread_end(); },
//                  grid, block, shared, stream)(args);
//
// The arguments are evaluated and copied once, on the host. Each thread then calls the kernel with
// their bytes, as a GPU does: no constructor runs there, and no destructor, since the thread ends
// before the arguments would.
#ifndef SIMT_LAUNCH_HPP
#define SIMT_LAUNCH_HPP

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

// Does a call give this type by reference, to an object that the caller has made? By the rules of
// C++ on all our systems it does so where a copy or the end of an object is code of the program.
template <typename T>
constexpr bool is_passed_by_reference =
    !std::is_trivially_destructible_v<T> ||
    (std::is_copy_constructible_v<T> && !std::is_trivially_copy_constructible_v<T>) ||
    (std::is_move_constructible_v<T> && !std::is_trivially_move_constructible_v<T>);

// The bytes of a T. It has a copy constructor, so a function returns it in the way of such a T.
template <typename T>
struct bytes_of {
    alignas(T) unsigned char byte[sizeof(T)];
    SIMT_GLUE explicit bytes_of(const void *from)
    {
        const quiet_hooks while_copying;
        __builtin_memcpy(byte, from, sizeof byte);
    }
    SIMT_GLUE bytes_of(const bytes_of &b) : bytes_of(b.byte) {}
};
template <typename T>
SIMT_GLUE bytes_of<T> load_bytes(const void *from)
{
    return bytes_of<T>(from);
}

// A thread's own copy of an argument.
template <typename T>
SIMT_GLUE SIMT_INLINE T argument(T &a)
{
    if constexpr (is_passed_by_reference<T>) {
        const auto load = reinterpret_cast<void (*)()>(load_bytes<T>);
        return reinterpret_cast<T (*)(const void *)>(load)(&a);
    } else if constexpr (std::is_class_v<T>) {
        const quiet_hooks while_copying;
        return static_cast<T &&>(a);
    } else {
        return a;
    }
}

template <typename Call>
struct launcher {
    Call call;
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;

    // Inlined always, so that a message about the launch names the program's own line.
    template <typename... Args>
    SIMT_INLINE void operator()(Args... args) const
    {
        auto thread = [&]() __attribute__((always_inline))
        {
            call(args...);
        };
        simt_launch(grid, block, shared_bytes, stream, thread_main<decltype(thread)>, &thread);
    }
};

template <typename Call>
launcher<Call> launch(Call call, dim3 grid, dim3 block = 1, size_t shared_bytes = 0,
                      cudaStream_t stream = nullptr)
{
    return {call, grid, block, shared_bytes, stream};
}

} // namespace simt

// The same by the functions of the API. translate.c takes the usual cast to `void *` off the
// kernel, so its parameters are known here.
template <typename... Params, std::size_t... I>
SIMT_INLINE void simt_launch_array(void (*kernel)(Params...), dim3 grid, dim3 block, void **args,
                                   size_t shared_bytes, cudaStream_t stream,
                                   std::index_sequence<I...>)
{
    simt::launch(
        [=](auto &...a)
            __attribute__((always_inline)) { kernel(simt::argument(a)...), simt_thread_end(); },
        grid, block, shared_bytes, stream)(*(std::decay_t<Params> *)args[I]...);
}

template <typename... Params>
SIMT_INLINE cudaError_t cudaLaunchKernel(void (*kernel)(Params...), dim3 grid, dim3 block,
                                         void **args, size_t shared_bytes = 0,
                                         cudaStream_t stream = 0)
{
    simt_launch_array(kernel, grid, block, args, shared_bytes, stream,
                      std::index_sequence_for<Params...>());
    return simt_launched();
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
SIMT_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                           void (*kernel)(Params...), Args &&...args)
{
    simt::launch(
        [=](auto &...a)
            __attribute__((always_inline)) { kernel(simt::argument(a)...), simt_thread_end(); },
        config->gridDim, config->blockDim, config->dynamicSmemBytes,
        config->stream)((std::decay_t<Params>)args...);
    return simt_launched();
}

#endif
