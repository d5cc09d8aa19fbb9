/* SPDX-License-Identifier: MIT */
/*
 * child.c - the program that a submission is linked with: reads a job, calls solve, sends back the
 * outputs and the counters. With a second job it calls solve for each, and sends those of the last.
 *
 * solve runs on its own stack, and the emulator's hooks let its host code touch nothing but this
 * stack. So no plain load or store can reach the token and the counters.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "host.h"
#include "job.h"
#include "sandbox.h"
#include "simt/include/simt/inspect.h"

cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size, void *d_work,
                  size_t *work_bytes, cudaStream_t stream);

enum { STACK_BYTES = 1 << 20, GUARD_BYTES = 1 << 16, ARGUMENT_BYTES = 4096 };
enum { UNWRITTEN = 0xff, MOST_FAILURES = 64, MOST_JOBS = 2 };
static const size_t more_bytes = 512 << 20, more_in_turns = (size_t)2 << 30;

/* At the upper end of the stack, where solve may read it. */
struct arguments {
    const void *d_in[JOB_ARRAYS];
    void *d_out[JOB_ARRAYS];
    size_t size[JOB_SIZES];
    size_t work_bytes;
};

static char *stack;
static struct arguments *arguments;
static void *d_work;
static cudaStream_t stream; /* no other stream waits for it */
static bool keeps;          /* a kernel has stored into a __device__ variable */
static cudaError_t solved;
static ucontext_t here, there;
static uint64_t counted_before[JOB_NAMES]; /* by the emulator, for the jobs before this one */

static void die(const char *what)
{
    fprintf(stderr, "grade: %s: %s\n", what, strerror(errno));
    _exit(3);
}

static void read_all(void *to, size_t bytes)
{
    for (ssize_t n; bytes > 0; to = (char *)to + n, bytes -= (size_t)n)
        if ((n = read(JOB_FD, to, bytes)) <= 0)
            die("the job is not complete");
}

static void write_all(const void *from, size_t bytes)
{
    for (ssize_t n; bytes > 0; from = (const char *)from + n, bytes -= (size_t)n)
        if ((n = write(REPLY_FD, from, bytes)) <= 0)
            die("the reply cannot be written");
}

/* Exactly the requested bytes, and before them those that make the offset. `name` is for messages.
 * The address is valid even for 0 bytes. */
static char *device_allocate(const struct job_array *a, const char *name)
{
    void *d = NULL;
    const size_t bytes = a->offset + a->bytes;
    if (cudaMalloc(&d, bytes ? bytes : 1) != cudaSuccess)
        die("device memory");
    simt_buffer((char *)d + a->offset, a->bytes, name, a->element, NULL);
    return (char *)d + a->offset;
}

/* An output, and the bytes before it that make the offset, as the host gets them. Kernels are
 * stopped by the guard zone; a copy or a fill may have changed the bytes before the array. */
static const char *output_of(const struct job_array *a, const char *d, struct reply *reply)
{
    char *h = malloc(a->offset + a->bytes + 1);
    if (!h)
        die("memory");
    cudaMemcpy(h, d - a->offset, a->offset + a->bytes, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < a->offset && reply->state != REPLY_ERROR; i++)
        if ((unsigned char)h[i] != UNWRITTEN) {
            fprintf(stderr, "grade: solve() wrote %zu bytes in front of an array\n", a->offset - i);
            reply->state = REPLY_ERROR;
        }
    return h + a->offset;
}

/* ---- nothing more than solve needs ---- */

/* The emulator reserves many addresses for device memory. Only what comes on top counts: so find
 * the limit at which the next page is refused. */
static bool limit_memory(size_t more)
{
    rlim_t low = 0, high = (rlim_t)1 << 47;
    while (high - low > 1 << 20) {
        const rlim_t middle = low + (high - low) / 2;
        setrlimit(RLIMIT_AS, &(struct rlimit){middle, RLIM_INFINITY});
        void *p = mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *(p == MAP_FAILED ? &low : &high) = middle;
        if (p != MAP_FAILED)
            munmap(p, 1);
    }
    high += more;
    return setrlimit(RLIMIT_AS, &(struct rlimit){high, high}) == 0;
}

/* From now on this process can start no other one, open no file and allocate little more memory. */
static uint64_t confine(const struct job *job)
{
    const size_t more = more_bytes + (job->most_in_turns > 0 ? more_in_turns : 0);
    uint64_t on = limit_memory(more) ? PROTECT_MEMORY : 0;
    setrlimit(RLIMIT_NPROC, &(struct rlimit){0, 0});
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return filter_set(false) ? on | PROTECT_CALLS : on;
}

/* ---- solve, on its own stack ---- */

static void stack_make(void)
{
    char *p = mmap(NULL, GUARD_BYTES + STACK_BYTES + ARGUMENT_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p, GUARD_BYTES, PROT_NONE) != 0)
        die("stack");
    stack = p + GUARD_BYTES;
    arguments = (struct arguments *)(void *)(stack + STACK_BYTES);
}

static void on_stack(void)
{
    solved = solve(arguments->d_in, arguments->d_out, arguments->size, d_work,
                   &arguments->work_bytes, stream);
}

/* Work on another stream is not ordered with that one. */
static void report_streams(struct simt_probe seen)
{
    char text[512];
    if (seen.elsewhere.name)
        fprintf(stderr, "grade: work on another stream than the one that solve gets: %s\n",
                simt_call_text(seen.elsewhere, text, sizeof text));
}

static cudaError_t call_solve(void)
{
    if (getcontext(&there) != 0)
        die("context");
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = STACK_BYTES;
    there.uc_link = &here;
    makecontext(&there, on_stack, 0);
    simt_confine(stack, STACK_BYTES + ARGUMENT_BYTES);
    simt_probe_start(stream, 0);
    if (swapcontext(&here, &there) != 0)
        die("context");
    const struct simt_probe seen = simt_probe_stop();
    report_streams(seen);
    keeps |= seen.kept.name != NULL;
    const cudaError_t after = cudaGetLastError();
    return solved != cudaSuccess ? solved : after;
}

/* Asks for the scratch size, then solves. */
static void run(const struct job *job, struct reply *reply)
{
    const struct arguments given = *arguments;
    d_work = NULL;
    cudaError_t error = call_solve();
    reply->work_bytes = arguments->work_bytes;
    reply->state = REPLY_DONE;
    if (error == cudaSuccess && reply->work_bytes > job->most_work_bytes) {
        reply->state = REPLY_ASKED_TOO_MUCH;
    } else if (error == cudaSuccess) {
        d_work = device_allocate(&(struct job_array){.bytes = reply->work_bytes}, "the scratch");
        *arguments = given;
        arguments->work_bytes = reply->work_bytes;
        error = call_solve();
        reply->work_bytes += keeps ? simt_device_variables() : 0; /* they are scratch as well */
    }
    if (error != cudaSuccess) {
        reply->state = REPLY_ERROR;
        snprintf(reply->error, sizeof reply->error, "%s", cudaGetErrorName(error));
    }
}

static bool is_own(const void *p, size_t bytes);
static void count(struct reply *reply, const char *name, uint64_t value);

/* Runs host code once normally, which is counted, then once for each call that can fail.
 * reply->error is the first call whose error is lost, or else the first one after whose failure
 * memory stays allocated. */
static void run_on_host(const struct job *job, struct reply *reply, void *out)
{
    const struct arguments given = *arguments;
    unsigned leaks = 0, all_leaks = 0, lost = 0;
    host_begin(given.d_in[0], job->in[0].bytes, given.d_out[0], job->out[0].bytes, is_own);
    host_run(0);
    const cudaError_t error = call_solve();
    const unsigned calls = host_ended(&leaks);
    memcpy(out, given.d_out[0], job->out[0].bytes);
    count(reply, NULL, 0);
    count(reply, "leaks", leaks);
    cudaError_t first;
    bool goes_on;
    const char *failed = host_failed(&first, &goes_on);
    reply->state = error == cudaSuccess && !failed ? REPLY_DONE : REPLY_ERROR;
    if (error != cudaSuccess)
        snprintf(reply->error, sizeof reply->error, "%s", cudaGetErrorName(error));
    else if (failed)
        snprintf(reply->error, sizeof reply->error, "%s", failed);
    for (unsigned i = 1; reply->state == REPLY_DONE && i <= calls && i <= MOST_FAILURES; i++) {
        *arguments = given;
        host_run(i);
        call_solve();
        host_ended(&leaks);
        failed = host_failed(&first, &goes_on);
        const bool is_lost = solved != first || goes_on;
        if ((is_lost && lost == 0) || (leaks > 0 && lost + all_leaks == 0))
            snprintf(reply->error, sizeof reply->error, "%s", failed ? failed : "call");
        lost += is_lost;
        all_leaks += leaks;
    }
    if (calls > MOST_FAILURES) { /* what was not tried is not proven */
        lost += calls - MOST_FAILURES;
        all_leaks += calls - MOST_FAILURES;
        reply->error[0] = '\0';
    }
    count(reply, "leaks_after_errors", all_leaks);
    count(reply, "lost_errors", lost);
}

static void *host_array(size_t bytes)
{
    void *p = malloc(bytes + 1);
    if (!p)
        die("memory");
    return memset(p, UNWRITTEN, bytes);
}

/* Reads the inputs, and makes the outputs. */
static void make_arrays(const struct job *job)
{
    static const char *const in[] = {"d_in[0]", "d_in[1]", "d_in[2]", "d_in[3]"};
    static const char *const out[] = {"d_out[0]", "d_out[1]", "d_out[2]", "d_out[3]"};
    for (size_t k = 0; k < job->inputs; k++) {
        const size_t bytes = job->in[k].bytes;
        char *h = host_array(bytes);
        read_all(h, bytes);
        arguments->d_in[k] = h;
        if (job->host)
            continue;
        char *d = device_allocate(&job->in[k], job->inputs == 1 ? "the input" : in[k]);
        cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
        free(h);
        simt_read_only(d - job->in[k].offset); /* an atomic is no load that is counted as one */
        arguments->d_in[k] = d;
    }
    for (size_t k = 0; k < job->outputs; k++) {
        if (job->host) {
            arguments->d_out[k] = host_array(job->out[k].bytes);
            continue;
        }
        arguments->d_out[k] =
            device_allocate(&job->out[k], job->outputs == 1 ? "the output" : out[k]);
        if (job->out[k].poison < 256)
            cudaMemset(arguments->d_out[k], (int)job->out[k].poison, job->out[k].bytes);
    }
    if (job->host) /* the emulator takes its memory before there is a limit */
        cudaFree(device_allocate(&(struct job_array){.bytes = 1}, "none"));
    for (size_t k = 0; k < JOB_SIZES; k++)
        arguments->size[k] = job->size[k];
}

/* A counter of the reply, or with NULL the number that the emulator has counted for this job. */
static void count(struct reply *reply, const char *name, uint64_t value)
{
    for (int i = 0; i < JOB_NAMES; i++)
        if (!name || strcmp(name, job_counters[i]) == 0)
            reply->count[i] = name ? value : simt_counted(job_counters[i]) - counted_before[i];
}

/* What the emulator counts from now on is that of the next job. */
static void count_anew(void)
{
    for (int i = 0; i < JOB_NAMES; i++)
        counted_before[i] = simt_counted(job_counters[i]);
}

/* Sends what solve has done. `given` holds the arrays: solve may have changed its arguments.
 * `host_out` is the output of host code, else NULL. */
static void answer(const struct job *job, struct reply *reply, const struct arguments *given,
                   const void *host_out)
{
    const char *out[JOB_ARRAYS] = {host_out};
    for (size_t k = 0; k < job->outputs && !job->host; k++)
        out[k] = output_of(&job->out[k], given->d_out[k], reply);
    if (!job->host)
        count(reply, NULL, 0);
    for (int k = 0; k < 6; k++)
        reply->worst[k / 3][k % 3] = simt_worst_access(k / 3, k % 3);
    write_all(reply, sizeof *reply);
    for (size_t k = 0; k < job->outputs; k++)
        write_all(out[k], job->out[k].bytes);
}

/* Reads a job with its inputs, and makes its outputs. */
static void read_job(struct job *job, struct arguments *given)
{
    read_all(job, sizeof *job);
    if (job->inputs > JOB_ARRAYS || job->outputs > JOB_ARRAYS ||
        (job->host && (job->inputs != 1 || job->outputs != 1)))
        die("the job is not one");
    make_arrays(job);
    *given = *arguments;
}

int main(void)
{
    struct job jobs[MOST_JOBS];
    struct arguments given[MOST_JOBS];
    size_t last = 0;
    stack_make();
    read_job(&jobs[0], &given[0]);
    while (jobs[last].more && ++last < MOST_JOBS)
        read_job(&jobs[last], &given[last]);
    if (last == MOST_JOBS)
        die("there are too many jobs");
    close(JOB_FD);
    const struct job *const job = &jobs[last];
    if (job->sms > 0)
        simt_device_sms((int)job->sms);
    simt_blocks_take_turns((unsigned)job->most_in_turns);
    if (!job->host && cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        die("stream");
    const uint64_t protections = confine(job);
    write_all(&protections, sizeof protections);
    struct reply reply = {.token = job->token, .state = REPLY_DONE};
    void *host_out = job->host ? host_array(job->out[0].bytes) : NULL;
    for (size_t i = 0; i <= last && reply.state == REPLY_DONE && !job->host; i++) {
        count_anew();
        *arguments = given[i];
        run(&jobs[i], &reply);
    }
    if (job->host)
        run_on_host(job, &reply, host_out);
    answer(job, &reply, &given[last], host_out);
    return 0;
}

/* ---- CUDA calls that store a result: only into the caller's own stack ---- */

static bool is_own(const void *p, size_t bytes)
{
    const size_t at = (size_t)((const char *)p - stack);
    return at < STACK_BYTES && bytes <= STACK_BYTES - at;
}
#define ANSWER(name, call, ...)                                                                    \
    cudaError_t grade_##name(__VA_ARGS__)                                                          \
    {                                                                                              \
        return is_own(p, sizeof *p) ? (call) : cudaErrorInvalidValue;                              \
    }
ANSWER(get_device, cudaGetDevice(p), int *p)
ANSWER(device_count, cudaGetDeviceCount(p), int *p)
ANSWER(runtime_version, cudaRuntimeGetVersion(p), int *p)
ANSWER(driver_version, cudaDriverGetVersion(p), int *p)
ANSWER(mem_info, is_own(all, sizeof *all) ? cudaMemGetInfo(p, all) : cudaErrorInvalidValue,
       size_t *p, size_t *all)
ANSWER(device_attribute, cudaDeviceGetAttribute(p, attribute, device), int *p,
       enum cudaDeviceAttr attribute, int device)
ANSWER(device_properties, cudaGetDeviceProperties(p, device), struct cudaDeviceProp *p, int device)
ANSWER(function_attributes, cudaFuncGetAttributes(p, function), struct cudaFuncAttributes *p,
       const void *function)
ANSWER(occupancy, cudaOccupancyMaxActiveBlocksPerMultiprocessor(p, function, block_size, bytes),
       int *p, const void *function, int block_size, size_t bytes)
