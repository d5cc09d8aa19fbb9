/* SPDX-License-Identifier: MIT */
#include "rng.h"

uint64_t rng_bits(rng_t *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double rng_unit(rng_t *rng)
{
    return (double)(rng_bits(rng) >> 11) * 0x1p-53;
}

size_t rng_below(rng_t *rng, size_t n)
{
    return (size_t)(rng_bits(rng) % n);
}
