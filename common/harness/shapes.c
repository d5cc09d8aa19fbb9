/* SPDX-License-Identifier: MIT */
#include "shapes.h"

/* Nothing, one, around a warp and a block, primes, and what is left over from packs of 4. */
static const size_t QUICK[] = {0, 1, 33, 256, 1025, 4099};
static const size_t SMALL[] = {0,    1,    2,    7,    31,   32,   33,   127,  255,
                               256,  257,  511,  1023, 1024, 1025, 2047, 2048, 2049,
                               4095, 4096, 4097, 4098, 4099, 5003, 8191, 8193, 16384};
static const size_t GPU[] = {65537, 1000003, 1111111};

static const shape_t QUICK_ROWS[] = {{1, 1}, {7, 30}, {25, 255}, {5, 0}, {0, 5}};
static const shape_t SMALL_ROWS[] = {{1, 1},  {7, 30},   {15, 100}, {25, 255},  {3, 33},
                                     {5, 0},  {0, 5},    {300, 7},  {1, 1025},  {2, 4099},
                                     {33, 1}, {4, 1024}, {64, 31},  {128, 256}, {9, 513}};
/* Long rows: one that fits the registers of a block, one a little longer than 1024 threads hold
 * with 32 elements each, one far longer that is no multiple of a pack. */
static const shape_t LONG_ROWS[] = {{2, 8192}, {1, 32776}, {1, 70001}};
/* More rows than the warps of a whole GPU take at once, and than its blocks do. */
static const shape_t MANY_ROWS[] = {{9001, 3}, {1060, 1025}};
static const shape_t GPU_ROWS[] = {{4096, 4096}, {1000003, 32}, {3, (size_t)1 << 24}};
/* More than 2^31 rows; then the last row begins 2^32 elements after the first. */
static const shape_t BEYOND_ROWS[] = {{((size_t)1 << 31) + 3, 1}, {((size_t)1 << 22) + 1, 1024}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct {
    shape_t *shapes;
    size_t count;
} list_t;

static void add_sizes(list_t *list, const size_t *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list->shapes[list->count++] = (shape_t){1, sizes[i]};
}

static void add_rows(list_t *list, const shape_t *shapes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list->shapes[list->count++] = shapes[i];
}

/* 2^k - 1, 2^k, 2^k + 1 for first <= k <= last. */
static void add_powers(list_t *list, int first, int last)
{
    for (int k = first; k <= last; k++) {
        const size_t power = (size_t)1 << k, sizes[] = {power - 1, power, power + 1};
        add_sizes(list, sizes, COUNT(sizes));
    }
}

/* The pair that gets the second set of large sizes: another type, another operator. */
static bool is_second(const problem_t *problem)
{
    if (problem->kind == KIND_MAP) /* 65537 elements hold every pattern of f16 */
        return problem->type == DTYPE_F16;
    if (problem_has_rows(problem->kind)) /* half as many bytes as f32 */
        return problem->type == DTYPE_F16 && problem->op == 0;
    return problem->type == DTYPE_I32 && problem->op == OP_MAX;
}

static void list_rows(list_t *list, bool lead, bool second, level_t level, bool emulated)
{
    if (level == LEVEL_QUICK) {
        add_rows(list, QUICK_ROWS, COUNT(QUICK_ROWS));
        return;
    }
    add_rows(list, SMALL_ROWS, COUNT(SMALL_ROWS));
    add_rows(list, LONG_ROWS, lead ? COUNT(LONG_ROWS) : 0);
    add_rows(list, MANY_ROWS, lead ? COUNT(MANY_ROWS) : 0);
    add_rows(list, GPU_ROWS, lead && !emulated ? COUNT(GPU_ROWS) : 0);
    add_rows(list, BEYOND_ROWS, second && !emulated ? COUNT(BEYOND_ROWS) : 0);
}

size_t shapes_list(const problem_t *problem, bool lead, level_t level, bool emulated,
                   shape_t *shapes)
{
    const size_t large = 65537, larger = 1111111, beyond = ((size_t)1 << 31) + 3;
    bool second = is_second(problem);
    list_t list = {shapes, 0};

    if (problem_has_rows(problem->kind)) {
        list_rows(&list, lead, second, level, emulated);
        return list.count;
    }
    if (level == LEVEL_QUICK) {
        add_sizes(&list, QUICK, COUNT(QUICK));
        return list.count;
    }
    add_sizes(&list, SMALL, COUNT(SMALL));
    if (emulated) {
        add_sizes(&list, &large, lead || second);
        add_sizes(&list, &larger, lead);
        return list.count;
    }
    add_sizes(&list, GPU, COUNT(GPU));
    add_powers(&list, 10, lead ? 26 : 17);
    add_sizes(&list, &beyond, lead || (second && problem->kind == KIND_REDUCE));
    return list.count;
}
