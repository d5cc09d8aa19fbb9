// SPDX-License-Identifier: MIT
// Fault: u8 to f32 in packs of 16, as many u8 as a load holds, counted as the 4 that f32 has. Shows
// for every n of 4 or more: the last packs run past the end.
#include "map.cuh"

struct alignas(16) pack_t {
    unsigned char elem[16];
};

__global__ void map_kernel(const unsigned char *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    const bool aligned = (size_t)d_in % sizeof(pack_t) == 0;
    const size_t packs = aligned ? n / 4 : 0; // right: n / 16

    for (size_t p = i; p < packs; p += threads) {
        const pack_t pack = ((const pack_t *)d_in)[p];
        for (int k = 0; k < 16; k++) {
            d_out[16 * p + k] = pack.elem[k];
        }
    }
    for (size_t k = 16 * packs + i; k < n; k += threads) {
        d_out[k] = d_in[k];
    }
}

extern "C" const step_t step = {.summary = "fault: packs of 16 u8, counted in packs of 4",
                                .map = {{},
                                        {},
                                        {},
                                        {},
                                        {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                         launch_map<unsigned char, float, map_kernel>}}};
