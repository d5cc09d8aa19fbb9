// SPDX-License-Identifier: MIT
//
// pattern.cu - the kernels that the quiz asks about, one launch for each question. They run in the
// emulator, which counts, and on a GPU, where Nsight Compute counts the same (record.sh).
//
// Loops are not unrolled, and what is loaded is stored, so that the compiler does not change the
// counts.
#include "pattern.h"

#define ELEMENTS 32768 // of d_in, in floats
#define SHARED 4096    // floats: 16 KiB

// ---- shared memory ----

__device__ float total(float x)
{
    return x;
}
__device__ float total(float2 x)
{
    return x.x + x.y;
}
__device__ float total(float4 x)
{
    return x.x + x.y + x.z + x.w;
}
__device__ void set(float *x, float value)
{
    *x = value;
}
__device__ void set(float2 *x, float value)
{
    *x = make_float2(value, value);
}
__device__ void set(float4 *x, float value)
{
    *x = make_float4(value, value, value, value);
}

// One warp. A lane stores to an address and loads it again.
template <typename T>
__global__ void shared_stride(float *d_out, int stride, int every)
{
    __shared__ float4 s_raw[SHARED / 4];
    T *s_data = (T *)s_raw;
    const int tid = (int)threadIdx.x;
    float x = 0.0f;
    if (tid % every == 0) {
        set(&s_data[stride * tid], (float)tid);
    }
    __syncwarp();
    if (tid % every == 0) {
        x = total(s_data[stride * tid]);
    }
    d_out[tid] = x;
}

// A warp of blockDim.x columns and 32 / blockDim.x rows. Two lanes at one address store the same
// value.
__global__ void shared_pitch(float *d_out, int pitch, int swizzle)
{
    __shared__ float s_tile[SHARED];
    const int row = (int)threadIdx.x, column = (int)threadIdx.y;
    const int i = row * pitch + (swizzle ? column ^ row : column);
    s_tile[i] = (float)i;
    __syncwarp();
    d_out[threadIdx.y * blockDim.x + threadIdx.x] = s_tile[i];
}

__global__ void shared_words(float *d_out, struct indices p, int lanes)
{
    __shared__ float s_data[SHARED];
    const int tid = (int)threadIdx.x;
    if (tid < lanes) {
        s_data[p.index[tid]] = (float)p.index[tid];
    }
    __syncwarp();
    if (tid < lanes) {
        d_out[tid] = s_data[p.index[tid]];
    }
}

// ---- global memory ----

__global__ void global_stride(const float *d_in, float *d_out, int stride, int every)
{
    const int tid = (int)threadIdx.x;
    if (tid % every == 0) {
        d_out[tid] = d_in[stride * tid];
    }
}

template <typename T>
__global__ void global_offset(const T *d_in, float *d_out, int offset)
{
    d_out[threadIdx.x] = (float)d_in[threadIdx.x + offset];
}

__global__ void global_gather(const float *d_in, float *d_out, struct indices p, int lanes)
{
    const int tid = (int)threadIdx.x;
    if (tid < lanes) {
        d_out[tid] = d_in[p.index[tid]];
    }
}

template <typename T>
__global__ void global_packs(const float *d_in, float *d_out, int n)
{
    const int width = sizeof(T) / sizeof(float);
    const T *d_packs = (const T *)d_in;
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float sum = 0.0f;
#pragma unroll 1
    for (int p = i; p < n / width; p += (int)(gridDim.x * blockDim.x)) {
        sum += total(d_packs[p]);
    }
    if (i < n % width) {
        sum += d_in[n / width * width + i];
    }
    d_out[i] = sum;
}

// ---- which lanes take part ----

__device__ bool takes_part(int form, int a, int tid)
{
    if (form == 0) {
        return tid % a == 0;
    }
    if (form == 1) {
        return tid < a;
    }
    if (form == 2) {
        return tid / a % 2 == 0;
    }
    return (tid & a) == 0;
}

__global__ void some_lanes(float *d_out, int form, int a)
{
    const int tid = (int)threadIdx.x;
    if (takes_part(form, a, tid)) {
        d_out[tid] = 1.0f;
    }
}

// ---- trees ----

// form 0: lesson 01; 1: lesson 02; 2: lesson 03; 3: the same without its last five rounds.
__global__ void tree(float *d_out, int form)
{
    __shared__ float s_data[PATTERN_THREADS];
    const int tid = (int)threadIdx.x, threads = (int)blockDim.x;
    s_data[tid] = (float)tid;
    __syncthreads();
    if (form >= 2) {
#pragma unroll 1
        for (int stride = threads / 2; stride > (form == 3 ? 16 : 0); stride /= 2) {
            if (tid < stride) {
                s_data[tid] += s_data[tid + stride];
            }
            __syncthreads();
        }
    } else {
#pragma unroll 1
        for (int stride = 1; stride < threads; stride *= 2) {
            const int i = form == 0 ? tid : 2 * stride * tid;
            if (i % (2 * stride) == 0 && i + stride < threads) {
                s_data[i] += s_data[i + stride];
            }
            __syncthreads();
        }
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

__device__ float group_sum(float x, int width)
{
#pragma unroll 1
    for (int offset = width / 2; offset > 0; offset /= 2) {
        x += __shfl_down_sync(0xffffffffu, x, offset, width);
    }
    return x;
}

__global__ void shuffles(float *d_out, int width, int whole_block)
{
    __shared__ float s_warp[WARP];
    const int tid = (int)threadIdx.x, lane = tid % WARP, warp = tid / WARP;
    float x = group_sum((float)tid, width);
    if (whole_block) {
        if (lane == 0) {
            s_warp[warp] = x;
        }
        __syncthreads();
        if (warp == 0) {
            x = group_sum(lane < (int)blockDim.x / WARP ? s_warp[lane] : 0.0f, WARP);
        }
    }
    d_out[tid] = x;
}

__global__ void atomics(int *d_count, int every, int counters)
{
    const int tid = (int)threadIdx.x;
    if (tid % every == 0) {
        atomicAdd(&d_count[tid % counters], 1);
    }
}

// ---- the launches ----

extern "C" struct indices pattern_indices(int range, int seed)
{
    struct indices p;
    unsigned state = (unsigned)seed * 2654435761u + 12345u;
    for (int lane = 0; lane < WARP; lane++) {
        state = state * 1664525u + 1013904223u;
        p.index[lane] = (int)((state >> 8) % (unsigned)range);
    }
    return p;
}

static float *d_in, *d_out;

static cudaError_t allocate(void)
{
    const size_t bytes = ELEMENTS * sizeof(float);
    if (d_out) {
        return cudaSuccess;
    }
    cudaError_t error = cudaMalloc((void **)&d_in, bytes);
    if (error == cudaSuccess) {
        error = cudaMemset(d_in, 0, bytes);
    }
    if (error == cudaSuccess) {
        error = cudaMalloc((void **)&d_out, bytes);
    }
    return error == cudaSuccess ? cudaMemset(d_out, 0, bytes) : error;
}

// By the width of a pack in floats / 2: 0, 1 and 2.
static void (*const strides[])(float *, int, int) = {shared_stride<float>, shared_stride<float2>,
                                                     shared_stride<float4>};
static void (*const packs[])(const float *, float *, int) = {
    global_packs<float>, global_packs<float2>, global_packs<float4>};

static void launch_aligned(int bytes, int offset, int threads)
{
    if (bytes == 1) {
        global_offset<<<1, threads>>>((const unsigned char *)d_in, d_out, offset);
    } else if (bytes == 2) {
        global_offset<<<1, threads>>>((const unsigned short *)d_in, d_out, offset);
    } else if (bytes == 4) {
        global_offset<<<1, threads>>>(d_in, d_out, offset);
    } else {
        global_offset<<<1, threads>>>((const double *)d_in, d_out, offset);
    }
}

extern "C" cudaError_t pattern_launch(enum pattern pattern, const int arg[PATTERN_ARGS])
{
    const int a = arg[0], b = arg[1], c = arg[2], d = arg[3];
    const cudaError_t error = allocate();
    if (error != cudaSuccess) {
        return error;
    }
    switch (pattern) {
    case PATTERN_STRIDE:
        shared_stride<float><<<1, WARP>>>(d_out, a, b);
        break;
    case PATTERN_PITCH:
        shared_pitch<<<1, dim3(b, WARP / b)>>>(d_out, a, c);
        break;
    case PATTERN_WORDS:
        shared_words<<<1, WARP>>>(d_out, pattern_indices(b, c), a);
        break;
    case PATTERN_WIDE:
        strides[a / 2]<<<1, WARP>>>(d_out, b, 1);
        break;
    case PATTERN_SECTORS:
        global_stride<<<1, c>>>(d_in, d_out, a, b);
        break;
    case PATTERN_ALIGNED:
        launch_aligned(a, b, c);
        break;
    case PATTERN_GATHER:
        global_gather<<<1, WARP>>>(d_in, d_out, pattern_indices(b, c), a);
        break;
    case PATTERN_PACKS:
        packs[a / 2]<<<d, c>>>(d_in, d_out, b);
        break;
    case PATTERN_LANES:
    case PATTERN_WARPS:
        some_lanes<<<1, c>>>(d_out, a, b);
        break;
    case PATTERN_TREE:
    case PATTERN_BARRIERS:
        tree<<<c, b>>>(d_out, a);
        break;
    case PATTERN_SHUFFLES:
        shuffles<<<1, b>>>(d_out, a, c);
        break;
    case PATTERN_ATOMICS:
        atomics<<<d, c>>>((int *)d_out, a, b);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaDeviceSynchronize();
}
