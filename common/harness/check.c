/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "buffers.h"
#include "cuda_check.h"

#include <stdlib.h>
#include <string.h>

/* The device side of a case. */
typedef struct {
    const case_t *test;
    const input_t *input;
    mismatches_t *log;
    cudaStream_t stream;
    guard_t in[MAX_INPUTS], out, work;
    const void *d_in[MAX_INPUTS];
    size_t work_bytes;
} rig_t;

static size_t offset_of(const rig_t *b)
{
    return b->test->in_offset[0];
}

/* ---- buffers ---- */

/*
 * What stands on both sides of the input, so that reading it changes the result: NaN, or for i32
 * the value that wins, or for a sum or a product any large odd one.
 */
static uint64_t input_pattern(const problem_t *p)
{
    switch (p->type) {
    case DTYPE_F32:
        return 0x7fc00001;
    case DTYPE_F64:
        return 0x7ff8000000000001;
    case DTYPE_F16:
        return 0x7e01;
    case DTYPE_I32:
        if (p->kind != KIND_MAP && p->op == OP_MAX)
            return 0x7fffffff;
        return p->kind != KIND_MAP && p->op == OP_MIN ? 0x80000000 : 0x5a3c96e1;
    case DTYPE_U8:
        return 0xe1;
    case DTYPE_COUNT:
        break;
    }
    abort();
}

static void open_buffers(rig_t *b)
{
    const problem_t *p = &b->input->problem;
    size_t size = dtype_size(p->type), out_size = dtype_size(problem_out_type(p));
    size_t n = problem_n(b->input->shape), out_n = problem_out_n(p, b->input->shape);

    for (size_t i = 0; i < problem_inputs(p); i++) {
        b->in[i] = guard_open(n * size, b->test->in_offset[i] * size, p->type, input_pattern(p),
                              b->stream);
        b->d_in[i] = b->in[i].d_data;
        data_upload(&b->input->data[i], b->in[i].d_data, b->stream);
    }
    b->out = guard_open(out_n * out_size, b->test->out_offset * out_size, problem_out_type(p),
                        0x5a5a5a5a5a5a5a5a, b->stream);
    CUDA_CHECK(cudaMemsetAsync(b->out.d_data, POISON_OUTPUT, b->out.bytes, b->stream));
    CUDA_CHECK(cudaStreamSynchronize(b->stream));
}

static void close_buffers(rig_t *b)
{
    for (size_t i = 0; i < problem_inputs(&b->input->problem); i++)
        guard_close(&b->in[i]);
    guard_close(&b->out);
    if (b->work.d_base != NULL)
        guard_close(&b->work);
}

size_t check_bytes(const problem_t *p, shape_t shape)
{
    size_t in = guard_total(problem_n(shape) * dtype_size(p->type));
    return in * problem_inputs(p) +
           guard_total(problem_out_n(p, shape) * dtype_size(problem_out_type(p)));
}

/* ---- the run ---- */

static cudaError_t launch(rig_t *b, void *d_work, cudaStream_t stream)
{
    return problem_launch(&b->input->problem, b->d_in, b->out.d_data, b->input->shape, d_work,
                          &b->work_bytes, stream);
}

/* The first output element still holds the poison, or there is none. */
static bool output_untouched(const rig_t *b)
{
    unsigned char got[sizeof(double)], poison[sizeof(double)];
    size_t bytes = b->out.bytes < sizeof got ? b->out.bytes : sizeof got;

    memset(poison, POISON_OUTPUT, sizeof poison);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(got, b->out.d_data, bytes, cudaMemcpyDeviceToHost));
    return memcmp(got, poison, bytes) == 0;
}

/* Ask for the scratch size, which must not run anything. */
static bool open_scratch(rig_t *b)
{
    b->work_bytes = SIZE_MAX;
    cudaError_t error = launch(b, NULL, NULL);
    if (error != cudaSuccess) {
        if (error != cudaErrorNotSupported)
            mismatches_add(b->log, b->input, offset_of(b), "asking for the scratch size: %s",
                           cudaGetErrorString(error));
        return false;
    }
    if (!output_untouched(b)) {
        mismatches_add(b->log, b->input, offset_of(b),
                       "asking for the scratch size ran the kernel");
        return false;
    }
    if (b->work_bytes == SIZE_MAX) {
        mismatches_add(b->log, b->input, offset_of(b),
                       "the launcher did not set *work_bytes when d_work was NULL");
        return false;
    }
    if (guard_total(b->work_bytes) > device_free_bytes()) {
        mismatches_add(b->log, b->input, offset_of(b),
                       "asks for %zu bytes of scratch; %zu are free", b->work_bytes,
                       device_free_bytes());
        return false;
    }
    b->work = guard_open(b->work_bytes, 0, DTYPE_F32, 0x5a5a5a5a, b->stream);
    CUDA_CHECK(cudaMemsetAsync(b->work.d_data, POISON_SCRATCH, b->work_bytes, b->stream));
    CUDA_CHECK(cudaStreamSynchronize(b->stream));
    return true;
}

/* After an error of a kernel the context is lost: every further call would fail with it. */
static void wait_or_stop(rig_t *b)
{
    cudaError_t error = cudaStreamSynchronize(b->stream);
    if (error == cudaSuccess)
        return;
    mismatches_add(b->log, b->input, offset_of(b), "the kernel failed: %s",
                   cudaGetErrorString(error));
    mismatches_finish(b->log);
    exit(1);
}

static void check_guard(rig_t *b, const guard_t *guard, const char *name)
{
    ptrdiff_t where;

    if (guard_intact(guard, b->stream, &where))
        return;
    const bool before = where < 0;
    mismatches_add(b->log, b->input, offset_of(b), "wrote outside the %s: byte %td %s", name,
                   before ? -where : where - (ptrdiff_t)guard->bytes,
                   before ? "before its start" : "after its end");
}

static void check_buffers(rig_t *b)
{
    size_t where;

    check_guard(b, &b->out, "output");
    check_guard(b, &b->work, "scratch");
    for (size_t i = 0; i < problem_inputs(&b->input->problem); i++) {
        check_guard(b, &b->in[i], "input");
        if (!data_unchanged(&b->input->data[i], b->d_in[i], b->stream, &where))
            mismatches_add(b->log, b->input, offset_of(b),
                           "changed its input: element %zu of input %zu", where, i);
    }
}

static verdict_t run(rig_t *b, outcome_t *outcome)
{
    size_t before = b->log->count;

    open_buffers(b);
    if (!open_scratch(b))
        return b->log->count == before ? CHECK_UNSUPPORTED : CHECK_WRONG;

    cudaError_t error = launch(b, b->work.d_data, b->stream);
    if (error == cudaErrorNotSupported)
        return CHECK_UNSUPPORTED;
    if (error != cudaSuccess) {
        mismatches_add(b->log, b->input, offset_of(b), "the launch failed: %s",
                       cudaGetErrorString(error));
        return CHECK_WRONG;
    }
    wait_or_stop(b);
    *outcome = compare_output(b->input, b->log->device, b->out.d_data, b->stream);
    if (outcome->wrong > 0)
        mismatches_add_outcome(b->log, b->input, offset_of(b), outcome);
    check_buffers(b);
    return b->log->count == before ? CHECK_RIGHT : CHECK_WRONG;
}

verdict_t check_case(const case_t *test, mismatches_t *log, outcome_t *outcome)
{
    rig_t b = {.test = test, .input = test->input, .log = log};
    outcome_t unused;

    /* Not the default stream, and one that does not wait for it: work queued elsewhere is late. */
    CUDA_CHECK(cudaStreamCreateWithFlags(&b.stream, cudaStreamNonBlocking));
    verdict_t verdict = run(&b, outcome != NULL ? outcome : &unused);
    cudaGetLastError(); /* a failed launch must not show up in the next case */
    CUDA_CHECK(cudaDeviceSynchronize());
    close_buffers(&b);
    CUDA_CHECK(cudaStreamDestroy(b.stream));
    return verdict;
}
