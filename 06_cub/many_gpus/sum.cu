// SPDX-License-Identifier: MIT
//
// sum.cu - a sum over several GPUs by NCCL: each reduces its slice with a lesson's launcher, and
// one ncclAllReduce joins the partials. many.h has the slices, the checks and the times.
//
// Idea          One process holds one communicator and one stream a GPU. A collective is a call for
//               each GPU, between ncclGroupStart and ncclGroupEnd: none of the calls may wait for
//               the others before all are made.
// What is slow  The call moves a few bytes and takes as long as a sum of millions: see README.md.
// Source        NVIDIA, NCCL User Guide: one process, several devices.
// Needs: NCCL, and nvcc
#include <nccl.h>

#include "harness/cuda_check.h"
#include "many.h"
#include "ops.cuh"

static void nccl_check(ncclResult_t result, const char *call, int line)
{
    if (result != ncclSuccess) {
        fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, ncclGetErrorString(result));
        exit(1);
    }
}
#define NCCL_CHECK(call) nccl_check((call), #call, __LINE__)

static ncclComm_t comms[MANY_GPUS];

static const char *open_comms(int gpus)
{
    const ncclResult_t result = ncclCommInitAll(comms, gpus, NULL); // NULL: devices 0, 1, 2, ...
    return result == ncclSuccess ? NULL : ncclGetErrorString(result);
}

static void close_comms(int gpus)
{
    for (int g = 0; g < gpus; g++) {
        NCCL_CHECK(ncclCommDestroy(comms[g]));
    }
}

// ---- NaN: NCCL's max and min of floats lose it, those of integers have none ----

// Bits to key and key to bits: keys are integers in the order of the floats. Of two negative floats
// the one with more bits is the smaller, so all bits but the sign are inverted, and back in the
// same way. On the way to a key NaN becomes `nan`, the integer that wins; 0 on the way back.
template <typename T, typename Bits>
__global__ void swap_key(T *d_value, Bits nan)
{
    constexpr Bits largest = range<Bits>::highest;
    const Bits bits = *(const Bits *)d_value;
    const bool is_nan = nan != 0 && *d_value != *d_value;
    *(Bits *)d_value = is_nan ? nan : bits < 0 ? bits ^ largest : bits;
}

template <typename T, typename Bits>
static void swap_keys(const many_t *m, bool to_keys)
{
    const Bits winner = m->op == OP_MAX ? range<Bits>::highest : range<Bits>::lowest;

    for (int g = 0; g < m->gpus; g++) {
        const gpu_t *gpu = &m->gpu[g];
        CUDA_CHECK(cudaSetDevice(g));
        swap_key<T, Bits><<<1, 1, 0, gpu->stream>>>((T *)(to_keys ? gpu->d_part : gpu->d_out),
                                                    to_keys ? winner : 0);
        CUDA_CHECK(cudaGetLastError());
    }
}

// ---- the sum ----

static void all_reduce(const many_t *m, ncclDataType_t type)
{
    const ncclRedOp_t op = m->op == OP_SUM ? ncclSum : m->op == OP_MAX ? ncclMax : ncclMin;

    NCCL_CHECK(ncclGroupStart());
    for (int g = 0; g < m->gpus; g++) {
        const gpu_t *gpu = &m->gpu[g];
        NCCL_CHECK(ncclAllReduce(gpu->d_part, gpu->d_out, 1, type, op, comms[g], gpu->stream));
    }
    NCCL_CHECK(ncclGroupEnd());
}

static void join(const many_t *m)
{
    if (m->type == DTYPE_I32) {
        all_reduce(m, ncclInt32);
    } else if (m->op == OP_SUM) {
        all_reduce(m, m->type == DTYPE_F32 ? ncclFloat32 : ncclFloat64);
    } else if (m->type == DTYPE_F32) {
        swap_keys<float, int>(m, true);
        all_reduce(m, ncclInt32);
        swap_keys<float, int>(m, false);
    } else {
        swap_keys<double, long long>(m, true);
        all_reduce(m, ncclInt64);
        swap_keys<double, long long>(m, false);
    }
}

static void sum(const many_t *m, size_t copy)
{
    for (int g = 0; g < m->gpus; g++) {
        CUDA_CHECK(cudaSetDevice(g)); // a kernel runs on the device that is set
        many_reduce(m, g, copy, m->gpu[g].d_part);
    }
    join(m);
}

#define TEXT(macro) TEXT_OF(macro)
#define TEXT_OF(word) #word
#define VERSION TEXT(NCCL_MAJOR) "." TEXT(NCCL_MINOR) "." TEXT(NCCL_PATCH)

int main(int argc, char **argv)
{
    const way_t nccl = {.name = "nccl",
                        .summary = "ncclAllReduce joins the partials, NCCL " VERSION,
                        .open = open_comms,
                        .sum = sum,
                        .join = join,
                        .close = close_comms};
    return many_main(argc, argv, &nccl);
}
