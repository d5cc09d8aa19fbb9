// SPDX-License-Identifier: MIT
//
// integer.hpp - device functions on bits and on integers.
#ifndef SIMT_INTEGER_HPP
#define SIMT_INTEGER_HPP

#include <stdint.h>
#include <stdlib.h>

#include "device.hpp"

// ---- bits ----

SIMT_FN(int, __popc, (unsigned x), __builtin_popcount(x))
SIMT_FN(int, __popcll, (unsigned long long x), __builtin_popcountll(x))
SIMT_FN(int, __clz, (int x), x == 0 ? 32 : __builtin_clz((unsigned)x))
SIMT_FN(int, __clzll, (long long x), x == 0 ? 64 : __builtin_clzll((unsigned long long)x))
SIMT_FN(int, __ffs, (int x), __builtin_ffs(x))
SIMT_FN(int, __ffsll, (long long x), __builtin_ffsll(x))
SIMT_INLINE unsigned __brev(unsigned x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(x);
}
SIMT_FN(unsigned long long, __brevll, (unsigned long long x),
        (uint64_t)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32)))

// Byte k of the result is the one of the eight bytes {x, y} that digit k of `selector` selects; the
// digit's top bit replicates that byte's sign instead.
SIMT_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    const uint64_t all = (uint64_t)y << 32 | x;
    unsigned result = 0;
    for (int k = 0; k < 4; k++) {
        const unsigned digit = selector >> 4 * k & 15;
        const unsigned byte = (unsigned)(all >> 8 * (digit & 7)) & 0xff;
        result |= (digit & 8 ? (byte >> 7) * 0xffu : byte) << 8 * k;
    }
    return result;
}

// 32 bits of the 64 bits {high, low}; _lc and _rc clamp the shift to 32.
SIMT_FN(unsigned, __funnelshift_l, (unsigned low, unsigned high, unsigned shift),
        (unsigned)(((uint64_t)high << 32 | low) << (shift & 31) >> 32))
SIMT_FN(unsigned, __funnelshift_r, (unsigned low, unsigned high, unsigned shift),
        (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31)))
SIMT_FN(unsigned, __funnelshift_lc, (unsigned low, unsigned high, unsigned shift),
        shift >= 32 ? low : __funnelshift_l(low, high, shift))
SIMT_FN(unsigned, __funnelshift_rc, (unsigned low, unsigned high, unsigned shift),
        shift >= 32 ? high : __funnelshift_r(low, high, shift))

// ---- products, sums, averages ----

SIMT_FN(unsigned, __umulhi, (unsigned a, unsigned b), (unsigned)(b *(uint64_t)a >> 32))
SIMT_FN(int, __mulhi, (int a, int b), (int)(b *(int64_t)a >> 32))
SIMT_FN(unsigned long long, __umul64hi, (unsigned long long a, unsigned long long b),
        (unsigned long long)(b *(unsigned __int128)a >> 64))
SIMT_FN(long long, __mul64hi, (long long a, long long b), (long long)(b *(__int128)a >> 64))

// Only the low 24 bits of each factor count.
SIMT_FN(int, __mul24, (int a, int b),
        ((int)((unsigned)a << 8) >> 8) * ((int)((unsigned)b << 8) >> 8))
SIMT_FN(unsigned, __umul24, (unsigned a, unsigned b), (a & 0xffffffu) * (b & 0xffffffu))

SIMT_FN(unsigned, __sad, (int a, int b, unsigned c),
        c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a))
SIMT_FN(unsigned, __usad, (unsigned a, unsigned b, unsigned c), c + (a > b ? a - b : b - a))
SIMT_FN(int, __hadd, (int a, int b), (int)(((int64_t)a + b) >> 1))
SIMT_FN(int, __rhadd, (int a, int b), (int)(((int64_t)a + b + 1) >> 1))
SIMT_FN(unsigned, __uhadd, (unsigned a, unsigned b), (unsigned)(((uint64_t)a + b) >> 1))
SIMT_FN(unsigned, __urhadd, (unsigned a, unsigned b), (unsigned)(((uint64_t)a + b + 1) >> 1))

// The dot product of four bytes each, plus c.
SIMT_INLINE int __dp4a(int a, int b, int c)
{
    for (int k = 0; k < 32; k += 8)
        c += (int8_t)(a >> k) * (int8_t)(b >> k);
    return c;
}
SIMT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int k = 0; k < 32; k += 8)
        c += (a >> k & 0xff) * (b >> k & 0xff);
    return c;
}

#endif
