// SPDX-License-Identifier: MIT
//
// convert.hpp - conversions between float, double and integers: the value under a given rounding
// mode, or the same bits as another type.
#ifndef SIMT_CONVERT_HPP
#define SIMT_CONVERT_HPP

#include <math.h>

#include <limits>
#include <stdint.h>

#include "device.hpp"

namespace simt
{

template <typename To, typename From>
SIMT_INLINE To bits_as(From from)
{
    static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

// A GPU saturates at the ends of the integer's range, and turns a NaN into 0.
template <typename To>
SIMT_INLINE To to_integer(double x)
{
    const double low = (double)std::numeric_limits<To>::min();
    const double high = (double)std::numeric_limits<To>::max();
    if (x != x)
        return 0;
    return x <= low    ? std::numeric_limits<To>::min()
           : x >= high ? std::numeric_limits<To>::max()
                       : (To)x;
}

} // namespace simt

#define SIMT_BITS(name, to, from) SIMT_FN(to, name, (from x), simt::bits_as<to>(x))
SIMT_BITS(__float_as_int, int, float)
SIMT_BITS(__float_as_uint, unsigned, float)
SIMT_BITS(__int_as_float, float, int)
SIMT_BITS(__uint_as_float, float, unsigned)
SIMT_BITS(__double_as_longlong, long long, double)
SIMT_BITS(__longlong_as_double, double, long long)
#undef SIMT_BITS

// The four roundings of one conversion: nearest even, towards zero, up, down.
#define SIMT_TO_INTEGER(name, to, from)                                                            \
    SIMT_FN(to, name##_rn, (from x), simt::to_integer<to>(rint((double)x)))                        \
    SIMT_FN(to, name##_rz, (from x), simt::to_integer<to>(trunc((double)x)))                       \
    SIMT_FN(to, name##_ru, (from x), simt::to_integer<to>(ceil((double)x)))                        \
    SIMT_FN(to, name##_rd, (from x), simt::to_integer<to>(floor((double)x)))
SIMT_TO_INTEGER(__float2int, int, float)
SIMT_TO_INTEGER(__float2uint, unsigned, float)
SIMT_TO_INTEGER(__float2ll, long long, float)
SIMT_TO_INTEGER(__float2ull, unsigned long long, float)
SIMT_TO_INTEGER(__double2int, int, double)
SIMT_TO_INTEGER(__double2uint, unsigned, double)
SIMT_TO_INTEGER(__double2ll, long long, double)
SIMT_TO_INTEGER(__double2ull, unsigned long long, double)
#undef SIMT_TO_INTEGER

// Plain casts round to nearest even.
#define SIMT_CAST(name, to, from) SIMT_FN(to, name, (from x), (to)x)
SIMT_CAST(__int2float_rn, float, int)
SIMT_CAST(__uint2float_rn, float, unsigned)
SIMT_CAST(__ll2float_rn, float, long long)
SIMT_CAST(__ull2float_rn, float, unsigned long long)
SIMT_CAST(__int2double_rn, double, int)
SIMT_CAST(__uint2double_rn, double, unsigned)
SIMT_CAST(__ll2double_rn, double, long long)
SIMT_CAST(__ull2double_rn, double, unsigned long long)
SIMT_CAST(__double2float_rn, float, double)
#undef SIMT_CAST

SIMT_FN(int, __double2hiint, (double x), (int)(simt::bits_as<uint64_t>(x) >> 32))
SIMT_FN(int, __double2loint, (double x), (int)simt::bits_as<uint64_t>(x))
SIMT_FN(double, __hiloint2double, (int high, int low),
        simt::bits_as<double>((uint64_t)(unsigned)high << 32 | (unsigned)low))

#endif
