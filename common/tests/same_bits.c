/* SPDX-License-Identifier: MIT */
/*
 * same_bits.c - whether a step gives the same bits every run, when two streams run it at once, and
 * as a graph.
 *
 * A second main for every step: linked with the step's object instead of harness/main.c. One launch
 * alone defines the bits. Then many are queued without waiting, on two streams in turn, each with
 * its scratch; their outputs are compared with the first. A quarter of the launches find scratch
 * with all bits set, another quarter random bytes; the others directly follow a launch, whose end
 * they may overlap. A step that asks for scratch is then launched as a graph again and again.
 * Prints a row of CSV for each pair and shape; accuracy.sh runs it.
 */
#include "harness/buffers.h"
#include "harness/cuda_check.h"
#include "harness/device.h"
#include "harness/rng.h"
#include "harness/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 2, BOUNDARY = 256, OFFSETS = 2, LEAST_N = 3 };
/*
 * In the emulator the third launch of a graph finds what the second one found, and a block for each
 * row of a high matrix takes all the time. On a GPU a comparison takes longer than a launch, so
 * many outputs are compared at once.
 */
#ifdef SIMT
enum { GRAPH_LAUNCHES = 3, COMPARED_AT_ONCE = 3, HIGH_PART = 8 };
#else
enum { GRAPH_LAUNCHES = 10000, COMPARED_AT_ONCE = 100, HIGH_PART = 1 };
#endif

/* What the launches share, and what each stream or each launch has alone. */
typedef struct {
    const input_t *input;
    size_t offset; /* elements from a boundary to each input and output */
    const void *d_in[MAX_INPUTS];
    unsigned char *d_out; /* an output for each launch, `stride` bytes apart */
    size_t stride, out_bytes;
    void *d_work[STREAMS], *d_random; /* of work_bytes each */
    size_t work_bytes;
    cudaStream_t stream[STREAMS];
} buffers_t;

static void *device_alloc(size_t bytes)
{
    void *d_memory;
    CUDA_CHECK(cudaMalloc(&d_memory, bytes + BOUNDARY)); /* never NULL */
    return d_memory;
}

static cudaError_t launch(buffers_t *b, size_t run, size_t stream, void *d_work)
{
    return problem_launch(&b->input->problem, b->d_in, b->d_out + run * b->stride, b->input->shape,
                          d_work, &b->work_bytes, b->stream[stream]);
}

/* Memory for `runs` launches. */
static void buffers_open(buffers_t *b, const input_t *input, size_t offset, size_t runs)
{
    const problem_t *p = &input->problem;
    const size_t in_size = dtype_size(p->type), out_size = dtype_size(problem_out_type(p));

    *b = (buffers_t){
        .input = input, .offset = offset, .out_bytes = problem_out_n(p, input->shape) * out_size};
    b->stride = size_round_up(b->out_bytes, BOUNDARY);
    for (size_t i = 0; i < STREAMS; i++)
        CUDA_CHECK(cudaStreamCreateWithFlags(&b->stream[i], cudaStreamNonBlocking));
    for (size_t i = 0; i < problem_inputs(p); i++) {
        unsigned char *d_data = device_alloc((offset + problem_n(input->shape)) * in_size);
        data_upload(&input->data[i], d_data + offset * in_size, b->stream[0]);
        b->d_in[i] = d_data + offset * in_size;
    }
    unsigned char *d_out = device_alloc(runs * b->stride + offset * out_size);
    CUDA_CHECK(cudaMemset(d_out, POISON_OUTPUT, runs * b->stride + offset * out_size));
    CUDA_CHECK(cudaDeviceSynchronize()); /* these streams do not wait for a memset by themselves */
    b->d_out = d_out + offset * out_size;
}

static void buffers_close(buffers_t *b)
{
    const problem_t *p = &b->input->problem;

    for (size_t i = 0; i < problem_inputs(p); i++)
        CUDA_CHECK(cudaFree((unsigned char *)b->d_in[i] - b->offset * dtype_size(p->type)));
    CUDA_CHECK(cudaFree(b->d_out - b->offset * dtype_size(problem_out_type(p))));
    CUDA_CHECK(cudaFree(b->d_random));
    for (size_t i = 0; i < STREAMS; i++) {
        CUDA_CHECK(cudaFree(b->d_work[i]));
        CUDA_CHECK(cudaStreamDestroy(b->stream[i]));
    }
}

/* How many of launches 1 to `runs` have other bits than launch 0. */
static size_t count_others(buffers_t *b, size_t runs, size_t streams)
{
    size_t others = 0;

    for (size_t run = 0; run <= runs; run++) {
        const size_t on = run % streams;
        if (run / streams % 4 == 0)
            CUDA_CHECK(
                cudaMemsetAsync(b->d_work[on], POISON_SCRATCH, b->work_bytes, b->stream[on]));
        if (run / streams % 4 == 2)
            CUDA_CHECK(cudaMemcpyAsync(b->d_work[on], b->d_random, b->work_bytes,
                                       cudaMemcpyDeviceToDevice, b->stream[on]));
        CUDA_CHECK(launch(b, run, on, b->d_work[on]));
        if (run == 0)
            CUDA_CHECK(cudaDeviceSynchronize());
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    for (size_t run = 1; run <= runs; run++)
        others += !device_repeats(b->d_out + run * b->stride, b->out_bytes, b->d_out, b->out_bytes,
                                  b->stream[0]);
    return others;
}

/* How many of `count` outputs without a gap between them have other bits than launch 0. */
static size_t count_other_copies(const buffers_t *b, const unsigned char *d_copies, size_t count)
{
    size_t others = 0;

    if (device_repeats(d_copies, count * b->out_bytes, b->d_out, b->out_bytes, b->stream[0]))
        return 0;
    for (size_t i = 0; i < count; i++)
        others += !device_repeats(d_copies + i * b->out_bytes, b->out_bytes, b->d_out, b->out_bytes,
                                  b->stream[0]);
    return others;
}

/* How many launches of one graph have other bits than launch 0. */
static size_t count_others_of_graph(buffers_t *b)
{
    unsigned char *d_out = b->d_out + b->stride; /* of launch 1, which has been compared */
    unsigned char *d_copies = device_alloc(COMPARED_AT_ONCE * b->out_bytes);
    size_t others = 0;
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    CUDA_CHECK(cudaStreamBeginCapture(b->stream[0], cudaStreamCaptureModeGlobal));
    CUDA_CHECK(launch(b, 1, 0, b->d_work[0]));
    CUDA_CHECK(cudaStreamEndCapture(b->stream[0], &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (size_t i = 0; i < GRAPH_LAUNCHES; i += COMPARED_AT_ONCE) {
        for (size_t copy = 0; copy < COMPARED_AT_ONCE; copy++) {
            CUDA_CHECK(cudaMemsetAsync(d_out, POISON_OUTPUT, b->out_bytes, b->stream[0]));
            CUDA_CHECK(cudaGraphLaunch(exec, b->stream[0]));
            CUDA_CHECK(cudaMemcpyAsync(d_copies + copy * b->out_bytes, d_out, b->out_bytes,
                                       cudaMemcpyDeviceToDevice, b->stream[0]));
        }
        others += count_other_copies(b, d_copies, COMPARED_AT_ONCE);
    }
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaFree(d_copies));
    return others;
}

/* Random bytes, as many as the scratch has. */
static void *random_bytes(size_t bytes)
{
    const size_t words = bytes / sizeof(uint64_t) + 1;
    uint64_t *h_words = alloc_array(words, sizeof *h_words);
    void *d_random = device_alloc(words * sizeof *h_words);
    rng_t rng = {bytes};

    for (size_t i = 0; i < words; i++)
        h_words[i] = rng_bits(&rng);
    CUDA_CHECK(cudaMemcpy(d_random, h_words, words * sizeof *h_words, cudaMemcpyHostToDevice));
    free(h_words);
    return d_random;
}

/* One row, or none if the device does not support the pair. Returns how many launches differ. */
static size_t print_row(const char *program, const input_t *input, size_t offset, size_t runs,
                        size_t streams)
{
    const problem_t *p = &input->problem;
    size_t others = 0;
    buffers_t b;

    buffers_open(&b, input, offset, runs + 1);
    cudaError_t error = launch(&b, 0, 0, NULL);
    if (error != cudaErrorNotSupported) {
        CUDA_CHECK(error);
        for (size_t i = 0; i < STREAMS; i++)
            b.d_work[i] = device_alloc(b.work_bytes);
        b.d_random = random_bytes(b.work_bytes);
        others = count_others(&b, runs, streams);
        if (b.work_bytes > 0)
            others += count_others_of_graph(&b);
        printf("%s,%s,%s,%zu,%zu,%zu,%zu,%zu,%zu\n", program, dtype_name(p->type),
               problem_op_name(p->kind, p->op), input->shape.rows, input->shape.cols, offset,
               streams, runs, others);
        fflush(stdout);
    }
    cudaGetLastError();
    buffers_close(&b);
    return others;
}

/* A vector of n elements; of matrices a high one, a square one and a wide one. */
static size_t shapes_of(kind_t kind, size_t n, shape_t *shapes)
{
    const size_t few = LEAST_N, side = (size_t)sqrt((double)n);

    if (!problem_has_rows(kind)) {
        shapes[0] = (shape_t){1, n};
        return 1;
    }
    shapes[0] = (shape_t){n / few / HIGH_PART, few};
    shapes[1] = (shape_t){side, side};
    shapes[2] = (shape_t){few, n / few};
    return 3;
}

static size_t print_pair(const char *program, const problem_t *p, size_t n, size_t runs,
                         size_t streams)
{
    shape_t shapes[3];
    const size_t count = shapes_of(p->kind, n, shapes);
    size_t others = 0;

    for (size_t i = 0; i < count; i++) {
        input_t input;
        input_make(&input, p, shapes[i], SET_UNIFORM, 1);
        for (size_t offset = 0; offset < OFFSETS; offset++)
            others += print_row(program, &input, offset, runs, streams);
        input_free(&input);
    }
    return others;
}

/* The number in `text`; 0 if it is not a number. */
static size_t number(const char *text)
{
    size_t value;
    return size_read(text, strlen(text), &value) == NULL ? value : 0;
}

int main(int argc, char **argv)
{
    const char *why, *slash = strrchr(argv[0], '/');
    const char *program = slash != NULL ? slash + 1 : argv[0];
    size_t others = 0;
    device_t device;
    problem_t lead;

    const size_t n = argc > 1 ? number(argv[1]) : 0, runs = argc > 2 ? number(argv[2]) : 0;
    size_t streams = argc > 3 ? number(argv[3]) : STREAMS;
    if (n < LEAST_N || runs == 0 || streams == 0 || streams > STREAMS || argc > 4) {
        fprintf(stderr, "usage: %s N RUNS [STREAMS]; N from %d, RUNS from 1, STREAMS 1 or %d\n",
                program, LEAST_N, STREAMS);
        return 2;
    }
    if (!device_open(&device, &why)) {
        fprintf(stderr, "%s: no usable GPU: %s; DEVICE=cpu runs the emulator\n", program, why);
        return 77;
    }
    why = problem_open(&lead, &step);
    if (why != NULL) {
        fprintf(stderr, "%s: %s\n", program, why);
        return 2;
    }
    puts("program,type,op,rows,cols,offset,streams,runs,others");
    for (size_t i = 0; i < problem_pairs(&lead); i++) {
        problem_t p = problem_pair(&lead, i);
        if (problem_why_not(&p) == NULL)
            others += print_pair(program, &p, n, runs, streams);
    }
    return others > 0;
}
