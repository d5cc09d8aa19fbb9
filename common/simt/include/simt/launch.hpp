// SPDX-License-Identifier: MIT
//
// launch.hpp - what `kernel<<<grid, block, shared, stream>>>(args)` becomes:
//
//     simt::launch("kernel",
//                  [=](auto &...a) GLUE { kernel(simt::argument(a)...), simt_thread_end(); },
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

// Does a call return this type through a pointer to an object of the caller? By the C++ ABI of all
// our systems it does if a copy constructor or a destructor is code of the program.
template <typename T>
constexpr bool is_passed_by_reference =
    !std::is_trivially_destructible_v<T> ||
    (std::is_copy_constructible_v<T> && !std::is_trivially_copy_constructible_v<T>) ||
    (std::is_move_constructible_v<T> && !std::is_trivially_move_constructible_v<T>);

// The bytes of a T. It has a copy constructor, so a function returns it as it would return such a
// T.
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

// Members of a class, and an object that is called: argument-dependent lookup would find functions.
struct glue {
    // Where a thread starts. `F` is the lambda below, with the arguments of this launch in it.
    template <typename F>
    SIMT_GLUE static void thread_main(void *f)
    {
        (*(F *)f)();
    }
    template <typename T>
    SIMT_GLUE static bytes_of<T> load_bytes(const void *from)
    {
        return bytes_of<T>(from);
    }
};

// A thread's own copy of an argument. The hooks are off only if the compiler itself says that no
// code of the program runs: the traits of std are templates, which a program can specialize.
struct argument_t {
    template <typename T>
    SIMT_GLUE SIMT_INLINE T operator()(T &a) const
    {
        if constexpr (is_passed_by_reference<T>) {
            const auto load = reinterpret_cast<void (*)()>(glue::load_bytes<T>);
            return reinterpret_cast<T (*)(const void *)>(load)(&a);
        } else if constexpr (__is_class(T) && __is_trivially_constructible(T, T &&)) {
            const quiet_hooks while_copying;
            return static_cast<T &&>(a);
        } else {
            return a;
        }
    }
};
inline constexpr argument_t argument;

template <typename Call>
struct launcher {
    Call call;
    simt_launch_config config;

    // Always inlined, so that a message about the launch names the program's own line.
    template <typename... Args>
    SIMT_INLINE void operator()(Args... args) const
    {
        if constexpr ((std::is_trivially_copyable_v<Args> && ...)) {
            auto thread = [call = call, args...]() SIMT_MUTABLE_INLINE { call(args...); };
            simt_launch(&config, glue::thread_main<decltype(thread)>, &thread, sizeof thread);
        } else {
            auto thread = [&]() __attribute__((always_inline))
            {
                call(args...);
            };
            simt_launch(&config, glue::thread_main<decltype(thread)>, &thread, 0);
        }
    }
};

template <typename Call>
launcher<Call> launch(const char *name, Call call, dim3 grid, dim3 block = 1,
                      size_t shared_bytes = 0, cudaStream_t stream = nullptr)
{
    return {call, {grid, block, shared_bytes, stream, {0, 0, 0}, 0, 0, nullptr, name}};
}

} // namespace simt

// The same through the functions of the API. translate.c removes the usual cast of the kernel to
// `void *`, so its parameters are known here.
template <typename... Params, typename... Args>
SIMT_INLINE cudaError_t simt_launch_kernel(void (*kernel)(Params...),
                                           const simt_launch_config &config, Args... args)
{
    const auto call = [=](auto &...a) __attribute__((always_inline))
    {
        kernel(simt::argument(a)...), simt_thread_end();
    };
    simt::launcher<decltype(call)>{call, config}(args...);
    return simt_launched();
}

template <typename... Params, std::size_t... I>
SIMT_INLINE cudaError_t simt_launch_array(void (*kernel)(Params...),
                                          const simt_launch_config &config, void **args,
                                          std::index_sequence<I...>)
{
    (void)args; // of a kernel without parameters
    return simt_launch_kernel(kernel, config, *(std::decay_t<Params> *)args[I]...);
}

namespace simt
{

// The kernels that the program has made void pointers of; translate/launch.c finds the casts.
struct known_kernel {
    const void *kernel;
    cudaError_t (*launch)(const void *kernel, const simt_launch_config &config, void **args);
    const known_kernel *next;
};
inline const known_kernel *known_kernels;

template <typename... Params>
cudaError_t launch_known(const void *kernel, const simt_launch_config &config, void **args)
{
    return simt_launch_array((void (*)(Params...))kernel, config, args,
                             std::index_sequence_for<Params...>());
}

inline const known_kernel *find_known(const void *kernel)
{
    const known_kernel *k = known_kernels;
    while (k && k->kernel != kernel)
        k = k->next;
    return k;
}

template <typename... Params>
auto known(void (*kernel)(Params...))
{
    if (!find_known((const void *)kernel))
        known_kernels =
            new known_kernel{(const void *)kernel, launch_known<Params...>, known_kernels};
    return kernel;
}

SIMT_INLINE cudaError_t launch_pointer(const void *kernel, simt_launch_config config, void **args)
{
    const known_kernel *k = find_known(kernel);
    config.at = simt_here();
    return k ? k->launch(kernel, config, args) : simt_launch_unknown();
}

} // namespace simt

#define SIMT_LAUNCH_FUNCTION(name, cooperative)                                                    \
    template <typename... Params>                                                                  \
    SIMT_INLINE cudaError_t name(void (*kernel)(Params...), dim3 grid, dim3 block, void **args,    \
                                 size_t shared_bytes = 0, cudaStream_t stream = 0)                 \
    {                                                                                              \
        return simt_launch_array(                                                                  \
            kernel,                                                                                \
            {grid, block, shared_bytes, stream, {0, 0, 0}, cooperative, 0, nullptr, nullptr},      \
            args, std::index_sequence_for<Params...>());                                           \
    }                                                                                              \
    SIMT_INLINE cudaError_t name(const void *kernel, dim3 grid, dim3 block, void **args,           \
                                 size_t shared_bytes = 0, cudaStream_t stream = 0)                 \
    {                                                                                              \
        return simt::launch_pointer(                                                               \
            kernel,                                                                                \
            {grid, block, shared_bytes, stream, {0, 0, 0}, cooperative, 0, nullptr, nullptr},      \
            args);                                                                                 \
    }
SIMT_LAUNCH_FUNCTION(cudaLaunchKernel, 0)
SIMT_LAUNCH_FUNCTION(cudaLaunchCooperativeKernel, 1)
#undef SIMT_LAUNCH_FUNCTION

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
};

namespace simt
{

// Attributes that only change the time of a launch are ignored.
SIMT_INLINE simt_launch_config config_of(const cudaLaunchConfig_t *c)
{
    simt_launch_config config = {
        c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream, {0, 0, 0}, 0, 0, nullptr, nullptr};
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttribute &a = c->attrs[i];
        if (a.id == cudaLaunchAttributeClusterDimension)
            config.cluster = {a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z};
        else if (a.id == cudaLaunchAttributeCooperative)
            config.cooperative = a.val.cooperative;
        else if (a.id == cudaLaunchAttributeProgrammaticStreamSerialization)
            config.early = a.val.programmaticStreamSerializationAllowed;
    }
    return config;
}

} // namespace simt

template <typename... Params, typename... Args>
SIMT_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                           void (*kernel)(Params...), Args &&...args)
{
    return simt_launch_kernel(kernel, simt::config_of(config), (std::decay_t<Params>)args...);
}

SIMT_INLINE cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                            void **args)
{
    return simt::launch_pointer(kernel, simt::config_of(config), args);
}

template <typename T>
SIMT_INLINE cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *kernel,
                                                       const cudaLaunchConfig_t *config)
{
    const simt_launch_config launch = simt::config_of(config);
    return simt_active_clusters(clusters, (const void *)kernel, &launch);
}

#endif
