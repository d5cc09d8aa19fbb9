/* SPDX-License-Identifier: MIT */
/*
 * rng.h - random numbers that are the same on every machine.
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
uint64_t rng_bits(rng_t *rng);

/* A double in [0, 1): 53 random bits times 2^-53. */
double rng_unit(rng_t *rng);

/* A whole number in [0, n). n > 0. The bias is below n / 2^64. */
size_t rng_below(rng_t *rng, size_t n);

#endif
