/* SPDX-License-Identifier: MIT */
#include "explain.h"

#include "buffers.h"
#include "explain_map.h"
#include "explain_reduce.h"
#include "size.h"

#include <stdlib.h>

enum { MOST_ELEMENTS = 1 << 22 };

#define say(log, test, ...) mismatches_cause(log, (test)->input, NO_PLACE, __VA_ARGS__)

/* "rows 4 to 6", "the last 3 elements": outputs first .. last of n, in the words of the kind. */
static void say_unwritten(mismatches_t *log, const case_t *test, size_t first, size_t last,
                          size_t n)
{
    const kind_t kind = test->input->problem.kind;
    const char *noun = kind == KIND_ROWS ? "row" : kind == KIND_COLUMNS ? "column" : "element";
    const size_t count = last - first + 1;

    if (count == n)
        say(log, test, "nothing is written to d_out");
    else if (last + 1 == n && count == 1)
        say(log, test, "the last %s of %zu is not written", noun, n);
    else if (last + 1 == n)
        say(log, test, "the last %zu %ss of %zu are not written", count, noun, n);
    else if (count == 1)
        say(log, test, "%s %zu is not written", noun, first);
    else
        say(log, test, "%ss %zu to %zu of %zu are not written", noun, first, last, n);
}

/* What no run writes keeps its old contents, whatever they were. */
static void explain_unwritten(mismatches_t *log, const case_t *test, const outcome_t *outcome)
{
    const problem_t *p = &test->input->problem;
    const size_t size = dtype_size(problem_out_type(p)), n = problem_out_n(p, test->input->shape);
    const surroundings_t zeros = {POISON_SCRATCH, 0, 0};
    size_t last = outcome->index;

    unsigned char *h_out = alloc_array(n, size), *h_again = alloc_array(n, size);
    if (probe_run(test, &PROBE_USUAL, h_out) && probe_run(test, &zeros, h_again)) {
        while (last + 1 < n && h_out[(last + 1) * size] == POISON_OUTPUT &&
               h_again[(last + 1) * size] == 0)
            last++;
        say_unwritten(log, test, outcome->index, last, n);
    }
    free(h_out);
    free(h_again);
}

void explain(mismatches_t *log, const case_t *test, const outcome_t *outcome)
{
    const kind_t kind = test->input->problem.kind;
    const cudaError_t error = cudaGetLastError();

    if (!mismatches_shown(log))
        return;
    if (error != cudaSuccess) {
        say(log, test, "a launch failed, and the launcher does not return it:\n    %s",
            cudaGetErrorString(error));
        return;
    }
    if (problem_n(test->input->shape) > INT32_MAX)
        say(log, test, "more than 2^31 elements: is an index or a size held in 32 bits?");
    else if (problem_n(test->input->shape) > MOST_ELEMENTS)
        return; /* each run would take long */
    else if (outcome->never_written)
        explain_unwritten(log, test, outcome);
    else if (kind == KIND_MAP || kind == KIND_SOFTMAX)
        explain_map(log, test, outcome);
    else
        explain_reduce(log, test, outcome);
}
