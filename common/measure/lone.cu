// SPDX-License-Identifier: MIT
//
// lone.cu - how long a step takes outside a sequence of its own launches.
//
// A second main for every step: linked with the step's object instead of harness/main.c. For the
// f32 sum of each N it prints three rows of CSV:
//
//   between   a graph of pairs, a kernel of another kind and the step, less a graph of the former
//   host      the host calls the launcher, and waits until the stream is empty
//   row       a graph of launches, one after another, as `make bench` has it
//
// The input is never in L2: launches walk over copies of it, and before each sample other memory
// is read. common/measure/bench.sh runs it for the fastest sum and for CUB's.
extern "C" {
#include "harness/bench.h"
#include "harness/buffers.h"
#include "harness/cuda_check.h"
#include "harness/size.h"
}

#include <cstring>
#include <ctime>

#define BLOCK_SIZE 256
#define OTHER_BLOCKS 256
#define PAIRS 64          // in a graph
#define WARM_UP 3         // samples that do not count
#define CALLS 201         // of the host
#define FLUSHED_L2S 2     // what is read before a sample
#define ARENA_IN_L2S 4    // as in harness/bench.c
#define EMULATED_L2 65536 // times mean nothing there

// Another kind of work: it reads and writes 1 MiB. It calls no trigger, so a launch that may start
// early starts when all of its blocks have ended.
__global__ void other_kernel(float4 *d_data)
{
    const unsigned i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float4 value = d_data[i];
    value.x = 1.0f - value.x;
    d_data[i] = value;
}

// Only reads: dirty lines would have to be written back later.
__global__ void flush_kernel(const float4 *d_data, size_t packs, float4 *d_never)
{
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    float sum = 0.0f;
    for (size_t p = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x; p < packs; p += threads) {
        sum += d_data[p].x;
    }
    if (sum != 0.0f) { // it holds zeros
        d_never->x = sum;
    }
}

typedef struct {
    arena_t arena;
    float4 *d_other, *d_flush;
    unsigned other_blocks;
    size_t flush_packs;
    cudaEvent_t start, stop;
} lone_t;

static cudaStream_t stream_of(const lone_t *l)
{
    return l->arena.stream;
}

static void launch_other(const lone_t *l)
{
    other_kernel<<<l->other_blocks, BLOCK_SIZE, 0, stream_of(l)>>>(l->d_other);
    CUDA_CHECK(cudaGetLastError());
}

static void flush(const lone_t *l)
{
    flush_kernel<<<4 * l->other_blocks, BLOCK_SIZE, 0, stream_of(l)>>>(l->d_flush, l->flush_packs,
                                                                       l->d_other);
    CUDA_CHECK(cudaGetLastError());
}

static void launch_step(const lone_t *l, size_t i)
{
    CUDA_CHECK(arena_launch(&l->arena, i % l->arena.copies));
}

// PAIRS times the other kernel, the step, or both in turn.
static cudaGraphExec_t make_graph(const lone_t *l, bool has_other, bool has_step)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA_CHECK(cudaStreamBeginCapture(stream_of(l), cudaStreamCaptureModeThreadLocal));
    for (size_t i = 0; i < PAIRS; i++) {
        if (has_other) {
            launch_other(l);
        }
        if (has_step) {
            launch_step(l, i);
        }
    }
    CUDA_CHECK(cudaStreamEndCapture(stream_of(l), &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return exec;
}

// Microseconds of one of the PAIRS.
static double time_graph(const lone_t *l, cudaGraphExec_t graph)
{
    float ms;
    flush(l);
    CUDA_CHECK(cudaEventRecord(l->start, stream_of(l)));
    CUDA_CHECK(cudaGraphLaunch(graph, stream_of(l)));
    CUDA_CHECK(cudaEventRecord(l->stop, stream_of(l)));
    CUDA_CHECK(cudaEventSynchronize(l->stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, l->start, l->stop));
    return 1e3 * (double)ms / PAIRS;
}

static double time_call(const lone_t *l, size_t i)
{
    timespec start, stop;
    timespec_get(&start, TIME_UTC);
    launch_step(l, i);
    CUDA_CHECK(cudaStreamSynchronize(stream_of(l)));
    timespec_get(&stop, TIME_UTC);
    // Microseconds since 1970 have no room for a fraction in a double: first the difference.
    return 1e6 * (double)(stop.tv_sec - start.tv_sec) +
           1e-3 * (double)(stop.tv_nsec - start.tv_nsec);
}

static void print_row(const char *program, size_t n, const char *way, double *samples, size_t count)
{
    const char *dot = strchr(program, '.');
    const int step_length = dot != NULL ? (int)(dot - program) : (int)strlen(program);
    const stats_t s = stats_of(samples, count);
    printf("%.*s,%s,f32,sum,%zu,%s,%.3f,%.3f,%.3f\n", step_length, program,
           dot != NULL ? dot + 1 : "kernel", n, way, s.median, s.min, s.p90);
    fflush(stdout);
}

static void print_rows(const lone_t *l, const char *program, size_t n, size_t samples)
{
    const cudaGraphExec_t both = make_graph(l, true, true), other = make_graph(l, true, false),
                          row = make_graph(l, false, true);
    double *between_us = (double *)alloc_array(samples, sizeof(double));
    double *row_us = (double *)alloc_array(samples, sizeof(double));
    double *call_us = (double *)alloc_array(CALLS, sizeof(double));

    for (size_t i = 0; i < WARM_UP + samples; i++) {
        const size_t k = i < WARM_UP ? 0 : i - WARM_UP;
        between_us[k] = time_graph(l, both) - time_graph(l, other);
        row_us[k] = time_graph(l, row);
    }
    flush(l);
    CUDA_CHECK(cudaStreamSynchronize(stream_of(l)));
    for (size_t i = 0; i < WARM_UP + CALLS; i++) {
        call_us[i < WARM_UP ? 0 : i - WARM_UP] = time_call(l, i);
    }
    print_row(program, n, "between", between_us, samples);
    print_row(program, n, "host", call_us, CALLS);
    print_row(program, n, "row", row_us, samples);
    CUDA_CHECK(cudaGraphExecDestroy(both));
    CUDA_CHECK(cudaGraphExecDestroy(other));
    CUDA_CHECK(cudaGraphExecDestroy(row));
    free(between_us);
    free(row_us);
    free(call_us);
}

// The step's output for slot 0 is right.
static bool is_right(const lone_t *l, const input_t *input, const device_t *device)
{
    launch_step(l, 0);
    const outcome_t outcome =
        compare_output(input, device, arena_output(&l->arena, 0), NULL, NULL, stream_of(l));
    if (outcome.wrong > 0) {
        fprintf(stderr, "wrong: n %zu: got %.9g, expected %.9g\n", problem_n(input->shape),
                outcome.got, outcome.expect.value.high);
    }
    return outcome.wrong == 0;
}

static bool measure(const char *program, const problem_t *problem, const device_t *device, size_t n,
                    size_t samples)
{
    const size_t l2_bytes = device->emulated ? EMULATED_L2 : device->l2_bytes;
    const size_t flush_bytes = FLUSHED_L2S * l2_bytes;
    const shape_t shape = {1, n};
    input_t input;
    lone_t l = {};

    input_make(&input, problem, shape, SET_UNIFORM, 1);
    CUDA_CHECK(arena_open(&l.arena, &input, ARENA_IN_L2S * l2_bytes, 0));
    l.flush_packs = flush_bytes / sizeof(float4);
    l.other_blocks = device->emulated ? 1 : OTHER_BLOCKS;
    const size_t other_bytes = sizeof(float4) * l.other_blocks * BLOCK_SIZE;
    CUDA_CHECK(cudaMalloc(&l.d_other, other_bytes));
    CUDA_CHECK(cudaMalloc(&l.d_flush, flush_bytes));
    CUDA_CHECK(cudaMemsetAsync(l.d_other, 0, other_bytes, stream_of(&l)));
    CUDA_CHECK(cudaMemsetAsync(l.d_flush, 0, flush_bytes, stream_of(&l)));
    CUDA_CHECK(cudaEventCreate(&l.start));
    CUDA_CHECK(cudaEventCreate(&l.stop));
    bool right = is_right(&l, &input, device);
    if (right) {
        print_rows(&l, program, n, samples);
        right = is_right(&l, &input, device);
    }
    CUDA_CHECK(cudaEventDestroy(l.start));
    CUDA_CHECK(cudaEventDestroy(l.stop));
    CUDA_CHECK(cudaFree(l.d_other));
    CUDA_CHECK(cudaFree(l.d_flush));
    arena_close(&l.arena);
    input_free(&input);
    return right;
}

// A whole number from 1, or 0 with a message.
static size_t number(const char *program, const char *text)
{
    size_t value = 0;
    const char *wrong = size_read(text, strlen(text), &value);
    if (wrong == NULL && value > 0) {
        return value;
    }
    fprintf(stderr, "%s: '%s' is not a whole number from 1\n", program, text);
    return 0;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/'), *why;
    const char *program = slash != NULL ? slash + 1 : argv[0];
    problem_t problem;
    device_t device;

    if (argc < 3) {
        fprintf(stderr, "usage: %s SAMPLES N...\n", program);
        return 2;
    }
    const size_t samples = number(program, argv[1]);
    why = problem_open(&problem, &step);
    problem.type = DTYPE_F32;
    problem.op = OP_SUM;
    if (why == NULL && (problem.kind != KIND_REDUCE || problem_why_not(&problem) != NULL)) {
        why = "it has no f32 sum of a vector";
    }
    if (samples == 0 || why != NULL) {
        fprintf(stderr, "%s: %s\n", program, why != NULL ? why : "no samples");
        return 2;
    }
    if (!device_open(&device, &why)) {
        fprintf(stderr, "%s: no usable GPU: %s; DEVICE=cpu runs the emulator\n", program, why);
        return 77;
    }
    puts("step,variant,type,op,n,way,median_us,min_us,p90_us");
    for (int i = 2; i < argc; i++) {
        const size_t n = number(program, argv[i]);
        if (n == 0 || !measure(program, &problem, &device, n, samples)) {
            return 1;
        }
    }
    return 0;
}
