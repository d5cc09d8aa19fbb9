/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include "alloc.h"
#include "cuda_check.h"
#include "dtype.h"
#include "guard.h"

enum { ALIGNMENT = 256 };

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
        slot = 0; /* a program has one place for its result, and it stays in the TLBs */
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

static void fill_slots(const arena_t *arena)
{
    size_t inputs = problem_inputs(&arena->input->problem);

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

/* How many slots there should be, and can be when a tenth of the memory stays free. */
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
    arena->in_bytes = alloc_round_up(in_bytes, ALIGNMENT);
    arena->out_bytes = alloc_round_up(out_bytes, ALIGNMENT);
    /* An even number of aligned pieces: arena_copy() needs two halves. */
    arena->stride =
        alloc_round_up(problem_inputs(p) * arena->in_bytes + arena->out_bytes, 2 * ALIGNMENT);
    CUDA_CHECK(cudaStreamCreateWithFlags(&arena->stream, cudaStreamNonBlocking));

    /* To ask for the size of the scratch: pointers as aligned as later ones, never followed. */
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

void arena_close(arena_t *arena)
{
    CUDA_CHECK(cudaFree(arena->d_base));
    CUDA_CHECK(cudaFree(arena->d_work));
    CUDA_CHECK(cudaStreamDestroy(arena->stream));
    *arena = (arena_t){0};
}
