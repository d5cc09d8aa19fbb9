// SPDX-License-Identifier: MIT
//
// subset_math.cu - math functions, bits and integers, conversions, the clock, cache hints.
#include "device_check.h"

#include <math_constants.h>

__global__ void float_kernel(float x) // 0.5
{
    NEAR(sinf(x), 0.479425539), NEAR(cosf(x), 0.877582562), NEAR(tanf(x), 0.546302490);
    NEAR(sinpif(x), 1.0), NEAR(cospif(0.25f), 0.707106781), NEAR(expf(x), 1.648721271);
    NEAR(exp2f(x), 1.414213562), NEAR(exp10f(x), 3.16227766), NEAR(logf(x), -0.693147181);
    NEAR(log1pf(x), 0.405465108), NEAR(expm1f(x), 0.648721271), NEAR(rsqrtf(x), 1.414213562);
    NEAR(rcbrtf(8.0f), 0.5), NEAR(cbrtf(8.0f), 2.0), NEAR(hypotf(3.0f, 4.0f), 5.0);
    NEAR(norm3df(2.0f, 3.0f, 6.0f), 7.0), NEAR(rnorm3df(2.0f, 3.0f, 6.0f), 1.0 / 7.0);
    NEAR(rhypotf(3.0f, 4.0f), 0.2), NEAR(erff(x), 0.520499878), NEAR(erfcf(x), 0.479500122);
    NEAR(erfinvf(x), 0.476936276), NEAR(erfcinvf(0.1f), 1.163087154),
        NEAR(normcdff(x), 0.691462461);
    NEAR(lgammaf(4.5f), 2.453736571), NEAR(tgammaf(4.0f), 6.0), NEAR(powf(x, 3.0f), 0.125);
    NEAR(fdividef(x, 4.0f), 0.125), NEAR(fmaf(x, x, x), 0.75), NEAR(atan2f(x, x), 0.785398163);
    NEAR(__sinf(x), 0.479425539), NEAR(__cosf(x), 0.877582562), NEAR(__logf(x), -0.693147181);
    NEAR(__expf(x), 1.648721271), NEAR(__powf(x, 3.0f), 0.125), NEAR(__fdividef(x, 4.0f), 0.125);
    NEAR(__log2f(x), -1.0), NEAR(__fmul_rn(x, x), 0.25), NEAR(__frsqrt_rn(4.0f), 0.5);
    TRUE(__saturatef(1.5f) == 1.0f && __saturatef(-x) == 0.0f && copysignf(1.0f, -x) == -1.0f);
    TRUE(fminf(x, 1.0f) == x && fmaxf(x, 1.0f) == 1.0f && fabsf(-x) == x && fmodf(2.5f, 1.0f) == x);
    TRUE(floorf(-x) == -1.0f && ceilf(x) == 1.0f && rintf(2.5f) == 2.0f && roundf(2.5f) == 3.0f);
    TRUE(isnan(CUDART_NAN_F) && isinf(CUDART_INF_F) && !isfinite(CUDART_INF_F) && signbit(-x));
    float s, c;
    sincosf(x, &s, &c);
    NEAR(s * s + c * c, 1.0);
    sincospif(x, &s, &c);
    TRUE(s == 1.0f && c == 0.0f);
}

__global__ void double_kernel(double x) // 0.5
{
    NEAR(sin(x), 0.479425539), NEAR(sinpi(x), 1.0), NEAR(cospi(0.25), 0.707106781);
    NEAR(exp(x), 1.648721271), NEAR(exp10(x), 3.16227766), NEAR(rsqrt(x), 1.414213562);
    NEAR(rcbrt(8.0), 0.5), NEAR(norm3d(2.0, 3.0, 6.0), 7.0), NEAR(norm4d(1.0, 2.0, 2.0, 4.0), 5.0);
    NEAR(erfinv(x), 0.476936276), NEAR(erfcinv(0.1), 1.163087154), NEAR(normcdf(x), 0.691462461);
    NEAR(normcdfinv(0.975), 1.959963985), NEAR(lgamma(4.5), 2.453736571), NEAR(tgamma(4.0), 6.0);
    NEAR(fma(x, x, x), 0.75), NEAR(__dadd_rn(x, x), 1.0), NEAR(CUDART_PI, 3.141592654);
    NEAR(erfinv(-0.999), -2.326753766), NEAR(erfcinv(1e-12), 5.042029746),
        NEAR(log(x), -0.693147181);
    TRUE(min(2, 3) == 2 && max(2u, 3u) == 3 && min(1.0, 2.0) == 1.0 && max(2ll, -3ll) == 2);
    TRUE(abs(-3) == 3 && llabs(-3ll) == 3 && umax(2u, 3u) == 3 && sinpi(3.0) == 0.0);
}

__global__ void rounded_kernel(float x, double y) // 0.1
{
    const float up = __fadd_ru(x, 3.0f), down = __fadd_rd(x, 3.0f);
    TRUE(up == nextafterf(down, 4.0f) && __fadd_rz(x, 3.0f) == down &&
         __fadd_rz(-x, -3.0f) == -down);
    TRUE((double)down < (double)x + 3.0 && (double)up > (double)x + 3.0);
    TRUE(__fdiv_ru(1.0f, 3.0f) > __fdiv_rd(1.0f, 3.0f) && __fsqrt_rd(2.0f) < __fsqrt_ru(2.0f));
    TRUE(__dmul_ru(y, y) > __dmul_rd(y, y) && __dmul_rz(-y, y) == -__dmul_rd(y, y));
    TRUE(__drcp_rd(3.0) < __drcp_ru(3.0) && __double2float_ru(y) > __double2float_rd(y));
    TRUE(__fmaf_rd(x, x, 1.0f) < __fmaf_ru(x, x, 1.0f) && __fma_rz(y, y, -1.0) > -1.0);
    TRUE(__fsub_ru(x, 0.0f) == x && __dsub_rd(y, 0.0) == y);
}

__global__ void integer_kernel(unsigned x) // 0x00f01200
{
    const unsigned long long wide = (unsigned long long)x << 20;
    TRUE(__popc(x) == 6 && __popcll(wide) == 6 && __clz((int)x) == 8 &&
         __clzll((long long)wide) == 20);
    TRUE(__ffs((int)x) == 10 && __ffsll((long long)wide) == 30 && __brev(x) == 0x00480f00u);
    TRUE(__brevll(wide) == (unsigned long long)0x00480f00u << 12 && __clz(0) == 32);
    TRUE(__umul24(0x01000003u, 5u) == 15u && __mul24(-3, 5) == -15);
    TRUE(__mulhi(0x40000000, 8) == 2 && __umulhi(0x80000000u, 6u) == 3);
    TRUE(__umul64hi(1ull << 63, 6ull) == 3 && __mul64hi(-1ll << 62, 8ll) == -2);
    TRUE(__funnelshift_l(0x80000000u, 1u, 1u) == 3u && __funnelshift_r(0u, 1u, 1u) == 0x80000000u);
    TRUE(__funnelshift_lc(5u, 7u, 40u) == 5u && __funnelshift_rc(5u, 7u, 40u) == 7u);
    TRUE(__byte_perm(0x33221100u, 0x77665544u, 0x7410u) == 0x77441100u);
    TRUE(__byte_perm(0x12345678u, 0u, 0x0123u) == 0x78563412u);
    TRUE(__sad(3, -4, 10u) == 17u && __usad(3u, 8u, 1u) == 6u);
    TRUE(__dp4a(0x01020304, 0x01010101, 5) == 15 && __dp4a(0xff000000u, 0x02000000u, 1u) == 511u);
    TRUE(__hadd(3, 6) == 4 && __rhadd(3, 6) == 5 && __uhadd(0xffffffffu, 1u) == 0x80000000u);
    TRUE(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
    TRUE(__double_as_longlong(1.0) == 0x3ff0000000000000ll && __longlong_as_double(0) == 0.0);
    TRUE(__double2hiint(1.0) == 0x3ff00000 && __hiloint2double(0x40000000, 0) == 2.0);
    TRUE(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.5f) == -2 && __float2int_ru(2.1f) == 3);
    TRUE(__float2int_rd(-2.1f) == -3 && __double2int_rn(1e20) == 0x7fffffff);
    TRUE(__float2uint_rz(-5.0f) == 0 && __int2float_rn(16777217) == 16777216.0f);
}

__global__ void time_kernel()
{
    const long long start = clock64();
    const clock_t ticks = clock();
    __nanosleep(20);
    TRUE(clock64() > start && clock() >= ticks && ticks > start && clock() < 1000);
    unsigned rounds = 0; // a delay of some milliseconds
    for (const long long end = clock64() + 20000000; clock64() < end; rounds++)
        ;
    TRUE(rounds < 100000);
}

// in: 0 1 2 3 ... of 8 floats
__global__ void hint_kernel(const float *in, float *out)
{
    const float4 *packs = (const float4 *)in;
    TRUE(__ldg(in + 1) == 1.0f && __ldca(in + 2) == 2.0f && __ldcg(in + 3) == 3.0f);
    TRUE(__ldcs(in + 4) == 4.0f && __ldcv(in + 5) == 5.0f && __ldlu(in + 6) == 6.0f);
    TRUE(__ldg(packs).y == 1.0f && __ldcs(packs + 1).w == 7.0f);
    __stwb(out, 1), __stcg(out + 1, 2.0f), __stcs(out + 2, 3.0f), __stwt(out + 3, 4.0f);
    __stcs((float4 *)out + 1, make_float4(5.0f, 6.0f, 7.0f, 8.0f));
    for (int i = 0; i < 8; i++)
        TRUE(out[i] == (float)(i + 1));
}

static void test_hints()
{
    const float h_in[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, sizeof h_in));
    CHECK(cudaMalloc(&d_out, sizeof h_in));
    CHECK(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
    hint_kernel<<<1, 1>>>(d_in, d_out);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}

int main()
{
    test_hints();
    float_kernel<<<1, 1>>>(0.5f);
    double_kernel<<<1, 1>>>(0.5);
    rounded_kernel<<<1, 32>>>(0.1f, 0.1);
    integer_kernel<<<1, 1>>>(0x00f01200u);
    time_kernel<<<1, 1>>>();
    return failed_line(__FILE__);
}
