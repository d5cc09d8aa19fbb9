// SPDX-License-Identifier: MIT
// Fault: u8 in packs of 8 with the tail of f32, which is 3 elements at most. Shows if n % 8 is 4 or
// more.
#include "map.cuh"

struct alignas(8) pack_t {
    unsigned char elem[8];
};

__global__ void map_kernel(const unsigned char *d_in, unsigned char *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    const bool aligned = (size_t)d_in % sizeof(pack_t) == 0 && (size_t)d_out % sizeof(pack_t) == 0;
    const size_t packs = aligned ? n / 8 : 0, tail = 8 * packs;

    for (size_t p = i; p < packs; p += threads) {
        ((pack_t *)d_out)[p] = ((const pack_t *)d_in)[p];
    }
    for (size_t k = tail + i; k < (aligned && n - tail > 3 ? tail + 3 : n); k += threads) {
        d_out[k] = d_in[k];
    }
}

extern "C" const step_t step = {
    .summary = "fault: u8 in packs of 8, a tail of 3 at most",
    .map = {{}, {}, {}, {}, {launch_map<unsigned char, unsigned char, map_kernel>}}};
