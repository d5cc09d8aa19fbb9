/* SPDX-License-Identifier: MIT */
#include "buffers.h"

#include "cuda_check.h"
#include "device.h"
#include "size.h"

#include <stdlib.h>
#include <string.h>

#ifdef SIMT
#include "simt/include/simt/inspect.h"
#endif

enum { ALIGNMENT = 256, SMALL_BYTES = 1 << 16 };

/* ---- between guard zones ---- */

static size_t all_bytes(const guard_t *guard)
{
    return guard->front + guard->bytes + GUARD_BYTES;
}

/* One zone, as it must be on the device. */
static void make_zone(const guard_t *guard, unsigned char *zone, size_t bytes)
{
    for (size_t i = 0; i < bytes / dtype_size(guard->type); i++)
        dtype_store_bits(guard->type, zone, i, guard->pattern);
}

static void fill_zone(const guard_t *guard, unsigned char *d_zone, size_t bytes,
                      cudaStream_t stream)
{
    unsigned char *zone = alloc_array(bytes, 1);
    make_zone(guard, zone, bytes);
    device_copy(d_zone, zone, bytes, cudaMemcpyHostToDevice, stream);
    free(zone);
}

guard_t guard_open(size_t bytes, size_t offset, dtype_t type, uint64_t pattern)
{
    guard_t guard = {
        .front = GUARD_BYTES + offset, .bytes = bytes, .type = type, .pattern = pattern};
    void *d_base;

    CUDA_CHECK(cudaMalloc(&d_base, all_bytes(&guard)));
    guard.d_base = d_base;
    guard.d_data = guard.d_base + guard.front;
    return guard;
}

void guard_fill(guard_t *guard, const data_t *data, int poison, cudaStream_t stream)
{
    const size_t bytes = guard->bytes, after = guard->front + bytes;

    if (bytes <= SMALL_BYTES && (data == NULL || data->n == data->tile_n)) {
        guard->h_before = alloc_array(all_bytes(guard), 1);
        make_zone(guard, guard->h_before, guard->front);
        make_zone(guard, guard->h_before + after, GUARD_BYTES);
        if (data != NULL)
            memcpy(guard->h_before + guard->front, data->tile, bytes);
        else
            memset(guard->h_before + guard->front, poison, bytes);
        CUDA_CHECK(cudaMemcpyAsync(guard->d_base, guard->h_before, all_bytes(guard),
                                   cudaMemcpyHostToDevice, stream));
        return;
    }
    fill_zone(guard, guard->d_base, guard->front, stream);
    fill_zone(guard, guard->d_base + after, GUARD_BYTES, stream);
    if (data != NULL)
        data_upload(data, guard->d_data, stream);
    else
        CUDA_CHECK(cudaMemsetAsync(guard->d_data, poison, bytes, stream));
}

void guard_fetch(guard_t *guard, cudaStream_t stream)
{
    if (guard->h_before == NULL)
        return;
    guard->h_after = alloc_array(all_bytes(guard), 1);
    device_copy(guard->h_after, guard->d_base, all_bytes(guard), cudaMemcpyDeviceToHost, stream);
}

const void *guard_fetched(const guard_t *guard)
{
    return guard->h_after == NULL ? NULL : guard->h_after + guard->front;
}

/* On a GPU only a write leaves a trace in the zones; the emulator catches a read as well. */
static void name_buffer(const void *d_data, size_t bytes, const char *name, dtype_t type)
{
#ifdef SIMT
    simt_buffer(d_data, bytes, name, type == DTYPE_COUNT ? 0 : dtype_size(type),
                type == DTYPE_COUNT ? NULL : dtype_name(type));
#else
    (void)d_data, (void)bytes, (void)name, (void)type;
#endif
}

void guard_name(const guard_t *guard, const char *name, bool typed)
{
    name_buffer(guard->d_data, guard->bytes, name, typed ? guard->type : DTYPE_COUNT);
}

static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t bytes)
{
    size_t i = 0;

    while (i < bytes && a[i] == b[i])
        i++;
    return i;
}

/* The first byte of a zone that changed, or `bytes`; the zone begins `at` bytes after d_base. */
static size_t first_changed(const guard_t *guard, size_t at, size_t bytes, cudaStream_t stream)
{
    if (guard->h_after != NULL)
        return first_difference(guard->h_before + at, guard->h_after + at, bytes);

    unsigned char *expected = alloc_array(bytes, 1);
    unsigned char *got = alloc_array(bytes, 1);
    make_zone(guard, expected, bytes);
    device_copy(got, guard->d_base + at, bytes, cudaMemcpyDeviceToHost, stream);
    size_t i = first_difference(expected, got, bytes);
    free(expected);
    free(got);
    return i;
}

bool guard_intact(const guard_t *guard, cudaStream_t stream, ptrdiff_t *where)
{
    size_t i = first_changed(guard, 0, guard->front, stream);
    if (i < guard->front) {
        *where = (ptrdiff_t)i - (ptrdiff_t)guard->front;
        return false;
    }
    i = first_changed(guard, guard->front + guard->bytes, GUARD_BYTES, stream);
    *where = (ptrdiff_t)(guard->bytes + i);
    return i == GUARD_BYTES;
}

void guard_close(guard_t *guard)
{
    CUDA_CHECK(cudaFree(guard->d_base));
    free(guard->h_before);
    free(guard->h_after);
    *guard = (guard_t){0};
}

size_t guard_total(size_t bytes)
{
    return bytes + 4 * (size_t)GUARD_BYTES;
}

/* ---- in slots ---- */

static unsigned char *slot_start(const arena_t *arena, size_t slot)
{
    return arena->d_base + slot * arena->stride;
}

/* Input i of a slot, on the device. */
static unsigned char *arena_input(const arena_t *arena, size_t slot, size_t i)
{
    size_t size = dtype_size(arena->input->problem.type);
    return slot_start(arena, slot) + i * arena->in_bytes + arena->offset * size;
}

void *arena_output(const arena_t *arena, size_t slot)
{
    const problem_t *p = &arena->input->problem;
    size_t size = dtype_size(problem_out_type(p));
    if (p->kind == KIND_REDUCE)
        slot = 0; /* a program has one address for its result, which stays in the TLBs */
    return slot_start(arena, slot) + problem_inputs(p) * arena->in_bytes + arena->offset * size;
}

static cudaError_t call_launcher(const arena_t *arena, size_t slot, void *d_work,
                                 size_t *work_bytes)
{
    const void *d_in[MAX_INPUTS];
    for (size_t i = 0; i < MAX_INPUTS; i++)
        d_in[i] = arena_input(arena, slot, i);
    return problem_launch(&arena->input->problem, d_in, arena_output(arena, slot),
                          arena->input->shape, d_work, work_bytes, arena->stream);
}

cudaError_t arena_launch(const arena_t *arena, size_t slot)
{
    size_t work_bytes = arena->work_bytes;
    return call_launcher(arena, slot, arena->d_work, &work_bytes);
}

cudaError_t arena_copy(const arena_t *arena, size_t slot)
{
    /* Both halves start at a boundary, and do not overlap: see arena_open(). Whole 256-byte lines:
     * a copy of odd length takes a slower path. */
    size_t half = problem_bytes(&arena->input->problem, arena->input->shape) / 2;
    half = half < ALIGNMENT ? half : half / ALIGNMENT * ALIGNMENT;
    size_t second = arena->stride / 2;
    unsigned char *d_slot = slot_start(arena, slot);
    return cudaMemcpyAsync(d_slot + second, d_slot, half, cudaMemcpyDeviceToDevice, arena->stream);
}

static void wall_slot(const arena_t *arena, size_t slot)
{
    const problem_t *p = &arena->input->problem;
    const shape_t shape = arena->input->shape;
    for (size_t i = 0; i < problem_inputs(p); i++)
        name_buffer(arena_input(arena, slot, i), problem_n(shape) * dtype_size(p->type),
                    problem_input_name(p, i), p->type);
    const dtype_t type = problem_out_type(p);
    name_buffer(arena_output(arena, slot), problem_out_n(p, shape) * dtype_size(type), "the output",
                type);
}

static void fill_slots(const arena_t *arena)
{
    size_t inputs = problem_inputs(&arena->input->problem);

    name_buffer(arena->d_work, arena->work_bytes, "the scratch", DTYPE_COUNT);
    for (size_t slot = 0; slot < arena->copies; slot++)
        wall_slot(arena, slot);

    for (size_t slot = 0; slot < arena->copies; slot++) {
        unsigned char *d_slot = slot_start(arena, slot);
        for (size_t i = 0; i < inputs && slot == 0; i++)
            data_upload(&arena->input->data[i], arena_input(arena, 0, i), arena->stream);
        if (slot > 0)
            CUDA_CHECK(cudaMemcpyAsync(d_slot, arena->d_base, inputs * arena->in_bytes,
                                       cudaMemcpyDeviceToDevice, arena->stream));
        CUDA_CHECK(cudaMemsetAsync(d_slot + inputs * arena->in_bytes, POISON_OUTPUT,
                                   arena->out_bytes, arena->stream));
    }
    CUDA_CHECK(cudaMemsetAsync(arena->d_work, POISON_SCRATCH, arena->work_bytes, arena->stream));
    CUDA_CHECK(cudaStreamSynchronize(arena->stream));
}

/* How many slots there should be, or can be if a tenth of the memory is to stay free. */
static size_t count_slots(const arena_t *arena, size_t bytes)
{
    size_t wanted = bytes / arena->stride + 1;
    size_t possible = (device_free_bytes() / 10 * 9) / arena->stride;
    if (bytes > 0 && wanted < 2)
        wanted = 2;
    return wanted < possible ? wanted : possible;
}

cudaError_t arena_open(arena_t *arena, const input_t *input, size_t bytes, size_t offset)
{
    const problem_t *p = &input->problem;
    size_t in_bytes = (offset + problem_n(input->shape)) * dtype_size(p->type);
    size_t out_bytes = (offset + problem_out_n(p, input->shape)) * dtype_size(problem_out_type(p));
    void *d_memory;

    *arena = (arena_t){.input = input, .offset = offset};
    arena->in_bytes = size_round_up(in_bytes, ALIGNMENT);
    arena->out_bytes = size_round_up(out_bytes, ALIGNMENT);
    /* An even number of aligned pieces: arena_copy() needs two halves. */
    arena->stride =
        size_round_up(problem_inputs(p) * arena->in_bytes + arena->out_bytes, 2 * ALIGNMENT);
    CUDA_CHECK(cudaStreamCreateWithFlags(&arena->stream, cudaStreamNonBlocking));

    /* For asking the scratch size: pointers aligned like later ones, never dereferenced. */
    arena->d_base = (unsigned char *)ALIGNMENT;
    cudaError_t error = call_launcher(arena, 0, NULL, &arena->work_bytes);
    arena->d_base = NULL;
    if (error != cudaSuccess)
        return error;
    if (arena->work_bytes > device_free_bytes())
        return cudaErrorMemoryAllocation;
    CUDA_CHECK(cudaMalloc(&d_memory, arena->work_bytes + ALIGNMENT)); /* never NULL */
    arena->d_work = d_memory;
    arena->copies = count_slots(arena, bytes);
    if (arena->copies == 0)
        return cudaErrorMemoryAllocation;
    CUDA_CHECK(cudaMalloc(&d_memory, arena->copies * arena->stride));
    arena->d_base = d_memory;
    fill_slots(arena);
    return cudaSuccess;
}

/* After a kernel's error these calls fail too, and that error has been reported. */
void arena_close(arena_t *arena)
{
    cudaFree(arena->d_base);
    cudaFree(arena->d_work);
    cudaStreamDestroy(arena->stream);
    *arena = (arena_t){0};
}
