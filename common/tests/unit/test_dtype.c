/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: dtype - conversions of element types, to the last place
 * Run: $BUILD/unit/test_dtype
 */
#include "dtype.h"
#include "test.h"

#include <math.h>

TEST(all_halves_come_back)
{
    for (unsigned bits = 0; bits <= 0xffff; bits++) {
        double value = half_to_double((uint16_t)bits);
        if (isnan(value))
            CHECK((half_from_double(value) & 0x7fff) > 0x7c00);
        else
            CHECK(half_from_double(value) == bits);
    }
}

TEST(known_values)
{
    CHECK(half_to_double(0x3c00) == 1 && half_to_double(0xc000) == -2);
    CHECK(half_to_double(0x7bff) == 65504 && half_to_double(0x0400) == 0x1p-14);
    CHECK(half_to_double(0x0001) == 0x1p-24 && half_to_double(0x03ff) == 1023 * 0x1p-24);
    CHECK(isinf(half_to_double(0x7c00)) && half_to_double(0xfc00) < 0);
    CHECK(isnan(half_to_double(0x7c01)) && isnan(half_to_double(0xffff)));
    CHECK(signbit(half_to_double(0x8000)) && half_from_double(-0.0) == 0x8000);
}

/* Halves are in the order of their bits: halfway goes to the even one, else to the nearer. */
TEST(every_midpoint_is_rounded_to_even)
{
    for (unsigned bits = 0; bits < 0x7bff; bits++) {
        double low = half_to_double((uint16_t)bits), high = half_to_double((uint16_t)(bits + 1));
        double middle = (low + high) / 2;
        unsigned even = bits % 2 == 0 ? bits : bits + 1;
        CHECK(half_from_double(middle) == even);
        CHECK(half_from_double(-middle) == (even | 0x8000));
        CHECK(half_from_double(nextafter(middle, 0)) == bits);
        CHECK(half_from_double(nextafter(middle, 1e9)) == bits + 1);
    }
}

TEST(overflow)
{
    CHECK(half_from_double(65519.999) == 0x7bff && half_from_double(65520) == 0x7c00);
    CHECK(half_from_double(-1e300) == 0xfc00 && half_from_double(INFINITY) == 0x7c00);
    CHECK(half_from_double(0x1p-25) == 0 && half_from_double(0x1.8p-25) == 1);
    CHECK(half_from_double(1e-300) == 0);
}

TEST(types_load_and_store)
{
    for (int type = 0; type < DTYPE_COUNT; type++) {
        double buffer[4] = {0};
        dtype_store((dtype_t)type, buffer, 0, 5);
        dtype_store((dtype_t)type, buffer, 1, 7);
        CHECK(dtype_load((dtype_t)type, buffer, 0) == 5 &&
              dtype_load((dtype_t)type, buffer, 1) == 7);
        CHECK(dtype_round((dtype_t)type, -7) == (type == DTYPE_U8 ? 0 : -7));
    }
    CHECK(dtype_round(DTYPE_F32, 1 + 0x1p-24) == 1 && dtype_round(DTYPE_F32, 0x1p128) == INFINITY);
    CHECK(dtype_round(DTYPE_F32, 0x1.fffffefp127) == 0x1.fffffep127);
    CHECK(dtype_round(DTYPE_F32, -0x1.ffffffp127) == -INFINITY);
    CHECK(dtype_round(DTYPE_I32, -2147483648.0) == -2147483648.0);
}

TEST(casts_to_integers_saturate)
{
    CHECK(dtype_round(DTYPE_U8, 254.99) == 254 && dtype_round(DTYPE_U8, 256) == 255);
    CHECK(dtype_round(DTYPE_U8, -0.99) == 0 && dtype_round(DTYPE_U8, -1) == 0);
    CHECK(dtype_round(DTYPE_U8, NAN) == 0 && dtype_round(DTYPE_I32, NAN) == 0);
    CHECK(dtype_round(DTYPE_U8, INFINITY) == 255 && dtype_round(DTYPE_U8, -INFINITY) == 0);
    CHECK(dtype_round(DTYPE_I32, 0x1p31) == 0x1p31 - 1 && dtype_round(DTYPE_I32, -1.9) == -1);
    CHECK(dtype_round(DTYPE_I32, 0x1p31 - 0.5) == 0x1p31 - 1);
    CHECK(dtype_round(DTYPE_I32, -INFINITY) == -0x1p31);
}

TEST(all_bytes_come_back)
{
    unsigned char bytes[4];
    for (unsigned bits = 0; bits < 256; bits++) {
        dtype_store_bits(DTYPE_U8, bytes, 3, 0xabc00 + bits);
        CHECK(dtype_load(DTYPE_U8, bytes, 3) == bits && dtype_round(DTYPE_U8, bits) == bits);
    }
    CHECK(dtype_lowest(DTYPE_U8) == 0 && dtype_highest(DTYPE_U8) == 255);
    CHECK(dtype_ulp(DTYPE_U8, 9) == 0 && dtype_roundoff(DTYPE_U8) == 0);
}

TEST(last_places)
{
    CHECK(dtype_ulp(DTYPE_F32, 1) == 0x1p-23 && dtype_ulp(DTYPE_F32, -1.5) == 0x1p-23);
    CHECK(dtype_ulp(DTYPE_F16, 1024) == 1 && dtype_ulp(DTYPE_F16, 0) == 0x1p-24);
    CHECK(dtype_ulp(DTYPE_F64, 1) == 0x1p-52 && dtype_ulp(DTYPE_F32, 0) == 0x1p-149);
}

int main(void)
{
    return test_all();
}
