/* SPDX-License-Identifier: MIT */
/*
 * task.h - what an exercise computes: its sizes, its arrays, its inputs and its right answer.
 *
 * The folder of each exercise has a task.c, which defines a struct task, and a tests.txt, which
 * lists the tests and their points. All of it stays in the grader's own process: the student's code
 * never sees a reference or a seed.
 *
 * Every exercise file defines one function, and all arrays are in device memory:
 *
 *   extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
 *                                void *d_work, size_t *work_bytes, cudaStream_t stream);
 *
 * d_work == NULL asks for the scratch size, as in step.h. d_in[k] and d_out[k] are aligned to one
 * element, and size[k] is the k-th size.
 */
#ifndef TASK_H
#define TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grade/protect/protect.h"
#include "harness/rng.h"

enum { TASK_SIZES = JOB_SIZES, TASK_ARRAYS = JOB_ARRAYS }; /* at most so many in a run */

/* Element types. An f16 is its 16 bits in a uint16_t, see harness/dtype.h. */
typedef enum { ELEM_F32, ELEM_F16, ELEM_I32, ELEM_U64, ELEM_U8 } elem_t;

/* An input or output. `count` gives its number of elements; NULL ends the list. */
struct array {
    const char *name;
    elem_t type;
    size_t (*count)(const size_t *size);
};

/* The usual values of `count`: size[0]; size[0] * size[1]; size[1], but 0 without rows, because
 * then there is nothing to read; 1. */
size_t count_n(const size_t *size);
size_t count_all(const size_t *size);
size_t count_cols(const size_t *size);
size_t count_one(const size_t *size);

/* A NaN of any sign and payload; every second one has the bits of NAN or -NAN. */
float any_nan(rng_t *rng);

/* How the outputs differ from the reference so far. */
struct comparison {
    size_t wrong; /* elements that differ by more than is allowed */
    const char *output;
    size_t index;
    double got, expected, allowed; /* of the first wrong element */
};

/*
 * Compares one element. It is right if |got - expected| <= allowed. NaN is right only where NaN is
 * expected; an infinity only where the same infinity is expected. `allowed` is 0 or a bound that a
 * comment derives.
 */
void compare(struct comparison *c, const char *output, size_t index, double got, double expected,
             double allowed);

struct task {
    const char *name;   /* 01, ..., capstone */
    const char *title;  /* one line */
    const char *folder; /* of README.md, exercise.cu, solution.cu, tests.txt */
    const char *file;   /* the handed-out file, if it is to be repaired; else NULL */
    size_t repair;      /* the most lines that its repair may change; 0: it is right */
    bool host;          /* the arrays are in host memory: an exercise about host code */
    const char *size_names[TASK_SIZES + 1];
    unsigned sms; /* of the GPU that is shown, so that a small grid fills it; 0: 132, as an H200 */
    const char *data_sets; /* names that tests.txt may use, separated by spaces */
    struct array in[TASK_ARRAYS + 1], out[TASK_ARRAYS + 1];

    /* Fills the inputs with the data set of this name. in[k] has in[k].count(size) elements. */
    void (*make_inputs)(rng_t *rng, const char *data, const size_t *size, void *const *in);

    /* Compares all outputs with the reference, which is computed in double. */
    void (*check)(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c);
};

/* All exercises in the order of the course, which grade.mk lists; and the one of this name, or
 * NULL. */
extern const struct task *const tasks[];
extern const size_t task_count;
const struct task *task_find(const char *name);

/*
 * A call of solve. Outputs are filled with POISON before it, but those of floats are unwritten
 * memory, which is NaN: for integers no value is wrong by itself.
 *
 * call_make() sets the job but for most_work_bytes, and has room for the arrays; call_inputs()
 * fills the inputs with the first data set of the task. With too little memory both end the
 * program with 2.
 */
enum { POISON = 0xa5, UNWRITTEN = 256 };
struct layout {
    size_t offset, apart, only; /* of the arrays, as in struct shape */
};
void call_make(struct call *c, const struct task *t, const size_t *size,
               const struct layout *layout);
void call_inputs(struct call *c, const struct task *t, uint64_t seed);
struct comparison call_check(const struct call *c, const struct task *t);
void call_free(struct call *c);

size_t elem_bytes(elem_t type);
size_t array_bytes(const struct array *a, const size_t *size);
size_t arrays_bytes(const struct array *a, const size_t *size); /* of the whole list */

/* The sizes of a small run, for once/. Those that fit one block, or a few, and fill warps; "32x33",
 * a number for each size, else the program ends with 2; and as text, "rows 32, cols 33". */
void sizes_usual(const struct task *task, size_t size[TASK_SIZES]);
void sizes_read(const struct task *task, const char *text, size_t size[TASK_SIZES]);
void sizes_print(FILE *out, const struct task *task, const size_t size[TASK_SIZES]);

#endif
