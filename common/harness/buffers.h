/* SPDX-License-Identifier: MIT */
/*
 * buffers.h - the device memory that a step runs in, poisoned beforehand. To check it: each buffer
 * between two guard zones (guard_t). To time it or to run it once: many copies of all its buffers,
 * used in turn (arena_t). Used by check.c, bench.c and main.c; compare.c knows the poison.
 */
#ifndef BUFFERS_H
#define BUFFERS_H

#include "sets.h"

enum { GUARD_BYTES = 256, POISON_OUTPUT = 0xa5, POISON_SCRATCH = 0xff };

/*
 * Bytes in device memory: front zone, data, a zone of GUARD_BYTES. A small buffer is copied there
 * and back in one piece, because each copy has a fixed cost, however short it is.
 */
typedef struct {
    unsigned char *d_base; /* the allocation, owned */
    unsigned char *d_data; /* the buffer: d_base + front */
    size_t front, bytes;
    dtype_t type;                      /* the zones hold copies of one element of this type */
    uint64_t pattern;                  /* the bits of that element */
    unsigned char *h_before, *h_after; /* owned: all of it, filled and fetched; NULL if large */
} guard_t;

/*
 * Allocate `bytes` of data, `offset` bytes past a 256-byte boundary (up to 512, a multiple of the
 * element's size), with zones of at least GUARD_BYTES on both sides for elements of `pattern`.
 * Nothing is set yet. Close with guard_close().
 */
guard_t guard_open(size_t bytes, size_t offset, dtype_t type, uint64_t pattern);

/*
 * Fill the zones, and the data with `data`, or if that is NULL with bytes of `poison`; queued on
 * `stream`.
 */
void guard_fill(guard_t *guard, const data_t *data, int poison, cudaStream_t stream);

/* Fetch a small buffer, after what is queued on `stream`, for the calls that follow. */
void guard_fetch(guard_t *guard, cudaStream_t stream);

/* The data that was fetched, or NULL. */
const void *guard_fetched(const guard_t *guard);

/*
 * From now on, in the emulator, a kernel that touches a zone is stopped there, with its line and
 * `name` (not copied), "the input" say. `typed`: the elements are of guard->type.
 */
void guard_name(const guard_t *guard, const char *name, bool typed);

/*
 * True if both zones are unchanged; else *where is the offset of the first changed byte from the
 * start of the data: negative before it, `bytes` or more after it.
 */
bool guard_intact(const guard_t *guard, cudaStream_t stream, ptrdiff_t *where);

void guard_close(guard_t *guard);

/* The device memory that guard_open() needs for that many bytes of data. */
size_t guard_total(size_t bytes);

/* `copies` slots of `stride` bytes, each with all inputs and the output; one scratch for all. */
typedef struct {
    const input_t *input;
    unsigned char *d_base, *d_work;
    size_t in_bytes, out_bytes; /* of one buffer with its offset, rounded up to 256 */
    size_t offset; /* elements between a 256-byte boundary and the start of each buffer */
    size_t stride, copies, work_bytes;
    cudaStream_t stream;
} arena_t;

/* One piece of work on slot `slot`: queued on the arena's stream, not waited for. */
typedef cudaError_t (*arena_work_fn)(const arena_t *arena, size_t slot);

/*
 * Allocate slots of together at least `bytes`, at least two, or as many as fit the memory; bytes =
 * 0: one slot. Put the input into each, `offset` elements off a 256-byte boundary; outputs have the
 * same offset. Outputs and scratch are poisoned. Returns what the step returns when asked for its
 * scratch size, or cudaErrorMemoryAllocation if not even one slot fits. Close with arena_close() in
 * any case.
 */
cudaError_t arena_open(arena_t *arena, const input_t *input, size_t bytes, size_t offset);
void arena_close(arena_t *arena);

/* The output of a slot, on the device. */
void *arena_output(const arena_t *arena, size_t slot);

/* Work: the step's launcher. */
cudaError_t arena_launch(const arena_t *arena, size_t slot);

/* Work: a copy of half the problem's bytes within the slot, so that as many bytes are moved (half
 * read, half written). Overwrites the slot. */
cudaError_t arena_copy(const arena_t *arena, size_t slot);

#endif
