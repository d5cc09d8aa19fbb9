// SPDX-License-Identifier: MIT
//
// mistakes.cu - what beginners get wrong, each as a small program: `mistakes NAME`. On a GPU
// sanitize.sh runs them under compute-sanitizer, in the emulator the tests do. The table of
// simt/REFERENCE.md shows the texts of the cases, and what they say.
//
// Group: simt mistakes
// Run: SIMT_CHECK=leaks SIMT_SECONDS=1 $WORK/calibrate/mistakes $CASE
// Exit: 1
// Count: 2 ^simt:
// Matches: @1([^0-9]|$)
// Matches: ^simt: (failed: |leak: |.*: exit status 1$)
//
// The faults of NVIDIA's compute-sanitizer-samples are among them, in our own programs:
// misaligned_int, wild_pointer, leak, no_barrier, no_syncwarp, memset_bytes, byte_missing,
// barrier_in_loop, syncwarp_mask, malloc_too_much.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Each program registers itself in a list, which main searches.
struct program_t {
    const char *name;
    void (*run)();
    const program_t *next;
    program_t(const char *its_name, void (*its_run)());
};
static const program_t *programs;
program_t::program_t(const char *its_name, void (*its_run)())
    : name(its_name), run(its_run), next(programs)
{
    programs = this;
}

#define PROGRAM(name)                                                                              \
    static void name();                                                                            \
    static const program_t program_##name(#name, name);                                            \
    static void name()

static int *d_kept[8], kept;

// n integers on the device, all 0. main frees them.
static int *zeros(int n)
{
    int *d_data;
    cudaMalloc(&d_data, n * sizeof(int));
    cudaMemset(d_data, 0, n * sizeof(int));
    return d_kept[kept++] = d_data;
}

__global__ void twice(int *data)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] *= 2; // 1 no_guard host_pointer use_after_free malloc_bytes memset_bytes
}

__global__ void twice_of(int *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2; // 1 memcpy_bytes sizeof_pointer byte_missing no_copy // 2 malloc_too_much
}

// ---- wrong indices ----

// Case: no_guard - no `if (i < n)`, and n is not a multiple of the block size
// Says: out-of-bounds read of 4 bytes in twice | 0 bytes after the 400-byte allocation
PROGRAM(no_guard)
{
    int *d_data = zeros(100);
    twice<<<4, 32>>>(d_data);
}

__global__ void next_one(const int *in, int *out, int n)
{
    const int i = threadIdx.x;
    if (i < n)
        out[i] = in[i + 1]; // 1 neighbour_past
}

// Case: neighbour_past - the last thread has no right neighbour
// Says: out-of-bounds read of 4 bytes in next_one | 0 bytes after the 400-byte allocation
PROGRAM(neighbour_past)
{
    int *d_in = zeros(100), *d_out = zeros(100);
    next_one<<<1, 128>>>(d_in, d_out, 100);
}

__global__ void one_too_many(int *out, int n)
{
    for (int i = threadIdx.x; i <= n; i += blockDim.x)
        out[i] = i; // 1 off_by_one
}

// Case: off_by_one - `i <= n` instead of `i < n`
// Says: out-of-bounds write of 4 bytes in one_too_many | 0 bytes after the 400-byte allocation
PROGRAM(off_by_one)
{
    int *d_out = zeros(100);
    one_too_many<<<1, 32>>>(d_out, 100);
}

__global__ void before(const int *in, int *out)
{
    const int i = threadIdx.x;
    out[i] = in[i - 1]; // 1 negative_index
}

// Case: negative_index - thread 0 reads element -1
// Says: out-of-bounds read of 4 bytes in before | 4 bytes before the 128-byte allocation
PROGRAM(negative_index)
{
    int *d_in = zeros(32), *d_out = zeros(32);
    before<<<1, 32>>>(d_in, d_out);
}

__global__ void row_start(const int *in, int *out, int row, int columns)
{
    out[threadIdx.x] = in[row * columns + (int)threadIdx.x]; // 1 int_overflow
}

// Case: int_overflow - an index of type int that passes 2^31
// Says: out-of-bounds read of 4 bytes in row_start | has an int passed
// Says: allocation it would be -1794967296: | compute it in size_t
PROGRAM(int_overflow)
{
    int *d_in = zeros(32), *d_out = zeros(32);
    row_start<<<1, 32>>>(d_in, d_out, 50000, 50000);
}

__global__ void edges(const int *in, int *out)
{
    __shared__ int s_tile[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    s_tile[y][x] = in[y * 16 + x];
    __syncthreads();
    out[y * 16 + x] = s_tile[y][x + 1] - s_tile[y][x]; // 1 row_end
}

// Case: row_end - past the end of a row of a 2D array, in the next row
// Says: index 16 outside of 'int[16]'
PROGRAM(row_end)
{
    int *d_in = zeros(256), *d_out = zeros(256);
    edges<<<1, dim3(16, 16)>>>(d_in, d_out);
}

__global__ void last_digits(int *out, int n)
{
    int digits[4] = {0, 0, 0, 0};
    int value = n;
    for (int k = 0; value > 0; k++) {
        digits[k] = value % 10; // 1 local_array
        value /= 10;
    }
    out[threadIdx.x] = digits[threadIdx.x % 4];
}

// Case: local_array - a local array that is too small
// Says: index 4 outside of 'int[4]'
PROGRAM(local_array)
{
    int *d_out = zeros(32);
    last_digits<<<1, 32>>>(d_out, 12345);
}

__device__ void fill(int *p, int n)
{
    for (int i = 0; i <= n; i++)
        p[i] = i; // 1 local_pointer
}

__global__ void filled(int *out, int n)
{
    int values[4];
    fill(values, n);
    out[threadIdx.x] = values[threadIdx.x % 4];
}

// Case: local_pointer - the same through a pointer
// Exit: 0
// Count: 0 .
// Matches: ^$
PROGRAM(local_pointer)
{
    int *d_out = zeros(32);
    filled<<<1, 32>>>(d_out, 4);
}

__global__ void clear(char *out, int n)
{
    memset(out + n * threadIdx.x, 0, n); // 1 memset_in_kernel
}

// Case: memset_in_kernel - memset() in a kernel, of twice the allocation's size
// Says: out-of-bounds write of | after the 256-byte allocation
PROGRAM(memset_in_kernel)
{
    int *d_out = zeros(64);
    clear<<<1, 32>>>((char *)d_out, 16);
}

__global__ void four_at_once(const int *in, int *out)
{
    const int4 v = ((const int4 *)(in + 1))[threadIdx.x]; // 1 misaligned_pack
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// Case: misaligned_pack - an int4 is read at an address of an int
// Says: misaligned read of 16 bytes in four_at_once
PROGRAM(misaligned_pack)
{
    int *d_in = zeros(256), *d_out = zeros(32);
    four_at_once<<<1, 32>>>(d_in, d_out);
}

__device__ int marker;

__global__ void mark()
{
    *(int *)((char *)&marker + 1) = 42; // 1 misaligned_int
}

// Case: misaligned_int - an int is written at an odd address
// Says: misaligned write of 4 bytes in mark
PROGRAM(misaligned_int)
{
    mark<<<1, 1>>>();
}

// ---- wrong pointers ----

// Case: host_pointer - a host pointer is passed to the kernel
// Says: out-of-bounds read of 4 bytes in twice | a host pointer
PROGRAM(host_pointer)
{
    int *h_data = (int *)calloc(32, sizeof(int));
    twice<<<1, 32>>>(h_data);
    cudaDeviceSynchronize();
    free(h_data);
}

struct vector_t {
    int n;
    int *data;
};

__global__ void twice_all(vector_t *v)
{
    const int i = threadIdx.x;
    if (i < v->n)
        v->data[i] *= 2; // 1 deep_copy
}

// Case: deep_copy - a struct is copied to the GPU, but not what its pointer points to
// Says: out-of-bounds read of 4 bytes in twice_all | a host pointer
PROGRAM(deep_copy)
{
    vector_t h_vector = {32, (int *)calloc(32, sizeof(int))}, *d_vector;
    cudaMalloc(&d_vector, sizeof h_vector);
    cudaMemcpy(d_vector, &h_vector, sizeof h_vector, cudaMemcpyHostToDevice);
    twice_all<<<1, 32>>>(d_vector);
    cudaDeviceSynchronize();
    cudaFree(d_vector);
    free(h_vector.data);
}

// Case: device_pointer - the host reads through a device pointer
// Says: read of device memory by host code
// Count: 4 ^simt:
PROGRAM(device_pointer)
{
    int *d_data = zeros(32);
    printf("%d\n", d_data[0]); // 1 device_pointer
}

// Case: use_after_free - the memory is freed before the kernel
// Says: out-of-bounds read of 4 bytes in twice | that was freed
PROGRAM(use_after_free)
{
    int *d_data;
    cudaMalloc(&d_data, 32 * sizeof(int));
    cudaFree(d_data);
    twice<<<1, 32>>>(d_data);
}

__device__ void store_far()
{
    *(int *)0x87654320 = 42; // 1 wild_pointer
}

__global__ void far_away()
{
    store_far();
}

// Case: wild_pointer - a pointer that points to nothing
// Says: out-of-bounds write of 4 bytes in far_away | a wild one
PROGRAM(wild_pointer)
{
    far_away<<<1, 1>>>();
}

// Case: malloc_too_much - cudaMalloc() fails, and nothing checks it
// Says: cudaMalloc failed | asked for 1125899906842624 bytes
// Count: 3 ^simt:
// Says: @2
PROGRAM(malloc_too_much)
{
    int *d_data = nullptr;
    cudaMalloc(&d_data, (size_t)1 << 50); // 1 malloc_too_much
    twice_of<<<1, 32>>>(d_data, 32);
    cudaFree(d_data);
}

// ---- sizes in bytes ----

// Case: malloc_bytes - cudaMalloc() without `* sizeof(int)`
// Says: out-of-bounds read of 4 bytes in twice | after the 64-byte allocation
PROGRAM(malloc_bytes)
{
    int *d_data;
    cudaMalloc(&d_data, 64);
    cudaMemset(d_data, 0, 64);
    twice<<<2, 32>>>(d_data);
    cudaFree(d_data);
}

// Case: memset_bytes - cudaMemset() without `* sizeof(int)`
// Says: read of unwritten global memory
// Says: 4-byte element 16 of the 256-byte allocation | read by thread (16,0,0) at @1
PROGRAM(memset_bytes)
{
    int *d_data;
    cudaMalloc(&d_data, 64 * sizeof(int));
    cudaMemset(d_data, 0, 64);
    twice<<<2, 32>>>(d_data);
    cudaFree(d_data);
}

// Case: memcpy_bytes - cudaMemcpy() without `* sizeof(int)`
// Says: read of unwritten global memory
PROGRAM(memcpy_bytes)
{
    int *d_data, h_data[64] = {0};
    cudaMalloc(&d_data, sizeof h_data);
    cudaMemcpy(d_data, h_data, 64, cudaMemcpyHostToDevice);
    twice_of<<<2, 32>>>(d_data, 64);
    cudaFree(d_data);
}

// Case: sizeof_pointer - `sizeof p` of a pointer instead of the array's size
// Says: read of unwritten global memory
PROGRAM(sizeof_pointer)
{
    int *h_data = (int *)calloc(64, sizeof(int)), *d_data;
    cudaMalloc(&d_data, 64 * sizeof(int));
    cudaMemcpy(d_data, h_data, sizeof h_data, cudaMemcpyHostToDevice);
    twice_of<<<2, 32>>>(d_data, 64);
    cudaFree(d_data);
    free(h_data);
}

// Case: byte_missing - one byte was never written
// Says: read of unwritten global memory
// Says: 4-byte element 63 of the 256-byte allocation | read by thread (31,0,0)
PROGRAM(byte_missing)
{
    int *d_data;
    cudaMalloc(&d_data, 64 * sizeof(int));
    cudaMemset(d_data, 0, 64 * sizeof(int) - 1);
    twice_of<<<2, 32>>>(d_data, 64);
    cudaFree(d_data);
}

// Case: no_copy - the input is never copied to the GPU
// Says: read of unwritten global memory
PROGRAM(no_copy)
{
    int *d_data, h_data[64] = {0};
    cudaMalloc(&d_data, sizeof h_data);
    twice_of<<<2, 32>>>(d_data, 64);
    cudaMemcpy(h_data, d_data, sizeof h_data, cudaMemcpyDeviceToHost);
    cudaFree(d_data);
}

__global__ void add_up(const int *in, int *sum)
{
    *sum += in[threadIdx.x]; // 1 unwritten_sum
}

// Case: unwritten_sum - the sum is never set to 0
// Says: read of unwritten global memory
PROGRAM(unwritten_sum)
{
    int *d_in = zeros(32), *d_sum;
    cudaMalloc(&d_sum, sizeof(int));
    add_up<<<1, 1>>>(d_in, d_sum);
    cudaFree(d_sum);
}

// Case: copy_too_long - a copy of more bytes than the allocation has
// Says: cudaMemcpy failed | 400 bytes, but the allocation has 256 bytes
// Says: cudaErrorInvalidValue | the destination: 400 bytes, but
PROGRAM(copy_too_long)
{
    int h_data[100] = {0}, *d_data = zeros(64);
    cudaMemcpy(d_data, h_data, sizeof h_data, cudaMemcpyHostToDevice); // 1 copy_too_long
}

// Case: wrong_direction - cudaMemcpyDeviceToHost for a copy to the device
// Says: cudaMemcpy failed | this goes from host to device memory
// Says: write cudaMemcpyHostToDevice
PROGRAM(wrong_direction)
{
    int h_data[64] = {0}, *d_data = zeros(64);
    cudaMemcpy(d_data, h_data, sizeof h_data, cudaMemcpyDeviceToHost); // 1 wrong_direction
}

// ---- the launch ----

// Case: too_many_threads - 2000 threads a block
// Says: launch failed | 2000 threads a block | at most 1024
PROGRAM(too_many_threads)
{
    int *d_data = zeros(2000);
    twice<<<1, 2000>>>(d_data); // 1 too_many_threads
}

// Case: zero_blocks - n / 256 blocks, and n is less than 256
// Says: launch failed | the grid is (0,1,1)
// Says: each of the three must be at least 1
PROGRAM(zero_blocks)
{
    const int n = 100;
    int *d_data = zeros(n);
    twice_of<<<n / 256, 256>>>(d_data, n); // 1 zero_blocks
}

// Case: tall_grid - more than 65535 blocks in y
// Says: launch failed | the grid is (1,70000,1)
// Says: at most (2147483647,65535,65535)
PROGRAM(tall_grid)
{
    int *d_data = zeros(32);
    twice_of<<<dim3(1, 70000), 32>>>(d_data, 32); // 1 tall_grid
}

__global__ void __launch_bounds__(128) bounded(int *data)
{
    data[threadIdx.x] += 1;
}

// Case: launch_bounds - more threads than `__launch_bounds__` promises
// Says: launch failed at | bounded: 256 threads a block: at most 128
PROGRAM(launch_bounds)
{
    int *d_data = zeros(256);
    bounded<<<1, 256>>>(d_data); // 1 launch_bounds
}

__global__ void reversed(int *data)
{
    extern __shared__ int s_data[];
    const int i = threadIdx.x;
    s_data[i] = data[i]; // 1 dynamic_forgotten
    __syncthreads();
    data[i] = s_data[blockDim.x - 1 - i];
}

// Case: dynamic_forgotten - the launch does not say how much shared memory
// Says: out-of-bounds write of 4 bytes in reversed
PROGRAM(dynamic_forgotten)
{
    int *d_data = zeros(64);
    reversed<<<1, 64>>>(d_data);
}

// Case: shared_too_much - 64 KiB of shared memory, without cudaFuncSetAttribute()
// Says: launch failed | 65536 bytes of dynamic shared memory: at most 49152
PROGRAM(shared_too_much)
{
    int *d_data = zeros(64);
    reversed<<<1, 64, 65536>>>(d_data); // 1 shared_too_much
}

// ---- what is freed ----

// Case: double_free - freed twice
// Says: cudaFree failed | was freed already
// Says: free each allocation once
PROGRAM(double_free)
{
    int *d_data;
    cudaMalloc(&d_data, 64 * sizeof(int));
    cudaFree(d_data);
    cudaFree(d_data); // 1 double_free
}

// Case: free_inside - the pointer has moved before it is freed
// Says: cudaFree failed | byte 64 of an allocation of 256 bytes
PROGRAM(free_inside)
{
    int *d_data = zeros(64);
    cudaFree(d_data + 16); // 1 free_inside
}

// Case: leak - never freed
// Says: leak: 256 bytes
PROGRAM(leak)
{
    int *d_data;
    cudaMalloc(&d_data, 64 * sizeof(int)); // 1 leak
    cudaMemset(d_data, 0, 64 * sizeof(int));
}

// ---- shared memory and barriers ----

__global__ void too_small(int *data)
{
    __shared__ int s_data[128];
    const int i = threadIdx.x;
    s_data[i] = data[i]; // 1 shared_too_small
    __syncthreads();
    data[i] = s_data[blockDim.x - 1 - i];
}

// Case: shared_too_small - a shared array for half of the threads
// Says: index 128 outside of 'int[128]'
PROGRAM(shared_too_small)
{
    int *d_data = zeros(256);
    too_small<<<1, 256>>>(d_data);
}

__global__ void sum_of_tail(const int *in, int *out, int n)
{
    __shared__ int s_data[128];
    const int tid = threadIdx.x;
    if (tid < n)
        s_data[tid] = in[tid];
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (tid < k)
            s_data[tid] += s_data[tid + k]; // 1 unwritten_shared
        __syncthreads();
    }
    if (tid == 0)
        *out = s_data[0];
}

// Case: unwritten_shared - threads past n leave their shared element unwritten
// Says: read of unwritten shared memory
// Says: s_data[100] in sum_of_tail, block (0,0,0) | read by thread (36,0,0) at @1
PROGRAM(unwritten_shared)
{
    int *d_in = zeros(100), *d_out = zeros(1);
    sum_of_tail<<<1, 128>>>(d_in, d_out, 100);
}

__global__ void sum_by_one(const int *in, int *sum)
{
    __shared__ int s_data[128];
    const int tid = threadIdx.x;
    s_data[tid] = in[tid]; // 1 no_barrier
    if (tid == 0) {
        int total = 0;
#pragma unroll 1
        for (int i = 0; i < 128; i++)
            total += s_data[i]; // 2 no_barrier
        *sum = total;
    }
}

// Case: no_barrier - no `__syncthreads()` between writing and reading
// Says: race on s_data | add __syncthreads() after line
// Says: @2
PROGRAM(no_barrier)
{
    int *d_in = zeros(128), *d_sum = zeros(1);
    sum_by_one<<<1, 128>>>(d_in, d_sum);
}

__global__ void tree(const int *in, int *sum)
{
    __shared__ int s_data[128];
    const int tid = threadIdx.x;
    s_data[tid] = in[tid];
    __syncthreads();
    for (int k = 64; k > 0; k /= 2)
        if (tid < k)
            s_data[tid] += s_data[tid + k]; // 1 no_barrier_in_loop
    if (tid == 0)
        *sum = s_data[0];
}

// Case: no_barrier_in_loop - one `__syncthreads()`, before the loop
// Says: race on s_data | add __syncthreads() after line
PROGRAM(no_barrier_in_loop)
{
    int *d_in = zeros(128), *d_sum = zeros(1);
    tree<<<1, 128>>>(d_in, d_sum);
}

__global__ void dot_of_tiles(const int *a, const int *b, int *out, int tiles)
{
    __shared__ int s_tile[64];
    const int tid = threadIdx.x;
    int sum = 0;
    for (int tile = 0; tile < tiles; tile++) {
        s_tile[tid] = a[tile * 64 + tid]; // 1 no_second_barrier
        __syncthreads();
        for (int k = 0; k < 64; k++)
            sum += s_tile[k] * b[k]; // 2 no_second_barrier
    }
    out[tid] = sum;
}

// Case: no_second_barrier - the next tile is loaded while others still use this one
// Says: race on s_tile | add __syncthreads()
// Says: @2
PROGRAM(no_second_barrier)
{
    int *d_a = zeros(256), *d_b = zeros(64), *d_out = zeros(64);
    dot_of_tiles<<<1, 64>>>(d_a, d_b, d_out, 4);
}

__global__ void warp_sums(const int *in, int *sums)
{
    __shared__ int s_data[64], s_sums[2];
    const int tid = threadIdx.x, warp = tid / 32;
    s_data[tid] = in[tid]; // 1 no_syncwarp
    if (tid % 32 == 0) {
        s_sums[warp] = 0;
#pragma unroll 1
        for (int i = 0; i < 32; i++)
            s_sums[warp] += s_data[32 * warp + i]; // 2 no_syncwarp
    }
    __syncthreads();
    if (tid < 2)
        sums[tid] = s_sums[tid];
}

// Case: no_syncwarp - lanes of a warp are assumed to run in lockstep
// Says: race on s_data | add __syncwarp()
// Says: by thread (1,0,0) at @1 | read by thread (0,0,0) at @2
// Says: @2
PROGRAM(no_syncwarp)
{
    int *d_in = zeros(64), *d_sums = zeros(2);
    warp_sums<<<1, 64>>>(d_in, d_sums);
}

__global__ void volatile_warp(const int *in, int *sum)
{
    __shared__ volatile int s_data[64];
    const int tid = threadIdx.x;
    s_data[tid] = in[tid];
    __syncthreads();
    if (tid < 32) {
        s_data[tid] = s_data[tid] + s_data[tid + 32]; // 1 volatile_barrier
        s_data[tid] = s_data[tid] + s_data[tid + 16]; // 2 volatile_barrier
        s_data[tid] = s_data[tid] + s_data[tid + 8];
        s_data[tid] = s_data[tid] + s_data[tid + 4];
        s_data[tid] = s_data[tid] + s_data[tid + 2];
        s_data[tid] = s_data[tid] + s_data[tid + 1];
    }
    if (tid == 0)
        *sum = s_data[0];
}

// Case: volatile_barrier - `volatile` instead of `__syncwarp()`
// Says: race on s_data | add __syncwarp() at 10 places
// Says: race on s_data[16] | by thread (16,0,0) at @1 | read by thread (0,0,0)
//     , after line | and between the read and the write of
// Says: @2
PROGRAM(volatile_barrier)
{
    int *d_in = zeros(64), *d_sum = zeros(1);
    volatile_warp<<<1, 64>>>(d_in, d_sum);
}

__global__ void everybody(int *out)
{
    __shared__ int s_last;
    s_last = threadIdx.x; // 1 all_store
    __syncthreads();
    out[threadIdx.x] = s_last;
}

// Case: all_store - all threads store to one variable
// Says: race on s_last
PROGRAM(all_store)
{
    int *d_out = zeros(64);
    everybody<<<1, 64>>>(d_out);
}

__global__ void count_digits(const int *in, int *out)
{
    __shared__ int s_count[10];
    const int tid = threadIdx.x;
    if (tid < 10)
        s_count[tid] = 0;
    __syncthreads();
    s_count[in[tid] % 10]++; // 1 histogram
    __syncthreads();
    if (tid < 10)
        out[tid] = s_count[tid];
}

// Case: histogram - `count[x]++` instead of atomicAdd(), in shared memory
// Says: race on s_count
PROGRAM(histogram)
{
    int *d_in = zeros(64), *d_out = zeros(10);
    count_digits<<<1, 64>>>(d_in, d_out);
}

__global__ void half_waits(int *data)
{
    __shared__ int s_data[64];
    const int tid = threadIdx.x;
    s_data[tid] = data[tid];
    if (tid < 32) {
        __syncthreads(); // 1 barrier_in_branch
        s_data[tid] += 1;
    }
    data[tid] = s_data[tid];
}

// Case: barrier_in_branch - `__syncthreads()` in an `if` that half of the block takes
// Says: barrier not reached by all threads in half_waits | left the kernel
PROGRAM(barrier_in_branch)
{
    int *d_data = zeros(64);
    half_waits<<<1, 64>>>(d_data);
}

__global__ void two_arms(int *data)
{
    const int tid = threadIdx.x;
    if (tid % 2 == 0) {
        data[tid] = 1;
        __syncthreads(); // 1 barrier_in_arms
    } else {
        data[tid] = 2;
        __syncthreads(); // 2 barrier_in_arms
    }
    data[tid] += 1;
}

// Case: barrier_in_arms - each arm of an `if` has its own `__syncthreads()`
// Says: barrier not reached by all threads in two_arms
// Says: @2
PROGRAM(barrier_in_arms)
{
    int *d_data = zeros(64);
    two_arms<<<1, 64>>>(d_data);
}

__global__ void sum_columns(const int *in, int *out, int n)
{
    __shared__ int s_sum[64];
    const int tid = threadIdx.x;
    s_sum[tid] = 0;
    for (int row = 0; row < 16; row++) {
        const int i = 64 * row + tid;
        if (i < n) {
            s_sum[tid] += in[i];
            __syncthreads(); // 1 barrier_in_loop
        }
    }
    out[tid] = s_sum[tid];
}

// Case: barrier_in_loop - the same in a loop, only in its last round
// Says: barrier not reached by all threads in sum_columns | left the kernel
PROGRAM(barrier_in_loop)
{
    int *d_in = zeros(1008), *d_out = zeros(64);
    sum_columns<<<1, 64>>>(d_in, d_out, 1008);
}

__global__ void sum_strided(const int *in, int *out, int n)
{
    __shared__ int s_sum[64];
    const int tid = threadIdx.x;
    s_sum[tid] = 0;
    for (int i = tid; i < n; i += 64) {
        s_sum[tid] += in[i];
        __syncthreads(); // 1 barrier_rounds
    }
    out[tid] = s_sum[tid];
}

// Case: barrier_rounds - `__syncthreads()` in a loop that part of the block leaves earlier
// Says: barrier not reached by all threads in sum_strided | left the kernel
PROGRAM(barrier_rounds)
{
    int *d_in = zeros(1008), *d_out = zeros(64);
    sum_strided<<<1, 64>>>(d_in, d_out, 1008);
}

// ---- lanes of a warp ----

__global__ void first_half(int *data)
{
    const int lane = threadIdx.x;
    int v = data[lane];
    if (lane < 16)
        v += __shfl_down_sync(0xffffffff, v, 8); // 1 shuffle_in_branch
    data[lane] = v;
}

// Case: shuffle_in_branch - a shuffle with the full mask, in an `if` that half of the warp takes
// Says: shuffle mask names absent lanes in first_half
PROGRAM(shuffle_in_branch)
{
    int *d_data = zeros(32);
    first_half<<<1, 32>>>(d_data);
}

__global__ void sum_by_warp(const int *in, int *sum, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i];
    for (int k = 16; k > 0; k /= 2)
        v += __shfl_down_sync(0xffffffff, v, k); // 1 shuffle_in_tail
    if (threadIdx.x == 0)
        atomicAdd(sum, v);
}

// Case: shuffle_in_tail - the last warp is not full, but its mask is
// Says: shuffle mask names absent lanes in sum_by_warp | lane 4 has exited
PROGRAM(shuffle_in_tail)
{
    int *d_in = zeros(100), *d_sum = zeros(1);
    sum_by_warp<<<4, 32>>>(d_in, d_sum, 100);
}

__global__ void own_mask(int *out)
{
    const int lane = threadIdx.x;
    out[lane] = __shfl_sync(0xffff, lane, 0); // 1 shuffle_mask
}

// Case: shuffle_mask - lanes call a shuffle whose mask leaves them out
// Says: lane 16 is not in its own mask
PROGRAM(shuffle_mask)
{
    int *d_out = zeros(32);
    own_mask<<<1, 32>>>(d_out);
}

__global__ void sum_of_half(int *sum)
{
    __shared__ int s_data[32];
    const int lane = threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffff, lane < 16);
    if (lane <= 16) { // one lane more than the mask has
        s_data[lane] = lane;
        __syncwarp(mask); // 1 syncwarp_mask
        if (lane == 0) {
            int total = 0;
            for (int i = 0; i < 16; i++)
                total += s_data[i];
            *sum = total;
        }
    }
    __syncthreads();
}

// Case: syncwarp_mask - a lane calls `__syncwarp(mask)` whose mask leaves it out
// Says: lane 16 is not in its own mask
PROGRAM(syncwarp_mask)
{
    int *d_sum = zeros(1);
    sum_of_half<<<1, 32>>>(d_sum);
}

// ---- blocks ----

__global__ void sum_of_blocks(const int *in, int *sum)
{
    __shared__ int s_sum;
    if (threadIdx.x == 0)
        s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        *sum += s_sum; // 1 no_atomic
}

// Case: no_atomic - each block adds to the sum without atomicAdd()
// Says: race on 4-byte element 0 of the 4-byte allocation in sum_of_blocks
// Says: written by thread (0,0,0) of block (0,0,0) at @1
// Says: read by thread (0,0,0) of block (1,0,0) at @1
PROGRAM(no_atomic)
{
    int *d_in = zeros(256), *d_sum = zeros(1);
    sum_of_blocks<<<4, 64>>>(d_in, d_sum);
}

__global__ void smooth(int *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        data[i] = (data[i - 1] + data[i] + data[i + 1]) / 3; // 1 in_place
}

// Case: in_place - a stencil that writes into its own input
// Says: race on 4-byte element
// Count: 4 ^simt:
PROGRAM(in_place)
{
    int *d_data = zeros(256);
    smooth<<<4, 64>>>(d_data, 256);
}

__global__ void number_pixels(int *image, int width)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    image[x] = y * width + x; // 1 y_forgotten
}

// Case: y_forgotten - the index of a 2D image has no y
// Says: race on 4-byte element
PROGRAM(y_forgotten)
{
    int *d_image = zeros(32 * 32);
    number_pixels<<<dim3(2, 2), dim3(16, 16)>>>(d_image, 32);
}

__global__ void last_block(const int *in, int *parts, unsigned *ticket, int *sum)
{
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x]; // 1 no_fence
        if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
            int total = 0;
            for (unsigned i = 0; i < gridDim.x; i++)
                total += parts[i]; // 2 no_fence
            *sum = total;
        }
    }
}

// Case: no_fence - the last block reads what others wrote without `__threadfence()`
// Says: race on 4-byte element | __threadfence()
// Says: written by thread (0,0,0) of block (0,0,0) at @1
// Says: read by thread (0,0,0) of block (7,0,0) at @2
// Says: @2
PROGRAM(no_fence)
{
    int *d_in = zeros(8), *d_parts = zeros(8), *d_ticket = zeros(1), *d_sum = zeros(1);
    last_block<<<8, 32>>>(d_in, d_parts, (unsigned *)d_ticket, d_sum);
}

__global__ void set_all(int *data, int value)
{
    data[threadIdx.x] = value;
}

// Case: no_wait - the host reads managed memory, and the kernel may still run
// Says: race on byte 0 of the 256-byte managed allocation, with host code | cudaDeviceSynchronize()
PROGRAM(no_wait)
{
    int *data;
    cudaMallocManaged(&data, 64 * sizeof(int));
    memset(data, 0, 64 * sizeof(int));
    set_all<<<1, 64>>>(data, 1);
    printf("%d\n", data[0]); // 1 no_wait
    cudaDeviceSynchronize();
    cudaFree(data);
}

// ---- what ends a kernel, or does not ----

__global__ void wait_for_flag(volatile int *flag)
{
    while (*flag == 0) // 1 endless_wait
        ;
}

// Case: endless_wait - a loop waits for a flag that is never set
// Says: no end after | of one block in wait_for_flag
// Run: SIMT_CHECK=leaks SIMT_SECONDS=0.2 $WORK/calibrate/mistakes $CASE
// Count: 3 ^simt:
PROGRAM(endless_wait)
{
    int *d_flag = zeros(1);
    wait_for_flag<<<1, 32>>>(d_flag);
}

__global__ void collatz(int *steps, unsigned start)
{
    unsigned x = start + threadIdx.x;
    int count = 0;
    while (x != 1) {                        // 1 endless_loop
        x = x % 2 == 0 ? x / 2 : 3 * x + 1; // 2 endless_loop
        count++;                            // 3 endless_loop
    }
    steps[threadIdx.x] = count;
}

// Case: endless_loop - an endless loop without memory accesses
// Says: no end after | of one block in collatz
// Run: SIMT_CHECK=leaks SIMT_SECONDS=0.2 $WORK/calibrate/mistakes $CASE
// Count: 3 ^simt:
// Matches: no end after .*(@1|@2|@3)([^0-9]|$)
// Matches: ^simt: (failed: |leak: |.*: exit status 1$)
PROGRAM(endless_loop)
{
    int *d_steps = zeros(32);
    collatz<<<1, 32>>>(d_steps, 0);
}

__global__ void mean(const int *sum, const int *count, int *out)
{
    const int i = threadIdx.x;
    out[i] = sum[i] / count[i]; // 1 divide_by_zero
}

// Case: divide_by_zero - an integer is divided by zero
// Says: division by zero in mean
PROGRAM(divide_by_zero)
{
    int *d_sum = zeros(32), *d_count = zeros(32), *d_out = zeros(32);
    mean<<<1, 32>>>(d_sum, d_count, d_out);
}

__global__ void checked(const int *data)
{
    assert(data[threadIdx.x] > 0); // 1 assertion
}

// Case: assertion - an assert() fails
// Says: assertion failed: data[threadIdx.x] > 0
PROGRAM(assertion)
{
    int *d_data = zeros(32);
    checked<<<1, 32>>>(d_data);
}

__device__ int sum_between(const int *in, int first, int end)
{
    const int middle = (first + end) / 2;
    if (end - first == 1)
        return in[first];
    return sum_between(in, first, middle) + sum_between(in, middle, end); // 1 recursion
}

__global__ void sum_recursive(const int *in, int *sum, int n)
{
    *sum = sum_between(in, 0, n);
}

// Case: recursion - an endless recursion
// Says: more than 128 nested calls in sum_recursive
PROGRAM(recursion)
{
    int *d_in = zeros(1), *d_sum = zeros(1);
    sum_recursive<<<1, 1>>>(d_in, d_sum, 0);
}

// `mistakes NAME`, and `mistakes NAME error` prints CUDA's last error. Without it, nothing checks:
// most beginners don't.
int main(int argc, char **argv)
{
    const program_t *p = programs;
    while (p && (argc < 2 || strcmp(p->name, argv[1]) != 0))
        p = p->next;
    if (!p) {
        fprintf(stderr, "mistakes: '%s' is not one of them; its cases are in %s\n",
                argc < 2 ? "" : argv[1], __FILE__);
        return 2;
    }
    p->run();
    const cudaError_t error = cudaDeviceSynchronize();
    while (kept > 0)
        cudaFree(d_kept[--kept]);
    if (argc > 2)
        puts(cudaGetErrorString(error == cudaSuccess ? cudaGetLastError() : error));
    return 0;
}
