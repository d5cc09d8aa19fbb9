// SPDX-License-Identifier: MIT
//
// found.cu - what a step's run reports when the emulator finds a mistake: each is named with its
// line, its thread and its place in a buffer.
//
// Group: found
// Run: FAULT=$CASE $BUILD/faults/found -t f32 -o sum -n 6
// Exit: 1
// Where: cpu
#include "plants.cuh"

struct rows_t {
    const float *in;
    float *out, *work;
    size_t n;
};

// The guard zones around a step's buffers are exact, 0 to 3 elements off a boundary.
//
// Case: read_past - an element after the last one
// Run: for k in 0 1 2 3; do FAULT=$CASE $BUILD/faults/found -t f32 -o sum -n 5 --offset $k; done
// Says: out-of-bounds read of 4 bytes in read_past at @1
// Count: 4 thread .5,0,0., .*, 1 element past the end of the input, the input has 5 elements of f32
__global__ void read_past(rows_t t)
{
    if (threadIdx.x <= t.n)
        t.out[0] = t.in[threadIdx.x]; // 1 read_past
}

// Case: read_before - three before the first one
// Run: for k in 0 1 2 3; do FAULT=$CASE $BUILD/faults/found -t f32 -o sum -n 50 --offset $k; done
// Says: out-of-bounds read of 4 bytes in read_before at @1
// Count: 4 thread .0,0,0. and 2 more lanes.*, 3 elements before the start of the input
__global__ void read_before(rows_t t)
{
    t.out[0] = t.in[(int)threadIdx.x - 3]; // 1 read_before
}

// Case: pack_past - a pack that begins in the input and ends after it
// Run: for o in 0 3 '3 --once'; do FAULT=$CASE $BUILD/faults/found -n 6 --offset $o; done
// Says: out-of-bounds read of 16 bytes in pack_past at @1
// Count: 1 thread .1,0,0..*, in the input; its last 2 elements past the end
// Count: 2 thread .1,0,0..*, in the input; its last 3 elements past the end
__global__ void pack_past(rows_t t)
{
    const size_t misaligned = (size_t)t.in / 4 % 4;
    const float4 *packs = (const float4 *)(t.in + (4 - misaligned) % 4);
    const float4 v = packs[threadIdx.x]; // 1 pack_past
    t.out[0] = v.x + v.y + v.z + v.w;
}

// Case: scratch_past - bytes after the scratch
// Says: in scratch_past at @1 | thread (3,0,0) and 28 more
// Says: 1 element past the end of the scratch
// Says: the scratch has 27 bytes
__global__ void scratch_past(rows_t t)
{
    ((char *)t.work)[4 * t.n + threadIdx.x] = 0; // 1 scratch_past
}

// Case: write_past - an element after the output, of a step that is not checked
// Run: FAULT=$CASE $BUILD/faults/found -t f32 -o sum -n 6 --once
// Says: in write_past at @1 | thread (1,0,0) | , 1 element past the end of the output
// Says: the output has 1 element of f32
__global__ void write_past(rows_t t)
{
    t.out[threadIdx.x] = 0; // 1 write_past
}

// Case: far_past - one far from the input
// Says: in far_past at @1 | thread (0,0,0) | , 101 elements past the end of the input
__global__ void far_past(rows_t t)
{
    t.out[0] = t.in[t.n + 100 + threadIdx.x]; // 1 far_past
}

// A right value of a kernel that races is not `ok`. The cause is given once, and in the last line;
// one wrong value is shown, and the others are counted.
//
// Case: race_unseen - the right result here: nothing but the emulator sees the race
// Run: FAULT=$CASE $BUILD/faults/found -t f32 -o sum -n 200
// Says: at @1 | wrong: 3 faults in all; the
// Count: 0 check ok
// Count: 1 ^simt: race on
// Count: 1 ^wrong: found
// Matches: ^simt: failed: race in race_unseen, [0-9]* times: add __syncthreads
__global__ void race_unseen(rows_t t)
{
    __shared__ float s_data[256];
    const unsigned tid = threadIdx.x;
    float sum = 0;
    s_data[tid] = tid < t.n ? t.in[tid] : 0; // 1 race_unseen
    if (tid / 32 == 7) {                     // the emulator runs the last warp last
        for (size_t i = tid - 224; i < t.n; i += 32)
            sum += i < 256 ? s_data[i] : t.in[i];
        for (unsigned k = 16; k > 0; k /= 2)
            sum += __shfl_down_sync(~0u, sum, k);
    }
    if (tid == 224)
        t.out[0] = sum;
}

// Case: race_tree - many pairs of places, one cause
// Run: FAULT=$CASE $BUILD/faults/found -t f32 -o sum -n 200
// Says: at @1 | wrong: 3 faults in all; the
// Count: 0 check ok
// Count: 1 ^simt: race on
// Count: 1 ^wrong: found
// Matches: ^simt: failed: race in race_tree, [0-9]* times: add barriers
#define ROUND(stride)                                                                              \
    if (tid < stride)                                                                              \
    s_data[tid] += s_data[tid + stride]

__global__ void race_tree(rows_t t)
{
    __shared__ float s_data[256];
    const unsigned tid = threadIdx.x;
    s_data[tid] = tid < t.n ? t.in[tid] : 0; // 1 race_tree
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
    if (plants(#kernel))                                                                           \
    kernel<<<1, 32, 0, stream>>>(t)

#define RUN_BLOCK(kernel)                                                                          \
    if (plants(#kernel))                                                                           \
    kernel<<<1, 256, 0, stream>>>(t)

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
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
