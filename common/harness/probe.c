/* SPDX-License-Identifier: MIT */
#include "probe.h"

#include "buffers.h"
#include "cuda_check.h"

#include <string.h>

const surroundings_t PROBE_USUAL = {POISON_SCRATCH, POISON_OUTPUT, 0};

/* The memory of a run: the inputs, the output, the scratch. */
typedef struct {
    guard_t in[MAX_INPUTS], out, work;
    const void *d_in[MAX_INPUTS];
    cudaStream_t stream;
} rig_t;

static guard_t open_buffer(dtype_t type, size_t count, size_t offset, double around)
{
    const size_t size = dtype_size(type);
    uint64_t pattern = 0;

    dtype_store(type, &pattern, 0, around);
    return guard_open(count * size, offset * size, type, pattern);
}

static bool launch(rig_t *r, const input_t *input, int scratch)
{
    const problem_t *p = &input->problem;
    size_t work_bytes = 0;

    if (problem_launch(p, r->d_in, r->out.d_data, input->shape, NULL, &work_bytes, NULL) !=
        cudaSuccess)
        return false;
    if (guard_total(work_bytes) > device_free_bytes())
        return false;
    r->work = guard_open(work_bytes, 0, DTYPE_U8, 0);
    guard_fill(&r->work, NULL, scratch, r->stream);
    CUDA_CHECK(cudaStreamSynchronize(r->stream));
    return problem_launch(p, r->d_in, r->out.d_data, input->shape, r->work.d_data, &work_bytes,
                          r->stream) == cudaSuccess &&
           cudaStreamSynchronize(r->stream) == cudaSuccess;
}

size_t probe_cost(const device_t *device, size_t n)
{
    return 1 + n / (device->emulated ? (size_t)1 << 14 : (size_t)1 << 18);
}

bool probe_run(const case_t *test, const surroundings_t *surroundings, void *h_out)
{
    const input_t *input = test->input;
    const problem_t *p = &input->problem;
    rig_t r = {0};

    CUDA_CHECK(cudaStreamCreateWithFlags(&r.stream, cudaStreamNonBlocking));
    for (size_t i = 0; i < problem_inputs(p); i++) {
        r.in[i] =
            open_buffer(p->type, problem_n(input->shape), test->in_offset[i], surroundings->around);
        r.d_in[i] = r.in[i].d_data;
        guard_fill(&r.in[i], &input->data[i], 0, r.stream);
    }
    r.out = open_buffer(problem_out_type(p), problem_out_n(p, input->shape), test->out_offset,
                        surroundings->around);
    guard_fill(&r.out, NULL, surroundings->output, r.stream);

    const bool ran = launch(&r, input, surroundings->scratch);
    cudaGetLastError(); /* an error here must not show up in the next case */
    if (ran)
        device_copy(h_out, r.out.d_data, r.out.bytes, cudaMemcpyDeviceToHost, r.stream);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (size_t i = 0; i < problem_inputs(p); i++)
        guard_close(&r.in[i]);
    guard_close(&r.out);
    if (r.work.d_base != NULL)
        guard_close(&r.work);
    CUDA_CHECK(cudaStreamDestroy(r.stream));
    return ran;
}
