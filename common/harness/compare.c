/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include "buffers.h"
#include "size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = DATA_TILE }; /* outputs read back at a time, unless they repeat */

/* A comparison under way. */
typedef struct {
    const input_t *input;
    const device_t *device;
    dtype_t type; /* of the output */
    known_t *known;
    outcome_t outcome;
    size_t row; /* the row that `softmax` describes, if row_known */
    bool row_known;
    softmax_row_t softmax;
} compare_t;

/* Elements of a row come in order, so that its maximum and sum are computed once. */
static expect_t expect_softmax(compare_t *c, size_t i)
{
    const data_t *data = &c->input->data[0];
    size_t cols = c->input->shape.cols, row = i / cols;

    if (!c->row_known || c->row != row)
        c->softmax = softmax_row(data, row * cols, (row + 1) * cols);
    c->row = row;
    c->row_known = true;
    return softmax_element(&c->softmax, c->type, data_at(data, i));
}

static expect_t expect_element(compare_t *c, size_t i)
{
    const input_t *input = c->input;
    size_t cols = input->shape.cols;
    double x[MAX_INPUTS] = {0};

    switch (input->problem.kind) {
    case KIND_SOFTMAX:
        return expect_softmax(c, i);
    case KIND_MAP:
        for (size_t k = 0; k < problem_inputs(&input->problem); k++)
            x[k] = data_at(&input->data[k], i);
        return expect_map(&input->problem, x);
    case KIND_COLUMNS:
        return expect_column(&input->problem, &input->data[0], input->set, input->shape, i);
    default:
        return expect_reduce(&input->problem, &input->data[0], input->set, c->device, i * cols,
                             (i + 1) * cols);
    }
}

static bool is_poison(dtype_t type, const void *array, size_t i)
{
    const unsigned char *element = (const unsigned char *)array + i * dtype_size(type);
    size_t same = 0;

    while (same < dtype_size(type) && element[same] == POISON_OUTPUT)
        same++;
    return same == dtype_size(type);
}

/* Whether outputs first .. last - 1 are known to be right; h_out holds those from `begin` on. */
static bool is_known(const compare_t *c, const void *h_out, size_t begin, size_t first, size_t last)
{
    const size_t size = dtype_size(c->type);

    return c->known != NULL && last <= c->known->n &&
           memcmp((const unsigned char *)c->known->h_out + first * size,
                  (const unsigned char *)h_out + (first - begin) * size,
                  (last - first) * size) == 0;
}

/* The first `n` outputs are right. */
static void keep_known(compare_t *c, const void *h_out, size_t n)
{
    if (c->known == NULL || c->known->h_out != NULL || c->outcome.wrong > 0)
        return;
    c->known->h_out = alloc_array(n, dtype_size(c->type));
    c->known->n = n;
    memcpy(c->known->h_out, h_out, n * dtype_size(c->type));
}

/*
 * Compare elements first .. last - 1 of the output; h_out holds those from `begin` on. Poison is a
 * value too, and for a float close to 0. So an element with these very bits counts as written only
 * if the exact result has them.
 */
static void compare_elements(compare_t *c, const void *h_out, size_t begin, size_t first,
                             size_t last)
{
    outcome_t *outcome = &c->outcome;

    if (last > first && is_known(c, h_out, begin, first, last))
        last = first + 1; /* it may be the outcome's */
    for (size_t index = first; index < last; index++) {
        expect_t expect = expect_element(c, index);
        double got = dtype_load(c->type, h_out, index - begin);
        bool poison = is_poison(c->type, h_out, index - begin) &&
                      dtype_round(c->type, expect.value.high) != got;
        bool wrong = poison || !expect_holds(&expect, c->type, got);

        if (outcome->wrong == 0 && (wrong || index == 0)) {
            outcome->index = index;
            outcome->got = isnan(got) ? (double)NAN : got; /* never printed as -nan */
            outcome->expect = expect;
            outcome->never_written = poison;
        }
        outcome->wrong += wrong;
    }
}

/* ---- outputs that repeat with the tile of the input ---- */

/* The outputs that follow from one tile, or 0 if they do not repeat. */
static size_t outputs_of_tile(const input_t *input)
{
    const data_t *data = &input->data[0];
    kind_t kind = input->problem.kind;
    size_t cols = input->shape.cols;

    if (data->n == data->tile_n || kind == KIND_REDUCE)
        return 0;
    if (kind == KIND_COLUMNS) /* wide ones: the columns c and c + tile_n have the same elements */
        return cols > data->tile_n ? data->tile_n : 0;
    if (kind != KIND_MAP && data->tile_n % cols != 0) /* rows cross the ends of tiles */
        return 0;
    return kind == KIND_ROWS ? data->tile_n / cols : data->tile_n;
}

/* The first output that depends on element i. */
static size_t output_of(const input_t *input, size_t i)
{
    const size_t cols = input->shape.cols;

    switch (input->problem.kind) {
    case KIND_ROWS:
        return i / cols;
    case KIND_COLUMNS:
        return i % cols;
    case KIND_SOFTMAX:
        return i / cols * cols;
    default:
        return i;
    }
}

/*
 * The first outputs of from .. end - 1 that depend on a patch, up to *last: its own, or those of
 * its row. `end` if there are none.
 */
static size_t next_patched(const input_t *input, size_t from, size_t end, size_t *last)
{
    const data_t *data = &input->data[0];
    size_t next = end;

    for (size_t p = 0; p < data->patch_count; p++) {
        size_t first = output_of(input, data->patches[p].index);
        next = first >= from && first < next ? first : next;
    }
    *last = next + (input->problem.kind == KIND_SOFTMAX ? input->shape.cols : 1);
    *last = next < end ? *last : end;
    return next;
}

/* Whether outputs begin .. end - 1 have the bits of a model, except for those with patches. */
static bool same_as_model(const compare_t *c, const unsigned char *h_model,
                          const unsigned char *h_out, size_t begin, size_t end)
{
    size_t size = dtype_size(c->type), last;

    for (size_t done = begin; done < end; done = last) {
        size_t first = next_patched(c->input, done, end, &last);
        if (memcmp(h_model + (done - begin) * size, h_out + (done - begin) * size,
                   (first - done) * size) != 0)
            return false;
    }
    return true;
}

/* Compare the outputs with patches among begin .. end - 1. */
static void compare_patched(compare_t *c, const void *h_out, size_t begin, size_t end)
{
    size_t last;

    for (size_t done = begin; done < end; done = last) {
        size_t first = next_patched(c->input, done, end, &last);
        compare_elements(c, h_out, begin, first, last);
    }
}

/*
 * If the output repeats, a chunk with the bits of an earlier chunk is right if that one is: 2^31
 * elements are compared in seconds. Chunks without patches stay on the device.
 */
outcome_t compare_output(const input_t *input, const device_t *device, const void *d_out,
                         const void *h_out, known_t *known, cudaStream_t stream)
{
    compare_t c = {.input = input,
                   .device = device,
                   .type = problem_out_type(&input->problem),
                   .known = known};
    size_t size = dtype_size(c.type), n = problem_out_n(&input->problem, input->shape);
    size_t tile = outputs_of_tile(input), chunk = tile > 0 ? tile : CHUNK;
    size_t most = n < chunk ? n : chunk, end, last;
    const unsigned char *d_bytes = d_out, *d_model = NULL; /* the chunk of h_model */
    unsigned char *h_chunk = alloc_array(most, size);
    unsigned char *h_model = alloc_array(most, size);
    bool repeats = true;

    for (size_t begin = 0; begin < n; begin = end) {
        size_t patched = next_patched(input, begin, n, &last);
        end = patched < n ? patched / chunk * chunk : n;
        if (d_model != NULL && repeats && end > begin) {
            repeats = device_repeats(d_bytes + begin * size, (end - begin) * size, d_model,
                                     chunk * size, stream);
            if (repeats)
                continue;
        }
        end = n - begin < most ? n : begin + most;
        if (h_out != NULL)
            memcpy(h_chunk, (const unsigned char *)h_out + begin * size, (end - begin) * size);
        else
            device_copy(h_chunk, d_bytes + begin * size, (end - begin) * size,
                        cudaMemcpyDeviceToHost, stream);
        if (d_model != NULL && same_as_model(&c, h_model, h_chunk, begin, end)) {
            compare_patched(&c, h_chunk, begin, end);
            continue;
        }
        compare_elements(&c, h_chunk, begin, begin, end);
        if (begin == 0)
            keep_known(&c, h_chunk, end);
        if (tile > 0 && end - begin == chunk && patched >= end) {
            memcpy(h_model, h_chunk, chunk * size);
            d_model = d_bytes + begin * size;
        }
    }
    free(h_chunk);
    free(h_model);
    return c.outcome;
}
