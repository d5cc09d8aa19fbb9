// SPDX-License-Identifier: MIT
//
// casts.cu - what a cast gets wrong, and packs of u8.
//
// Group: fault
// Run: FAULT=$CASE $BUILD/faults/casts --check --quick
// Run: FAULT=$CASE $BUILD/faults/casts --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: map_types_control - no fault: to u8, toward 0, saturating, NaN to 0
// Run: $BUILD/faults/casts --check --quick
// Full: $BUILD/faults/casts --check
// Exit: 0
// Matches: check ok
#include <climits>
#include <cuda_fp16.h>

#include "map.cuh"
#include "plants.cuh"

typedef unsigned char u8;

__device__ u8 map_types_control(float x)
{
    return x >= 255.0f ? 255 : x >= 0.0f ? (u8)x : 0; // NaN passes neither
}

// Case: map_u8_nearest - rounds to nearest, while step.h truncates. Shows for 254.75 and -0.75
__device__ u8 map_u8_nearest(float x)
{
    return (u8)fminf(fmaxf(rintf(x), 0.0f), 255.0f); // NaN to 0
}

// Case: map_u8_wraps - keeps the low 8 bits. Shows if x is below 0 or above 255: it saturates
__device__ u8 map_u8_wraps(float x)
{
    return (u8)(int)fminf(fmaxf(x, -1e9f), 1e9f); // and NaN to -1e9, whose low bits are 0
}

// Case: map_cast_truncates - f32 to f16 by cutting off the last 13 bits
__device__ half map_cast_truncates(float x)
{
    const unsigned bits = __float_as_uint(x);
    const bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
    return __uint_as_float(is_finite ? bits & 0xffffe000u : bits);
}

// Case: map_rounded_twice - f64 to f16 by way of f32. Shows if f32 gives a tie
// Says: wrong in the last digit
__device__ half map_rounded_twice(double x)
{
    return (float)x;
}

// Case: map_int_nan - NaN fails all comparisons, so it takes the last branch, INT_MAX
__device__ int map_int_nan(double x)
{
    return x < -0x1p31 ? INT_MIN : x < 0x1p31 ? (int)x : INT_MAX;
}

template <typename In, typename Out, Out (*cast)(In)>
__global__ void cast_kernel(const In *d_in, Out *d_out, size_t n)
{
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        d_out[k] = cast(d_in[k]);
    }
}

template <typename In, typename Out, Out (*cast)(In)>
constexpr map_fn launch_cast = launch_map<In, Out, cast_kernel<In, Out, cast>>;

template <size_t COUNT>
struct alignas(COUNT) pack_t {
    u8 elem[COUNT];
};

// Case: map_u8_pack_of_16 - u8 to f32 in packs of 16, as many u8 as a load holds, counted as the 4
// that f32 has: the last packs run past the end
__global__ void map_u8_pack_of_16(const u8 *d_in, float *d_out, size_t n)
{
    typedef pack_t<16> pack;
    const size_t i = index_in_grid(), threads = threads_in_grid();
    const bool aligned = (size_t)d_in % sizeof(pack) == 0;
    const size_t packs = aligned ? n / 4 : 0; // right: n / 16

    for (size_t p = i; p < packs; p += threads) {
        const pack x = ((const pack *)d_in)[p];
        for (int k = 0; k < 16; k++) {
            d_out[16 * p + k] = x.elem[k];
        }
    }
    for (size_t k = 16 * packs + i; k < n; k += threads) {
        d_out[k] = d_in[k];
    }
}

// Case: map_u8_tail_dropped - u8 in packs of 8 with the tail of f32, which is 3 elements at most
__global__ void map_u8_tail_dropped(const u8 *d_in, u8 *d_out, size_t n)
{
    typedef pack_t<8> pack;
    const size_t i = index_in_grid(), threads = threads_in_grid();
    const bool aligned = (size_t)d_in % sizeof(pack) == 0 && (size_t)d_out % sizeof(pack) == 0;
    const size_t packs = aligned ? n / 8 : 0, tail = 8 * packs;

    for (size_t p = i; p < packs; p += threads) {
        ((pack *)d_out)[p] = ((const pack *)d_in)[p];
    }
    for (size_t k = tail + i; k < (aligned && n - tail > 3 ? tail + 3 : n); k += threads) {
        d_out[k] = d_in[k];
    }
}

static const fault_t faults[] = {
    {"map_types_control",
     {.map = {{NULL, NULL, NULL, NULL, NULL, launch_cast<float, u8, map_types_control>}}}},
    {"map_u8_nearest",
     {.map = {{NULL, NULL, NULL, NULL, NULL, launch_cast<float, u8, map_u8_nearest>}}}},
    {"map_u8_wraps",
     {.map = {{NULL, NULL, NULL, NULL, NULL, launch_cast<float, u8, map_u8_wraps>}}}},
    {"map_cast_truncates",
     {.map = {{NULL, NULL, NULL, NULL, launch_cast<float, half, map_cast_truncates>}}}},
    {"map_rounded_twice",
     {.map = {{},
              {NULL, NULL, NULL, NULL, NULL, NULL, NULL,
               launch_cast<double, half, map_rounded_twice>}}}},
    {"map_int_nan",
     {.map = {{}, {NULL, NULL, NULL, NULL, NULL, NULL, launch_cast<double, int, map_int_nan>}}}},
    {"map_u8_pack_of_16",
     {.map = {{},
              {},
              {},
              {},
              {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
               launch_map<u8, float, map_u8_pack_of_16>}}}},
    {"map_u8_tail_dropped", {.map = {{}, {}, {}, {}, {launch_map<u8, u8, map_u8_tail_dropped>}}}},
};

extern "C" const step_t step = planted(faults);
