/* SPDX-License-Identifier: MIT */
#include "problem.h"

#include "size.h"
#ifdef SIMT
#include "simt/include/simt/inspect.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const REDUCE_NAMES[] = {"sum", "max", "min", "prod"};
static const char *const MAP_NAMES[] = {"relu",   "gelu",   "mul",    "fma",    "cast", "to_u8",
                                        "to_i32", "to_f16", "to_f32", "to_f64", "add"};
static const char *const SOFTMAX_NAMES[] = {"softmax"};
#define COUNT(names) (sizeof(names) / sizeof(names)[0])
_Static_assert(COUNT(REDUCE_NAMES) == REDUCE_OPS, "a name for each reduce_op_t of step.h");
_Static_assert(COUNT(MAP_NAMES) == MAP_OPS, "a name for each map_op_t of step.h");

static const struct {
    const char *const *op_names;
    int op_count;
    bool has_rows;
} KINDS[KIND_COUNT] = {
    [KIND_REDUCE] = {REDUCE_NAMES, REDUCE_OPS, false},
    [KIND_ROWS] = {REDUCE_NAMES, REDUCE_OPS, true},
    [KIND_COLUMNS] = {REDUCE_NAMES, REDUCE_OPS, true},
    [KIND_MAP] = {MAP_NAMES, MAP_OPS, false},
    [KIND_SOFTMAX] = {SOFTMAX_NAMES, 1, true},
};

int problem_op_count(kind_t kind)
{
    return KINDS[kind].op_count;
}

const char *problem_op_name(kind_t kind, int op)
{
    return KINDS[kind].op_names[op];
}

bool problem_has_rows(kind_t kind)
{
    return KINDS[kind].has_rows;
}

static bool has_entry(const problem_t *p)
{
    switch (p->kind) {
    case KIND_REDUCE:
        return p->step->reduce[p->type][p->op] != NULL;
    case KIND_ROWS:
        return p->step->rows[p->type][p->op] != NULL;
    case KIND_COLUMNS:
        return p->step->columns[p->type][p->op] != NULL;
    case KIND_SOFTMAX:
        return p->step->softmax[p->type] != NULL;
    default:
        return p->step->map[p->type][p->op] != NULL;
    }
}

/* The first filled entry of one table, in *p. False if the table is empty. */
static bool find_first(problem_t *p, kind_t kind)
{
    p->kind = kind;
    for (int op = 0; op < problem_op_count(kind); op++) {
        for (int type = 0; type < DTYPE_COUNT; type++) {
            p->type = (dtype_t)type;
            p->op = op;
            if (has_entry(p))
                return true;
        }
    }
    return false;
}

const char *problem_open(problem_t *problem, const step_t *lesson)
{
    int tables = 0;
    for (int kind = KIND_REDUCE; kind < KIND_COUNT; kind++) {
        problem_t p = {.step = lesson};
        if (!find_first(&p, (kind_t)kind))
            continue;
        *problem = p;
        tables++;
    }
    if (tables == 0)
        return "the step offers nothing: all entries of reduce, rows, columns, map and softmax "
               "are NULL";
    if (tables > 1)
        return "the step fills more than one of reduce, rows, columns, map and softmax; it must "
               "fill exactly one";
    return NULL;
}

const char *problem_undefined(const problem_t *p)
{
    if (p->kind == KIND_SOFTMAX && p->type != DTYPE_F32 && p->type != DTYPE_F16)
        return "softmax is defined for f32 and f16 only";
    if (p->kind != KIND_MAP)
        return p->type == DTYPE_U8 ? "u8 is for elementwise steps only" : NULL;
    if (p->op == MAP_CAST && p->type != DTYPE_F32 && p->type != DTYPE_F16)
        return "cast is defined for f32 and f16 only";
    if (p->op == MAP_GELU && !dtype_is_float(p->type))
        return "gelu is not defined for whole numbers";
    if (problem_inputs(p) > 1 && p->type == DTYPE_U8)
        return "a sum or product of two u8 may not fit a u8";
    return NULL;
}

const char *problem_why_not(const problem_t *p)
{
    return has_entry(p) ? problem_undefined(p) : PROBLEM_NOT_OFFERED;
}

size_t problem_pairs(const problem_t *p)
{
    return DTYPE_COUNT * (size_t)problem_op_count(p->kind);
}

problem_t problem_pair(const problem_t *p, size_t i)
{
    size_t ops = (size_t)problem_op_count(p->kind);
    return (problem_t){p->step, p->kind, (dtype_t)(i / ops), (int)(i % ops)};
}

bool problem_offers(const problem_t *problem, unsigned types, unsigned ops)
{
    for (size_t i = 0; i < problem_pairs(problem); i++) {
        problem_t p = problem_pair(problem, i);
        if ((types >> p.type & 1) && (ops >> p.op & 1) && problem_why_not(&p) == NULL)
            return true;
    }
    return false;
}

static void add_name(char *names, const char *name)
{
    size_t used = strlen(names);
    snprintf(names + used, PROBLEM_NAMES - used, "%s%s", used > 0 ? " " : "", name);
}

const char *problem_type_names(const problem_t *p, char *names)
{
    names[0] = '\0';
    for (int type = 0; type < DTYPE_COUNT; type++) {
        if (problem_offers(p, 1u << type, ~0u))
            add_name(names, dtype_name((dtype_t)type));
    }
    return names;
}

const char *problem_op_names(const problem_t *p, unsigned types, char *names)
{
    names[0] = '\0';
    for (int op = 0; op < problem_op_count(p->kind); op++) {
        if (problem_offers(p, types, 1u << op))
            add_name(names, problem_op_name(p->kind, op));
    }
    return names;
}

void problem_title(FILE *stream, const char *name, const char *summary)
{
    const bool fits = strlen(name) + strlen(": ") + strlen(summary) <= 80;

    fprintf(stream, "%s:%s%s\n", name, fits ? " " : "\n  ", summary);
}

size_t problem_inputs(const problem_t *p)
{
    if (p->kind != KIND_MAP)
        return 1;
    return p->op == MAP_FMA ? 3 : p->op == MAP_MUL || p->op == MAP_ADD ? 2 : 1;
}

const char *problem_input_name(const problem_t *p, size_t i)
{
    static const char *const names[MAX_INPUTS] = {"d_in[0]", "d_in[1]", "d_in[2]"};
    return problem_inputs(p) == 1 ? "the input" : names[i];
}

dtype_t problem_out_type(const problem_t *p)
{
    if (p->kind != KIND_MAP)
        return p->type;
    switch ((map_op_t)p->op) {
    case MAP_RELU:
    case MAP_GELU:
    case MAP_MUL:
    case MAP_FMA:
    case MAP_ADD:
        return p->type;
    case MAP_CAST:
        return p->type == DTYPE_F32 ? DTYPE_F16 : DTYPE_F32;
    case MAP_TO_U8:
        return DTYPE_U8;
    case MAP_TO_I32:
        return DTYPE_I32;
    case MAP_TO_F16:
        return DTYPE_F16;
    case MAP_TO_F32:
        return DTYPE_F32;
    case MAP_TO_F64:
        return DTYPE_F64;
    case MAP_OPS:
        break;
    }
    abort();
}

size_t problem_n(shape_t shape)
{
    return shape.rows * shape.cols;
}

size_t problem_out_n(const problem_t *p, shape_t shape)
{
    switch (p->kind) {
    case KIND_REDUCE:
        return 1;
    case KIND_ROWS:
        return shape.rows;
    case KIND_COLUMNS:
        return shape.cols;
    default:
        return problem_n(shape);
    }
}

size_t problem_bytes(const problem_t *p, shape_t shape)
{
    size_t in = problem_inputs(p) * problem_n(shape) * dtype_size(p->type);
    return in + problem_out_n(p, shape) * dtype_size(problem_out_type(p));
}

/* 64: four buffers of 8-byte elements, twice. */
bool problem_fits(shape_t shape)
{
    size_t n, bytes;
    return size_multiply(shape.rows, shape.cols, &n) && size_multiply(n, 64, &bytes) &&
           size_multiply(shape.rows, 64, &bytes) && size_multiply(shape.cols, 64, &bytes);
}

double problem_identity(const problem_t *p)
{
    switch ((reduce_op_t)p->op) {
    case OP_SUM:
        return 0;
    case OP_PROD:
        return 1;
    case OP_MAX:
        return dtype_lowest(p->type);
    case OP_MIN:
        return dtype_highest(p->type);
    case REDUCE_OPS:
        break;
    }
    abort();
}

/* In the emulator a launcher that does not end is stopped, and its line reported. */
static void watch(int on)
{
#ifdef SIMT
    simt_watch(on);
#else
    (void)on;
#endif
}

static cudaError_t call_step(const problem_t *p, const void *const *d_in, void *d_out,
                             shape_t shape, void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    switch (p->kind) {
    case KIND_REDUCE:
        return p->step->reduce[p->type][p->op](d_in[0], d_out, shape.cols, d_work, work_bytes,
                                               stream);
    case KIND_ROWS:
        return p->step->rows[p->type][p->op](d_in[0], d_out, shape.rows, shape.cols, d_work,
                                             work_bytes, stream);
    case KIND_COLUMNS:
        return p->step->columns[p->type][p->op](d_in[0], d_out, shape.rows, shape.cols, d_work,
                                                work_bytes, stream);
    case KIND_SOFTMAX:
        return p->step->softmax[p->type](d_in[0], d_out, shape.rows, shape.cols, d_work, work_bytes,
                                         stream);
    default:
        return p->step->map[p->type][p->op](d_in, d_out, shape.cols, d_work, work_bytes, stream);
    }
}

cudaError_t problem_launch(const problem_t *p, const void *const *d_in, void *d_out, shape_t shape,
                           void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    watch(1);
    cudaError_t error = call_step(p, d_in, d_out, shape, d_work, work_bytes, stream);
    watch(0);
    return error;
}
