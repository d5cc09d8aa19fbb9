// SPDX-License-Identifier: MIT
//
// subset_api.cu - the host API: memory of all kinds, streams, events, the device, occupancy.
#include "check.h"

#include <cuda_profiler_api.h>
#include <nvml.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <string.h>

__global__ void add_kernel(int *p, int n, int value)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        p[i] += value;
}

__global__ void row_kernel(float *p, size_t pitch, int width)
{
    float *row = (float *)((char *)p + threadIdx.y * pitch);
    if ((int)threadIdx.x < width)
        row[threadIdx.x] *= 2.0f;
}

// ---- memory ----

static void test_managed()
{
    int *p;
    CHECK(cudaMallocManaged(&p, 100 * sizeof *p));
    for (int i = 0; i < 100; i++)
        p[i] = i;
    add_kernel<<<1, 128>>>(p, 100, 5);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 100; i++)
        EXPECT(p[i] == i + 5);
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, p));
    EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == p);
    CHECK(cudaFree(p));
}

static void test_pinned()
{
    int *p, *d_p, *mapped;
    CHECK(cudaMallocHost(&p, 64 * sizeof *p));
    CHECK(cudaMalloc(&d_p, 64 * sizeof *p));
    memset(p, 0, 64 * sizeof *p);
    CHECK(cudaMemcpyAsync(d_p, p, 64 * sizeof *p, cudaMemcpyHostToDevice));
    add_kernel<<<1, 64>>>(d_p, 64, 3);
    CHECK(cudaMemcpyAsync(p, d_p, 64 * sizeof *p, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    EXPECT(p[0] == 3 && p[63] == 3);
    CHECK(cudaFreeHost(p));
    CHECK(cudaHostAlloc((void **)&p, 64 * sizeof *p, cudaHostAllocMapped));
    memset(p, 0, 64 * sizeof *p);
    p[10] = 7;
    CHECK(cudaHostGetDevicePointer((void **)&mapped, p, 0));
    add_kernel<<<1, 64>>>(mapped, 64, 1);
    CHECK(cudaDeviceSynchronize());
    EXPECT(p[10] == 8);
    CHECK(cudaFreeHost(p));
    CHECK(cudaFree(d_p));
}

static void test_rows()
{
    enum { WIDTH = 30, HEIGHT = 4 };
    float *d_p, h[HEIGHT][WIDTH], back[HEIGHT][WIDTH];
    size_t pitch;
    CHECK(cudaMallocPitch(&d_p, &pitch, WIDTH * sizeof(float), HEIGHT));
    EXPECT(pitch >= WIDTH * sizeof(float) && pitch % 256 == 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            h[y][x] = (float)(100 * y + x);
    CHECK(cudaMemset2D(d_p, pitch, 0, WIDTH * sizeof(float), HEIGHT));
    CHECK(cudaMemcpy2D(d_p, pitch, h, sizeof h[0], sizeof h[0], HEIGHT, cudaMemcpyHostToDevice));
    row_kernel<<<1, dim3(32, HEIGHT)>>>(d_p, pitch, WIDTH);
    CHECK(cudaMemcpy2DAsync(back, sizeof h[0], d_p, pitch, sizeof h[0], HEIGHT,
                            cudaMemcpyDeviceToHost, 0));
    CHECK(cudaDeviceSynchronize());
    EXPECT(back[3][29] == 658.0f && back[1][0] == 200.0f);
    CHECK(cudaFree(d_p));
}

// Layers of rows, from a 3D array on the host, doubled, and back.
static void test_boxes()
{
    enum { WIDTH = 5, HEIGHT = 3, DEPTH = 2 };
    const cudaExtent extent = make_cudaExtent(WIDTH * sizeof(float), HEIGHT, DEPTH);
    float h[DEPTH][HEIGHT][WIDTH], back[DEPTH][HEIGHT][WIDTH] = {};
    cudaPitchedPtr d_p;
    for (int i = 0; i < WIDTH * HEIGHT * DEPTH; i++)
        h[i / (WIDTH * HEIGHT)][i / WIDTH % HEIGHT][i % WIDTH] = (float)i;
    CHECK(cudaMalloc3D(&d_p, extent));
    EXPECT(d_p.pitch >= extent.width && d_p.ysize == HEIGHT);
    CHECK(cudaMemset3D(d_p, 0, extent));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(h, extent.width, extent.width, HEIGHT);
    copy.dstPtr = d_p;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    row_kernel<<<1, dim3(32, HEIGHT * DEPTH)>>>((float *)d_p.ptr, d_p.pitch, WIDTH);
    copy.dstPtr = make_cudaPitchedPtr(back, extent.width, extent.width, HEIGHT);
    copy.srcPtr = d_p;
    copy.srcPos = copy.dstPos = make_cudaPos(0, 1, 1); // rows 1 and 2 of layer 1
    copy.extent = make_cudaExtent(extent.width, HEIGHT - 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3DAsync(&copy, 0));
    EXPECT(back[1][1][0] == 40.0f && back[1][2][4] == 58.0f && back[1][0][0] == 0.0f);
    CHECK(cudaFree(d_p.ptr));
}

// A pool only keeps the attributes that were set.
static void test_pools()
{
    cudaMemPool_t pool, made;
    unsigned long long threshold = 1 << 20, kept = 0;
    int *d_p, *d_q;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    EXPECT(kept == threshold);
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    CHECK(cudaMemPoolCreate(&made, &props));
    CHECK(cudaMallocFromPoolAsync(&d_p, 4 * sizeof *d_p, made, 0));
    CHECK(cudaMallocAsync(&d_q, 4 * sizeof *d_q, made, 0));
    CHECK(cudaMemcpyPeer(d_q, 0, d_p, 0, 4 * sizeof *d_p));
    CHECK(cudaFreeAsync(d_p, 0));
    CHECK(cudaFreeAsync(d_q, 0));
    CHECK(cudaMemPoolTrimTo(made, 0));
    CHECK(cudaMemPoolDestroy(made));
}

// ---- streams and events ----

static void remember(void *data)
{
    *(int *)data = 42;
}

static void test_streams()
{
    cudaStream_t s, t;
    cudaEvent_t start, stop, flag;
    int least, greatest, *d_p, called = 0;
    float ms = -1.0f;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT(greatest <= least);
    CHECK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamCreate(&t));
    cudaStreamAttrValue window = {}, kept;
    window.accessPolicyWindow.num_bytes = 4096;
    CHECK(cudaStreamSetAttribute(t, cudaStreamAttributeAccessPolicyWindow, &window));
    CHECK(cudaStreamGetAttribute(t, cudaStreamAttributeAccessPolicyWindow, &kept));
    EXPECT(kept.accessPolicyWindow.num_bytes == 4096);
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventCreateWithFlags(&flag, cudaEventDisableTiming));
    CHECK(cudaMallocAsync((void **)&d_p, 4 * sizeof *d_p, s));
    CHECK(cudaMemsetAsync(d_p, 0, 4 * sizeof *d_p, s));
    CHECK(cudaEventRecord(start, s));
    add_kernel<<<1, 4, 0, s>>>(d_p, 4, 1);
    CHECK(cudaEventRecord(stop, s));
    CHECK(cudaEventRecord(flag, s));
    CHECK(cudaStreamWaitEvent(t, flag, 0));
    add_kernel<<<1, 4, 0, t>>>(d_p, 4, 1);
    CHECK(cudaLaunchHostFunc(t, remember, &called));
    CHECK(cudaStreamSynchronize(t));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaEventSynchronize(stop));
    EXPECT(cudaStreamQuery(s) == cudaSuccess && cudaEventQuery(stop) == cudaSuccess &&
           called == 42);
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms >= 0.0f);
    CHECK(cudaFreeAsync(d_p, s));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaEventDestroy(flag));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
}

// ---- the device ----

static void test_device()
{
    cudaDeviceProp prop;
    int sms, device, blocks, grid, block;
    size_t stack;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&prop, device));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    EXPECT(sms == prop.multiProcessorCount && prop.warpSize == 32 &&
           prop.maxThreadsPerBlock == 1024);
    char bus[16];
    CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    CHECK(cudaDeviceGetByPCIBusId(&device, bus));
    nvmlDevice_t managed;
    unsigned mhz = 0;
    EXPECT(nvmlInit() == NVML_SUCCESS &&
           nvmlDeviceGetHandleByPciBusId(bus, &managed) == NVML_SUCCESS &&
           nvmlDeviceGetClockInfo(managed, NVML_CLOCK_MEM, &mhz) == NVML_SUCCESS);
    EXPECT(mhz == (unsigned)prop.memoryClockRate / 1000 && prop.maxTexture1D == 131072);
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    CHECK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    EXPECT(stack >= 4096);
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    CHECK(cudaFuncSetCacheConfig(add_kernel, cudaFuncCachePreferL1));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_kernel, 256, 0));
    EXPECT(blocks * 256 <= prop.maxThreadsPerMultiProcessor && blocks > 0);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_kernel, 0, 0));
    EXPECT(block % 32 == 0 && grid % sms == 0);
    CHECK(cudaProfilerStart());
    nvtxRangePushA("a range");
    nvtxRangePop();
    nvtxNameCudaStreamA(0, "the default stream");
    CHECK(cudaProfilerStop());
    EXPECT(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
}

// Padding is never written, and copying it is not reported.
struct padded {
    char c;
    double d;
    int i;
};
static __global__ void fill_padded(padded *p)
{
    p[threadIdx.x].c = p[threadIdx.x].i = 1;
    p[threadIdx.x].d = 2;
}
static __global__ void sum_padded(const padded *p, int *sum)
{
    const padded own = p[threadIdx.x];
    atomicAdd(sum, own.c + own.i);
}
static void test_padding()
{
    padded *d_p, *d_q, h_q[32];
    int *d_sum, sum = 0;
    CHECK(cudaMalloc(&d_p, sizeof h_q));
    CHECK(cudaMalloc(&d_q, sizeof h_q));
    CHECK(cudaMalloc(&d_sum, sizeof sum));
    CHECK(cudaMemset(d_sum, 0, sizeof sum));
    fill_padded<<<1, 32>>>(d_p);
    CHECK(cudaMemcpy(d_q, d_p, sizeof h_q, cudaMemcpyDeviceToDevice));
    sum_padded<<<1, 32>>>(d_q, d_sum);
    CHECK(cudaMemcpy(h_q, d_q, sizeof h_q, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    EXPECT(sum == 64 && h_q[31].d == 2);
    CHECK(cudaFree(d_p));
    CHECK(cudaFree(d_q));
    CHECK(cudaFree(d_sum));
}

int main()
{
    test_managed();
    test_pinned();
    test_rows();
    test_boxes();
    test_pools();
    test_streams();
    test_device();
    test_padding();
    CHECK(cudaThreadSynchronize());
    CHECK(cudaDeviceReset());
    return 0;
}
