/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "buffers.h"
#include "cuda_check.h"
#include "explain.h"
#include "rng.h"
#include "size.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef SIMT
#include "simt/include/simt/inspect.h"
#endif

/* The device side of a case. */
typedef struct {
    const case_t *test;
    const input_t *input;
    mismatches_t *log;
    cudaStream_t stream;
    guard_t in[MAX_INPUTS], out, work;
    const void *d_in[MAX_INPUTS];
    size_t work_bytes;
    bool asks_for_scratch;
    known_t *known;
} rig_t;

static size_t offset_of(const rig_t *b)
{
    return b->test->in_offset[0];
}

/* ---- buffers ---- */

/*
 * What is on both sides of the input, so that reading it changes the result: NaN, or for i32 the
 * value that wins, or for a sum or a product any large odd one.
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
        b->in[i] = guard_open(n * size, b->test->in_offset[i] * size, p->type, input_pattern(p));
        b->d_in[i] = b->in[i].d_data;
        guard_name(&b->in[i], problem_input_name(p, i), true);
        guard_fill(&b->in[i], &b->input->data[i], 0, b->stream);
    }
    b->out = guard_open(out_n * out_size, b->test->out_offset * out_size, problem_out_type(p),
                        0x5a5a5a5a5a5a5a5a);
    guard_name(&b->out, "the output", true);
    guard_fill(&b->out, NULL, POISON_OUTPUT, b->stream);
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

/* ---- a launch ---- */

static cudaError_t launch(rig_t *b, void *d_work, cudaStream_t stream)
{
    return problem_launch(&b->input->problem, b->d_in, b->out.d_data, b->input->shape, d_work,
                          &b->work_bytes, stream);
}

/* Whether the first output element still holds the poison, or there is none. */
static bool output_untouched(const rig_t *b)
{
    unsigned char got[sizeof(double)], poison[sizeof(double)];
    size_t bytes = b->out.bytes < sizeof got ? b->out.bytes : sizeof got;

    memset(poison, POISON_OUTPUT, sizeof poison);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(got, b->out.d_data, bytes, cudaMemcpyDeviceToHost));
    return memcmp(got, poison, bytes) == 0;
}

/* ---- what a launcher must not do, even if its result is right ---- */

#ifdef SIMT

enum { CALL_TEXT = 300 };

/* The emulator has recorded the calls. */
static void check_calls(rig_t *b, const struct simt_probe *seen)
{
    char text[CALL_TEXT];

    if (seen->refused.name != NULL)
        mismatches_add(
            b->log, b->input, offset_of(b),
            "the launcher calls %s\n"
            "    it must not allocate, free or wait: its memory is the scratch, and all\n"
            "    its work is queued on the stream that it is given",
            simt_call_text(seen->refused, text, sizeof text));
    if (seen->elsewhere.name != NULL)
        mismatches_add(b->log, b->input, offset_of(b),
                       "not on the stream that the launcher is given: %s\n"
                       "    write <<<grid, block, bytes, stream>>>, or ...Async(..., stream)",
                       simt_call_text(seen->elsewhere, text, sizeof text));
    if (seen->kept.name != NULL)
        mismatches_add(b->log, b->input, offset_of(b),
                       "a kernel keeps state in a device variable: %s\n"
                       "    two launches at once would share it: keep it in the scratch",
                       simt_call_text(seen->kept, text, sizeof text));
}

/* Make each of the first pieces of work fail, and the last one. */
static void check_errors(rig_t *b, unsigned pieces)
{
    enum { FIRST = 4 };
    char text[CALL_TEXT];

    for (unsigned k = 1; k <= pieces; k++) {
        if (k > FIRST && k < pieces)
            continue;
        simt_probe_start(b->stream, k);
        cudaError_t error = launch(b, b->work.d_data, b->stream);
        struct simt_probe seen = simt_probe_stop();
        cudaGetLastError(); /* ours */
        if (error != cudaSuccess || seen.failed.name == NULL)
            continue;
        mismatches_add(b->log, b->input, offset_of(b),
                       "an error is lost: the launcher returns cudaSuccess, though call %u of %u\n"
                       "    fails: %s\n"
                       "    it must return cudaGetLastError(), or the first error that it gets",
                       k, pieces, simt_call_text(seen.failed, text, sizeof text));
        return;
    }
}

/*
 * The caller may have queued anything before, so a kernel that may start early has to wait: as if
 * the input had been written, and the output and the scratch used, by a launch that is still
 * running.
 */
static void launch_before(const rig_t *b, cudaStream_t stream)
{
    const problem_t *p = &b->input->problem;
    const size_t in_size = dtype_size(p->type), out_size = dtype_size(problem_out_type(p));
    const size_t least = in_size < out_size ? in_size : out_size;

    for (size_t i = 0; i < problem_inputs(p); i++)
        simt_written_before(stream, b->d_in[i], b->in[i].bytes, least);
    simt_written_before(stream, b->out.d_data, b->out.bytes, least);
    simt_written_before(stream, b->work.d_data, b->work.bytes, least);
}

static cudaError_t launch_watched(rig_t *b, void *d_work, cudaStream_t stream, unsigned *pieces)
{
    if (d_work != NULL)
        launch_before(b, stream);
    simt_probe_start(stream, 0);
    cudaError_t error = launch(b, d_work, stream);
    struct simt_probe seen = simt_probe_stop();
    *pieces = seen.work;
    check_calls(b, &seen);
    return error;
}

#else

static cudaError_t launch_watched(rig_t *b, void *d_work, cudaStream_t stream, unsigned *pieces)
{
    *pieces = 0;
    return launch(b, d_work, stream);
}

/*
 * A GPU has recorded the work instead of executing it: a call that allocates or waits makes that
 * fail, and work on another stream has been executed.
 */
static void check_errors(rig_t *b, unsigned pieces)
{
    cudaGraph_t graph = NULL;

    (void)pieces;
    CUDA_CHECK(cudaMemsetAsync(b->out.d_data, POISON_OUTPUT, b->out.bytes, b->stream));
    CUDA_CHECK(cudaStreamSynchronize(b->stream));
    CUDA_CHECK(cudaStreamBeginCapture(b->stream, cudaStreamCaptureModeGlobal));
    cudaError_t error = launch(b, b->work.d_data, b->stream);
    cudaError_t ended = cudaStreamEndCapture(b->stream, &graph);
    cudaGetLastError(); /* ours */
    error = error != cudaSuccess ? error : ended;
    if (error != cudaSuccess)
        mismatches_add(b->log, b->input, offset_of(b),
                       "recorded as a graph: %s;\n"
                       "    the launcher must not allocate, free, wait, or use another stream",
                       cudaGetErrorString(error));
    else if (b->out.bytes > 0 && !output_untouched(b))
        mismatches_add(b->log, b->input, offset_of(b),
                       "work is not on the stream that the launcher was given");
    if (graph != NULL)
        CUDA_CHECK(cudaGraphDestroy(graph));
}

#endif

/* ---- the run ---- */

#define RACES "the result may differ from run to run: see `simt:` above"

/* Ask for the scratch size, which must not run anything. */
static bool open_scratch(rig_t *b)
{
    unsigned pieces;
    const size_t before = b->log->count;

    b->work_bytes = SIZE_MAX;
    cudaError_t error = launch_watched(b, NULL, NULL, &pieces);
    if (b->log->count > before)
        return false;
    if (error != cudaSuccess) {
        if (error != cudaErrorNotSupported)
            mismatches_add(b->log, b->input, offset_of(b), "asking for the scratch size: %s",
                           cudaGetErrorString(error));
        return false;
    }
    if (pieces > 0 || !output_untouched(b)) {
        mismatches_add(b->log, b->input, offset_of(b),
                       "asking for the scratch size ran the kernel");
        return false;
    }
    if (b->work_bytes == SIZE_MAX) {
        mismatches_add(b->log, b->input, offset_of(b),
                       "the launcher did not set *work_bytes when d_work was NULL");
        return false;
    }
    b->asks_for_scratch = b->work_bytes > 0;
    b->work_bytes += b->test->spare_bytes;
    if (guard_total(b->work_bytes) > device_free_bytes()) {
        mismatches_add(b->log, b->input, offset_of(b),
                       "asks for %zu bytes of scratch; %zu are free", b->work_bytes,
                       device_free_bytes());
        return false;
    }
    b->work = guard_open(b->work_bytes, 0, DTYPE_F32, 0x5a5a5a5a);
    guard_name(&b->work, "the scratch", false);
    guard_fill(&b->work, NULL, POISON_SCRATCH, b->stream);
    CUDA_CHECK(cudaStreamSynchronize(b->stream));
    return true;
}

/* After a kernel's error the context is lost: every further call would fail with it. */
static void stop_if_lost(const rig_t *b)
{
    if (cudaDeviceSynchronize() == cudaSuccess)
        return;
    mismatches_finish(b->log);
    exit(1);
}

static void wait_or_stop(rig_t *b)
{
    cudaError_t error = cudaStreamSynchronize(b->stream);
    if (error == cudaSuccess)
        return;
    mismatches_add(b->log, b->input, offset_of(b), "the kernel failed: %s",
                   cudaGetErrorString(error));
    stop_if_lost(b);
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
        if (!data_unchanged(&b->input->data[i], b->d_in[i], guard_fetched(&b->in[i]), b->stream,
                            &where))
            mismatches_add(b->log, b->input, offset_of(b),
                           "changed its input: element %zu of input %zu", where, i);
    }
}

/* ---- again: arbitrary scratch contents, a replayed graph ---- */

/* The emulator runs the blocks in the order that reveals most mistakes. */
static void blocks_take_turns(int on)
{
#ifdef SIMT
    enum { MOST_THREADS = 8192 };
    simt_blocks_take_turns(on ? MOST_THREADS : 0);
#else
    (void)on;
#endif
}

/* Leaves the memory as an aborted launch does. On a GPU that would end the program. */
static void launch_in_part(rig_t *b)
{
#ifdef SIMT
    simt_break_off(1);
    launch(b, b->work.d_data, b->stream);
    simt_break_off(0);
    wait_or_stop(b);
#else
    (void)b;
#endif
}

static void upload(rig_t *b, const input_t *input)
{
    for (size_t i = 0; i < problem_inputs(&input->problem); i++)
        data_upload(&input->data[i], b->in[i].d_data, b->stream);
}

/* Fills the scratch with these `count` bytes, again and again. */
static void fill_scratch(rig_t *b, const unsigned char *bytes, size_t count)
{
    unsigned char *all = alloc_array(b->work_bytes, 1);
    for (size_t i = 0; i < b->work_bytes; i++)
        all[i] = bytes[i % count];
    device_copy(b->work.d_data, all, b->work_bytes, cudaMemcpyHostToDevice, b->stream);
    free(all);
}

static void fill_scratch_at_random(rig_t *b)
{
    enum { WORDS = 4096 };
    uint64_t words[WORDS];
    rng_t rng = {b->work_bytes + problem_n(b->input->shape)};
    for (size_t i = 0; i < WORDS; i++)
        words[i] = rng_bits(&rng);
    fill_scratch(b, (const unsigned char *)words, sizeof words);
}

/* Launches the graph, or if it is NULL the step, and compares. `input` is in the buffers. */
static bool run_again(rig_t *b, const input_t *input, cudaGraphExec_t graph, const char *cause)
{
    CUDA_CHECK(cudaMemsetAsync(b->out.d_data, POISON_OUTPUT, b->out.bytes, b->stream));
    blocks_take_turns(1);
    cudaError_t error =
        graph != NULL ? cudaGraphLaunch(graph, b->stream) : launch(b, b->work.d_data, b->stream);
    blocks_take_turns(0);
    if (error != cudaSuccess) {
        mismatches_add(b->log, input, offset_of(b), "launched again: %s",
                       cudaGetErrorString(error));
        return false;
    }
    wait_or_stop(b);
    const outcome_t outcome =
        compare_output(input, b->log->device, b->out.d_data, NULL, NULL, b->stream);
    if (outcome.wrong == 0)
        return true;
    mismatches_add_outcome(b->log, input, offset_of(b), &outcome);
    if (b->log->reported == 0) /* else a first launch was wrong: that comes first */
        mismatches_cause(b->log, input, NO_PLACE, "%s", cause);
    return false;
}

/* The launch as a graph; NULL if the emulator cannot make one. */
static cudaGraphExec_t graph_of_launch(rig_t *b)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;

    if (cudaStreamBeginCapture(b->stream, cudaStreamCaptureModeGlobal) == cudaSuccess) {
        cudaError_t error = launch(b, b->work.d_data, b->stream);
        if (cudaStreamEndCapture(b->stream, &graph) == cudaSuccess && error == cudaSuccess)
            CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    }
    if (graph != NULL)
        CUDA_CHECK(cudaGraphDestroy(graph));
    cudaGetLastError(); /* ours */
    return exec;
}

/* On the case's input, on another one, and on the first one again. */
static void check_graph(rig_t *b, const input_t *other)
{
    static const char cause[] =
        "a graph of the launch is right once, and wrong when it is launched again on other data, "
        "with the same arguments and the scratch as the first launch left it";
    cudaGraphExec_t graph = graph_of_launch(b);

    if (graph == NULL)
        return;
    for (int turn = 0; turn < 3; turn++) {
        const input_t *input = turn == 1 ? other : b->input;
        upload(b, input);
        if (!run_again(b, input, graph, cause))
            break;
    }
    CUDA_CHECK(cudaGraphExecDestroy(graph));
}

/* After another shape was computed, and then part of this one, with other data. */
static void check_left(rig_t *b, const input_t *other)
{
    static const char cause[] =
        "it is wrong on what launches before have left in the scratch, one of another shape and "
        "one that was broken off: what is read there must have been written before";
    const leftover_t *before = b->test->left;

    if (before != NULL && before->count > 0)
        fill_scratch(b, before->bytes, before->count);
    upload(b, other);
    launch_in_part(b);
    upload(b, b->input);
    run_again(b, b->input, NULL, cause);
}

static void check_again(rig_t *b)
{
    static const char cause[] = "it is right where all bits of the scratch are set, and wrong on "
                                "random bytes: what is read "
                                "there must have been written before";
    input_t other;

    if (b->test->again == AGAIN_RANDOM) {
        fill_scratch_at_random(b);
        run_again(b, b->input, NULL, cause);
        return;
    }
    input_make(&other, &b->input->problem, b->input->shape, b->input->set, b->work_bytes);
    if (b->test->again == AGAIN_GRAPH)
        check_graph(b, &other);
    else
        check_left(b, &other);
    input_free(&other);
}

/* Keeps the scratch for the next case, unless it is large. */
static void keep_scratch(const rig_t *b)
{
    leftover_t *left = b->test->left;
    const void *bytes = guard_fetched(&b->work);

    if (left == NULL || bytes == NULL || b->work_bytes == 0)
        return;
    free(left->bytes);
    left->bytes = alloc_array(b->work_bytes, 1);
    left->count = b->work_bytes;
    memcpy(left->bytes, bytes, b->work_bytes);
}

static verdict_t run(rig_t *b, outcome_t *outcome)
{
    const size_t before = b->log->count;
    const uint64_t found_before = device_found();
    unsigned pieces;

    open_buffers(b);
    if (!open_scratch(b))
        return b->log->count == before ? CHECK_UNSUPPORTED : CHECK_WRONG;

    cudaError_t error = launch_watched(b, b->work.d_data, b->stream, &pieces);
    if (error != cudaSuccess) {
        mismatches_add(b->log, b->input, offset_of(b), "the launch failed: %s%s",
                       cudaGetErrorString(error),
                       error == cudaErrorNotSupported
                           ? ";\n    only when asked for the scratch size may it say so"
                           : "");
        return CHECK_WRONG;
    }
    wait_or_stop(b);
    guard_fetch(&b->out, b->stream); /* first: work on another stream comes late */
    guard_fetch(&b->work, b->stream);
    for (size_t i = 0; i < problem_inputs(&b->input->problem); i++)
        guard_fetch(&b->in[i], b->stream);
    *outcome = compare_output(b->input, b->log->device, b->out.d_data, guard_fetched(&b->out),
                              b->known, b->stream);
    if (outcome->wrong > 0) {
        mismatches_add_outcome(b->log, b->input, offset_of(b), outcome);
        if (b->log->count == before + 1) /* else an earlier mistake is the cause */
            explain(b->log, b->test, outcome);
    }
    check_buffers(b);
    if (b->log->count == before && device_found() > found_before)
        mismatches_add(b->log, b->input, offset_of(b), RACES);
    if (b->log->count == before)
        check_errors(b, pieces);
    if (b->log->count == before && b->asks_for_scratch && b->test->again != AGAIN_NOT) {
        check_again(b);
        if (b->log->count == before && device_found() > found_before)
            mismatches_add(b->log, b->input, offset_of(b), RACES);
        keep_scratch(b);
    }
    return b->log->count == before ? CHECK_RIGHT : CHECK_WRONG;
}

verdict_t check_case(const case_t *test, mismatches_t *log, known_t *known, outcome_t *outcome)
{
    rig_t b = {.test = test, .input = test->input, .log = log, .known = known};
    const device_t *whole = log->device;
    device_t few = *whole;
    outcome_t unused;

    if (test->sms > 0) {
        device_set_sms(&few, test->sms);
        log->device = &few;
    }

    /* Not the default stream, and one that does not wait for it: work on another stream comes
     * late. */
    CUDA_CHECK(cudaStreamCreateWithFlags(&b.stream, cudaStreamNonBlocking));
    verdict_t verdict = run(&b, outcome != NULL ? outcome : &unused);
    cudaGetLastError(); /* a failed launch must not show up in the next case */
    stop_if_lost(&b);
    close_buffers(&b);
    CUDA_CHECK(cudaStreamDestroy(b.stream));
    if (test->sms > 0)
        device_set_sms(&few, whole->sms);
    log->device = whole;
    return verdict;
}

verdict_t check_launches(const problem_t *problem, shape_t shape, mismatches_t *log)
{
    verdict_t verdict = CHECK_RIGHT;
#ifdef SIMT
    enum { NOWHERE = 4096 }; /* an address that is never used: no kernel runs */
    const input_t input = {.problem = *problem, .shape = shape, .set = SET_INTEGERS};
    const case_t test = {.input = &input};
    rig_t b = {.test = &test, .input = &input, .log = log};

    for (size_t i = 0; i < MAX_INPUTS; i++)
        b.d_in[i] = (const void *)(uintptr_t)NOWHERE;
    b.out.d_data = (unsigned char *)(uintptr_t)NOWHERE;
    simt_probe_start(NULL, UINT_MAX);
    cudaError_t error = launch(&b, NULL, NULL);
    if (error == cudaSuccess)
        error = launch(&b, b.out.d_data, NULL);
    simt_probe_stop();
    if (error != cudaSuccess) {
        mismatches_add(log, &input, 0, "the launch failed: %s", cudaGetErrorString(error));
        verdict = CHECK_WRONG;
    }
    cudaGetLastError();
#else
    (void)problem, (void)shape, (void)log;
#endif
    return verdict;
}
