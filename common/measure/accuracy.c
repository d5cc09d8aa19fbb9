/* SPDX-License-Identifier: MIT */
/*
 * accuracy.c - how far off the f32 sum of a step is, and whether its bits are the same every run.
 *
 * A second main for every step: linked with the step's object instead of harness/main.c. It prints
 * rows of CSV; common/measure/accuracy.sh runs it for all steps, and makes a table of them.
 */
#include "harness/cuda_check.h"
#include "harness/expect.h"
#include "harness/rng.h"
#include "harness/size.h"

#include <math.h>
#include <string.h>

enum { ALIGNMENTS = 4, POISON = 0xff, MOST_RUNS = 10000 };

/* ---- the data ---- */

/* Each set is difficult in another way for a sum from left to right. */
typedef enum {
    UNIFORM,     /* [0, 1): the sum grows, and with it the rounding error of each addition */
    ALTERNATING, /* +[1, 2), -[1, 2), +...: the sum is small, and so are its errors */
    STICKING,    /* 2^24, then ones: 2^24 + 1 rounds to 2^24 again */
    SETS
} accuracy_set_t;

static const char *const SET_NAMES[SETS] = {"uniform", "alternating", "sticking"};

/* n elements, their exact sum, and the sum of their magnitudes. */
typedef struct {
    accuracy_set_t set;
    size_t n;
    float *x;
    exact_t sum;
    double sum_abs;
} series_t;

static float element(accuracy_set_t set, size_t i, rng_t *rng)
{
    double x = rng_unit(rng);
    if (set == UNIFORM)
        return (float)x;
    if (set == ALTERNATING)
        return (float)(i % 2 == 0 ? 1 + x : -1 - x);
    return i == 0 ? 0x1p24f : 1;
}

static series_t series_make(accuracy_set_t set, size_t n)
{
    series_t s = {.set = set, .n = n, .x = alloc_array(n, sizeof(float))};
    rng_t rng = {n};

    for (size_t i = 0; i < n; i++) {
        s.x[i] = element(set, i, &rng);
        s.sum = exact_add(s.sum, s.x[i]);
        s.sum_abs += fabsf(s.x[i]);
    }
    return s;
}

/* ---- sums on the host, for comparison ---- */

static float sum_serial(const float *x, size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* W. Kahan, 1965: `lost` is the rounding error of the last addition; it goes into the next one. */
static float sum_kahan(const float *x, size_t n)
{
    float sum = 0, lost = 0;
    for (size_t i = 0; i < n; i++) {
        float y = x[i] - lost;
        float next = sum + y;
        lost = (next - sum) - y;
        sum = next;
    }
    return sum;
}

/* ---- the step's sum ---- */

/* Device buffers. The input begins `offset` elements after d_in. */
typedef struct {
    float *d_in, *d_out;
    void *d_work;
    size_t work_bytes;
} buffers_t;

static cudaError_t call_step(buffers_t *b, size_t offset, size_t n, void *d_work)
{
    return step.reduce[DTYPE_F32][OP_SUM](b->d_in + offset, b->d_out, n, d_work, &b->work_bytes,
                                          NULL);
}

static void *device_alloc(size_t bytes)
{
    void *d_memory;
    CUDA_CHECK(cudaMalloc(&d_memory, bytes));
    return d_memory;
}

static buffers_t buffers_open(size_t n)
{
    buffers_t b = {0};
    b.d_in = device_alloc((n + ALIGNMENTS) * sizeof(float));
    b.d_out = device_alloc(sizeof(float));
    CUDA_CHECK(call_step(&b, 0, n, NULL));
    b.d_work = device_alloc(b.work_bytes + 1); /* never NULL */
    return b;
}

static void buffers_close(buffers_t *b)
{
    CUDA_CHECK(cudaFree(b->d_in));
    CUDA_CHECK(cudaFree(b->d_out));
    CUDA_CHECK(cudaFree(b->d_work));
}

/* One run, in poisoned output and scratch: nothing is left of the previous run. */
static float run_once(buffers_t *b, size_t offset, size_t n)
{
    float result;
    CUDA_CHECK(cudaMemset(b->d_out, POISON, sizeof(float)));
    CUDA_CHECK(cudaMemset(b->d_work, POISON, b->work_bytes));
    CUDA_CHECK(call_step(b, offset, n, b->d_work));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(&result, b->d_out, sizeof result, cudaMemcpyDeviceToHost));
    return result;
}

/* How many of the results differ in their bits. */
static size_t count_distinct(const float *results, size_t count)
{
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;
        while (memcmp(&results[j], &results[i], sizeof *results) != 0)
            j++;
        distinct += j == i; /* the first of its kind */
    }
    return distinct;
}

/* ---- output ---- */

/* `distinct` of `runs` results differ; `alignments` of ALIGNMENTS, each at another offset. */
static void print_row(const char *name, const series_t *s, float result, size_t runs,
                      size_t distinct, size_t alignments)
{
    const double exact = s->sum.high, error = fabs(exact_distance(result, s->sum));

    printf("%s,%s,%zu,%.9g,%.17g,%.3g,%.3g,%.3g,%zu,%zu,%zu\n", name, SET_NAMES[s->set], s->n,
           result, exact, error, error / dtype_ulp(DTYPE_F32, exact), error / s->sum_abs, runs,
           distinct, alignments);
    fflush(stdout);
}

static void print_host(const series_t *s)
{
    print_row("host.serial", s, sum_serial(s->x, s->n), 1, 1, 1);
    print_row("host.kahan", s, sum_kahan(s->x, s->n), 1, 1, 1);
}

static void print_step(const char *name, const series_t *s, size_t runs)
{
    const size_t bytes = s->n * sizeof(float);
    float *results = alloc_array(runs, sizeof(float)), at[ALIGNMENTS];
    buffers_t b = buffers_open(s->n);

    for (size_t offset = ALIGNMENTS; offset-- > 0;) { /* offset 0 comes last, and stays */
        CUDA_CHECK(cudaMemcpy(b.d_in + offset, s->x, bytes, cudaMemcpyHostToDevice));
        at[offset] = run_once(&b, offset, s->n);
    }
    for (size_t i = 0; i < runs; i++)
        results[i] = run_once(&b, 0, s->n);
    print_row(name, s, results[0], runs, count_distinct(results, runs),
              count_distinct(at, ALIGNMENTS));
    buffers_close(&b);
    free(results);
}

/* ---- the program ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* A whole number from 1 to `most`, or 0 with a message. */
static size_t parse(const char *program, const char *name, const char *text, size_t most)
{
    size_t value = 0;
    const char *wrong = size_read(text, strlen(text), &value);
    if (wrong == NULL && value >= 1 && value <= most)
        return value;
    fprintf(stderr, "%s: %s: '%s' is not a whole number from 1 to %zu\n", program, name, text,
            most);
    return 0;
}

int main(int argc, char **argv)
{
    const char *program = base_name(argv[0]), *why;
    device_t device;

    if (argc != 3) {
        fprintf(stderr, "usage: %s N RUNS; or host N, which has sums of the host's\n", program);
        return 2;
    }
    const bool host = strcmp(argv[1], "host") == 0;
    const size_t n = parse(program, "N", argv[host ? 2 : 1], (size_t)1 << 32);
    const size_t runs = host ? 1 : parse(program, "RUNS", argv[2], MOST_RUNS);
    if (n == 0 || runs == 0)
        return 2;
    if (!host && step.reduce[DTYPE_F32][OP_SUM] == NULL) {
        fprintf(stderr, "skip %s: it has no f32 sum of a vector\n", program);
        return 0;
    }
    if (!host && !device_open(&device, &why)) {
        fprintf(stderr, "%s: no usable GPU: %s; DEVICE=cpu runs the emulator\n", program, why);
        return 77;
    }
    puts("program,set,n,result,exact,error,ulps,of_sum_abs,runs,distinct,alignments");
    for (int set = 0; set < SETS; set++) {
        series_t s = series_make((accuracy_set_t)set, n);
        if (host)
            print_host(&s);
        else
            print_step(program, &s, runs);
        free(s.x);
    }
    return 0;
}
