// SPDX-License-Identifier: MIT
//
// Suite: found - what a step's run reports when the emulator finds a mistake: FAULT in the
// environment chooses one of several, and common/tests/found.sh has the message for each.
// Run: sh common/tests/found.sh
// Where: cpu
#include "step.h"
#include <stdlib.h>
#include <string.h>

struct rows_t {
    const float *in;
    float *out, *work;
    size_t n;
};

__global__ void read_past(rows_t t)
{
    if (threadIdx.x <= t.n)
        t.out[0] = t.in[threadIdx.x]; // LINE read_past
}

__global__ void read_before(rows_t t)
{
    t.out[0] = t.in[(int)threadIdx.x - 3]; // LINE read_before
}

__global__ void pack_past(rows_t t) // a pack that begins in the input and ends after it
{
    const size_t misaligned = (size_t)t.in / 4 % 4;
    const float4 *packs = (const float4 *)(t.in + (4 - misaligned) % 4);
    const float4 v = packs[threadIdx.x]; // LINE pack_past
    t.out[0] = v.x + v.y + v.z + v.w;
}

__global__ void scratch_past(rows_t t)
{
    ((char *)t.work)[4 * t.n + threadIdx.x] = 0; // LINE scratch_past
}

__global__ void write_past(rows_t t)
{
    t.out[threadIdx.x] = 0; // LINE write_past
}

__global__ void far_past(rows_t t)
{
    t.out[0] = t.in[t.n + 100 + threadIdx.x]; // LINE far_past
}

// Races that give the right result here: nothing but the emulator sees them.
__global__ void race_unseen(rows_t t)
{
    __shared__ float s_data[256];
    const unsigned tid = threadIdx.x;
    float sum = 0;
    s_data[tid] = tid < t.n ? t.in[tid] : 0; // LINE race_unseen
    if (tid / 32 == 7) {                     // the emulator runs the last warp last
        for (size_t i = tid - 224; i < t.n; i += 32)
            sum += i < 256 ? s_data[i] : t.in[i];
        for (unsigned k = 16; k > 0; k /= 2)
            sum += __shfl_down_sync(~0u, sum, k);
    }
    if (tid == 224)
        t.out[0] = sum;
}

// Many pairs of places, one cause.
#define ROUND(stride)                                                                              \
    if (tid < stride)                                                                              \
    s_data[tid] += s_data[tid + stride]

__global__ void race_tree(rows_t t)
{
    __shared__ float s_data[256];
    const unsigned tid = threadIdx.x;
    s_data[tid] = tid < t.n ? t.in[tid] : 0; // LINE race_tree
    ROUND(128);
    ROUND(64);
    ROUND(32);
    ROUND(16);
    ROUND(8);
    ROUND(4);
    ROUND(2);
    if (tid < 1)
        t.out[0] = s_data[tid] + s_data[tid + 1];
}

#define RUN(kernel)                                                                                \
    if (strcmp(fault, #kernel) == 0)                                                               \
    kernel<<<1, 32, 0, stream>>>(t)

#define RUN_BLOCK(kernel)                                                                          \
    if (strcmp(fault, #kernel) == 0)                                                               \
    kernel<<<1, 256, 0, stream>>>(t)

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const char *chosen = getenv("FAULT"), *fault = chosen ? chosen : "read_past";
    if (d_work == NULL) {
        *work_bytes = 4 * n + 3;
        return cudaSuccess;
    }
    const rows_t t = {(const float *)d_in, (float *)d_out, (float *)d_work, n};
    RUN(read_past);
    RUN(read_before);
    RUN(pack_past);
    RUN(scratch_past);
    RUN(write_past);
    RUN(far_past);
    RUN_BLOCK(race_unseen);
    RUN_BLOCK(race_tree);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: chosen by FAULT", .reduce = {{launch}}};
