/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: bench - where the buffers that are checked and timed are, how many copies there are, and
 * the statistics of a list of times.
 * Run: $BUILD/unit/test_bench
 */
#include "bench.h"
#include "buffers.h"
#include "cases.h"
#include "test.h"

#include <stdint.h>

/* A device whose L2 holds 4000 bytes. */
static device_t device = {.resident_threads = 8192, .l2_bytes = 4000, .emulated = true};

/* What the step below received: the offsets of all its launches, and how its inputs moved. */
static struct {
    size_t launches, in_offset[MAX_INPUTS], out_offset; /* bytes off a 256-byte boundary */
    bool offsets_vary;
    uintptr_t lowest, highest; /* of the first input */
} seen;

/* What is wrong with `multiply`. */
static enum { NOTHING, SECOND_SLOT, INPUT_LATER } wrong;

static void see(const void *const *d_in, size_t inputs, const void *d_out)
{
    uintptr_t first = (uintptr_t)d_in[0];

    if (seen.launches++ == 0) {
        seen.lowest = seen.highest = first;
        seen.out_offset = (uintptr_t)d_out % 256;
        for (size_t i = 0; i < inputs; i++)
            seen.in_offset[i] = (uintptr_t)d_in[i] % 256;
    }
    seen.lowest = first < seen.lowest ? first : seen.lowest;
    seen.highest = first > seen.highest ? first : seen.highest;
    if ((uintptr_t)d_out % 256 != seen.out_offset)
        seen.offsets_vary = true;
    for (size_t i = 0; i < inputs; i++) {
        if ((uintptr_t)d_in[i] % 256 != seen.in_offset[i])
            seen.offsets_vary = true;
    }
}

static cudaError_t multiply(const void *const *d_in, void *d_out, size_t n, void *d_work,
                            size_t *work_bytes, cudaStream_t stream)
{
    (void)stream;
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    see(d_in, 2, d_out);
    for (size_t i = 0; i < n; i++)
        ((float *)d_out)[i] = ((const float *)d_in[0])[i] * ((const float *)d_in[1])[i];
    if (wrong == SECOND_SLOT && seen.highest > seen.lowest)
        ((float *)d_out)[0] += 1;
    if (wrong == INPUT_LATER && seen.launches > 2)
        ((float *)(uintptr_t)d_in[1])[0] += 1;
    return cudaSuccess;
}

static cudaError_t widen(const void *const *d_in, void *d_out, size_t n, void *d_work,
                         size_t *work_bytes, cudaStream_t stream)
{
    (void)stream;
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    see(d_in, 1, d_out);
    for (size_t i = 0; i < n; i++)
        dtype_store(DTYPE_F32, d_out, i, dtype_load(DTYPE_F16, d_in[0], i));
    return cudaSuccess;
}

static const step_t lesson = {
    .summary = "test",
    .map = {[DTYPE_F32] = {[MAP_MUL] = multiply}, [DTYPE_F16] = {[MAP_CAST] = widen}}};
static const problem_t MUL = {&lesson, KIND_MAP, DTYPE_F32, MAP_MUL};
static const problem_t CAST = {&lesson, KIND_MAP, DTYPE_F16, MAP_CAST};

static bench_status_t bench(bench_t *result, const problem_t *p, size_t n, const options_t *options)
{
    static FILE *nowhere;
    if (nowhere == NULL)
        nowhere = tmpfile();
    mismatches_t mismatches = {.step = "test",
                               .variant = "kernel",
                               .device = &device,
                               .stream = wrong == NOTHING ? stderr : nowhere};
    memset(&seen, 0, sizeof seen);
    return bench_run(result, p, (shape_t){1, n}, SET_UNIFORM, options, &mismatches);
}

TEST(buffers_are_aligned)
{
    bench_t b;
    CHECK(bench(&b, &MUL, 100, &(options_t){.reps = OPTIONS_MIN_REPS}) == BENCH_DONE);
    CHECK(seen.launches > OPTIONS_MIN_REPS && !seen.offsets_vary);
    CHECK(seen.in_offset[0] == 0 && seen.in_offset[1] == 0 && seen.out_offset == 0);
}

TEST(buffers_have_the_offset)
{
    bench_t b;
    CHECK(bench(&b, &MUL, 100, &(options_t){.reps = OPTIONS_MIN_REPS, .offset = 3}) == BENCH_DONE);
    CHECK(seen.in_offset[0] == 12 && seen.in_offset[1] == 12 && seen.out_offset == 12);
    CHECK(!seen.offsets_vary);
    CHECK(bench(&b, &CAST, 101, &(options_t){.reps = OPTIONS_MIN_REPS, .offset = 5}) == BENCH_DONE);
    CHECK(seen.in_offset[0] == 10 && seen.out_offset == 20 && !seen.offsets_vary);
    CHECK(bench(&b, &MUL, 64, &(options_t){.reps = OPTIONS_MIN_REPS, .offset = 64}) == BENCH_DONE);
    CHECK(seen.in_offset[0] == 0 && seen.out_offset == 0);
}

/* 300 f32 three times are 3600 bytes, 400 are 4800. */
TEST(warm_is_one_copy)
{
    options_t cold = {.reps = OPTIONS_MIN_REPS}, warm = {.reps = OPTIONS_MIN_REPS, .warm = true};
    bench_t b;

    CHECK(bench(&b, &MUL, 300, &cold) == BENCH_DONE && b.fits_l2 && !b.warm);
    CHECK(seen.highest - seen.lowest >= 3 * device.l2_bytes - 3600);
    CHECK(bench(&b, &MUL, 300, &warm) == BENCH_DONE && b.fits_l2 && b.warm);
    CHECK(seen.highest == seen.lowest);
    CHECK(bench(&b, &MUL, 400, &warm) == BENCH_DONE && !b.fits_l2 && !b.warm);
    CHECK(seen.highest > seen.lowest);
}

/* The first slot is right before the timing: the last one is checked, and the first one again. */
TEST(wrong_kernels_have_no_time)
{
    const options_t options = {.reps = OPTIONS_MIN_REPS};
    bench_t b;

    wrong = SECOND_SLOT;
    CHECK(bench(&b, &MUL, 300, &options) == BENCH_WRONG && seen.launches == 2);
    wrong = INPUT_LATER;
    CHECK(bench(&b, &MUL, 300, &options) == BENCH_WRONG && seen.launches > OPTIONS_MIN_REPS);
    wrong = NOTHING;
}

TEST(a_slot_holds_its_buffers)
{
    input_t input;
    arena_t arena;

    input_make(&input, &MUL, (shape_t){1, 64}, SET_UNIFORM, 1);
    CHECK(arena_open(&arena, &input, 0, 1) == cudaSuccess && arena.copies == 1);
    /* 65 floats take two lines of 256 bytes: three buffers, and the slot is even */
    CHECK(arena.in_bytes == 512 && arena.out_bytes == 512 && arena.stride == 1536);
    CHECK((unsigned char *)arena_output(&arena, 0) == arena.d_base + 1024 + sizeof(float));
    arena_close(&arena);
    CHECK(arena_open(&arena, &input, 1, 0) == cudaSuccess && arena.copies == 2);
    CHECK(arena.in_bytes == 256 && arena.stride == 1024);
    arena_close(&arena);
    input_free(&input);
}

/* Counters and profilers see one launch, on aligned memory unless an offset is given. */
TEST(once_is_one_launch)
{
    mismatches_t mismatches = {
        .step = "test", .variant = "kernel", .device = &device, .stream = stderr};
    input_t input;

    input_make(&input, &MUL, (shape_t){1, 1000}, SET_UNIFORM, 1);
    for (size_t offset = 0; offset < 2; offset++) {
        memset(&seen, 0, sizeof seen);
        CHECK(bench_once(&input, offset, &mismatches) == BENCH_DONE && mismatches.count == 0);
        CHECK(seen.launches == 1 && seen.in_offset[0] == 4 * offset);
        CHECK(seen.in_offset[1] == 4 * offset && seen.out_offset == 4 * offset);
    }
    input_free(&input);
}

TEST(checks_have_the_offset)
{
    const shape_t shapes[] = {{1, 7}, {1, 1000}};
    const size_t offset = 2;
    mismatches_t mismatches = {
        .step = "test", .variant = "kernel", .device = &device, .stream = stderr};

    memset(&seen, 0, sizeof seen);
    tally_t t = cases_run(&MUL, true, LEVEL_FULL, shapes, 2, &offset, 1, &mismatches);
    CHECK(t.failed == 0 && t.cases == seen.launches && t.cases >= 2);
    CHECK(seen.in_offset[0] == 8 && seen.in_offset[1] == 8 && seen.out_offset == 8);
    CHECK(!seen.offsets_vary);
    memset(&seen, 0, sizeof seen);
    t = cases_run(&MUL, true, LEVEL_FULL, shapes, 2, NULL, 1, &mismatches);
    CHECK(t.failed == 0 && seen.offsets_vary);
}

TEST(odd_and_even)
{
    double odd[] = {5, 1, 3}, even[] = {4, 1, 2, 3};
    stats_t s = stats_of(odd, 3);
    CHECK(s.median == 3 && s.min == 1 && s.p90 == 5);
    s = stats_of(even, 4);
    CHECK(s.median == 2.5 && s.min == 1 && s.p90 == 4);
}

TEST(percentile_is_the_nearest_rank)
{
    double samples[100];
    for (size_t count = 1; count <= 100; count++) {
        for (size_t i = 0; i < count; i++)
            samples[i] = (double)(i * 37 % count); /* 37 is prime: some order of 0 .. count-1 */
        for (size_t i = 0; i < count && count % 37 == 0; i++)
            samples[i] = (double)i;
        stats_t s = stats_of(samples, count);
        size_t not_above = (size_t)s.p90 + 1; /* samples 0 .. p90 */
        CHECK(10 * not_above >= 9 * count && 10 * (not_above - 1) < 9 * count);
        CHECK(s.min == 0 && s.median == (double)(count - 1) / 2);
    }
}

TEST(one_and_none)
{
    double sample = 7;
    stats_t s = stats_of(&sample, 1);
    CHECK(s.median == 7 && s.min == 7 && s.p90 == 7 && stats_spread(&s) == 0);
    s = stats_of(NULL, 0);
    CHECK(s.median == 0 && stats_spread(&s) == 0);
}

TEST(spread)
{
    stats_t s = {.median = 10, .min = 9, .p90 = 12};
    CHECK(stats_spread(&s) > 0.2999 && stats_spread(&s) < 0.3001);
}

int main(void)
{
    return test_all();
}
