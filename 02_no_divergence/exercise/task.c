/* SPDX-License-Identifier: MIT */
/*
 * task.c - the Haar transform of segments of 512 elements, all levels.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

enum { SEGMENT = 512, LEVELS = 9 };

static size_t count_segments(const size_t *size)
{
    return (size[0] + SEGMENT - 1) / SEGMENT * SEGMENT;
}

/* uniform: in [-1, 1). steps: 1 to 8 equal numbers, then the next ones: many details are 0.
 * special: a NaN in each segment. No infinity: a detail may be a minus the mean, and that is inf -
 * inf. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    size_t left = 0;
    const bool steps = strcmp(data, "steps") == 0, special = strcmp(data, "special") == 0;
    for (size_t i = 0; i < size[0]; i++) {
        const bool next = !steps || left-- == 0;
        x[i] = next ? (float)(2 * rng_unit(rng) - 1) : x[i - 1];
        left = next ? rng_below(rng, 8) : left;
    }
    for (size_t first = 0; special && first < size[0]; first += SEGMENT)
        x[first + rng_below(rng, size[0] - first < SEGMENT ? size[0] - first : SEGMENT)] =
            any_nan(rng);
}

/*
 * With every addition a mean is rounded once, by 2^-24 of its value; halving is exact. No value is
 * larger than the largest element M, so a mean of level k is off by at most k * 2^-24 * M, and a
 * detail, the half of a difference of two means, by as much. Twice the last level's bound is
 * allowed everywhere, so that a sum of 2^k elements may be divided at the end, or halves may be
 * added.
 */
static void check_segment(const float *x, size_t n, const float *got, size_t first,
                          struct comparison *c)
{
    double mean[SEGMENT] = {0}, largest = 0;
    for (size_t i = 0; i < n; i++) {
        mean[i] = x[i];
        largest = fmax(largest, fabs(mean[i]));
    }
    const double allowed = 2 * LEVELS * 0x1p-24 * largest;
    for (size_t pairs = SEGMENT / 2; pairs > 0; pairs /= 2)
        for (size_t k = 0; k < pairs; k++) {
            const double a = mean[2 * k], b = mean[2 * k + 1];
            mean[k] = (a + b) / 2; /* k <= 2 k: what is still to be read stays */
            compare(c, "d_out", first + pairs + k, got[pairs + k], (a - b) / 2, allowed);
        }
    compare(c, "d_out", first, got[0], mean[0], allowed);
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    const size_t n = size[0];
    for (size_t first = 0; first < n; first += SEGMENT)
        check_segment(x + first, n - first < SEGMENT ? n - first : SEGMENT, got + first, first, c);
}

const struct task task_02 = {
    .name = "02",
    .title = "all levels of the Haar transform, by whole warps",
    .folder = "02_no_divergence/exercise",
    .size_names = {"n"},
    .data_sets = "uniform steps special",
    .in = {{"d_in", ELEM_F32, count_n}},
    .out = {{"d_out", ELEM_F32, count_segments}},
    .make_inputs = make_inputs,
    .check = check,
};
