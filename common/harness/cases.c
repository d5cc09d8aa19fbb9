/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include "dtype.h"
#include "progress.h"
#include "shapes.h"

#include <stdlib.h>

enum { ALL_SETS = 1025, ALL_SETS_GPU = 1 << 13, TWO_SETS = 1 << 20, ONE_SET = 1 << 27 };
enum { MANY_ROWS = 4096 }; /* the emulator runs a warp or a block for each: one set */

/* The state of cases_run(). */
typedef struct {
    const problem_t *problem;
    bool lead; /* the step's first pair */
    level_t level;
    const size_t *offset; /* of all buffers, or NULL */
    uint64_t seed;
    faults_t *faults;
    tally_t tally;
    size_t turn; /* goes up with every case and every size: alignments come round */
} runner_t;

/* ---- data sets ---- */

static size_t map_sets(const problem_t *problem, set_t *sets)
{
    sets[0] = SET_MIXED;
    sets[1] = SET_BITS;
    return problem->type == DTYPE_F16 ? 2 : 1;
}

/* Those that ask most of the operator: first what is exact, then what it is known to get wrong. */
static size_t main_sets(const problem_t *problem, set_t *sets)
{
    static const set_t second[REDUCE_OPS] = {SET_UNIFORM, SET_NEGATIVE, SET_POSITIVE};

    sets[0] = SET_INTEGERS;
    sets[1] =
        problem->type == DTYPE_I32 && problem->op == OP_SUM ? SET_CANCEL : second[problem->op];
    return 2;
}

/* One of the special sets; another one at the next size. */
static set_t special_set(const runner_t *r)
{
    return (set_t)(SET_NAN_FIRST + r->turn % (SET_MINUS_ZERO - SET_NAN_FIRST + 1));
}

/*
 * Whether n elements are tried with every data set. In the emulator the step's first pair is, where
 * n is small; of the other pairs no element, one, and a size just below a block. At all other sizes
 * the special sets take turns.
 */
static bool meets_all_sets(const runner_t *r, size_t n)
{
    if (!r->faults->device->emulated)
        return n <= ALL_SETS_GPU;
    return r->lead ? n <= ALL_SETS : n <= 1 || (n > 200 && n < 256);
}

/* The data sets of a reduction of n elements: fewer for large n, where each costs time. */
static size_t reduce_sets(const runner_t *r, size_t n, set_t *sets)
{
    const bool floats = dtype_is_float(r->problem->type);
    size_t count = main_sets(r->problem, sets);

    if (n > ONE_SET || (r->faults->device->emulated && n > 65537))
        return 1;
    if (r->level == LEVEL_FULL && meets_all_sets(r, n)) {
        count = 0;
        for (int set = SET_INTEGERS; set <= (floats ? SET_MINUS_ZERO : SET_CANCEL); set++)
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
    const int specials = SET_BOTH_INF - SET_NAN_FIRST + 1;
    size_t count = 0;

    for (int set = SET_SPREAD; set <= SET_GAPS; set++)
        sets[count++] = (set_t)set;
    if (n > TWO_SETS)
        return 1;
    if (r->level == LEVEL_QUICK || !meets_all_sets(r, n)) { /* the next size has another one */
        sets[count++] = (set_t)(SET_NAN_FIRST + (int)r->tally.sizes % specials);
        return count;
    }
    for (int set = SET_NAN_FIRST; set <= SET_BOTH_INF; set++)
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
        return map_sets(r->problem, sets);
    case KIND_SOFTMAX:
        count = softmax_sets(r, n, sets);
        break;
    default:
        count = reduce_sets(r, n, sets);
    }
    return r->faults->device->emulated && shape.rows > MANY_ROWS ? 1 : count;
}

/* ---- alignments ---- */

/*
 * Elements off a 256-byte boundary: 0 to 3, for f16 0 to 7, so that every place within 16 bytes is
 * met. In every second case all buffers have the same offset, else each has its own: packs of all
 * buffers are then never aligned together. The very first input is aligned: profilers look at it.
 * An offset that was asked for is that of all buffers in all cases.
 */
static case_t place(const runner_t *r, const input_t *input, bool equal)
{
    size_t places = input->problem.type == DTYPE_F16 ? 8 : 4;
    case_t test = {.input = input, .out_offset = (r->turn + (equal ? 0 : MAX_INPUTS)) % places};

    for (size_t i = 0; i < MAX_INPUTS; i++)
        test.in_offset[i] = (r->turn + (equal ? 0 : i)) % places;
    if (r->offset != NULL) {
        test.out_offset = *r->offset;
        for (size_t i = 0; i < MAX_INPUTS; i++)
            test.in_offset[i] = *r->offset;
    }
    return test;
}

/* ---- runs ---- */

static void run_case(runner_t *r, const case_t *test)
{
    verdict_t verdict = check_case(test, r->faults, NULL);

    r->turn++;
    if (verdict == CHECK_UNSUPPORTED) {
        r->tally.unsupported = true;
        return;
    }
    r->tally.cases++;
    r->tally.failed += verdict == CHECK_WRONG;
}

static void run_shape(runner_t *r, shape_t shape)
{
    const bool packs_go_out = r->problem->kind == KIND_MAP || r->problem->kind == KIND_SOFTMAX;
    set_t sets[SET_COUNT];
    size_t count = choose_sets(r, shape, sets);

    if (check_bytes(r->problem, shape) > device_free_bytes() / 10 * 9) {
        r->tally.too_large++;
        return;
    }
    for (size_t s = 0; s < count && !r->tally.unsupported; s++) {
        input_t input;
        input_make(&input, r->problem, shape, sets[s], r->seed + r->turn);
        case_t test = place(r, &input, packs_go_out);
        run_case(r, &test);
        if (packs_go_out && problem_n(shape) <= ONE_SET && r->offset == NULL) {
            test = place(r, &input, false);
            run_case(r, &test);
        }
        input_free(&input);
    }
    r->tally.sizes++;
    r->turn++;
}

tally_t cases_run(const problem_t *problem, bool lead, level_t level, const shape_t *given,
                  size_t count, const size_t *offset, uint64_t seed, faults_t *faults)
{
    runner_t r = {.problem = problem,
                  .lead = lead,
                  .level = level,
                  .offset = offset,
                  .seed = seed,
                  .faults = faults};
    shape_t shapes[SHAPES_MAX];

    if (count == 0) {
        count = shapes_list(problem, lead, level, faults->device->emulated, shapes);
        given = shapes;
    }
    for (size_t i = 0; i < count && !r.tally.unsupported; i++) {
        progress_show(dtype_name(problem->type), problem_op_name(problem->kind, problem->op), i,
                      count);
        run_shape(&r, given[i]);
    }
    progress_clear();
    return r.tally;
}
