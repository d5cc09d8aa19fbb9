// SPDX-License-Identifier: MIT
//
// half.cu - half precision: all 65536 values converted and back, rounding cases, arithmetic, packs.
#include <cuda_fp16.h>

#include "check.h"

static unsigned bits_of(float v)
{
    return __half_as_ushort(__float2half_rn(v));
}

static void test_round_trip()
{
    for (unsigned b = 0; b < 65536; b++) {
        const __half h = __ushort_as_half((unsigned short)b);
        if (__hisnan(h))
            EXPECT(isnan(__half2float(h)) && __hisnan(__float2half(__half2float(h))));
        else
            EXPECT(bits_of(__half2float(h)) == b);
    }
}

// Halfway between two neighbours goes to the even one; a hair above or below goes to the nearer.
static void test_midpoints()
{
    for (unsigned b = 0; b < 0x7bff; b++) {
        const float low = __half2float(__ushort_as_half((unsigned short)b));
        const float high = __half2float(__ushort_as_half((unsigned short)(b + 1)));
        const float middle = 0.5f * (low + high);
        EXPECT(bits_of(middle) == b + b % 2);
        EXPECT(bits_of(nextafterf(middle, 0.0f)) == b);
        EXPECT(bits_of(nextafterf(middle, 1e9f)) == b + 1);
        EXPECT(bits_of(-middle) == (0x8000u | (b + b % 2)));
    }
    EXPECT(bits_of(65519.996f) == 0x7bff);
    EXPECT(bits_of(65520.0f) == 0x7c00);
    EXPECT(bits_of(-1e30f) == 0xfc00);
    EXPECT(bits_of(0x1p-25f) == 0);
    EXPECT(bits_of(0x1.000002p-25f) == 1);
    EXPECT(bits_of(-0.0f) == 0x8000);
}

static void test_arithmetic()
{
    const __half one = __float2half(1.0f), tiny = __ushort_as_half(1);
    EXPECT(__half_as_ushort(__hadd(one, tiny)) == 0x3c00);
    EXPECT(__half2float(__hmul(__float2half(3.0f), __float2half(0.5f))) == 1.5f);
    /* 1.0009765625^2 - 1.001953125 = 2^-20: lost by a rounded product, kept by a fused one. */
    const __half x = __ushort_as_half(0x3c01);
    EXPECT(__half2float(__hfma(x, x, __float2half(-1.001953125f))) == 0x1p-20f);
    EXPECT(__half2float(x * x - __float2half(1.001953125f)) == 0.0f);
    /* Just below the middle of two halves. In f32 it is rounded to the middle, and then to even. */
    const __half y = __ushort_as_half(0x1001), z = __ushort_as_half(0x3bfe);
    EXPECT(__half_as_ushort(__hfma(y, z, x)) == 0x3c01);
    EXPECT(bits_of(fmaf(__half2float(y), __half2float(z), __half2float(x))) == 0x3c02);
    const __half2 a = __floats2half2_rn(1.0f, 2.0f);
    const float2 s = __half22float2(__hadd2(a, __hmul2(a, a)));
    EXPECT(s.x == 2.0f && s.y == 6.0f);
    const float2 f = __half22float2(__hfma2(a, a, __float22half2_rn(make_float2(1.0f, 1.0f))));
    EXPECT(f.x == 2.0f && f.y == 5.0f);
    EXPECT(one < __float2half(2.0f) && !(one == tiny) && one >= one);
    EXPECT((float)std::numeric_limits<__half>::max() == 65504.0f);
    EXPECT(__hisinf(std::numeric_limits<__half>::infinity()) == 1);
}

struct alignas(16) pack {
    __half elem[8];
};

__global__ void scale(const pack *in, pack *out)
{
    const pack v = in[threadIdx.x];
    pack r;
    for (int k = 0; k < 8; k++)
        r.elem[k] = v.elem[k] * __float2half(0.5f);
    out[threadIdx.x] = r;
}

int main()
{
    test_round_trip();
    test_midpoints();
    test_arithmetic();
    pack *in = managed<pack>(32), *out = managed<pack>(32);
    for (int i = 0; i < 256; i++)
        in[i / 8].elem[i % 8] = __float2half((float)i);
    scale<<<1, 32>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 256; i++)
        EXPECT(__half2float(out[i / 8].elem[i % 8]) == 0.5f * (float)i);
    return 0;
}
