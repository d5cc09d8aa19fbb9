/* SPDX-License-Identifier: MIT */
/*
 * arena.h - device memory for timing: many copies of a problem's buffers, used in turn.
 */
#ifndef ARENA_H
#define ARENA_H

#include "compare.h"

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
 * Allocate slots that are together at least `bytes` large, at least two, or as many as fit the
 * memory; bytes = 0: one slot. Put the input into each, `offset` elements off a 256-byte boundary;
 * outputs have the same offset. They are poisoned, and the scratch is. Returns what the step
 * answers when asked for its scratch size, cudaErrorMemoryAllocation where not even one slot fits.
 * Close with arena_close() in any case.
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
