/* SPDX-License-Identifier: MIT */
#include "steps.h"

#include "dtype.h"

#include <math.h>
#include <string.h>

enum { SCRATCH = 64 };

fault_t steps_fault = FAULT_NONE;
bool steps_idle = false;

static double fold(dtype_t type, reduce_op_t op, const void *d_in, size_t begin, size_t end)
{
    bool zero = op == OP_SUM || steps_fault == FAULT_ZERO_IDENTITY;
    double result = zero ? 0 : dtype_lowest(type);
    uint32_t wrapped = 0;

    for (size_t i = begin; i != end; i++) {
        double x = dtype_load(type, d_in, i);
        if (op == OP_SUM) {
            wrapped += type == DTYPE_I32 ? (uint32_t)(int32_t)x : 0;
            result = dtype_round(DTYPE_F64, result + x);
        } else if (x > result || (isnan(x) && steps_fault != FAULT_NAN_LOST)) {
            result = x;
        } else if (isnan(result)) {
            break;
        }
    }
    if (op == OP_SUM && type == DTYPE_I32)
        return (int32_t)wrapped;
    return steps_fault == FAULT_ROUNDED ? result * 1.0001 : result;
}

static cudaError_t reduce(dtype_t type, reduce_op_t op, const void *d_in, void *d_out, size_t n,
                          void *d_work, size_t *work_bytes)
{
    size_t begin = 0;

    if (steps_fault == FAULT_UNSUPPORTED)
        return cudaErrorNotSupported;
    if (d_work == NULL) {
        if (steps_fault != FAULT_NO_SCRATCH_SIZE)
            *work_bytes = steps_fault == FAULT_SCRATCH_HUGE ? SIZE_MAX / 2 : SCRATCH;
        if (steps_fault == FAULT_RUNS_AT_QUERY)
            dtype_store(type, d_out, 0, fold(type, op, d_in, 0, n));
        return cudaSuccess;
    }
    if (steps_idle)
        return cudaSuccess;
    if (steps_fault == FAULT_LAUNCH_ERROR)
        return cudaErrorInvalidConfiguration;
    if (steps_fault == FAULT_NOTHING_RUN)
        return cudaSuccess;
    if (steps_fault == FAULT_OUTPUT_BEFORE)
        ((unsigned char *)d_out)[-1] = 1;
    if (steps_fault == FAULT_OUTPUT_AFTER)
        ((unsigned char *)d_out)[dtype_size(type)] = 1;
    if (steps_fault == FAULT_SCRATCH_AFTER)
        ((unsigned char *)d_work)[SCRATCH] = 1;
    if (steps_fault == FAULT_INPUT_BEFORE)
        ((unsigned char *)(size_t)d_in)[-1] ^= 1;
    if (steps_fault == FAULT_LAST_MISSING && n > 0)
        n--;
    if (steps_fault == FAULT_ONE_TOO_MANY)
        n++;
    if (steps_fault == FAULT_ONE_BEFORE) {
        d_in = (const unsigned char *)d_in - dtype_size(type);
        n++;
    }
    dtype_store(type, d_out, 0, fold(type, op, d_in, begin, n));
    if (steps_fault == FAULT_INPUT_CHANGED && n > 0)
        ((unsigned char *)(size_t)d_in)[0] ^= 1;
    return cudaSuccess;
}

#define LAUNCHER(name, type, op)                                                                   \
    static cudaError_t name(const void *d_in, void *d_out, size_t n, void *d_work,                 \
                            size_t *work_bytes, cudaStream_t stream)                               \
    {                                                                                              \
        (void)stream;                                                                              \
        return reduce(type, op, d_in, d_out, n, d_work, work_bytes);                               \
    }
LAUNCHER(sum_f32, DTYPE_F32, OP_SUM)
LAUNCHER(max_f32, DTYPE_F32, OP_MAX)
LAUNCHER(sum_i32, DTYPE_I32, OP_SUM)
LAUNCHER(max_i32, DTYPE_I32, OP_MAX)

const step_t steps_reduce = {
    .summary = "test",
    .reduce = {[DTYPE_F32] = {sum_f32, max_f32}, [DTYPE_I32] = {sum_i32, max_i32}},
};

static cudaError_t rows_f32(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                            size_t *work_bytes, cudaStream_t stream)
{
    (void)stream;
    *work_bytes = 0;
    for (size_t r = 0; r < rows && d_work != NULL && !steps_idle; r++)
        dtype_store(DTYPE_F32, d_out, r, fold(DTYPE_F32, OP_SUM, d_in, r * cols, (r + 1) * cols));
    return cudaSuccess;
}

const step_t steps_rows = {.summary = "test", .rows = {[DTYPE_F32] = {rows_f32}}};

static cudaError_t columns_f32(const void *d_in, void *d_out, size_t rows, size_t cols,
                               void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    (void)stream;
    *work_bytes = 0;
    for (size_t c = 0; c < cols && d_work != NULL && !steps_idle; c++) {
        double sum = 0;
        for (size_t r = 0; r + (steps_fault == FAULT_LAST_MISSING) < rows; r++)
            sum += dtype_load(DTYPE_F32, d_in, r * cols + c);
        dtype_store(DTYPE_F32, d_out, c, steps_fault == FAULT_ROUNDED ? sum * 1.0001 : sum);
    }
    return cudaSuccess;
}

const step_t steps_columns = {.summary = "test", .columns = {[DTYPE_F32] = {columns_f32}}};

static void softmax_of_row(dtype_t type, const void *d_in, void *d_out, size_t begin, size_t end)
{
    float max = -INFINITY, sum = 0;

    for (size_t i = begin; i < end; i++) {
        float x = (float)dtype_load(type, d_in, i);
        max = x > max || (isnan(x) && steps_fault != FAULT_NAN_LOST) ? x : max;
        if (isnan(max))
            break;
    }
    for (size_t i = begin; i < end; i++) {
        float term = expf((float)dtype_load(type, d_in, i) - max);
        sum += isnan(term) && steps_fault == FAULT_NAN_LOST ? 0 : term;
    }
    for (size_t i = begin; i < end; i++) {
        float y = expf((float)dtype_load(type, d_in, i) - max) / sum;
        dtype_store(type, d_out, i, (double)(steps_fault == FAULT_ROUNDED ? y * 1.0001f : y));
    }
}

static cudaError_t softmax(dtype_t type, const void *d_in, void *d_out, size_t rows, size_t cols,
                           void *d_work, size_t *work_bytes)
{
    *work_bytes = 0;
    if (steps_fault == FAULT_LAST_MISSING && rows > 0)
        rows--;
    for (size_t r = 0; r < rows && d_work != NULL && !steps_idle; r++)
        softmax_of_row(type, d_in, d_out, r * cols, (r + 1) * cols);
    return cudaSuccess;
}

#define SOFTMAX(name, type)                                                                        \
    static cudaError_t name(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work, \
                            size_t *work_bytes, cudaStream_t stream)                               \
    {                                                                                              \
        (void)stream;                                                                              \
        return softmax(type, d_in, d_out, rows, cols, d_work, work_bytes);                         \
    }
SOFTMAX(softmax_f32, DTYPE_F32)
SOFTMAX(softmax_f16, DTYPE_F16)

const step_t steps_softmax = {.summary = "test",
                              .softmax = {[DTYPE_F32] = softmax_f32, [DTYPE_F16] = softmax_f16}};

static float apply(map_op_t op, float x, float y, float z)
{
    switch (op) {
    case MAP_RELU:
        return x < 0 ? 0 : x;
    case MAP_GELU:
        return 0.5f * x * (1 + erff(0.70710678f * x));
    case MAP_MUL:
        return x * y;
    case MAP_ADD:
        return x + y;
    case MAP_FMA:
        return fmaf(x, y, z);
    default:
        return x;
    }
}

static cudaError_t map(dtype_t in, dtype_t out, map_op_t op, const void *const *d_in, void *d_out,
                       size_t n, void *d_work, size_t *work_bytes)
{
    *work_bytes = 0;
    if (d_work == NULL || steps_idle)
        return cudaSuccess;
    if (steps_fault == FAULT_LAST_MISSING && n > 0)
        n--;
    for (size_t i = 0; i < n; i++) {
        float x = (float)dtype_load(in, d_in[0], i);
        float y =
            op == MAP_ADD || op == MAP_MUL || op == MAP_FMA ? (float)dtype_load(in, d_in[1], i) : 0;
        float z = op == MAP_FMA ? (float)dtype_load(in, d_in[2], i) : 0;
        dtype_store(out, d_out, i, (double)apply(op, x, y, z));
    }
    if (steps_fault == FAULT_INPUT_CHANGED && n > 0)
        ((unsigned char *)(size_t)d_in[op == MAP_FMA ? 2 : op == MAP_MUL || op == MAP_ADD])[0] ^= 1;
    return cudaSuccess;
}

#define MAPPER(name, in, out, op)                                                                  \
    static cudaError_t name(const void *const *d_in, void *d_out, size_t n, void *d_work,          \
                            size_t *work_bytes, cudaStream_t stream)                               \
    {                                                                                              \
        (void)stream;                                                                              \
        return map(in, out, op, d_in, d_out, n, d_work, work_bytes);                               \
    }
MAPPER(relu_f16, DTYPE_F16, DTYPE_F16, MAP_RELU)
MAPPER(cast_f16, DTYPE_F16, DTYPE_F32, MAP_CAST)
MAPPER(gelu_f32, DTYPE_F32, DTYPE_F32, MAP_GELU)
MAPPER(mul_f32, DTYPE_F32, DTYPE_F32, MAP_MUL)
MAPPER(fma_f32, DTYPE_F32, DTYPE_F32, MAP_FMA)
MAPPER(add_f32, DTYPE_F32, DTYPE_F32, MAP_ADD)
MAPPER(u8_f32, DTYPE_F32, DTYPE_U8, MAP_TO_U8)
MAPPER(f32_u8, DTYPE_U8, DTYPE_F32, MAP_TO_F32)

const step_t steps_cast = {
    .summary = "test",
    .map = {[DTYPE_F32] = {[MAP_TO_U8] = u8_f32}, [DTYPE_U8] = {[MAP_TO_F32] = f32_u8}},
};

const step_t steps_map = {
    .summary = "test",
    .map = {[DTYPE_F32] = {NULL, gelu_f32, mul_f32, fma_f32, [MAP_ADD] = add_f32},
            [DTYPE_F16] = {relu_f16, NULL, NULL, NULL, cast_f16}},
};
