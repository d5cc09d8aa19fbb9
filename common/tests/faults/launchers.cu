// SPDX-License-Identifier: MIT
//
// launchers.cu - what a launcher must not do, although the result may be right:
//
// Group: fault launchers
// Run: FAULT=$CASE $BUILD/faults/launchers --check --quick
// Run: FAULT=$CASE $BUILD/faults/launchers --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: none - no fault
// Run: $BUILD/faults/launchers --check --quick
// Full: $BUILD/faults/launchers --check
// Exit: 0
// Matches: check ok
//
// Case: late - the second pass runs on the default stream
// Case: own - everything runs on its own stream, which it waits for by an event
// Case: fill - the scratch is cleared on the default stream
// Where: cpu
// Case: malloc - the scratch is allocated and freed in the launcher
// Case: early_malloc - ... when the scratch size is asked for, once
// Where: cpu
// Case: waits - between the passes it waits for the device
// Case: reads - the host does the second pass, on the data of an async copy
// Where: cpu
// Case: success - it returns cudaSuccess, whatever the launches return
// Where: cpu
// Case: first - an error of the first pass is cleared before the second one
// Where: cpu
// Case: fill_error - the error of a cudaMemsetAsync() is cleared
// Where: cpu
// Case: fourth - an error of the fourth of five pieces of work is cleared
// Where: cpu
// Case: last - of six pieces the last one's error is not checked
// Where: cpu
// Case: unsupported - cudaErrorNotSupported for everything
// Case: refuses - cudaErrorNotSupported by the launch, not when the scratch size is asked for
// Case: some - cudaErrorNotSupported for more than 1000 elements
// Case: spare - the second pass takes as many partials as *work_bytes has room for
// Case: odd - the scratch is a byte too small
// Case: early - the first pass may start while the previous launch runs, and does not wait
// Where: cpu
// Case: early_in - a single kernel may start early, and reads the input before it waits
// Where: cpu
// Case: early_work - ... and writes the scratch before it waits
// Where: cpu
// Case: early_out - ... and writes the output before it waits
// Where: cpu
// Case: query - a kernel runs when the scratch size is asked for. It writes nothing
// Where: cpu
// Case: far - the loop's stride is that of a whole H200. Shows if the grid is smaller
// Where: cpu
// Case: int - the number of elements is an int, below 0 from 2^31 on
// Case: eights - a block for eight elements: more blocks than a grid has, from 2^34 on
// Where: cpu
#include "plants.cuh"
#include "reduce.cuh"

// Each block takes its share, in strides of `threads`.
__global__ void stride_kernel(const float *d_in, float *d_out, size_t n, size_t threads)
{
    float value = 0.0f;
    for (size_t k = index_in_grid(); k < n; k += threads) {
        value += d_in[k];
    }
    value = block_warps(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

// One block for everything. What it accesses too early: 'i' the input, 'w' the scratch, 'o' the
// output.
__global__ void early_kernel(const float *d_in, float *d_work, float *d_out, size_t n, char early)
{
    size_t k = threadIdx.x;
    float value = 0.0f;
    if (early == 'i' && k < n) {
        value = d_in[k];
        k += BLOCK_SIZE;
    }
    if (threadIdx.x == 0 && (early == 'w' || early == 'o')) {
        (early == 'w' ? d_work : d_out)[0] = 0.0f;
    }
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    for (; k < n; k += BLOCK_SIZE) {
        value += d_in[k];
    }
    value = block_warps(value);
    if (threadIdx.x == 0) {
        d_out[0] = value;
    }
}

__global__ void empty_kernel() {}

static cudaError_t host_sum(const float *d_partials, float *d_out, size_t blocks,
                            cudaStream_t stream)
{
    float h_partials[2048], sum = 0.0f;
    cudaMemcpyAsync(h_partials, d_partials, blocks * sizeof(float), cudaMemcpyDeviceToHost, stream);
    for (size_t i = 0; i < blocks; i++) {
        sum += h_partials[i];
    }
    return cudaMemcpyAsync(d_out, &sum, sizeof sum, cudaMemcpyHostToDevice, stream);
}

// Like kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(arguments...), with the attribute for an early
// start.
template <typename... Types, typename... Given>
static void launch_early(void (*kernel)(Types...), size_t blocks, cudaStream_t stream, bool early,
                         Given... arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = (unsigned)blocks;
    config.blockDim = BLOCK_SIZE;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = early;
    cudaLaunchKernelEx(&config, kernel, arguments...);
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    static float *d_own;
    static cudaStream_t own_stream;
    int sms = 1;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    const size_t most = (size_t)sms * GRID_SIZE, whole = 132 * GRID_SIZE;
    const size_t needed = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    size_t blocks = needed == 0 ? 1 : needed < most ? needed : most;
    if (plants("int") && (int)n < 0) {
        blocks = (unsigned)((int)n / BLOCK_SIZE);
    }
    if (plants("eights") && n > 0) {
        blocks = (n + 7) / 8;
    }

    if (plants("unsupported") || (plants("some") && n > 1000)) {
        return cudaErrorNotSupported;
    }
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(float) - plants("odd");
        if (plants("early_malloc") && d_own == NULL) {
            cudaMalloc((void **)&d_own, whole * sizeof(float));
        }
        if (plants("query")) {
            empty_kernel<<<1, 1, 0, stream>>>();
        }
        return cudaSuccess;
    }
    if (plants("refuses")) {
        return cudaErrorNotSupported;
    }
    const char early = plants("early_in")     ? 'i'
                       : plants("early_work") ? 'w'
                       : plants("early_out")  ? 'o'
                                              : 0;
    if (early != 0) {
        launch_early(early_kernel, 1, stream, true, (const float *)d_in, (float *)d_work,
                     (float *)d_out, n, early);
        return cudaGetLastError();
    }
    float *d_partials = plants("early_malloc") ? d_own : (float *)d_work;
    const cudaStream_t given = stream;
    if (plants("malloc")) {
        cudaMalloc((void **)&d_partials, blocks * sizeof(float));
    }
    if (plants("own")) {
        if (own_stream == NULL) {
            cudaStreamCreate(&own_stream);
        }
        stream = own_stream;
    }
    if (plants("fill")) {
        cudaMemset(d_partials, 0, blocks * sizeof(float));
    }
    if (plants("fill_error")) {
        cudaMemsetAsync(d_partials, 0, blocks * sizeof(float), stream);
        cudaGetLastError();
    }
    const int fills = plants("fourth") ? 3 : plants("last") ? 4 : 0;
    for (int k = 0; k < fills; k++) {
        cudaMemsetAsync(d_partials, 0, blocks * sizeof(float), stream);
    }
    cudaError_t error = fills > 0 ? cudaGetLastError() : cudaSuccess;

    const size_t threads = (plants("far") && needed > most ? whole : blocks) * BLOCK_SIZE;
    launch_early(stride_kernel, blocks, stream, plants("early"), (const float *)d_in, d_partials, n,
                 threads);
    const size_t partials = plants("spare") ? *work_bytes / sizeof(float) : blocks;
    if (plants("waits")) {
        cudaDeviceSynchronize();
    }
    if (plants("first") || plants("fourth")) {
        cudaGetLastError();
    }
    if (plants("last") && error == cudaSuccess) {
        error = cudaGetLastError();
    }
    if (plants("reads")) {
        return host_sum(d_partials, (float *)d_out, blocks, stream);
    }
    stride_kernel<<<1, BLOCK_SIZE, 0, plants("late") ? 0 : stream>>>(d_partials, (float *)d_out,
                                                                     partials, BLOCK_SIZE);
    if (plants("malloc")) {
        cudaFree(d_partials);
    }
    if (plants("own")) {
        cudaEvent_t done;
        cudaEventCreate(&done);
        cudaEventRecord(done, stream);
        cudaStreamWaitEvent(given, done, 0);
        cudaEventDestroy(done);
    }
    if (error != cudaSuccess || plants("last")) {
        return error;
    }
    return plants("success") ? cudaSuccess : cudaGetLastError();
}

extern "C" const step_t step = {.summary = "faults of a launcher", .reduce = {{launch}}};
