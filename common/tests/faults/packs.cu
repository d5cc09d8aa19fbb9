// SPDX-License-Identifier: MIT
//
// packs.cu - packs from addresses that are aligned for less:
//
// Group: fault packs
// Run: FAULT=$CASE $BUILD/faults/packs --check --quick
// Run: FAULT=$CASE $BUILD/faults/packs --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: none - no fault
// Run: $BUILD/faults/packs --check --quick
// Full: $BUILD/faults/packs --check
// Exit: 0
// Matches: check ok
//
// Case: halves - 8 f16, which are 16 bytes, from multiples of 8. Shows 4 elements off a boundary
// Where: cpu
// Case: floats - 4 f32 in the same way. Shows 2 elements off
// Case: bytes - 16 u8 in the same way. Shows 8 elements off
// Where: cpu
// Case: wide - 8 f32, which are 32 bytes, from multiples of 16. Shows 4 elements off
// Where: cpu
// Case: second - 4 f32 of the second input from where the first one is aligned
#include <cuda_fp16.h>

#include "map.cuh"
#include "plants.cuh"

template <typename T, size_t BYTES>
struct alignas(BYTES) pack_t {
    T elem[BYTES / sizeof(T)];
};

// d_out[k] = d_in[k], plus d_other[k] if there is one. Packs if `bits`, of the checked addresses,
// is a multiple of `aligned`.
template <typename T, size_t BYTES>
__global__ void pack_kernel(const T *d_in, const T *d_other, float *d_out, size_t n, size_t bits,
                            size_t aligned)
{
    const size_t i = index_in_grid();
    const size_t threads = threads_in_grid(), count = BYTES / sizeof(T);
    const size_t packs = bits % aligned == 0 ? n / count : 0;
    using pack = pack_t<T, BYTES>;

    for (size_t p = i; p < packs; p += threads) {
        const pack x = ((const pack *)d_in)[p];
        const pack y = d_other != NULL ? ((const pack *)d_other)[p] : pack();
        for (size_t k = 0; k < count; k++) {
            d_out[count * p + k] = (float)x.elem[k] + (float)y.elem[k];
        }
    }
    for (size_t k = count * packs + i; k < n; k += threads) {
        d_out[k] = (float)d_in[k] + (d_other != NULL ? (float)d_other[k] : 0.0f);
    }
}

template <typename T, bool TWO, size_t BYTES = 16>
static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (BYTES == 16 && TWO && plants("wide")) {
        return launch<T, TWO, 32>(d_in, d_out, n, d_work, work_bytes, stream);
    }
    const T *d_other = TWO ? (const T *)d_in[1] : NULL;
    const size_t other = TWO && !plants("second") ? (size_t)d_other : 0;
    const bool half_as_aligned = plants(TWO ? "floats" : sizeof(T) == 2 ? "halves" : "bytes");
    pack_kernel<T, BYTES>
        <<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const T *)d_in[0], d_other, (float *)d_out, n,
                                               (size_t)d_in[0] | other, half_as_aligned ? 8 : 16);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "faults of packs",
    .map = {{NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, launch<float, true>},
            {},
            {},
            {NULL, NULL, NULL, NULL, launch<half, false>},
            {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, launch<unsigned char, false>}}};
