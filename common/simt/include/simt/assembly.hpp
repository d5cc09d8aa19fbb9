// SPDX-License-Identifier: MIT
//
// assembly.hpp - what translate/assembly.c makes of an `asm`: a function for each instruction. The
// numbers say which of the operands is the result, and which are the arguments.
#ifndef SIMT_ASSEMBLY_HPP
#define SIMT_ASSEMBLY_HPP

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

// Either one where the other is NaN would do for fmaxf; here a NaN wins. And -0 is less than 0.
SIMT_INLINE float larger_or_nan(float a, float b)
{
    if (a != a || b != b)
        return __builtin_nanf("");
    return a > b || (a == b && !__builtin_signbit(a)) ? a : b;
}
// Numbers too small for full precision become 0, with their sign.
SIMT_INLINE float flushed(float x)
{
    return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x;
}

#define SIMT_ASM(name, parameters, ...)                                                            \
    SIMT_INLINE float do_##name parameters                                                         \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    template <int RESULT, int... ARGUMENTS, typename... T>                                         \
    SIMT_INLINE void asm_##name(T &&...t)                                                          \
    {                                                                                              \
        operand<RESULT>(t...) = do_##name(operand<ARGUMENTS>(t...)...);                            \
    }
SIMT_ASM(max_NaN_f32, (float a, float b), larger_or_nan(a, b))
SIMT_ASM(min_NaN_f32, (float a, float b), -larger_or_nan(-a, -b))
SIMT_ASM(ex2_approx_f32, (float x), ::exp2f(x))
SIMT_ASM(ex2_approx_ftz_f32, (float x), flushed(::exp2f(flushed(x))))
SIMT_ASM(lg2_approx_f32, (float x), ::log2f(x))
SIMT_ASM(tanh_approx_f32, (float x), ::tanhf(x))
SIMT_ASM(rcp_approx_f32, (float x), 1.0f / x)
SIMT_ASM(rcp_approx_ftz_f32, (float x), flushed(1.0f / flushed(x)))
SIMT_ASM(rsqrt_approx_ftz_f32, (float x), 1.0f / ::sqrtf(flushed(x)))
#undef SIMT_ASM

} // namespace simt

#endif
