/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include "alloc.h"
#include "cuda_check.h"
#include "guard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = DATA_TILE }; /* elements read back at once: a tile, so that one cache serves all */

void input_make(input_t *input, const problem_t *problem, shape_t shape, set_t set, uint64_t seed)
{
    *input = (input_t){.problem = *problem, .shape = shape, .set = set};
    for (unsigned i = 0; i < problem_inputs(problem); i++)
        data_make(&input->data[i], problem, problem_n(shape), set, seed, i);
}

void input_free(input_t *input)
{
    for (size_t i = 0; i < problem_inputs(&input->problem); i++)
        data_free(&input->data[i]);
}

static expect_t expect_element(const input_t *input, const device_t *device, size_t i)
{
    const problem_t *p = &input->problem;

    if (p->kind == KIND_MAP) {
        double x[MAX_INPUTS] = {0};
        for (size_t k = 0; k < problem_inputs(p); k++)
            x[k] = data_at(&input->data[k], i);
        return expect_map(p, x);
    }
    size_t cols = input->shape.cols;
    return expect_reduce(p, &input->data[0], input->set, device, i * cols, (i + 1) * cols);
}

static bool is_poison(dtype_t type, const void *array, size_t i)
{
    unsigned char poison[sizeof(double)];
    size_t size = dtype_size(type);

    memset(poison, POISON_OUTPUT, sizeof poison);
    return memcmp((const unsigned char *)array + i * size, poison, size) == 0;
}

/*
 * Poison is a value too, and for a float close to 0. So an element with these very bits counts as
 * written only where the exact result has them.
 */
static void compare_element(outcome_t *outcome, const expect_t *expect, dtype_t type,
                            const void *h_out, size_t i, size_t index)
{
    double got = dtype_load(type, h_out, i);
    bool poison = is_poison(type, h_out, i) && dtype_round(type, expect->value.high) != got;
    bool wrong = poison || !expect_holds(expect, type, got);

    if (outcome->wrong == 0 && (wrong || index == 0)) {
        outcome->index = index;
        outcome->got = got;
        outcome->expect = *expect;
        outcome->never_written = poison;
    }
    outcome->wrong += wrong;
}

/* Every element of a chunk by itself. */
static void compare_chunk(outcome_t *outcome, const input_t *input, const device_t *device,
                          const void *h_out, size_t begin, size_t count)
{
    dtype_t type = problem_out_type(&input->problem);

    for (size_t i = 0; i < count; i++) {
        expect_t expect = expect_element(input, device, begin + i);
        compare_element(outcome, &expect, type, h_out, i, begin + i);
    }
}

static bool has_patch(const input_t *input, size_t begin, size_t count)
{
    for (size_t p = 0; p < input->data[0].patch_count; p++) {
        size_t index = input->data[0].patches[p].index;
        if (index >= begin && index - begin < count)
            return true;
    }
    return false;
}

/*
 * Elementwise steps repeat with the tile. So a chunk that has the bits of a model, a whole chunk
 * without patches, is right where the model is, but for its own patches: 2^31 elements are compared
 * in seconds.
 */
static bool same_as_model(const input_t *input, const void *h_model, const unsigned char *h_out,
                          size_t begin, size_t count)
{
    size_t size = dtype_size(problem_out_type(&input->problem));
    size_t done = 0;

    for (size_t p = 0; p < input->data[0].patch_count; p++) {
        size_t index = input->data[0].patches[p].index;
        if (index < begin || index - begin >= count)
            continue;
        size_t i = index - begin;
        if (memcmp((const unsigned char *)h_model + done * size, h_out + done * size,
                   (i - done) * size) != 0)
            return false;
        done = i + 1;
    }
    return memcmp((const unsigned char *)h_model + done * size, h_out + done * size,
                  (count - done) * size) == 0;
}

static void compare_patches(outcome_t *outcome, const input_t *input, const device_t *device,
                            const void *h_out, size_t begin, size_t count)
{
    dtype_t type = problem_out_type(&input->problem);

    for (size_t p = 0; p < input->data[0].patch_count; p++) {
        size_t index = input->data[0].patches[p].index;
        if (index < begin || index - begin >= count)
            continue;
        expect_t expect = expect_element(input, device, index);
        compare_element(outcome, &expect, type, h_out, index - begin, index);
    }
}

outcome_t compare_output(const input_t *input, const device_t *device, const void *d_out,
                         cudaStream_t stream)
{
    size_t size = dtype_size(problem_out_type(&input->problem));
    size_t n = problem_out_n(&input->problem, input->shape);
    size_t most = n < CHUNK ? n : CHUNK;
    unsigned char *h_out = alloc_array(most, size);
    unsigned char *h_model = alloc_array(most, size);
    bool have_model = false;
    outcome_t outcome = {0};

    for (size_t begin = 0; begin < n; begin += most) {
        size_t count = n - begin < most ? n - begin : most;
        CUDA_CHECK(cudaMemcpyAsync(h_out, (const unsigned char *)d_out + begin * size, count * size,
                                   cudaMemcpyDeviceToHost, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        if (have_model && same_as_model(input, h_model, h_out, begin, count)) {
            compare_patches(&outcome, input, device, h_out, begin, count);
            continue;
        }
        compare_chunk(&outcome, input, device, h_out, begin, count);
        if (input->problem.kind == KIND_MAP && count == most && !has_patch(input, begin, count)) {
            memcpy(h_model, h_out, count * size);
            have_model = true;
        }
    }
    free(h_out);
    free(h_model);
    return outcome;
}
