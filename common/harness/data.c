/* SPDX-License-Identifier: MIT */
#include "data.h"

#include "cuda_check.h"
#include "device.h"
#include "size.h"

#include <stdlib.h>
#include <string.h>

void data_adopt(data_t *data, dtype_t type, size_t n, void *elements)
{
    *data = (data_t){.type = type, .n = n, .tile_n = n, .tile = elements};
}

void data_free(data_t *data)
{
    free(data->tile);
    *data = (data_t){0};
}

double data_at(const data_t *data, size_t i)
{
    for (size_t p = 0; p < data->patch_count; p++) {
        if (data->patches[p].index == i)
            return data->patches[p].value;
    }
    return dtype_load(data->type, data->tile, i % data->tile_n);
}

/* ---- the device ---- */

void data_upload_part(const data_t *data, size_t begin, size_t count, void *d_dst,
                      cudaStream_t stream)
{
    size_t size = dtype_size(data->type);
    unsigned char *d_bytes = d_dst;
    size_t done = data->tile_n < count ? data->tile_n : count;

    if (count == 0)
        return;
    /* One tile's length, from `begin` on: the end of the tile, then its beginning. */
    size_t first = begin % data->tile_n, rest = data->tile_n - first;
    rest = rest < done ? rest : done;
    CUDA_CHECK(cudaMemcpyAsync(d_bytes, (const unsigned char *)data->tile + first * size,
                               rest * size, cudaMemcpyHostToDevice, stream));
    if (rest < done)
        CUDA_CHECK(cudaMemcpyAsync(d_bytes + rest * size, data->tile, (done - rest) * size,
                                   cudaMemcpyHostToDevice, stream));
    while (done < count) { /* doubles what is there: 1 tile, 2, 4, 8, ... */
        size_t more = done < count - done ? done : count - done;
        CUDA_CHECK(cudaMemcpyAsync(d_bytes + done * size, d_bytes, more * size,
                                   cudaMemcpyDeviceToDevice, stream));
        done += more;
    }
    CUDA_CHECK(cudaStreamSynchronize(stream));

    for (size_t p = 0; p < data->patch_count; p++) {
        size_t index = data->patches[p].index;
        double element;
        if (index < begin || index - begin >= count)
            continue;
        dtype_store(data->type, &element, 0, data->patches[p].value);
        device_copy(d_bytes + (index - begin) * size, &element, size, cudaMemcpyHostToDevice,
                    stream);
    }
}

void data_upload(const data_t *data, void *d_dst, cudaStream_t stream)
{
    data_upload_part(data, 0, data->n, d_dst, stream);
}

/* Put the patches among elements begin .. begin + count - 1 into `elements`, a piece of tile. */
static void apply_patches(const data_t *data, unsigned char *elements, size_t begin, size_t count)
{
    for (size_t p = 0; p < data->patch_count; p++) {
        size_t index = data->patches[p].index;
        if (index >= begin && index - begin < count)
            dtype_store(data->type, elements, index - begin, data->patches[p].value);
    }
}

/* The first patch from element `begin` on, or n. */
static size_t next_patch(const data_t *data, size_t begin)
{
    size_t p = 0;
    while (p < data->patch_count && data->patches[p].index < begin)
        p++;
    return p < data->patch_count ? data->patches[p].index : data->n;
}

/* Compare `count` elements from `begin` on, at most to the end of a tile, on the host. */
static bool part_unchanged(const data_t *data, const unsigned char *d_src,
                           const unsigned char *h_src, size_t begin, size_t count,
                           cudaStream_t stream, size_t *where)
{
    size_t size = dtype_size(data->type);
    unsigned char *got = alloc_array(count, size);
    unsigned char *expected = alloc_array(count, size);

    if (h_src != NULL)
        memcpy(got, h_src + begin * size, count * size);
    else
        device_copy(got, d_src + begin * size, count * size, cudaMemcpyDeviceToHost, stream);
    memcpy(expected, data->tile, count * size);
    apply_patches(data, expected, begin, count);
    bool same = memcmp(got, expected, count * size) == 0;
    for (size_t i = 0; i < count && !same; i++) {
        *where = begin + i;
        if (memcmp(got + i * size, expected + i * size, size) != 0)
            break;
    }
    free(got);
    free(expected);
    return same;
}

bool data_unchanged(const data_t *data, const void *d_src, const void *h_src, cudaStream_t stream,
                    size_t *where)
{
    const unsigned char *d_bytes = d_src, *d_model = NULL; /* a tile that was found unchanged */
    size_t size = dtype_size(data->type), tile_n = data->tile_n, end;
    bool repeats = true;

    for (size_t begin = 0; begin < data->n; begin = end) {
        /* Everything before the next tile with a patch should be the model, again and again. */
        size_t patch = next_patch(data, begin);
        end = patch < data->n ? patch / tile_n * tile_n : data->n;
        if (d_model != NULL && repeats && end > begin) {
            repeats = device_repeats(d_bytes + begin * size, (end - begin) * size, d_model,
                                     tile_n * size, stream);
            if (repeats)
                continue;
        }
        end = data->n - begin < tile_n ? data->n : begin + tile_n;
        if (!part_unchanged(data, d_src, h_src, begin, end - begin, stream, where))
            return false;
        if (patch >= end && end - begin == tile_n)
            d_model = d_bytes + begin * size;
    }
    return true;
}
