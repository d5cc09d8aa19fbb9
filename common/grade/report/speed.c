/* SPDX-License-Identifier: MIT */
/*
 * speed.c - on a GPU: how fast a submission is, as a ratio to the solution in the same run. For
 * information; the points come from the emulator.
 *
 *   speed TASK submission.so solution.so "1024x3"
 *
 * Both files are libraries here, so that two functions called solve fit into one process.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "grade/tasks/tasks.h"
#include "harness/cuda_check.h"

enum { RUNS = 21, WARM_UP = 3, INPUT_BYTES = 256 << 20 };

typedef cudaError_t (*solve_fn)(const void *const *d_in, void *const *d_out, const size_t *size,
                                void *d_work, size_t *work_bytes, cudaStream_t stream);

/* The arrays of a task, on both sides. */
struct problem {
    const struct task *task;
    size_t size[TASK_SIZES];
    void *in[TASK_ARRAYS], *out[TASK_ARRAYS], *d_in[TASK_ARRAYS], *d_out[TASK_ARRAYS];
};

static void *make_array(const struct array *a, const size_t *size, void **d)
{
    const size_t bytes = array_bytes(a, size);
    void *h = malloc(bytes + 1);
    if (!h) {
        fprintf(stderr, "speed: no memory for %zu bytes\n", bytes);
        exit(1);
    }
    CUDA_CHECK(cudaMalloc(d, bytes + 1));
    return h;
}

/* The shape is taken times 2 in its first size until the inputs are larger than any L2 cache. */
static void problem_make(struct problem *p, const char *shape)
{
    rng_t rng = {1};
    for (size_t k = 0; p->task->size_names[k]; k++) {
        char *end;
        p->size[k] = strtoull(shape, &end, 10);
        shape = *end == 'x' ? end + 1 : end;
    }
    while (arrays_bytes(p->task->in, p->size) < INPUT_BYTES && p->size[0] > 0)
        p->size[0] *= 2;
    for (size_t k = 0; p->task->in[k].count; k++)
        p->in[k] = make_array(&p->task->in[k], p->size, &p->d_in[k]);
    for (size_t k = 0; p->task->out[k].count; k++)
        p->out[k] = make_array(&p->task->out[k], p->size, &p->d_out[k]);
    char data[64];
    snprintf(data, sizeof data, "%.*s", (int)strcspn(p->task->data_sets, " "), p->task->data_sets);
    p->task->make_inputs(&rng, data, p->size, p->in);
    for (size_t k = 0; p->task->in[k].count; k++)
        CUDA_CHECK(cudaMemcpy(p->d_in[k], p->in[k], array_bytes(&p->task->in[k], p->size),
                              cudaMemcpyHostToDevice));
}

/* Queues the work; with d_work == NULL asks for the size of the scratch. */
static void call(const struct problem *p, solve_fn solve, void *d_work, size_t *work_bytes)
{
    const void *in[TASK_ARRAYS];
    memcpy(in, p->d_in, sizeof in);
    CUDA_CHECK(solve(in, p->d_out, p->size, d_work, work_bytes, NULL));
}

static bool is_right(const struct problem *p)
{
    struct comparison c = {0};
    const void *in[TASK_ARRAYS], *out[TASK_ARRAYS];
    for (size_t k = 0; p->task->out[k].count; k++)
        CUDA_CHECK(cudaMemcpy(p->out[k], p->d_out[k], array_bytes(&p->task->out[k], p->size),
                              cudaMemcpyDeviceToHost));
    memcpy(in, p->in, sizeof in);
    memcpy(out, p->out, sizeof out);
    p->task->check(p->size, in, out, &c);
    return c.wrong == 0;
}

static int compare_times(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median of the times, in microseconds. Negative: the result is wrong. */
static double time_of(const struct problem *p, solve_fn solve)
{
    float ms[RUNS];
    void *d_work = NULL;
    size_t work_bytes = 0;
    cudaEvent_t start, stop;
    call(p, solve, NULL, &work_bytes);
    CUDA_CHECK(cudaMalloc(&d_work, work_bytes + 1));
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    for (int i = -WARM_UP; i < RUNS; i++) {
        CUDA_CHECK(cudaEventRecord(start, NULL));
        call(p, solve, d_work, &work_bytes);
        CUDA_CHECK(cudaEventRecord(stop, NULL));
        CUDA_CHECK(cudaEventSynchronize(stop));
        if (i >= 0)
            CUDA_CHECK(cudaEventElapsedTime(&ms[i], start, stop));
    }
    const bool right = is_right(p);
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaFree(d_work));
    qsort(ms, RUNS, sizeof *ms, compare_times);
    return right ? 1000.0 * ms[RUNS / 2] : -1;
}

static solve_fn load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    solve_fn solve = NULL;
    if (library)
        *(void **)&solve = dlsym(library, "solve");
    if (!solve) {
        fprintf(stderr, "speed: %s\n", dlerror());
        exit(1);
    }
    return solve;
}

int main(int argc, char **argv)
{
    struct problem p = {.task = argc == 5 ? task_find(argv[1]) : NULL};
    struct cudaDeviceProp device;
    if (!p.task) {
        fprintf(stderr, "usage: speed TASK submission.so solution.so SHAPE\n");
        return 2;
    }
    problem_make(&p, argv[4]);
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    const double solution = time_of(&p, load(argv[3])), submission = time_of(&p, load(argv[2]));
    printf("speed of exercise %s on %s, no points:\n  ", p.task->name, device.name);
    if (submission < 0 || solution < 0)
        printf("no ratio: the %s gives a wrong result here\n",
               submission < 0 ? "submission" : "solution");
    else
        printf("%.2f times the solution: %.1f us, the solution %.1f us, ", solution / submission,
               submission, solution);
    for (size_t k = 0; p.task->size_names[k]; k++)
        printf("%s%s = %zu", k ? ", " : "", p.task->size_names[k], p.size[k]);
    printf("\n");
    return 0;
}
