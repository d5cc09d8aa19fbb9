/* SPDX-License-Identifier: MIT */
/*
 * data.h - the elements of one input on the host, and their copies to the device and back. Their
 * values come from sets.h or file.h.
 *
 * A large input is one tile of 2^20 elements, repeated, with a few elements changed ("patches").
 * So 2^31 + 3 elements are generated, and added up exactly, at the cost of 1 million.
 */
#ifndef DATA_H
#define DATA_H

#include "dtype.h"

enum { DATA_PATCHES = 11, DATA_TILE = 1 << 20 };

/* An element that differs from the tile's. */
typedef struct {
    size_t index;
    double value;
} patch_t;

/* One input of n elements: element i is the patch with that index, else tile[i % tile_n]. */
typedef struct {
    dtype_t type;
    size_t n, tile_n; /* tile_n = n, at most DATA_TILE */
    void *tile;       /* host, owned */
    size_t patch_count;
    patch_t patches[DATA_PATCHES]; /* by rising index */
} data_t;

/* Take over `elements` (n of them, from malloc) as the data. Free with data_free(). */
void data_adopt(data_t *data, dtype_t type, size_t n, void *elements);

void data_free(data_t *data);

/* Element i < n as a double. */
double data_at(const data_t *data, size_t i);

/* Copy the whole input to d_dst (device, n elements) and wait for it. */
void data_upload(const data_t *data, void *d_dst, cudaStream_t stream);

/* The same for elements begin .. begin + count - 1 only; d_dst has space for `count`. */
void data_upload_part(const data_t *data, size_t begin, size_t count, void *d_dst,
                      cudaStream_t stream);

/*
 * Compare d_src (device, n elements) bit by bit, or h_src if it is not NULL: a copy of it. True if
 * nothing changed, else *where is the index of an element that did.
 */
bool data_unchanged(const data_t *data, const void *d_src, const void *h_src, cudaStream_t stream,
                    size_t *where);

#endif
