/* SPDX-License-Identifier: MIT */
#include "data.h"

#include "alloc.h"
#include "dtype.h"
#include "sets.h"

#include <stdlib.h>

void data_adopt(data_t *data, dtype_t type, size_t n, void *elements)
{
    *data = (data_t){.type = type, .n = n, .tile_n = n, .tile = elements};
}

void data_free(data_t *data)
{
    free(data->tile);
    *data = (data_t){0};
}

static int by_index(const void *a, const void *b)
{
    size_t x = ((const patch_t *)a)->index, y = ((const patch_t *)b)->index;
    return (x > y) - (x < y);
}

/*
 * Where the patches go: the last three elements, then random places. They depend on n alone, so
 * that the inputs of one problem have them in the same places.
 */
static void place_patches(data_t *data)
{
    rng_t rng = {data->n};
    data->patch_count = DATA_PATCHES;
    for (size_t p = 0; p < DATA_PATCHES; p++) {
        bool taken = true;
        while (taken) {
            size_t index = p < 3 ? data->n - 1 - p : rng_below(&rng, data->n);
            data->patches[p].index = index;
            taken = false;
            for (size_t q = 0; q < p; q++)
                taken = taken || data->patches[q].index == index;
        }
    }
    qsort(data->patches, DATA_PATCHES, sizeof data->patches[0], by_index);
}

void data_make(data_t *data, const problem_t *problem, size_t n, set_t set, uint64_t seed,
               unsigned stream)
{
    size_t tile_n = n < DATA_TILE ? n : DATA_TILE;
    *data = (data_t){.type = problem->type, .n = n, .tile_n = tile_n};
    data->tile = alloc_array(tile_n, dtype_size(data->type));

    rng_t rng = {seed + ((uint64_t)stream << 32)};
    rng.state = rng_bits(&rng) + n; /* nearby seeds and sizes must not give shifted copies */
    sets_fill(data, problem, set, &rng);
    sets_place(data, problem, set, &rng);
    if (n > tile_n) {
        place_patches(data);
        sets_patch(data, problem, set, &rng);
    }
}

double data_at(const data_t *data, size_t i)
{
    for (size_t p = 0; p < data->patch_count; p++) {
        if (data->patches[p].index == i)
            return data->patches[p].value;
    }
    return dtype_load(data->type, data->tile, i % data->tile_n);
}
