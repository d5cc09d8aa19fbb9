// SPDX-License-Identifier: MIT
//
// calls.cu - one host call that fails for each thing that a call may not do: `calls NAME [asked]`.
// If the program asks for its last error, its status is 0. A correct program may try what has a
// line `Exit: 0`.
//
// Group: simt calls
// Run: $WORK/calls $CASE asked >/dev/null 2>&1 && $WORK/calls $CASE
// Exit: 1
// Count: 2 ^simt:
#include <vector>

#include "check.h"

#define CALL(name, ...)                                                                            \
    CASE(name)                                                                                     \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

static char *d_a, h_a[1024]; // 256 bytes on the device, and enough on the host
static char *held_memory();  // 400 bytes on the device
static __device__ int d_symbol[4];

__global__ void one(char *p)
{
    *p = 1;
}

__global__ void fixed(char *p)
{
    __shared__ char s_data[1000];
    s_data[threadIdx.x] = *p;
    *p = s_data[threadIdx.x];
}

template <int HALF>
__global__ void __launch_bounds__(2 * HALF, (HALF > 16 ? 1 : 2)) bounded(char *p)
{
    p[threadIdx.x] = 1;
}

// ---- copies ----

// Case: blank_copy
// Exit: 0
// Count: 1 ^simt:
// Says: note: cudaMemcpy at @1 copies memory that was never written
// Says: 255 of 256 bytes, from byte 1 of the 256-byte allocation
CASE(blank_copy)
{
    one<<<1, 1>>>(d_a);
    cudaMemcpy(h_a, d_a, 256, cudaMemcpyDeviceToHost); // 1 blank_copy
}

// Case: blank_copy_of_copy
// Exit: 0
// Count: 1 ^simt:
// Says: note: cudaMemcpy at @1 copies memory that was never written
// Says: 1 of 256 bytes, from byte 255 of the 400-byte allocation
CASE(blank_copy_of_copy)
{
    cudaMemset(d_a, 0, 255);
    cudaMemcpy(held_memory(), d_a, 256, cudaMemcpyDeviceToDevice);
    cudaMemcpy(h_a, held_memory(), 256, cudaMemcpyDeviceToHost); // 1 blank_copy_of_copy
}

static char *new_memory(size_t bytes, size_t written)
{
    static char *d_new;
    cudaFree(d_new);
    cudaMalloc(&d_new, bytes);
    cudaMemset(d_new, 0, written);
    return d_new;
}

// Case: blank_result
// Exit: 0
// Count: 1 ^simt:
// Says: note: cudaMemcpy at @1 copies memory that was never written
// Says: 4 of 4 bytes, from byte 0 of the 4-byte allocation
CASE(blank_result)
{
    cudaMemcpy(h_a, new_memory(4, 0), 4, cudaMemcpyDeviceToHost); // 1 blank_result
    cudaMemcpy(h_a, new_memory(4, 4), 4, cudaMemcpyDeviceToHost);
}

// Case: blank_half
// Exit: 0
// Count: 1 ^simt:
// Says: note: cudaMemcpy at @1 | 4 of 8 bytes, from byte 4 of the 8-byte allocation
CASE(blank_half)
{
    cudaMemcpy(h_a, new_memory(8, 4), 8, cudaMemcpyDeviceToHost); // 1 blank_half
    cudaMemcpy(h_a, new_memory(8, 5), 8, cudaMemcpyDeviceToHost);
}

// Case: blank_third
// Exit: 0
// Count: 1 ^simt:
// Says: note: cudaMemcpy at @1 | 4 of 12 bytes, from byte 8 of the 12-byte allocation
CASE(blank_third)
{
    cudaMemcpy(h_a, new_memory(12, 8), 12, cudaMemcpyDeviceToHost);  // 1 blank_third
    cudaMemcpy(h_a, new_memory(16, 12), 16, cudaMemcpyDeviceToHost); // may be padding
}

// ---- the host's side of a copy; what has room enough is silent ----

static int *zeros_256() // on the device
{
    static int *d_zeros;
    if (!d_zeros && cudaMalloc(&d_zeros, 1024) == cudaSuccess)
        cudaMemset(d_zeros, 0, 1024);
    return d_zeros;
}

// Case: host_block
// Says: cudaMemcpy failed at @1 | the destination: 1024 bytes, but the host's block ends after
CASE(host_block)
{
    int *h_short = (int *)malloc(256), *h_right = (int *)malloc(1024);
    cudaMemcpy(h_right, zeros_256(), 1024, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_right + 128, zeros_256(), 512, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_short, zeros_256(), 1024, cudaMemcpyDeviceToHost); // 1 host_block
    free(h_right);
    free(h_short);
}

// Case: host_middle - there is room, but not from there on
// Says: cudaMemcpyAsync failed at @1 | the destination: 1024 bytes, but the host's block ends after
CASE(host_middle)
{
    std::vector<int> h_all(512);
    cudaMemcpyAsync(&h_all[256], zeros_256(), 1024, cudaMemcpyDeviceToHost);
    cudaMemcpyAsync(&h_all[300], zeros_256(), 1024, cudaMemcpyDeviceToHost); // 1 host_middle
}

// Case: host_large - a mapping of its own
// Says: cudaMemcpy failed at @1 | the source: 4194304 bytes, but the host's block ends after
CASE(host_large)
{
    char *d_new = new_memory(4 << 20, 0), *h_new = new char[2 << 20];
    cudaMemcpy(d_new, h_new, 2 << 20, cudaMemcpyHostToDevice);
    cudaMemcpy(d_new, h_new, 4 << 20, cudaMemcpyHostToDevice); // 1 host_large
    delete[] h_new;
}

// Case: host_rows - a table of pointers to rows, copied as if it were the matrix
// Says: cudaMemcpy failed at @1 | the source: 1024 bytes, but the host's block ends after 136 bytes
CASE(host_rows)
{
    int **h_rows = new int *[16];
    for (int i = 0; i < 16; i++)
        h_rows[i] = new int[16]();
    cudaMemcpy(zeros_256(), h_rows, 1024, cudaMemcpyHostToDevice); // 1 host_rows
    for (int i = 0; i < 16; i++) {
        cudaMemcpy(zeros_256() + 16 * i, h_rows[i], 64, cudaMemcpyHostToDevice);
        delete[] h_rows[i];
    }
    delete[] h_rows;
}

// Case: host_pitch - the last row has no padding
// Says: cudaMemcpy2D failed at @1 | the destination: 1048 bytes, but the host's block ends after
CASE(host_pitch)
{
    int *h_new = new int[256];
    cudaMemcpy2D(h_new, 256, zeros_256(), 256, 256, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy2D(h_new, 264, zeros_256(), 256, 232, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy2D(h_new, 264, zeros_256(), 256, 256, 4, cudaMemcpyDeviceToHost); // 1 host_pitch
    delete[] h_new;
}

// Case: host_global
// Says: cudaMemcpy failed at @1 | the destination: 1024 bytes, but the variable ends after 1020
CASE(host_global)
{
    static int h_static[256];
    cudaMemcpy(h_static, zeros_256(), 1024, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_static + 1, zeros_256(), 1020, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_static + 1, zeros_256(), 1024, cudaMemcpyDeviceToHost); // 1 host_global
}

// Case: host_constant - which a kernel may read too
// Says: cudaMemcpy failed at @1 | the source: 1024 bytes, but the variable ends after 1020 bytes
CASE(host_constant)
{
    static const int h_constant[256] = {1};
    cudaMemcpy(zeros_256(), h_constant, 1024, cudaMemcpyHostToDevice);
    cudaMemcpy(zeros_256(), h_constant + 1, 1024, cudaMemcpyHostToDevice); // 1 host_constant
}

// Case: host_stack
// Says: cudaMemcpy failed at @1 | the destination: 1024 bytes, but
CASE(host_stack)
{
    int h_short[64], h_right[256];
    cudaMemcpy(h_right, zeros_256(), 1024, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_short, zeros_256(), 256, cudaMemcpyDeviceToHost);
    EXPECT(h_short[63] == 0 && h_right[255] == 0);
    cudaMemcpy(&h_right[250], zeros_256(), 4096 - 3072, cudaMemcpyDeviceToHost); // 1 host_stack
}

// There is more in the frame after it; run.sh reads the message.
CASE(host_array)
{
    int h_short[4], h_right[256];
    cudaMemcpy(h_right, zeros_256(), 1024, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_short + 1, zeros_256(), 12, cudaMemcpyDeviceToHost);
    EXPECT(h_short[3] == 0 && h_right[255] == 0);
    cudaMemcpy(h_short + 1, zeros_256(), 16, cudaMemcpyDeviceToHost); // ARRAY
}

// Case: host_symbol
// Says: cudaMemcpyFromSymbol failed at @1 | the destination: 16 bytes, but the variable ends after
CASE(host_symbol)
{
    static int h_one;
    cudaMemcpyFromSymbol(&h_one, d_symbol, 4);
    cudaMemcpyFromSymbol(&h_one, d_symbol, 16); // 1 host_symbol
}

// Case: host_heap_damaged - malloc() itself cannot continue
// Run: $WORK/calls $CASE
// Exit: 134
// Count: 1 ^simt:
// Says: simt: abort() in host code at @1 | the heap is damaged
CASE(host_heap_damaged)
{
    int *h_short = (int *)malloc(2000);
    for (volatile int i = 0; i < 600; i++)
        h_short[i] = 1;
    free(h_short); // 1 host_heap_damaged
}

// Case: called_back
// Says: cudaLaunchHostFunc failed at @1: cudaErrorNotPermitted
// Says: the host function that the stream called makes CUDA calls
CASE(called_back)
{
    const cudaHostFn_t f = [](void *) { EXPECT(cudaMemset(d_a, 0, 1) == cudaErrorNotPermitted); };
    EXPECT(cudaLaunchHostFunc(nullptr, f, nullptr) == cudaSuccess); // 1 called_back
}

// Case: copy_offset
// Says: cudaMemcpyAsync failed at @1
// Says: the source: 256 bytes from byte 16 on, but the allocation has 256 bytes
CALL(copy_offset, cudaMemcpyAsync(h_a, d_a + 16, 256, cudaMemcpyDeviceToHost)) // 1 copy_offset

// Case: copy_kind
// Says: failed at @1: cudaErrorInvalidMemcpyDirection | the kind is 7
CALL(copy_kind, cudaMemcpy(d_a, h_a, 256, (cudaMemcpyKind)7)) // 1 copy_kind

// Case: copy_null
// Says: failed at @1 | the source is a null pointer
CALL(copy_null, cudaMemcpy(d_a, nullptr, 256, cudaMemcpyHostToDevice)) // 1 copy_null

// Case: copy_negative
// Says: failed at @1 | the destination: -4 bytes, but the allocation has 256 bytes
CALL(copy_negative, cudaMemcpy(d_a, h_a, -sizeof(int), cudaMemcpyHostToDevice)) // 1 copy_negative

// Case: copy_freed
// Says: failed at @1 | the source is in a 64-byte allocation that was freed
CASE(copy_freed)
{
    char *d_b;
    CHECK(cudaMalloc(&d_b, 64));
    CHECK(cudaFree(d_b));
    cudaMemcpy(h_a, d_b, 64, cudaMemcpyDefault); // 1 copy_freed
}

// Case: set_long
// Says: cudaMemset failed at @1 | the destination: 1024 bytes, but the allocation has 256
CALL(set_long, cudaMemset(d_a, 0, 1024)) // 1 set_long

// Case: set_host
// Says: cudaMemset failed at @1 | the destination is host memory
CALL(set_host, cudaMemset(h_a, 0, 256)) // 1 set_host

// Case: pitch
// Says: cudaMemcpy2D failed at @1: cudaErrorInvalidPitchValue | rows of 16 bytes, 8 bytes
CALL(pitch, cudaMemcpy2D(d_a, 8, h_a, 16, 16, 1, cudaMemcpyHostToDevice)) // 1 pitch

// Case: symbol_long
// Says: cudaMemcpyToSymbol failed at @1: cudaErrorInvalidValue
// Says: 32 bytes from byte 0 on, but the variable has 16
CALL(symbol_long, cudaMemcpyToSymbol(d_symbol, h_a, 32)) // 1 symbol_long

// Case: symbol_none
// Says: failed at @1: cudaErrorInvalidSymbol | this is not a __device__ or __constant__
CALL(symbol_none, cudaMemcpyFromSymbol(h_a + 512, h_a, 16)) // 1 symbol_none

// ---- memory ----

// Case: free_host
// Says: cudaFree failed | the pointer was not allocated by cudaMalloc()
// Says: it is host memory
CALL(free_host, cudaFree(h_a)) // 1 free_host

// Case: free_pinned
// Says: cudaFree failed at @1 | the pointer is from cudaMallocHost(): cudaFreeHost()
CASE(free_pinned)
{
    char *h_b;
    CHECK(cudaMallocHost(&h_b, 64));
    cudaFree(h_b); // 1 free_pinned
    CHECK(cudaFreeHost(h_b));
}

// Case: too_much
// Exit: 0
// Count: 1 ^simt:
// Says: cudaMalloc failed at @1: cudaErrorMemoryAllocation
// Says: asked for 1125899906842624 bytes:
CASE(too_much)
{
    EXPECT(cudaMalloc(&d_a, (size_t)1 << 50) == cudaErrorMemoryAllocation); // 1 too_much
}

// Case: malloc_negative
// Says: cudaMalloc failed at @1: cudaErrorMemoryAllocation | asked for -4 bytes
CALL(malloc_negative, cudaMalloc(&d_a, -sizeof(int))) // 1 malloc_negative

// Case: malloc_null
// Says: cudaMalloc failed at @1 | the pointer to set is a null pointer
CALL(malloc_null, cudaMalloc((void **)nullptr, 4)) // 1 malloc_null

// ---- launches ----

// Case: threads
// Says: launch failed at @1: cudaErrorInvalidConfiguration
// Says: one: 2000 threads a block, (2000,1,1): at most 1024
CALL(threads, one<<<1, 2000>>>(d_a)) // 1 threads

// Case: block_z
// Says: failed at @1 | one: the block is (1,1,65) | at most (1024,1024,64)
CALL(block_z, one<<<1, dim3(1, 1, 65)>>>(d_a)) // 1 block_z

// Case: bounds
// Says: launch failed at @1: cudaErrorInvalidValue
// Says: bounded: 96 threads a block: at most 64 | __launch_bounds__(64) promises that
CASE(bounds)
{
    int blocks, grid, block;
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, bounded<32>));
    EXPECT(attributes.maxThreadsPerBlock == 64);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded<32>));
    EXPECT(block == 64);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded<32>, 128, 0));
    EXPECT(blocks == 0);
    bounded<32><<<1, dim3(32, 2)>>>(d_a);
    bounded<32><<<1, dim3(32, 3)>>>(d_a); // 1 bounds
}

// Case: shared
// Says: failed at @1: cudaErrorInvalidValue | fixed: 49152 bytes of dynamic shared memory
// Says: at most 48152, unless | cudaFuncSetAttribute(fixed
CALL(shared, fixed<<<1, 32, 48 << 10>>>(d_a)) // 1 shared

// Case: shared_device
// Says: failed at @1: cudaErrorInvalidValue | one: 262144 bytes of dynamic shared
// Says: at most 232448: the block has 227 KiB, static arrays take 0 bytes
CALL(shared_device, one<<<1, 32, 256 << 10>>>(d_a)) // 1 shared_device

// Case: attribute
// Exit: 0
// Count: 1 ^simt:
// Says: cudaFuncSetAttribute failed at @1 | fixed: 232448 bytes | at most 231448
CASE(attribute)
{
    const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    EXPECT(cudaFuncSetAttribute(fixed, most, 227 << 10) == cudaErrorInvalidValue); // 1 attribute
}

// Case: nameless
// Says: launch failed at @1: cudaErrorInvalidConfiguration | nothing: 2000 threads a block
__global__ void nothing(int *) {}
CALL(nameless, nothing<<<1, 2000>>>((int *)d_a)) // 1 nameless

// Case: api_launch
// Says: launch failed at @1: cudaErrorInvalidConfiguration | 2000 threads a block
CASE(api_launch)
{
    void *args[] = {&d_a};
    const cudaError_t error =
        cudaLaunchKernel((void *)one, dim3(1), dim3(2000), args, 0, 0); // 1 api_launch
    EXPECT(error == cudaErrorInvalidConfiguration);
}

static cudaError_t launch_pointer(const void *kernel)
{
    void *args[] = {&d_a};
    return cudaLaunchKernel(kernel, dim3(1), dim3(2000), args, 0, 0); // 1 pointer_launch
}

// Case: pointer_launch
// Says: launch failed at @1: cudaErrorInvalidConfiguration | 2000 threads a block
CALL(pointer_launch, EXPECT(launch_pointer((void *)one) == cudaErrorInvalidConfiguration))

// Case: unknown_pointer
// Says: launch failed at | cudaErrorInvalidDeviceFunction | name the kernel in the call
CALL(unknown_pointer, EXPECT(launch_pointer(h_a) == cudaErrorInvalidDeviceFunction))

// Case: dead_stream
// Says: launch failed at @1: cudaErrorInvalidResourceHandle | the stream was destroyed
CASE(dead_stream)
{
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamDestroy(s));
    one<<<1, 1, 0, s>>>(d_a); // 1 dead_stream
}

// ---- streams, events, devices ----

// Case: stream_twice
// Says: cudaStreamDestroy failed at @1: cudaErrorInvalidResourceHandle
CASE(stream_twice)
{
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamDestroy(s));
    cudaStreamDestroy(s); // 1 stream_twice
}

// Case: event_unrecorded
// Says: cudaEventElapsedTime failed at @1 | the second event was not recorded
CASE(event_unrecorded)
{
    float ms;
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    cudaEventElapsedTime(&ms, start, stop); // 1 event_unrecorded
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
}

// Case: event_early
// Says: cudaEventElapsedTime failed at @1: cudaErrorNotReady
// Says: cudaEventSynchronize() waits for it
CASE(event_early)
{
    float ms;
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    one<<<1, 1>>>(d_a);
    CHECK(cudaEventRecord(stop));
    EXPECT(cudaEventElapsedTime(&ms, start, stop) == cudaErrorNotReady); // 1 event_early
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
}

// Case: event_dead
// Says: cudaEventRecord failed at @1 | the event was destroyed, or never created
CALL(event_dead, cudaEventRecord(cudaEvent_t())) // 1 event_dead

// Case: device
// Exit: 0
// Count: 1 ^simt:
// Says: cudaSetDevice failed at @1: cudaErrorInvalidDevice | device 3: there is only
CALL(device, EXPECT(cudaSetDevice(3) == cudaErrorInvalidDevice)) // 1 device

// Case: peer
// Exit: 0
// Count: 1 ^simt:
// Says: cudaDeviceEnablePeerAccess failed at @1 | device 1 is not a peer
CALL(peer, EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice)) // 1 peer

// Case: peer_off
// Exit: 0
// Count: 1 ^simt:
// Says: cudaDeviceDisablePeerAccess failed at @1 | access to device 1 was not enabled
CASE(peer_off)
{
    EXPECT(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled); // 1 peer_off
}

// ---- graphs ----

static cudaError_t end_capture(cudaStream_t stream)
{
    cudaGraph_t graph;
    return cudaStreamEndCapture(stream, &graph); // 1 capture_waits
}

static cudaStream_t captured()
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    return stream;
}

// Case: capture_waits
// Says: cudaStreamEndCapture failed at @1: cudaErrorStreamCaptureInvalidated
// Says: during the capture a call allocated, freed, waited, or used an event
CASE(capture_waits)
{
    cudaStream_t stream = captured();
    cudaStreamSynchronize(stream);
    EXPECT(end_capture(stream) == cudaErrorStreamCaptureInvalidated);
}

// Case: capture_allocates
// Says: cudaStreamEndCapture failed at | cudaErrorStreamCaptureInvalidated
CASE(capture_allocates)
{
    cudaStream_t stream = captured();
    char *d_b;
    CHECK(cudaMalloc(&d_b, 1));
    EXPECT(end_capture(stream) == cudaErrorStreamCaptureInvalidated);
}

struct with_end {
    int value;
    __host__ __device__ ~with_end() {}
};
__global__ void ending(with_end) {}

// Case: capture_object
// Exit: 0
// Count: 1 ^simt:
// Says: launch failed at @1: cudaErrorStreamCaptureUnsupported
// Says: one of these has a copy constructor or a destructor
CALL(capture_object, ending<<<1, 1, 0, captured()>>>(with_end{1})) // 1 capture_object

// Case: graph_dead
// Says: cudaGraphLaunch failed at @1 | the graph was destroyed, or never created
CALL(graph_dead, cudaGraphLaunch(nullptr, 0)) // 1 graph_dead

// ---- what is left at the end ----

// Many failures at one call site are one message, and a count at the end.
CASE(repeated)
{
    for (int i = 0; i < 3; i++)
        cudaFree(h_a);
}

// ---- clusters, and cooperative grids ----

static cudaError_t launch_cluster(unsigned blocks, dim3 cluster)
{
    const launch_config config(blocks, 32, cluster);
    return cudaLaunchKernelEx(&config, one, d_a); // 1 cluster_large, cluster_parts
}

// Case: cluster_large
// Says: launch failed at @1: cudaErrorInvalidClusterSize | a cluster of 16 blocks
// Says: at most 8, or 16 with | cudaFuncAttributeNonPortableClusterSizeAllowed
CALL(cluster_large, EXPECT(launch_cluster(16, 16) == cudaErrorInvalidClusterSize))

// Case: cluster_flat
// Says: launch failed at | the cluster is (2,0,1): each must be at least 1
CALL(cluster_flat, EXPECT(launch_cluster(6, dim3(2, 0)) == cudaErrorInvalidClusterSize))

// Case: cluster_parts
// Says: launch failed at | the grid is (6,1,1), the cluster (4,1,1)
// Says: the grid must be a whole number of clusters
CALL(cluster_parts, EXPECT(launch_cluster(6, 4) == cudaErrorInvalidClusterSize))

// Case: cluster_count
// Exit: 0
// Count: 1 ^simt:
// Says: cudaOccupancyMaxActiveClusters failed at @1: cudaErrorInvalidClusterSize
// Says: one: clusters of 16 blocks on NVIDIA H200
CASE(cluster_count)
{
    int count;
    const launch_config config(16, 32, 16);
    EXPECT(cudaOccupancyMaxActiveClusters(&count, one, &config) == // 1 cluster_count
           cudaErrorInvalidClusterSize);
}

// Case: grid_large
// Exit: 0
// Count: 1 ^simt:
// Says: launch failed at @1: cudaErrorCooperativeLaunchTooLarge
// Says: 265 blocks: at most 264 | 2 fit each of 132 multiprocessors
CASE(grid_large)
{
    void *args[] = {&d_a};
    EXPECT(cudaLaunchCooperativeKernel(one, 265, 1024, args) == // 1 grid_large
           cudaErrorCooperativeLaunchTooLarge);
}

// ---- leaks ----

// Case: leaks
// Run: SIMT_CHECK=leaks $WORK/calls $CASE
// Count: 4 ^simt:
// Says: leak: 100 bytes, allocated at @1 | leak: 200 bytes, allocated at @2
// Says: leak: a stream, created at @3
CASE(leaks)
{
    char *d_b, *h_b;
    cudaStream_t s;
    CHECK(cudaMalloc(&d_b, 100));        // 1 leaks
    CHECK(cudaMallocManaged(&h_b, 200)); // 2 leaks
    CHECK(cudaStreamCreate(&s));         // 3 leaks
    CHECK(cudaMalloc(&d_b, 300));
    CHECK(cudaFree(d_b));
}

// What a destructor frees after main is not a leak.
static struct holder {
    char *d_b;
    ~holder() { cudaFree(d_b); }
} held;

static char *held_memory()
{
    return held.d_b;
}

int main(int argc, char **argv)
{
    CHECK(cudaMalloc(&d_a, 256));
    CHECK(cudaMalloc(&held.d_b, 400));
    char *const d_first = d_a;
    run_cases(argv[1]);
    CHECK(cudaFree(d_first));
    if (argc > 2)
        cudaGetLastError();
    return 0;
}
