/* SPDX-License-Identifier: MIT */
/*
 * fnv.h - a number that is the same for the same bytes: FNV-1a (Fowler, Noll, Vo). It protects
 * against mistakes, not against a forger.
 */
#ifndef FNV_H
#define FNV_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t fnv_start = 0xcbf29ce484222325u;

/* `sum` with `bytes` more bytes taken in. */
static inline uint64_t fnv_add(uint64_t sum, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    return sum;
}

#endif
