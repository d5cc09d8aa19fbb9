/* SPDX-License-Identifier: MIT */
#include "simple.h"

#include <math.h>

enum { BLOCK = 256 };

void integers(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    (void)data;
    for (size_t i = 0; i < size[0]; i++)
        x[i] = (float)rng_below(rng, 17) - 8;
}

void check_sum(const size_t *size, const void *const *in, const void *const *out,
               struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    double sum = 0;
    for (size_t i = 0; i < size[0]; i++)
        sum += x[i];
    compare(c, "d_out", 0, got[0], sum, 0);
}

size_t count_blocks(const size_t *size)
{
    return (size[0] + BLOCK - 1) / BLOCK;
}

void check_block_sums(const size_t *size, const void *const *in, const void *const *out,
                      struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    for (size_t b = 0; b < count_blocks(size); b++) {
        double sum = 0;
        for (size_t i = b * BLOCK; i < (b + 1) * BLOCK && i < size[0]; i++)
            sum += x[i];
        compare(c, "d_out", b, got[b], sum, 0);
    }
}

void negatives(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    (void)data;
    for (size_t i = 0; i < size[0]; i++)
        x[i] = -1 - (float)rng_unit(rng);
}

void check_max(const size_t *size, const void *const *in, const void *const *out,
               struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    double best = -INFINITY;
    for (size_t i = 0; i < size[0]; i++)
        best = x[i] > best ? x[i] : best;
    compare(c, "d_out", 0, got[0], best, 0);
}
