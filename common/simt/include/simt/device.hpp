// SPDX-License-Identifier: MIT
//
// device.hpp - what CUDA adds to C++: function and memory qualifiers, threadIdx and its family,
// loads and stores with cache hints, fences.
#ifndef SIMT_DEVICE_HPP
#define SIMT_DEVICE_HPP

#include "abi.h"
#include "types.hpp"

// Inlined always, so that the access keeps the code address of the kernel's own line.
#define SIMT_INLINE inline __attribute__((always_inline))
// The same for a lambda that changes its copies: g++ and clang want the two in different orders.
#ifdef __clang__
#define SIMT_MUTABLE_INLINE __attribute__((always_inline)) mutable
#else
#define SIMT_MUTABLE_INLINE mutable __attribute__((always_inline))
#endif

// A function whose body is one expression, on one line: type, name, (parameters), value.
#define SIMT_FN(type, name, parameters, ...)                                                       \
    SIMT_INLINE type name parameters                                                               \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }

// Host code around a kernel. It reads host memory in the middle of a launch, which a kernel must
// not do, so it must have no hooks.
#ifdef __clang__
#define SIMT_GLUE __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define SIMT_GLUE __attribute__((no_sanitize("thread")))
#endif

namespace simt
{

// The shape of a cluster as one number, which the symbol table can hold.
constexpr unsigned cluster_number(unsigned x, unsigned y = 1, unsigned z = 1)
{
    return x + 32 * y + 1024 * z;
}

// In glue, a struct may still be copied by a compiler-generated function, with hooks.
struct quiet_hooks {
    SIMT_GLUE SIMT_INLINE quiet_hooks() { simt_quiet(1); }
    SIMT_GLUE SIMT_INLINE ~quiet_hooks() { simt_quiet(0); }
};

} // namespace simt

// In a .cpp file that includes a header of device code, qualifiers.h has removed these.
#undef __forceinline__
#undef __launch_bounds__
#undef __cluster_dims__
#undef __align__
#undef __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
#define __launch_bounds__(threads, ...) __attribute__((simt_bounds(threads)))
#define __cluster_dims__(...) __attribute__((simt_cluster(simt::cluster_number(__VA_ARGS__))))
#define __maxnreg__(registers)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#define __nv_pure__ __attribute__((pure))

// `__global__`, `__host__`, `__device__`, `__constant__` and `__managed__` are not macros:
// translate.c must see them. It finds device functions by them, and puts variables into their own
// section, so that a kernel may touch these and no others. `threadIdx` and its family are handled
// by the translator too, because `dim3 blockDim(256)` is a usual name on the host.
//
// `__noinline__` is not a macro, because the C++ library has an attribute of that name.
//
// `__shared__` is not a macro either: translate.c turns it into `static thread_local`. All static
// shared arrays are then side by side in the executable's thread-local segment, and the symbol
// table has the name and size of each one, so a message can name the array.

extern "C" char simt_dynamic_shared[];

namespace simt
{

// `extern __shared__ T name[];` becomes `T (&name)[] = simt::dynamic_shared;`, for any type: nvcc
// takes `name[64]` and `name` as well.
struct dynamic_shared_t {
    template <typename T>
    SIMT_INLINE constexpr operator T &() const
    {
        return *(T *)simt_dynamic_shared;
    }
};
inline constexpr dynamic_shared_t dynamic_shared;

// A parameter of this type does not deduce T: __stcs(&d_floats[i], 0).
template <typename T>
struct same {
    using type = T;
};

} // namespace simt

inline constexpr int warpSize = 32;
namespace simt
{
SIMT_FN(int, warp_size, (), 32) // what it is in device code: no constant
}

// Cache hints change the time of an access, never its result. CUDA has them for these types, and
// for those of narrow_ops.hpp.
namespace simt
{
template <typename T, typename... Types>
inline constexpr bool is_among = (__is_same(T, Types) || ...);
template <typename T>
inline constexpr bool has_hints =
    is_among<T, char, signed char, short, int, long, long long, unsigned char, unsigned short,
             unsigned, unsigned long, unsigned long long, float, double, char2, char4, short2,
             short4, int2, int4, longlong2, uchar2, uchar4, ushort2, ushort4, uint2, uint4,
             ulonglong2, float2, float4, double2>;
} // namespace simt
#define SIMT_HINTS(name)                                                                           \
    static_assert(simt::has_hints<T>,                                                              \
                  "simtcc says: " #name                                                            \
                  "() takes a pointer to a number or a vector, such as float4|"                    \
                  "of any other type write *p")

#define SIMT_LOAD(name)                                                                            \
    template <typename T>                                                                          \
    SIMT_INLINE T name(const T *p)                                                                 \
    {                                                                                              \
        SIMT_HINTS(name);                                                                          \
        return *p;                                                                                 \
    }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldlu)
SIMT_LOAD(__ldcv)
#undef SIMT_LOAD

#define SIMT_STORE(name)                                                                           \
    template <typename T>                                                                          \
    SIMT_INLINE void name(T *p, typename simt::same<T>::type v)                                    \
    {                                                                                              \
        SIMT_HINTS(name);                                                                          \
        *p = v;                                                                                    \
    }
SIMT_STORE(__stwb)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwt)
#undef SIMT_STORE
#undef SIMT_HINTS

// One lane runs at a time, so memory is always in order; the compiler must not reorder either.
SIMT_INLINE void __threadfence()
{
    __asm__ volatile("" ::: "memory");
    simt_fence(SIMT_FENCE_DEVICE);
}
SIMT_INLINE void __threadfence_system()
{
    __asm__ volatile("" ::: "memory");
    simt_fence(SIMT_FENCE_SYSTEM);
}
SIMT_INLINE void __threadfence_block()
{
    __asm__ volatile("" ::: "memory");
    simt_fence(SIMT_FENCE_BLOCK);
}

SIMT_FN(void, __trap, (), simt_trap("__trap()"))
SIMT_FN(void, __brkpt, (), simt_trap("__brkpt()"))

// There is no time here: a clock counts the steps of the block and its own calls.
SIMT_FN(long long, clock64, (), simt_clock())
// A launch has always ended before the next one begins. A missing wait is reported all the same.
#if __CUDA_ARCH__ >= 900
SIMT_FN(void, cudaTriggerProgrammaticLaunchCompletion, (), simt_let_next_start())
SIMT_FN(void, cudaGridDependencySynchronize, (), simt_wait_for_launch())
#else
#define SIMT_REFUSED(name) __attribute__((error("simtcc: " #name " before sm_90"))) void name()
SIMT_REFUSED(cudaTriggerProgrammaticLaunchCompletion);
SIMT_REFUSED(cudaGridDependencySynchronize);
#undef SIMT_REFUSED
#endif

SIMT_INLINE void __nanosleep(unsigned ns)
{
    (void)ns;
    simt_clock();
}

#define __builtin_assume(condition) ((void)0)
#define __builtin_assume_aligned(p, ...) ((void *)(p))
#define __assume(condition) ((void)0)

#endif
