// SPDX-License-Identifier: MIT
// OPTIONS --extended-lambda
//
// subset_launch.cu - launches, shared arrays of all shapes, __device__ variables, functions.
#include "check.h"

// ---- grids and blocks of three dimensions, with the usual names on the host ----

__global__ void number_kernel(unsigned *out)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
    out[x + gridDim.x * blockDim.x * (y + gridDim.y * blockDim.y * z)] = x + 100 * y + 10000 * z;
}

static void test_shapes(unsigned *d_out)
{
    const dim3 blockDim(4, 3, 2), gridDim(3, 2, 5);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    number_kernel<<<gridDim, blockDim, 0, stream>>>(d_out);
    for (unsigned z = 0; z < 10; z++)
        for (unsigned y = 0; y < 6; y++)
            for (unsigned x = 0; x < 12; x++)
                EXPECT(at(d_out, x + 12 * (y + 6 * z)) == x + 100 * y + 10000 * z);
    number_kernel<<<12, 60>>>(d_out); /* int means (int, 1, 1) */
    EXPECT(at(d_out, 719) == 719);
    CHECK(cudaStreamDestroy(stream));
}

// ---- shared arrays ----

struct pair {
    int first;
    float second;
};

__global__ void shared_kernel(unsigned *out)
{
    __shared__ int table[3][5][7];
    __shared__ pair pairs[32];
    __shared__ struct {
        int count;
        double values[4];
    } record;
    __shared__ alignas(16) unsigned char raw[64];
    const int t = (int)threadIdx.x;
    for (int i = t; i < 3 * 5 * 7; i += (int)blockDim.x)
        table[i / 35][i / 7 % 5][i % 7] = i;
    pairs[t].first = t;
    pairs[t].second = 0.5f * (float)t;
    raw[t] = (unsigned char)t;
    if (t < 4)
        record.values[t] = t;
    if (t == 0)
        record.count = 4;
    __syncthreads();
    unsigned sum = (unsigned)table[2][4][6] + (unsigned)pairs[31 - t].first;
    sum += (unsigned)(2.0f * pairs[31 - t].second) + raw[t ^ 1] + (unsigned)record.count;
    out[t] = sum + (unsigned)record.values[3];
}

extern __shared__ float file_scope[];

__global__ void dynamic_kernel(unsigned *out)
{
    file_scope[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = (unsigned)file_scope[31 - threadIdx.x];
}

template <typename T>
__device__ T *dynamic_array()
{
    extern __shared__ __align__(16) unsigned char bytes[];
    return reinterpret_cast<T *>(bytes);
}

template <typename T, int SCALE, bool REVERSE = false>
__global__ void template_kernel(unsigned *out)
{
    T *s = dynamic_array<T>();
    s[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    const unsigned from = REVERSE ? 31 - threadIdx.x : threadIdx.x;
    out[threadIdx.x] = (unsigned)s[from] * SCALE;
}

static void test_shared(unsigned *d_out)
{
    shared_kernel<<<1, 32>>>(d_out);
    for (unsigned t = 0; t < 32; t++)
        EXPECT(at(d_out, t) == 104 + 2 * (31 - t) + (t ^ 1) + 4 + 3);
    dynamic_kernel<<<1, 32, 32 * sizeof(float)>>>(d_out);
    EXPECT(at(d_out, 0) == 31 && at(d_out, 31) == 0);
    template_kernel<double, 3><<<dim3(1), dim3(32), 32 * sizeof(double)>>>(d_out);
    EXPECT(at(d_out, 10) == 30);
    template_kernel<short, 2, true><<<1, 32, 32 * sizeof(short)>>>(d_out);
    EXPECT(at(d_out, 10) == 42);
}

// ---- __device__ variables ----

__constant__ float weights[4];
__constant__ int offset = 7;
__device__ int counter;
__device__ const int primes[] = {2, 3, 5, 7};
__device__ __managed__ int shared_with_host = 5;

__global__ void variables_kernel(unsigned *out)
{
    const int t = (int)threadIdx.x;
    atomicAdd(&counter, 1);
    if (t == 0)
        shared_with_host *= 2;
    out[t] = (unsigned)(weights[t % 4] + (float)offset + (float)primes[t % 4]);
}

static void test_variables(unsigned *d_out)
{
    const float w[4] = {10, 20, 30, 40};
    int count = 100, *d_counter;
    CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
    CHECK(cudaMemcpyToSymbolAsync(counter, &count, sizeof count, 0, cudaMemcpyHostToDevice, 0));
    variables_kernel<<<1, 32>>>(d_out);
    EXPECT(at(d_out, 0) == 19 && at(d_out, 3) == 54 && shared_with_host == 10);
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    EXPECT(count == 132);
    CHECK(cudaGetSymbolAddress((void **)&d_counter, counter));
    CHECK(cudaMemset(d_counter, 0, sizeof count));
    CHECK(cudaMemcpy(&count, d_counter, sizeof count, cudaMemcpyDeviceToHost));
    EXPECT(count == 0);
}

// ---- functions ----

__host__ __device__ __forceinline__ int triple(int x, int add = 1)
{
    return 3 * x + add;
}
__device__ __noinline__ int twice(int x)
{
    return 2 * x;
}
__device__ int square(int x)
{
    return x * x;
}
typedef int (*function_t)(int);
__device__ function_t functions[2] = {twice, square};
__device__ int (*one_function)(int) = square;

template <typename F>
__global__ void __launch_bounds__(64, 2) apply_kernel(unsigned *out, F f)
{
    out[threadIdx.x] = (unsigned)f((int)threadIdx.x);
}

__global__ __launch_bounds__(64) void pointer_kernel(unsigned *out, function_t f, const int *unused)
{
    const function_t g = functions[threadIdx.x % 2];
    out[threadIdx.x] = (unsigned)(g((int)threadIdx.x) + f(2) + triple(1) + (unused != nullptr));
}

static void test_functions(unsigned *d_out)
{
    const int base = 1000;
    apply_kernel<<<1, 32>>>(d_out, [=] __device__(int i) { return base + triple(i, 0); });
    EXPECT(at(d_out, 9) == 1027 && triple(2) == 7);
    function_t f;
    CHECK(cudaMemcpyFromSymbol(&f, one_function, sizeof f));
    pointer_kernel<<<1, 32>>>(d_out, f, NULL);
    EXPECT(at(d_out, 4) == 8 + 4 + 4 && at(d_out, 5) == 25 + 4 + 4);
}

// ---- the launch functions of the API ----

__global__ void early_kernel(unsigned *out)
{
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize(); // the previous launch's writes are visible
    out[threadIdx.x] += 1;
}

static void test_api_launch(unsigned *d_out)
{
    void *args[] = {&d_out};
    CHECK(cudaLaunchKernel((const void *)dynamic_kernel, dim3(1), dim3(32), args, 128, 0));
    EXPECT(at(d_out, 1) == 30);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    config.dynamicSmemBytes = 32 * sizeof(int);
    CHECK(cudaMemset(d_out, 0, 128));
    CHECK(cudaLaunchKernelEx(&config, template_kernel<int, 5>, d_out));
    EXPECT(at(d_out, 31) == 155);
    const launch_config early(1, 32, 1, true);
    CHECK(cudaLaunchKernelEx(&early, early_kernel, d_out));
    CHECK(cudaLaunchKernelEx(&early, early_kernel, d_out));
    EXPECT(at(d_out, 31) == 157);
}

// A pointer to void may be in a variable, a table, or another function.
static cudaError_t launch_pointer(const void *kernel, void **args)
{
    return cudaLaunchKernel(kernel, dim3(1), dim3(32), args, 128, 0);
}

static void test_pointers(unsigned *d_out)
{
    const void *kernels[] = {(void *)early_kernel, reinterpret_cast<const void *>(early_kernel),
                             (const void *)&template_kernel<int, 5>};
    void *args[] = {&d_out};
    CHECK(cudaMemset(d_out, 0, 128));
    for (const void *kernel : kernels)
        CHECK(launch_pointer(kernel, args));
    EXPECT(at(d_out, 31) == 155);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    CHECK(cudaLaunchKernelExC(&config, (void *)early_kernel, args));
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(early_kernel), dim3(1), dim3(32),
                                      args, 0, 0));
    EXPECT(at(d_out, 31) == 157);
}

// ---- arguments without a type ----

struct params {
    unsigned n = 0;
    float scale = 1;
};

__global__ void params_kernel(params p, float2 f, const unsigned *more, unsigned *out)
{
    const float sum = p.scale + f.x + f.y + (more ? 100.0f : 0.0f);
    if (threadIdx.x < p.n)
        out[threadIdx.x] = (unsigned)sum;
}

template <int N, typename T>
__global__ void deduced_kernel(T number, const T *more, params p, unsigned *out)
{
    out[threadIdx.x] += N + (unsigned)number + (unsigned)sizeof number + (more == nullptr) + p.n;
}

static void test_untyped(unsigned *d_out)
{
    const unsigned n = 31;
    CHECK(cudaMemset(d_out, 0, 128));
    params_kernel<<<1, 32>>>({n + 1, 2.0f}, {1, 3}, 0, d_out);
    EXPECT(at(d_out, 31) == 6);
    params_kernel<<<1, 32>>>({.n = 3, .scale = -2}, make_float2(4, {}), NULL, d_out);
    params_kernel<<<1, 32>>>({}, {}, 0, d_out);
    deduced_kernel<2><<<1, 32>>>(0, (const int *)0,
                                 {
                                     n,
                                     0,
                                 },
                                 d_out);
    deduced_kernel<3, double><<<1, 32>>>(0, 0, {}, d_out);
    EXPECT(at(d_out, 2) == 2 + 38 + 12 && at(d_out, 31) == 6 + 38 + 12);
}

// ---- graphs ----

static void count_call(void *calls)
{
    ++*(int *)calls;
}

// Captured work runs at each launch of the graph, with the arguments of the capture.
static void test_graph(unsigned *d_out)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    int calls = 0;
    unsigned threads = 32, h_out[2];
    const auto kernel = early_kernel;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemset(d_out, 0, 2 * sizeof *h_out));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaMemsetAsync(d_out + 1, 0, sizeof *h_out, stream));
    kernel<<<1, threads, 0, stream>>>(d_out);
    threads = 0;
    CHECK(cudaMemcpyAsync(h_out, d_out, 2 * sizeof *h_out, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, count_call, &calls));
    CHECK(cudaStreamIsCapturing(stream, &status));
    EXPECT(status == cudaStreamCaptureStatusActive && calls == 0);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph));
    CHECK(cudaGraphDestroy(graph));
    for (unsigned launches = 1; launches <= 3; launches++) {
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        EXPECT(h_out[0] == launches && h_out[1] == 1 && calls == (int)launches);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaStreamDestroy(stream));
}

// ---- what nvcc accepts, although it looks odd ----

__device__ float lerp(float a, float b, float t) // std::lerp is of C++20, nvcc's default is C++17
{
    return fmaf(t, b - a, a);
}

__global__ void odd_kernel(unsigned *out, unsigned dim3, unsigned uint3)
{
    extern __shared__ unsigned sized[32], table[][8];
    extern __shared__ unsigned first;
    sized[threadIdx.x] = dim3 + uint3 * blockDim.x * gridDim.x;
    out[threadIdx.x] = sized[threadIdx.x] + (unsigned)sizeof sized;
    if (threadIdx.x == 0)
        out[0] = first + (&table[0][0] == sized) + (unsigned)lerp(1.0f, 3.0f, 0.5f);
}

static void test_odd(unsigned *d_out)
{
    const int dim3 = std::max(0, 3); // nvcc brings it in
    // clang-format off
    odd_kernel << <1, 32, 32 * sizeof(int) >> >(d_out, dim3, 2);
    // clang-format on
    EXPECT(at(d_out, 0) == 70 && at(d_out, 31) == 67 + 128);
    number_kernel<<<4>>>(d_out); // one thread a block
    EXPECT(at(d_out, 3) == 3);
}

int main()
{
    unsigned *d_out;
    CHECK(cudaMalloc(&d_out, 720 * sizeof *d_out));
    test_shapes(d_out);
    test_shared(d_out);
    test_variables(d_out);
    test_functions(d_out);
    test_api_launch(d_out);
    test_pointers(d_out);
    test_untyped(d_out);
    test_graph(d_out);
    test_odd(d_out);
    CHECK(cudaFree(d_out));
    return 0;
}
