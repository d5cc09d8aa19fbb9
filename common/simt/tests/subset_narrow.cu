// SPDX-License-Identifier: MIT
//
// subset_narrow.cu - __half and __nv_bfloat16: conversions, operators, math, pairs. The same tests
// run for both types.
#include "device_check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __half2 make_pair(__half a, __half b)
{
    return __halves2half2(a, b);
}
__device__ __nv_bfloat162 make_pair(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __halves2bfloat162(a, b);
}

template <typename T>
__device__ bool near(T value, float expected)
{
    return fabsf((float)value - expected) <= 0.01f * fabsf(expected);
}

template <typename T>
__global__ void one_kernel()
{
    const T one = T(1.0f), two = T(2.0f), three = T(3.0f);
    TRUE((float)__hadd(one, two) == 3.0f && (float)__hsub(one, two) == -1.0f);
    TRUE((float)__hmul(two, three) == 6.0f && (float)__hdiv(three, two) == 1.5f);
    TRUE((float)__hfma(two, three, one) == 7.0f && (float)__hneg(two) == -2.0f);
    TRUE((float)__habs(-three) == 3.0f && (float)__hmax(one, two) == 2.0f);
    TRUE((float)__hmin(one, two) == 1.0f && __hlt(one, two) && !__hgt(one, two));
    TRUE(__heq(one, one) && __hne(one, two) && __hle(one, one) && __hge(two, one));
    TRUE((float)(one + two * three - one / two) == 6.5f && one < two && two != three);
    T sum = one;
    sum += two;
    sum *= three;
    sum -= one;
    sum /= two;
    TRUE((float)sum == 4.0f && !__hisnan(sum) && !__hisinf(sum));
    TRUE(near(hexp(one), 2.71828f) && near(hlog(two), 0.693147f) && near(hsqrt(two), 1.41421f));
    TRUE(near(hrsqrt(two), 0.707107f) && near(hrcp(three), 0.333333f) &&
         near(hsin(one), 0.841471f));
    TRUE(near(hcos(one), 0.540302f) && near(hexp2(three), 8.0f) && near(hlog2(two), 1.0f));
    TRUE((float)hfloor(T(2.75f)) == 2.0f && (float)hceil(T(2.25f)) == 3.0f);
    TRUE((float)hrint(T(2.5f)) == 2.0f && (float)htrunc(T(-2.5f)) == -2.0f);
}

template <typename T>
__global__ void pair_kernel()
{
    const auto a = make_pair(T(1.0f), T(2.0f)), b = make_pair(T(3.0f), T(-4.0f));
    const auto sum = __hadd2(a, b), product = __hmul2(a, b), fused = __hfma2(a, b, a);
    TRUE(__low2float(sum) == 4.0f && __high2float(sum) == -2.0f);
    TRUE(__low2float(product) == 3.0f && __high2float(product) == -8.0f);
    TRUE(__low2float(fused) == 4.0f && __high2float(fused) == -6.0f);
    TRUE(__low2float(__hmax2(a, b)) == 3.0f && __high2float(__hmin2(a, b)) == -4.0f);
    TRUE(__low2float(__hgt2(b, a)) == 1.0f && __high2float(__hgt2(b, a)) == 0.0f);
    TRUE(__hbeq2(a, a) && !__hbeq2(a, b) && __high2float(__habs2(b)) == 4.0f);
    TRUE(__low2float(__hneg2(a)) == -1.0f && __high2float(a - b) == 6.0f);
    TRUE(near(__low2float(h2exp(a)), 2.71828f) && near(__high2float(h2sqrt(a)), 1.41421f));
    TRUE(__low2float(__lowhigh2highlow(a)) == 2.0f);
    TRUE(__low2float(__h2div(b, a)) == 3.0f);
}

__global__ void conversion_kernel()
{
    TRUE(__half2float(__float2half(1.0f / 3.0f)) == 0.333251953125f);
    TRUE(__bfloat162float(__float2bfloat16(1.0f / 3.0f)) == 0.333984375f);
    TRUE(__bfloat162float(__float2bfloat16_rz(1.0f / 3.0f)) == 0.33203125f);
    TRUE(__half_as_ushort(__float2half(65504.0f)) == 0x7bff);
    TRUE(__half_as_ushort(__float2half(65520.0f)) == 0x7c00);
    TRUE(__bfloat16_as_ushort(__float2bfloat16(-1.0f)) == 0xbf80);
    TRUE(__half2int_rn(__float2half(2.5f)) == 2 && __half2int_rz(__float2half(-2.75f)) == -2);
    TRUE(__bfloat162int_rd(__float2bfloat16(-2.5f)) == -3);
    TRUE(__half2float(__int2half_rn(2049)) == 2048.0f);
    const __half2 h = make_half2(__float2half(1.0f), __float2half(2.0f));
    TRUE(__half2float(__low2half(h)) == 1.0f && __half2float(__high2half(h)) == 2.0f);
    const float2 f = __half22float2(__float22half2_rn(make_float2(0.5f, 0.25f)));
    TRUE(f.x == 0.5f && f.y == 0.25f && __low2float(__float2half2_rn(3.0f)) == 3.0f);
    TRUE(__half2float(h.x) == 1.0f && __high2float(__half2half2(h.y)) == 2.0f);
}

int main()
{
    one_kernel<__half><<<1, 1>>>();
    one_kernel<__nv_bfloat16><<<1, 1>>>();
    pair_kernel<__half><<<1, 1>>>();
    pair_kernel<__nv_bfloat16><<<1, 1>>>();
    conversion_kernel<<<1, 1>>>();
    return failed_line(__FILE__);
}
