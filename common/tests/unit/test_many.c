/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: many - slices, checks and the command line of 06_cub/many_gpus, on GPUs that the stub
 * makes up.
 * Run: $BUILD/unit/test_many
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "steps.h"
#define step steps_reduce
#include "../../../06_cub/many_gpus/many.c"
#include "test.h"

#include <math.h>
#include <stdlib.h>

/* What is wrong with the join below. */
static enum { JOIN_RIGHT, JOIN_LAST_LEFT_OUT, JOIN_FIRST_GPU_ALONE, JOIN_LOSES_NAN } join_fault;

static void join_on_host(const many_t *m)
{
    const int count = m->gpus - (join_fault == JOIN_LAST_LEFT_OUT);
    double all = m->op == OP_SUM ? 0 : dtype_lowest(m->type);

    for (int g = 0; g < count; g++) {
        const double part = dtype_load(m->type, m->gpu[g].d_part, 0);
        if (m->op == OP_SUM)
            all = m->type == DTYPE_I32 ? (int32_t)((uint32_t)(int32_t)all + (uint32_t)(int32_t)part)
                                       : all + part;
        else if (part > all || (isnan(part) && join_fault != JOIN_LOSES_NAN))
            all = part;
    }
    for (int g = 0; g < (join_fault == JOIN_FIRST_GPU_ALONE ? 1 : m->gpus); g++)
        dtype_store(m->type, m->gpu[g].d_out, 0, all);
}

static void sum_on_host(const many_t *m, size_t copy)
{
    for (int g = 0; g < m->gpus; g++)
        many_reduce(m, g, copy, m->gpu[g].d_part);
    join_on_host(m);
}

static const way_t ON_HOST = {.name = "host", .sum = sum_on_host, .join = join_on_host};

static int check(int gpus, dtype_t type, reduce_op_t op, size_t n, int fault)
{
    FILE *silence = tmpfile();
    run_t run = {.program = "test", .way = &ON_HOST, .devices = gpus, .gpus = gpus};
    const problem_t p = {&steps_reduce, KIND_REDUCE, type, (int)op};
    size_t cases = 0, wrong;

    run.device.resident_threads = 2048;
    run.mismatches = (mismatches_t){"many", "host", &run.device, silence, .count = 0};
    join_fault = fault;
    wrong = check_size(&run, &p, n, &cases);
    fclose(silence);
    return cases == 0 ? -1 : wrong > 0;
}

TEST(slices_cover_all)
{
    const problem_t p = {&steps_reduce, KIND_REDUCE, DTYPE_F32, OP_SUM};
    static const size_t sizes[] = {0, 1, 2, 3, 4, 10, 1025, 70001};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = 0, longest = 0, shortest = SIZE_MAX;
        const many_t m = many_alloc(&p, 3, sizes[i], 0);
        for (int g = 0; g < 3; g++) {
            n += m.gpu[g].n;
            longest = m.gpu[g].n > longest ? m.gpu[g].n : longest;
            shortest = m.gpu[g].n < shortest ? m.gpu[g].n : shortest;
        }
        many_free(&m);
        CHECK(n == sizes[i] && longest - shortest <= 1);
    }
}

TEST(copies_are_larger_than_a_cache)
{
    const problem_t p = {&steps_reduce, KIND_REDUCE, DTYPE_F32, OP_SUM};
    static const size_t sizes[] = {1, 1000, 100000, 1000000};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const many_t m = many_alloc(&p, 2, sizes[i], 1 << 20);
        CHECK(m.stride * m.copies >= 1 << 20 && m.copies <= BATCH && m.stride % 256 == 0);
        CHECK(m.stride >= m.gpu[0].n * sizeof(float));
        many_free(&m);
    }
}

TEST(right_joins_pass)
{
    static const size_t sizes[] = {0, 1, 2, 3, 1025};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int gpus = 1; gpus <= 4; gpus++) {
            CHECK(check(gpus, DTYPE_F32, OP_SUM, sizes[i], JOIN_RIGHT) == 0);
            CHECK(check(gpus, DTYPE_F32, OP_MAX, sizes[i], JOIN_RIGHT) == 0);
            CHECK(check(gpus, DTYPE_I32, OP_SUM, sizes[i], JOIN_RIGHT) == 0);
        }
    }
    CHECK(check(3, DTYPE_I32, OP_MAX, DATA_TILE + 5, JOIN_RIGHT) == 0); /* patches in slices */
}

TEST(wrong_joins_are_found)
{
    CHECK(check(3, DTYPE_F32, OP_SUM, 1025, JOIN_LAST_LEFT_OUT) == 1);
    CHECK(check(3, DTYPE_I32, OP_MAX, 3, JOIN_LAST_LEFT_OUT) == 1);
    CHECK(check(2, DTYPE_F32, OP_SUM, 1025, JOIN_FIRST_GPU_ALONE) == 1);
    CHECK(check(2, DTYPE_F32, OP_SUM, 0, JOIN_FIRST_GPU_ALONE) == 1);
    CHECK(check(2, DTYPE_F32, OP_MAX, 1025, JOIN_LOSES_NAN) == 1);
}

/* The stub has 1 GiB for all its GPUs. */
TEST(sizes_too_large_are_refused)
{
    const problem_t p = {&steps_reduce, KIND_REDUCE, DTYPE_F32, OP_SUM};
    run_t run = {.program = "test", .way = &ON_HOST, .devices = 4, .gpus = 4};

    run.options.shape_count = 1;
    run.options.shapes[0] = (shape_t){1, (size_t)1 << 40};
    CHECK(check_pair(&run, &p) == EXIT_WRONG);
    CHECK(bench_size(&run, &p, (size_t)1 << 40) == EXIT_WRONG);
    CHECK(slices_fit(&run, &p, 1000));
}

static char message[OPTIONS_MESSAGE];

/* The number of GPUs that these words ask for, if there are three; 0 if they are refused. */
static int gpus_of(const char *first, const char *second)
{
    char program[] = "many", words[2][24] = {"", ""};
    char *argv[] = {program, words[0], words[1], NULL};
    int argc = 1 + (first != NULL) + (second != NULL);
    run_t run = {.program = "many", .devices = 3};

    strncpy(words[0], first != NULL ? first : "", sizeof words[0] - 1);
    strncpy(words[1], second != NULL ? second : "", sizeof words[1] - 1);
    const char *value = take_gpus(&argc, argv);
    CHECK(argc == 1);
    return read_gpus(&run, value, message) ? run.gpus : 0;
}

TEST(numbers_of_gpus_are_read)
{
    static const char *const refused[] = {"0", "4",  "-1",  "x",
                                          "",  "2x", "1.5", "99999999999999999999"};

    CHECK(gpus_of(NULL, NULL) == 3);
    CHECK(gpus_of("-g", "1") == 1 && gpus_of("-g2", NULL) == 2);
    CHECK(gpus_of("--gpus", "3") == 3 && gpus_of("--gpus=2", NULL) == 2);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(gpus_of("-g", refused[i]) == 0);
    CHECK(gpus_of("-g", NULL) == 0 && gpus_of("--gpus=", NULL) == 0);
    CHECK(gpus_of("-g", "4") == 0);
    CHECK(strcmp(message, "-g: '4': of GPUs this machine has 3; give a whole number, 1 to 3") == 0);
}

/* Everything but -g stays, in its order. */
TEST(other_options_stay)
{
    char words[][8] = {"many", "-n", "5", "-g", "2", "-t", "i32"};
    char *argv[8] = {0};
    int argc = 7;

    for (int i = 0; i < argc; i++)
        argv[i] = words[i];
    CHECK(strcmp(take_gpus(&argc, argv), "2") == 0 && argc == 5);
    CHECK(strcmp(argv[2], "5") == 0 && strcmp(argv[3], "-t") == 0 && strcmp(argv[4], "i32") == 0);
}

int main(void)
{
    setenv("STUB_DEVICES", "4", 1);
    return test_all();
}
