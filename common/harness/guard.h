/* SPDX-License-Identifier: MIT */
/*
 * guard.h - a device buffer between two zones that nobody may touch.
 */
#ifndef GUARD_H
#define GUARD_H

#include "dtype.h"

enum { GUARD_BYTES = 256, POISON_OUTPUT = 0xa5, POISON_SCRATCH = 0xff };

/* Bytes in device memory: front zone, data, back zone. */
typedef struct {
    unsigned char *d_base; /* the allocation, owned */
    unsigned char *d_data; /* the buffer: d_base + front */
    size_t front, bytes, back;
    dtype_t type;     /* the zones hold copies of one element of this type */
    uint64_t pattern; /* the bits of that element */
} guard_t;

/*
 * Allocate `bytes` of data, `offset` bytes past a 256-byte boundary (up to 512, a multiple of the
 * element's size), with zones of at least GUARD_BYTES on both sides, filled with elements of
 * `pattern`. The data itself is not set. Close with guard_close().
 */
guard_t guard_open(size_t bytes, size_t offset, dtype_t type, uint64_t pattern,
                   cudaStream_t stream);

/*
 * True where both zones are as they were; else *where is the offset of the first changed byte from
 * the start of the data: negative before it, `bytes` or more behind it.
 */
bool guard_intact(const guard_t *guard, cudaStream_t stream, ptrdiff_t *where);

void guard_close(guard_t *guard);

/* What guard_open() needs free on the device for that many bytes of data. */
size_t guard_total(size_t bytes);

#endif
