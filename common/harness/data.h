/* SPDX-License-Identifier: MIT */
/*
 * data.h - the inputs of a test: data sets, made on the host from a seed.
 *
 * A large input is one tile of 2^20 elements, repeated, with a few elements changed ("patches").
 * So 2^31 + 3 elements are made, and added up exactly, at the cost of 1 million.
 */
#ifndef DATA_H
#define DATA_H

#include "problem.h"

#include <stdint.h>

/* What the elements are like. The first four are for every type, all others for floats. A softmax
 * is given SET_SPREAD to SET_GAPS and those from SET_NAN_FIRST to SET_BOTH_INF. */
typedef enum {
    SET_INTEGERS, /* whole numbers whose sum is exact in any order; i32: all 32 bits random */
    SET_NEGATIVE, /* [-2, -1]: an identity of 0 would win a maximum */
    SET_POSITIVE, /* [1, 2]: an identity of 0 would win a minimum */
    SET_CANCEL,   /* ill-conditioned: large values that cancel, small ones between them */
    SET_UNIFORM,  /* [-1, 1) */
    SET_NAN_FIRST,
    SET_NAN_LAST,
    SET_NAN_MIDDLE,
    SET_NAN_RANDOM,
    SET_PLUS_INF,
    SET_MINUS_INF,
    SET_BOTH_INF,
    SET_MINUS_ZERO,
    SET_MIXED,   /* elementwise steps: uniform, random bit patterns, special values */
    SET_BITS,    /* elementwise steps: every bit pattern of f16 in turn */
    SET_SPREAD,  /* [-16, 16): some elements of a row matter, some do not */
    SET_HIGH,    /* [1000, 1016): exp(x) overflows */
    SET_LOW,     /* [-1016, -1000): exp(x) is 0 */
    SET_HUGE,    /* runs near +-3e9 to +-6e9: exp2(x * log2(e) - max * log2(e)) is noise */
    SET_RISING,  /* each element is above the one before: a running maximum never stands still */
    SET_EQUAL,   /* all the same */
    SET_ONE_HOT, /* 40 in some places, 0 elsewhere */
    SET_GAPS,    /* long and short runs of -Inf between elements of SET_SPREAD */
    SET_FILE,    /* from --input */
    SET_COUNT
} set_t;

enum { DATA_PATCHES = 11, DATA_TILE = 1 << 20 };

/* An element that differs from the tile's. */
typedef struct {
    size_t index;
    double value;
} patch_t;

/* One input of n elements: element i is the patch with that index, else tile[i % tile_n]. */
typedef struct {
    dtype_t type;
    size_t n, tile_n; /* tile_n = n, or DATA_TILE where n is larger */
    void *tile;       /* host, owned */
    size_t patch_count;
    patch_t patches[DATA_PATCHES]; /* by rising index */
} data_t;

/* "integers", "uniform", ... for messages. */
const char *data_set_name(set_t set);

/*
 * Fill *data with n elements of the problem's type. The same arguments give the same data on every
 * machine. `stream` tells the inputs of one problem apart (0, 1, 2). Free with data_free().
 */
void data_make(data_t *data, const problem_t *problem, size_t n, set_t set, uint64_t seed,
               unsigned stream);

/* Take over `elements` (n of them, from malloc) as the data. Free with data_free(). */
void data_adopt(data_t *data, dtype_t type, size_t n, void *elements);

void data_free(data_t *data);

/* Element i < n as a double. */
double data_at(const data_t *data, size_t i);

/* Copy the whole input to d_dst (device, n elements) and wait for it. */
void data_upload(const data_t *data, void *d_dst, cudaStream_t stream);

/*
 * Read back d_src (device, n elements) and compare it bit by bit. True where nothing changed, else
 * *where is the index of an element that did.
 */
bool data_unchanged(const data_t *data, const void *d_src, cudaStream_t stream, size_t *where);

#endif
