// SPDX-License-Identifier: MIT
//
// assembly.hpp - what translate/assembly.c makes of an `asm`:
//     simt::assembly<instructions>(operands)
#ifndef SIMT_ASSEMBLY_HPP
#define SIMT_ASSEMBLY_HPP

#include <type_traits>

#include "atomic.hpp"
#include "group_ops.hpp"
#include "math.hpp"

namespace simt
{

template <int I, typename First, typename... Rest>
SIMT_INLINE constexpr decltype(auto) operand(First &&first, Rest &&...rest)
{
    if constexpr (I == 0)
        return static_cast<First &&>(first);
    else
        return operand<I - 1>(static_cast<Rest &&>(rest)...);
}

// Unlike in fmaxf, a NaN wins here. And -0 is less than 0.
SIMT_INLINE float larger_or_nan(float a, float b)
{
    if (a != a || b != b)
        return __builtin_nanf("");
    return a > b || (a == b && !__builtin_signbit(a)) ? a : b;
}
// Numbers too small for full precision become 0, with their sign.
SIMT_FN(float, flushed, (float x),
        __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x)

// Each instruction is a type; the numbers say which of the operands is the result, or the address,
// and which are the others.
#define SIMT_ASM(name, type, parameters, ...)                                                      \
    template <int Result, int... ARGUMENTS>                                                        \
    struct name {                                                                                  \
        SIMT_INLINE static type value parameters { return __VA_ARGS__; }                           \
        template <typename... T>                                                                   \
        SIMT_INLINE static void run(T &&...t)                                                      \
        {                                                                                          \
            operand<Result>(t...) = value(operand<ARGUMENTS>(t...)...);                            \
        }                                                                                          \
    };
SIMT_ASM(max_NaN_f32, float, (float a, float b), larger_or_nan(a, b))
SIMT_ASM(min_NaN_f32, float, (float a, float b), -larger_or_nan(-a, -b))
SIMT_ASM(ex2_approx_f32, float, (float x), ::exp2f(x))
SIMT_ASM(ex2_approx_ftz_f32, float, (float x), flushed(::exp2f(flushed(x))))
SIMT_ASM(lg2_approx_f32, float, (float x), ::log2f(x))
SIMT_ASM(tanh_approx_f32, float, (float x), ::tanhf(x))
SIMT_ASM(rcp_approx_f32, float, (float x), 1.0f / x)
SIMT_ASM(rcp_approx_ftz_f32, float, (float x), flushed(1.0f / flushed(x)))
SIMT_ASM(rsqrt_approx_ftz_f32, float, (float x), 1.0f / ::sqrtf(flushed(x)))
SIMT_ASM(bfind_u32, unsigned, (unsigned x), x ? 31 - (unsigned)__builtin_clz(x) : ~0u)

SIMT_ASM(mov_tid_x, unsigned, (), simt_thread_idx().x)
SIMT_ASM(mov_tid_y, unsigned, (), simt_thread_idx().y)
SIMT_ASM(mov_tid_z, unsigned, (), simt_thread_idx().z)
SIMT_ASM(mov_ntid_x, unsigned, (), simt_block_dim().x)
SIMT_ASM(mov_ntid_y, unsigned, (), simt_block_dim().y)
SIMT_ASM(mov_ntid_z, unsigned, (), simt_block_dim().z)
SIMT_ASM(mov_ctaid_x, unsigned, (), simt_block_idx().x)
SIMT_ASM(mov_ctaid_y, unsigned, (), simt_block_idx().y)
SIMT_ASM(mov_ctaid_z, unsigned, (), simt_block_idx().z)
SIMT_ASM(mov_nctaid_x, unsigned, (), simt_grid_dim().x)
SIMT_ASM(mov_nctaid_y, unsigned, (), simt_grid_dim().y)
SIMT_ASM(mov_nctaid_z, unsigned, (), simt_grid_dim().z)
SIMT_ASM(mov_laneid, unsigned, (), lane())
SIMT_ASM(mov_warpid, unsigned, (), thread_number() / 32)
SIMT_ASM(mov_nwarpid, unsigned, (), simt_multiprocessor(2))
SIMT_ASM(mov_smid, unsigned, (), simt_multiprocessor(0))
SIMT_ASM(mov_nsmid, unsigned, (), simt_multiprocessor(1))
SIMT_ASM(mov_lanemask_eq, unsigned, (), 1u << lane())
SIMT_ASM(mov_lanemask_lt, unsigned, (), (1u << lane()) - 1)
SIMT_ASM(mov_lanemask_le, unsigned, (), 2 * (1u << lane()) - 1)
SIMT_ASM(mov_lanemask_gt, unsigned, (), -2 * (1u << lane()))
SIMT_ASM(mov_lanemask_ge, unsigned, (), -(1u << lane()))
SIMT_ASM(mov_clock, unsigned, (), (unsigned)simt_clock())
SIMT_ASM(mov_clock64, unsigned long long, (), (unsigned long long)simt_clock())
SIMT_ASM(mov_globaltimer, unsigned long long, (), (unsigned long long)simt_clock())
SIMT_ASM(mov_globaltimer_lo, unsigned, (), (unsigned)simt_clock())
SIMT_ASM(mov_globaltimer_hi, unsigned, (), (unsigned)(simt_clock() >> 32))
#undef SIMT_ASM

template <int LINE>
struct bar_sync {
    template <typename... T>
    SIMT_INLINE static void run(T &&...)
    {
        simt_barrier(0, LINE);
    }
};

// See device.hpp.
struct griddepcontrol_wait {
    template <typename... T>
    SIMT_INLINE static void run(T &&...)
    {
        cudaGridDependencySynchronize();
    }
};
struct griddepcontrol_launch_dependents {
    template <typename... T>
    SIMT_INLINE static void run(T &&...)
    {
        cudaTriggerProgrammaticLaunchCompletion();
    }
};

// The type of so many elements of so many bytes: one access.
template <int Bytes, int Count>
using words = std::conditional_t<
    Bytes == 4, std::conditional_t<Count == 1, uint1, std::conditional_t<Count == 2, uint2, uint4>>,
    std::conditional_t<Count == 1, ulonglong1, ulonglong2>>;

template <int Bytes, int Address, int... RESULTS>
struct ld_global {
    template <typename... T>
    SIMT_INLINE static void run(T &&...t)
    {
        using words = simt::words<Bytes, sizeof...(RESULTS)>;
        static_assert(sizeof(words) == Bytes * sizeof...(RESULTS) &&
                          ((sizeof(operand<RESULTS>(t...)) == Bytes) && ...),
                      "simtcc: asm");
        const words all = *(const words *)(uintptr_t)operand<Address>(t...);
        const char *from = (const char *)&all;
        ((__builtin_memcpy(&operand<RESULTS>(t...), from, Bytes), from += Bytes), ...);
    }
};

template <int Bytes, int Address, int... VALUES>
struct st_global {
    template <typename... T>
    SIMT_INLINE static void run(T &&...t)
    {
        using words = simt::words<Bytes, sizeof...(VALUES)>;
        static_assert(sizeof(words) == Bytes * sizeof...(VALUES) &&
                          ((sizeof(operand<VALUES>(t...)) == Bytes) && ...),
                      "simtcc: asm");
        words all;
        char *to = (char *)&all;
        ((__builtin_memcpy(to, &operand<VALUES>(t...), Bytes), to += Bytes), ...);
        *(words *)(uintptr_t)operand<Address>(t...) = all;
    }
};

template <int Bytes>
using word = std::conditional_t<Bytes == 4, unsigned, unsigned long long>;

// The same if other threads may load and store the word too: one atomic step, of up to 16 bytes.
template <int Bytes, int Address, int... RESULTS>
struct ld_relaxed {
    template <typename... T>
    SIMT_INLINE static void run(T &&...t)
    {
        using words = simt::words<Bytes, sizeof...(RESULTS)>;
        static_assert(((sizeof(operand<RESULTS>(t...)) == Bytes) && ...), "simtcc: asm");
        words *const p = (words *)(uintptr_t)operand<Address>(t...);
        simt_strong_load(p, sizeof *p);
        const word<Bytes> *from = (const word<Bytes> *)p;
        word<Bytes> v;
        ((v = raw::get(from++), __builtin_memcpy(&operand<RESULTS>(t...), &v, Bytes)), ...);
    }
};

template <int Bytes, int Address, int... VALUES>
struct st_relaxed {
    template <typename... T>
    SIMT_INLINE static void run(T &&...t)
    {
        using words = simt::words<Bytes, sizeof...(VALUES)>;
        static_assert(((sizeof(operand<VALUES>(t...)) == Bytes) && ...), "simtcc: asm");
        words *const p = (words *)(uintptr_t)operand<Address>(t...);
        simt_strong_store(p, sizeof *p);
        word<Bytes> v, *to = (word<Bytes> *)p;
        ((__builtin_memcpy(&v, &operand<VALUES>(t...), Bytes), raw::put(to++, v)), ...);
    }
};

template <typename... Instructions, typename... T>
SIMT_INLINE void assembly(T &&...t)
{
    (Instructions::run(t...), ...);
}

} // namespace simt

#endif
