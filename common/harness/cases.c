/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* isatty, fileno */
#include "cases.h"

#include <stdlib.h>
#include <unistd.h>

enum { SHAPES_MAX = 192 };

/* ---- sizes ---- */

/* Nothing, one, around a warp and a block, primes, and remainders of packs of 4. */
static const size_t QUICK[] = {0, 1, 33, 256, 1025, 4099};
/* The bytes of these are several times what FEW_SMS hold at once with 16 bytes a thread. */
enum { FEW_SMS = 2, FEW_BYTES_QUICK = 70000, FEW_BYTES = 300000 };
static const size_t SMALL[] = {0,    1,    2,    7,    31,   32,   33,   127,  255,
                               256,  257,  511,  1023, 1024, 1025, 2047, 2048, 2049,
                               4095, 4096, 4097, 4098, 4099, 5003, 8191, 8193, 16384};
static const size_t GPU[] = {65537, 1111111, 1000003}; /* the last one for the lead only */

static const shape_t QUICK_ROWS[] = {{1, 1}, {7, 30}, {25, 255}, {5, 0}, {0, 5}};
/*
 * 32769: one more than any tile of 2^k holds, so the last tile has one element. 140001: more than
 * 256 KiB in f16 too, for kernels that split long rows into pieces; not a multiple of a pack.
 */
static const shape_t SMALL_ROWS[] = {
    {1, 1},   {7, 30},   {15, 100}, {25, 255}, {3, 33},   {5, 0},     {0, 5},
    {300, 7}, {1, 1025}, {2, 4099}, {33, 1},   {4, 1024}, {64, 31},   {128, 256},
    {9, 513}, {8, 127},  {16, 40},  {24, 66},  {0, 5000}, {1, 32769}, {1, 140001}};
/* More rows than FEW_SMS take at once, as warps and as blocks. */
static const shape_t FEW_ROWS[] = {{140, 5}, {19, 1025}};
/* Long rows: one that fits the registers of a block, one a little longer than 1024 threads hold
 * with 32 elements each, and one of 1 MB in f32. */
static const shape_t LONG_ROWS[] = {{2, 8192}, {1, 32776}, {1, 250007}};
/* More rows than the warps of a whole GPU take at once, and than its blocks do. */
static const shape_t MANY_ROWS[] = {{9001, 3}, {1060, 1025}};
/* Many rows, of a length that divides the tile of a large input, or else the host needs seconds. */
static const shape_t GPU_ROWS[] = {
    {3001, 5000}, {65541, 8192}, {1000003, 32}, {3, 600011}, {3, (size_t)1 << 22}};
/* More than 2^31 rows; then the last row begins 2^32 elements after the first. */
static const shape_t BEYOND_ROWS[] = {{((size_t)1 << 31) + 3, 1}, {((size_t)1 << 22) + 1, 1024}};

/* Columns get these matrices and, except for the largest, the transposed ones. */
static const shape_t SMALL_COLUMNS[] = {{150, 33}, {8, 96}, {65541, 3}, {3, 70001}};
static const shape_t FEW_COLUMNS[] = {{3, 9001}, {9001, 3}, {1025, 19}};
static const shape_t GPU_COLUMNS[] = {{4096, 4096}, {1000003, 32}, {32, 1000003}};
/* More than 2^31 columns; then the last row begins 2^32 elements after the first. */
static const shape_t BEYOND_COLUMNS[] = {
    {1, ((size_t)1 << 31) + 3}, {((size_t)1 << 22) + 1, 1024}, {33, ((size_t)1 << 27) + 1}};

/*
 * Of these the emulator tries only the launches: more elements than 2^31 and than 2^32; more long
 * rows than a grid has blocks in y or z; a last row that begins 2^32 elements after the first.
 */
static const size_t UNRUN[] = {((size_t)1 << 31) + 3, ((size_t)1 << 32) + 3, (size_t)1 << 35};
static const shape_t UNRUN_ROWS[] = {{65541, 5000}, {((size_t)1 << 22) + 1, 1024}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct {
    shape_t shapes[SHAPES_MAX];
    size_t count;
    size_t few;   /* from here on the emulator shows FEW_SMS */
    size_t unrun; /* and of these it runs nothing */
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

static void add_transposed(list_t *list, const shape_t *shapes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list->shapes[list->count++] = (shape_t){shapes[i].cols, shapes[i].rows};
}

/* 2^k - 1, 2^k, 2^k + 1 for k = first, first + stride, ... up to last. */
static void add_powers(list_t *list, int first, int last, int stride)
{
    for (int k = first; k <= last; k += stride) {
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
    } else {
        add_rows(list, SMALL_ROWS, COUNT(SMALL_ROWS));
        add_rows(list, LONG_ROWS, lead ? COUNT(LONG_ROWS) : 0);
        add_rows(list, MANY_ROWS, lead ? COUNT(MANY_ROWS) : 0);
        add_rows(list, GPU_ROWS, lead && !emulated ? COUNT(GPU_ROWS) : 0);
        add_rows(list, BEYOND_ROWS, second && !emulated ? COUNT(BEYOND_ROWS) : 0);
    }
    list->few = list->count;
    add_rows(list, FEW_ROWS, emulated ? (level == LEVEL_QUICK ? 1 : COUNT(FEW_ROWS)) : 0);
    list->unrun = list->count;
    add_rows(list, UNRUN_ROWS, emulated ? COUNT(UNRUN_ROWS) : 0);
}

static void list_columns(list_t *list, bool lead, bool second, level_t level, bool emulated)
{
    if (level == LEVEL_QUICK) {
        add_transposed(list, QUICK_ROWS, COUNT(QUICK_ROWS));
        add_rows(list, SMALL_COLUMNS, 2);
    } else {
        add_transposed(list, SMALL_ROWS, COUNT(SMALL_ROWS));
        add_rows(list, SMALL_COLUMNS, lead || second || !emulated ? COUNT(SMALL_COLUMNS) : 2);
        add_transposed(list, LONG_ROWS, lead ? COUNT(LONG_ROWS) : 0);
        add_transposed(list, MANY_ROWS, lead ? COUNT(MANY_ROWS) : 0);
        add_rows(list, GPU_COLUMNS, lead && !emulated ? COUNT(GPU_COLUMNS) : 0);
        add_rows(list, BEYOND_COLUMNS, second && !emulated ? COUNT(BEYOND_COLUMNS) : 0);
    }
    list->few = list->count;
    add_rows(list, FEW_COLUMNS, emulated ? (level == LEVEL_QUICK ? 1 : COUNT(FEW_COLUMNS)) : 0);
    list->unrun = list->count;
    add_rows(list, UNRUN_ROWS, emulated ? COUNT(UNRUN_ROWS) : 0);
    add_transposed(list, UNRUN_ROWS, emulated ? COUNT(UNRUN_ROWS) : 0);
}

/* An odd number of elements, about FEW_BYTES of them. */
static void list_emulated(list_t *list, const problem_t *problem, bool lead, level_t level)
{
    const size_t large = 65537, larger = 1111111;
    const size_t few = (level == LEVEL_QUICK ? FEW_BYTES_QUICK : FEW_BYTES) | 1;
    const size_t few_n = few / dtype_size(problem->type) | 1;

    if (level == LEVEL_FULL) {
        add_sizes(list, &large, lead || is_second(problem));
        add_sizes(list, &larger, lead);
    }
    list->few = list->count;
    add_sizes(list, &few_n, 1);
    list->unrun = list->count;
    add_sizes(list, UNRUN, COUNT(UNRUN));
}

static void list_gpu(list_t *list, const problem_t *problem, bool lead)
{
    const size_t beyond_31 = ((size_t)1 << 31) + 3, beyond_32 = ((size_t)1 << 32) + 3;
    const bool second = is_second(problem), reduce = problem->kind == KIND_REDUCE;

    add_sizes(list, GPU, COUNT(GPU) - !lead);
    add_powers(list, 13, lead ? 19 : 17, lead ? 1 : 4);
    add_powers(list, 20, lead ? 26 : 0, 2);
    add_sizes(list, &beyond_31, lead || (second && reduce));
    add_sizes(list, &beyond_32, reduce ? lead : second && problem->op == 0);
    list->few = list->unrun = list->count;
}

/*
 * The sizes of a level. Small ones are for every problem. Larger ones are for the GPU only, or, if
 * the emulator would take seconds, for the step's first pair only.
 */
static list_t list_shapes(const problem_t *problem, bool lead, level_t level, bool emulated)
{
    list_t list = {.count = 0};

    if (problem->kind == KIND_COLUMNS) {
        list_columns(&list, lead, is_second(problem), level, emulated);
    } else if (problem_has_rows(problem->kind)) {
        list_rows(&list, lead, is_second(problem), level, emulated);
    } else {
        if (level == LEVEL_QUICK)
            add_sizes(&list, QUICK, COUNT(QUICK));
        else
            add_sizes(&list, SMALL, COUNT(SMALL));
        if (emulated)
            list_emulated(&list, problem, lead, level);
        else if (level == LEVEL_FULL)
            list_gpu(&list, problem, lead);
        else
            list.few = list.unrun = list.count;
    }
    return list;
}

/* The state of cases_run(). */
typedef struct {
    const problem_t *problem;
    bool lead; /* the step's first pair */
    level_t level;
    const size_t *offset; /* of all buffers, or NULL */
    uint64_t seed;
    mismatches_t *mismatches;
    int sms;    /* that the emulator shows; 0: all */
    bool given; /* the shapes were given: one run per case, so that launches can be counted */
    tally_t tally;
    size_t turn; /* increases with every case, see place() */
    leftover_t left;
} runner_t;

/* ---- data sets ---- */

enum { ALL_SETS = 1025, ALL_SETS_GPU = 1 << 13, TWO_SETS = 1 << 20, ONE_SET = 1 << 27 };
enum { ONE_SET_ROWS = 4096 }; /* the emulator runs a warp or a block per element: one set */

static size_t map_sets(const problem_t *problem, set_t *sets)
{
    sets[0] = SET_MIXED;
    sets[1] = SET_BITS;
    return problem->type == DTYPE_F16 || problem->type == DTYPE_U8 ? 2 : 1;
}

/* The most demanding ones: first what is exact, then what operators are known to get wrong. */
static size_t main_sets(const problem_t *problem, set_t *sets)
{
    static const set_t second[] = {SET_UNIFORM, SET_NEGATIVE, SET_POSITIVE, SET_UNIFORM};
    _Static_assert(COUNT(second) == REDUCE_OPS, "a set for each reduce_op_t");

    sets[0] = SET_INTEGERS;
    sets[1] =
        problem->type == DTYPE_I32 && problem->op == OP_SUM ? SET_CANCEL : second[problem->op];
    return 2;
}

/*
 * The last of the special sets. A GPU's atomicAdd() of f32 in global memory treats subnormal
 * numbers as 0 (PTX ISA, `red`), so a right sum may do so.
 */
static int last_special(const runner_t *r)
{
    if (r->problem->op == OP_PROD)
        return SET_UNDERFLOW;
    return r->problem->op == OP_SUM && !r->mismatches->device->emulated ? SET_MINUS_ZERO
                                                                        : SET_SUBNORMAL;
}

/* One of the special sets; another one at the next size. */
static set_t special_set(const runner_t *r)
{
    const int specials = last_special(r) - SET_NAN_FIRST + 1;
    return (set_t)(SET_NAN_FIRST + (int)r->tally.sizes % specials);
}

/*
 * Whether n elements are tried with every data set: the step's first pair if n is small; other
 * pairs with no element, one, and a size just below a block; on a GPU also one of several blocks.
 * At all other sizes the special sets take turns.
 */
static bool meets_all_sets(const runner_t *r, size_t n)
{
    const bool emulated = r->mismatches->device->emulated;

    if (r->lead)
        return n <= (emulated ? ALL_SETS : ALL_SETS_GPU);
    return n <= 1 || (n > 200 && n < 256) || (!emulated && n == ALL_SETS_GPU);
}

/* The data sets of a reduction of n elements: fewer for large n, because each takes time. */
static size_t reduce_sets(const runner_t *r, size_t n, set_t *sets)
{
    const bool floats = dtype_is_float(r->problem->type);
    size_t count = main_sets(r->problem, sets);

    if (n > ONE_SET)
        return 1;
    if (r->mismatches->device->emulated && n > 65536)
        return count;
    if (r->level == LEVEL_FULL && meets_all_sets(r, n)) {
        count = 0;
        for (int set = SET_INTEGERS; set <= (floats ? last_special(r) : SET_CANCEL); set++)
            sets[count++] = (set_t)set;
    } else if (floats && (n <= TWO_SETS || r->turn % 2 == 1)) {
        count = n <= TWO_SETS ? count : 1;
        sets[count++] = special_set(r);
    }
    return count;
}

/* The data sets of a softmax. Its reference costs two exponentials an element. */
static size_t softmax_sets(const runner_t *r, size_t n, set_t *sets)
{
    const int specials = SET_ALL_INF - SET_NAN_FIRST + 1;
    size_t count = 0;

    for (int set = SET_SPREAD; set <= SET_GAPS; set++)
        sets[count++] = (set_t)set;
    if (n > TWO_SETS)
        return 1;
    if (r->level == LEVEL_QUICK || !meets_all_sets(r, n)) { /* the next size has another one */
        sets[count++] = (set_t)(SET_NAN_FIRST + (int)r->tally.sizes % specials);
        return count;
    }
    for (int set = SET_NAN_FIRST; set <= SET_ALL_INF; set++)
        sets[count++] = (set_t)set;
    return count;
}

/* The data sets of any problem. */
static size_t choose_sets(const runner_t *r, shape_t shape, set_t *sets)
{
    const size_t n = problem_n(shape);
    size_t count;

    switch (r->problem->kind) {
    case KIND_MAP:
        count = map_sets(r->problem, sets);
        break;
    case KIND_SOFTMAX:
        count = softmax_sets(r, n, sets);
        break;
    default:
        count = reduce_sets(r, n, sets);
    }
    const size_t results = r->problem->kind == KIND_COLUMNS ? shape.cols : shape.rows;
    if (r->sms > 0 && !(r->lead && r->level == LEVEL_FULL))
        return 1;
    if (shape.rows == 1 && shape.cols == 32769 && dtype_is_float(r->problem->type)) {
        sets[1] = SET_ALL_INF; /* a long row without any number */
        return 2;
    }
    return r->problem->kind != KIND_MAP && r->mismatches->device->emulated && results > ONE_SET_ROWS
               ? 1
               : count;
}

/* ---- alignments ---- */

/*
 * Elements off a 256-byte boundary: 0 to 3, for f16 to 7, for u8 to 15, that is every position
 * within 16 bytes; in every fourth round 16 bytes more, for wider packs. In every second case all
 * buffers have the same offset, else each has its own: packs of all buffers are then never aligned
 * together. The very first input is aligned, for profilers. A given offset applies to all buffers
 * in all cases. The scratch is as large as the step asks for, or an odd number of bytes larger.
 */
enum { SPARE_BYTES = 77 };

static case_t place(runner_t *r, const input_t *input, bool equal)
{
    const size_t size = dtype_size(input->problem.type), places = size < 4 ? 16 / size : 4;
    const size_t further = r->turn / places % 4 == 3 ? 16 / size : 0;
    case_t test = {.input = input,
                   .out_offset = (r->turn + (equal ? 0 : MAX_INPUTS)) % places + further,
                   .spare_bytes = r->turn / 2 % 2 == 1 ? SPARE_BYTES : 0,
                   .sms = r->sms,
                   .left = &r->left};

    for (size_t i = 0; i < MAX_INPUTS; i++)
        test.in_offset[i] = (r->turn + (equal ? 0 : i)) % places + further;
    if (r->offset != NULL) {
        test.out_offset = *r->offset;
        for (size_t i = 0; i < MAX_INPUTS; i++)
            test.in_offset[i] = *r->offset;
    }
    return test;
}

/* ---- runs ---- */

static void run_case(runner_t *r, const case_t *test, known_t *known)
{
    verdict_t verdict = check_case(test, r->mismatches, known, NULL);

    r->turn++;
    if (verdict == CHECK_UNSUPPORTED && r->tally.cases == 0) {
        r->tally.unsupported = true;
        return;
    }
    if (verdict == CHECK_UNSUPPORTED) {
        mismatches_add(r->mismatches, test->input, test->in_offset[0],
                       "returned cudaErrorNotSupported after it had run %zu cases:\n"
                       "a type and operator must be supported for all sizes, or for none",
                       r->tally.cases);
        verdict = CHECK_WRONG;
    }
    r->tally.cases++;
    r->tally.failed += verdict == CHECK_WRONG;
}

enum { AGAIN_MOST = 1 << 17 }; /* elements with which a case runs more than once */

static void run_shape(runner_t *r, shape_t shape)
{
    const bool packs_go_out = r->problem->kind == KIND_MAP || r->problem->kind == KIND_SOFTMAX;
    set_t sets[SET_COUNT];
    size_t count = choose_sets(r, shape, sets), first = r->turn;

    if (check_bytes(r->problem, shape) > device_free_bytes() / 10 * 9) {
        r->tally.too_large++;
        return;
    }
    for (size_t s = 0; s < count && !r->tally.unsupported; s++) {
        const again_t again = s % 2 == 1                          ? AGAIN_RANDOM
                              : (s / 2 + r->tally.sizes) % 2 == 0 ? AGAIN_GRAPH
                                                                  : AGAIN_LEFT;
        input_t input;
        input_make(&input, r->problem, shape, sets[s], r->seed + r->turn);
        known_t known = {0};
        case_t test = place(r, &input, packs_go_out);
        test.again = problem_n(shape) <= AGAIN_MOST && !r->given ? again : AGAIN_NOT;
        run_case(r, &test, packs_go_out ? &known : NULL);
        if (packs_go_out && problem_n(shape) <= ONE_SET && r->offset == NULL && r->sms == 0) {
            test = place(r, &input, false);
            run_case(r, &test, &known);
        }
        free(known.h_out);
        input_free(&input);
    }
    r->tally.sizes++;
    /* An odd number of turns per size: alignments repeat in powers of two, so each data set meets
     * all of them. */
    r->turn = first + ((r->turn - first) | 1);
}

/* A line on stderr that overwrites itself, if that is a terminal; done = all erases it. */
static void show_progress(const problem_t *p, size_t done, size_t all)
{
    if (!isatty(fileno(stderr)))
        return;
    if (done < all)
        fprintf(stderr, "\r%s %s: %zu of %zu ", dtype_name(p->type),
                problem_op_name(p->kind, p->op), done, all);
    else
        fprintf(stderr, "\r%40s\r", "");
}

tally_t cases_run(const problem_t *problem, bool lead, level_t level, const shape_t *given,
                  size_t count, const size_t *offset, uint64_t seed, mismatches_t *mismatches)
{
    runner_t r = {.problem = problem,
                  .lead = lead,
                  .level = level,
                  .offset = offset,
                  .given = count > 0,
                  .seed = seed,
                  .mismatches = mismatches};
    list_t list = {.count = 0};

    if (count == 0)
        list = list_shapes(problem, lead, level, mismatches->device->emulated);
    else
        add_rows(&list, given, count);
    for (size_t i = 0; i < list.count && !r.tally.unsupported; i++) {
        show_progress(problem, i, list.count);
        r.sms = count == 0 && i >= list.few ? FEW_SMS : 0;
        if (count > 0 || i < list.unrun)
            run_shape(&r, list.shapes[i]);
        else if (r.tally.failed == 0)
            r.tally.failed += check_launches(problem, list.shapes[i], mismatches) == CHECK_WRONG;
    }
    show_progress(problem, list.count, list.count);
    free(r.left.bytes);
    return r.tally;
}
