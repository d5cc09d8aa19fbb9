/* SPDX-License-Identifier: MIT */
/*
 * rng.h - random numbers that are the same on every machine. Anyone may call it.
 */
#ifndef RNG_H
#define RNG_H

#include <stddef.h>
#include <stdint.h>

/* The state: any value is a good seed. */
typedef struct {
    uint64_t state;
} rng_t;

/* 64 random bits. splitmix64 (Steele, Lea, Flood 2014): a counter, and a hash of it. */
static inline uint64_t rng_bits(rng_t *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A double in [0, 1): 53 random bits times 2^-53. */
static inline double rng_unit(rng_t *rng)
{
    return (double)(rng_bits(rng) >> 11) * 0x1p-53;
}

/* A whole number in [0, n). n > 0. The bias is below n / 2^64. */
static inline size_t rng_below(rng_t *rng, size_t n)
{
    return (size_t)(rng_bits(rng) % n);
}

#endif
