// SPDX-License-Identifier: MIT
//
// device.hpp - the words that CUDA adds to C++: function and memory qualifiers, threadIdx and its
// family, loads and stores with cache hints, fences.
#ifndef SIMT_DEVICE_HPP
#define SIMT_DEVICE_HPP

#include "abi.h"

// Inlined always, so that the access keeps the code address of the kernel's own line.
#define SIMT_INLINE inline __attribute__((always_inline))

// Host code around a kernel. It reads host memory in the middle of a launch, which a kernel may
// not do, so it must have no hooks.
#ifdef __clang__
#define SIMT_GLUE __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define SIMT_GLUE __attribute__((no_sanitize("thread")))
#endif

// A kernel is never inlined: it needs an address and a name of its own.
#define __global__ __attribute__((noinline))
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__

// `__device__`, `__constant__` and `__managed__` are no macros: translate.c drops them from
// functions and puts variables into a section of their own, so that a kernel may touch these and no
// others.
//
// `__noinline__` is no macro, as the C++ library has an attribute of that name.
//
// `__shared__` is no macro either: translate.c makes `static thread_local` of it. All static shared
// arrays then lie side by side in the executable's thread-local segment, and the symbol table knows
// the name and size of each one, so a message can tell which array was missed.

extern "C" char simt_dynamic_shared[];

namespace simt
{

// `extern __shared__ T name[];` becomes `T (&name)[] = simt::dynamic_shared;`, for any T.
template <typename T>
using unbounded = T[];
struct dynamic_shared_t {
    template <typename T>
    SIMT_INLINE constexpr operator unbounded<T> &() const
    {
        return *(unbounded<T> *)simt_dynamic_shared;
    }
};
inline constexpr dynamic_shared_t dynamic_shared;

} // namespace simt

#define threadIdx (simt_thread_idx())
#define blockIdx (simt_block_idx())
#define blockDim (dim3(simt_block_dim()))
#define gridDim (dim3(simt_grid_dim()))
#define warpSize 32

// Cache hints change the time of an access, never its result.
template <typename T>
SIMT_INLINE T __ldg(const T *p)
{
    return *p;
}
template <typename T>
SIMT_INLINE T __ldca(const T *p)
{
    return *p;
}
template <typename T>
SIMT_INLINE T __ldcg(const T *p)
{
    return *p;
}
template <typename T>
SIMT_INLINE T __ldcs(const T *p)
{
    return *p;
}
template <typename T>
SIMT_INLINE T __ldlu(const T *p)
{
    return *p;
}
template <typename T>
SIMT_INLINE T __ldcv(const T *p)
{
    return *p;
}
template <typename T>
SIMT_INLINE void __stwb(T *p, T v)
{
    *p = v;
}
template <typename T>
SIMT_INLINE void __stcg(T *p, T v)
{
    *p = v;
}
template <typename T>
SIMT_INLINE void __stcs(T *p, T v)
{
    *p = v;
}
template <typename T>
SIMT_INLINE void __stwt(T *p, T v)
{
    *p = v;
}

// One lane runs at a time, so memory is always in order; the compiler must not reorder either.
SIMT_INLINE void __threadfence()
{
    __asm__ volatile("" ::: "memory");
}
SIMT_INLINE void __threadfence_block()
{
    __asm__ volatile("" ::: "memory");
}
SIMT_INLINE void __threadfence_system()
{
    __asm__ volatile("" ::: "memory");
}

SIMT_INLINE void __trap()
{
    simt_trap("__trap()");
}

// The C++ forms of host calls that are C functions with void pointers in the API.
template <typename T>
inline cudaError_t cudaMalloc(T **d_ptr, size_t bytes)
{
    return cudaMalloc((void **)d_ptr, bytes);
}

template <typename T>
inline cudaError_t cudaMallocAsync(T **d_ptr, size_t bytes, cudaStream_t s)
{
    return cudaMallocAsync((void **)d_ptr, bytes, s);
}

template <typename T>
inline cudaError_t cudaMallocHost(T **h_ptr, size_t bytes)
{
    return cudaMallocHost((void **)h_ptr, bytes);
}

template <typename T>
inline cudaError_t cudaMallocManaged(T **ptr, size_t bytes, unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)ptr, bytes, flags);
}

template <typename T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}

template <typename T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}

template <typename T>
inline cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute attr, int value)
{
    return cudaFuncSetAttribute((const void *)func, attr, value);
}

template <typename T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *func)
{
    return cudaFuncGetAttributes(attributes, (const void *)func);
}

template <typename T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *func,
                                                                 int block_size,
                                                                 size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func, block_size,
                                                         shared_bytes);
}

#endif
