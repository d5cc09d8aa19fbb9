/* SPDX-License-Identifier: MIT */
/*
 * once.c - runs the solve of one exercise once, in the emulator, to see what its kernels do: for
 * SIMT_TRACE and SIMT_REPORT. The file that it is linked with is your own, so nothing confines it;
 * marks come only from the grader, and confined.c traces what somebody else has written.
 *
 *   once TASK [-n SIZES] [--seed S]      -n 32x33: a number for each size of the task
 *
 * For speed.sh, which links it with CUDA's own library: --bytes B doubles the first size until the
 * inputs have B bytes, --times R runs it R more times and prints the microseconds of each.
 *
 * Exit: 0 right, 1 a wrong result or an error, 2 usage.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/tasks/tasks.h"
#include "simt/include/simt/inspect.h"

cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size, void *d_work,
                  size_t *work_bytes, cudaStream_t stream);

enum { ALIGNMENT = 256 };

struct once {
    const struct task *task;
    size_t size[TASK_SIZES];
    uint64_t seed;
    size_t bytes, times;
    struct call call;
    const void *d_in[TASK_ARRAYS]; /* as solve gets them */
    void *d_out[TASK_ARRAYS], *d_work;
    size_t work_bytes;
};

static _Noreturn void die(int status, const char *what, const char *detail)
{
    fprintf(stderr, "once: %s: %s\n", what, detail);
    exit(status);
}

static void read_options(struct once *once, int argc, char **argv)
{
    once->task = argc > 1 ? task_find(argv[1]) : NULL;
    if (!once->task || argc % 2 != 0)
        die(2, "usage", "once TASK [-n SIZES] [--seed S]");
    sizes_usual(once->task, once->size);
    once->seed = 1;
    for (int i = 2; i < argc; i += 2) {
        const uint64_t number = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "-n") == 0)
            sizes_read(once->task, argv[i + 1], once->size);
        else if (strcmp(argv[i], "--seed") == 0)
            once->seed = number;
        else if (strcmp(argv[i], "--bytes") == 0)
            once->bytes = number;
        else if (strcmp(argv[i], "--times") == 0)
            once->times = number;
        else
            die(2, argv[i], "an exercise has one type and one operator; accepted are -n, --seed");
    }
    while (once->size[0] > 0 && arrays_bytes(once->task->in, once->size) < once->bytes)
        once->size[0] *= 2;
}

/* ---- memory ---- */

/* Messages and traces use the name and the type. */
static void *device_array(size_t bytes, const char *name, const struct array *a)
{
    static const char *const types[] = {[ELEM_F32] = "f32",
                                        [ELEM_F16] = "f16",
                                        [ELEM_I32] = "i32",
                                        [ELEM_U64] = "u64",
                                        [ELEM_U8] = "u8"};
    void *d = NULL;
    if (cudaMalloc(&d, bytes + ALIGNMENT) != cudaSuccess)
        die(1, name, "no device memory");
    simt_buffer(d, bytes, name, a ? elem_bytes(a->type) : 0, a ? types[a->type] : NULL);
    return d;
}

/* What solve gets for an array; the host has its bytes. */
static void *array_of(const struct once *once, const struct array *a, void *host)
{
    const size_t bytes = array_bytes(a, once->call.job.size);
    if (once->task->host)
        return host;
    void *d = device_array(bytes, a->name, a);
    cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice);
    return d;
}

static void make_arrays(struct once *once)
{
    const struct task *t = once->task;
    struct call *c = &once->call;
    call_make(c, t, once->size, &(struct layout){0});
    call_inputs(c, t, once->seed);
    for (size_t k = 0; k < c->job.inputs; k++)
        once->d_in[k] = array_of(once, &t->in[k], c->in[k]);
    for (size_t k = 0; k < c->job.outputs; k++) {
        memset(c->out[k], t->host ? 0 : POISON, c->job.out[k].bytes);
        once->d_out[k] = array_of(once, &t->out[k], c->out[k]);
    }
}

/* ---- the run ---- */

static cudaError_t run(struct once *once)
{
    cudaError_t error = solve(once->d_in, once->d_out, once->size, NULL, &once->work_bytes, NULL);
    if (error != cudaSuccess || once->task->host)
        return error;
    once->d_work = device_array(once->work_bytes, "the scratch", NULL);
    error = solve(once->d_in, once->d_out, once->size, once->d_work, &once->work_bytes, NULL);
    const cudaError_t after = cudaDeviceSynchronize();
    return error != cudaSuccess ? error : after;
}

static bool is_right(const struct once *once)
{
    const struct call *c = &once->call;
    for (size_t k = 0; k < c->job.outputs && !once->task->host; k++)
        cudaMemcpy(c->out[k], once->d_out[k], c->job.out[k].bytes, cudaMemcpyDeviceToHost);
    return call_check(c, once->task).wrong == 0;
}

/* Prints how long each of these runs takes, in microseconds. */
static void print_times(const struct once *once)
{
    size_t work_bytes = once->work_bytes;
    cudaEvent_t start, stop;
    float ms = 0;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    for (size_t i = 0; i < once->times; i++) {
        cudaEventRecord(start, NULL);
        solve(once->d_in, once->d_out, once->size, once->d_work, &work_bytes, NULL);
        cudaEventRecord(stop, NULL);
        cudaEventSynchronize(stop);
        cudaEventElapsedTime(&ms, start, stop);
        printf("%.1f\n", 1000.0 * ms);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
}

/* The end of the process frees all memory. */
int main(int argc, char **argv)
{
    struct once once = {0};
    read_options(&once, argc, argv);
    if (once.task->sms > 0)
        simt_device_sms((int)once.task->sms);
    make_arrays(&once);
    const cudaError_t error = run(&once);
    if (error == cudaSuccess)
        print_times(&once);
    const bool right = error == cudaSuccess && is_right(&once);
    sizes_print(stdout, once.task, once.size);
    printf("  ran once, %s\n", error != cudaSuccess ? cudaGetErrorString(error)
                               : right              ? "right"
                                                    : "a wrong result");
    return !right;
}
