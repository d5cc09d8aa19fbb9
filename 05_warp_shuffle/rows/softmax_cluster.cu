// SPDX-License-Identifier: MIT
//
// 05 softmax cluster: a long row stays in the shared memory of up to 16 blocks, so it is read once.
//
// Idea          The blocks of a cluster each hold a piece of the row, and each warp a part of that:
//               it asks for it by one bulk copy, and its own barrier says when it is there. Then
//               each block posts its maximum and its sum straight into the shared memory of all
//               others, where another barrier counts the bytes: no block waits for more. From
//               864 KiB on lanes keep some packs in registers, so that more blocks fit an SM.
// What was slow A row that is too long for the registers of one block is read twice.
// What is slow  Clusters of 16 leave some SMs idle: 16 neighbours must be free at once. Beyond
//               2 MiB a row leaves little room on an SM for a second one, whose loads could fill
//               its waits; beyond 4 MiB it is cut into tiles, and all but one are read twice.
// Source        NVIDIA, CUDA C++ Programming Guide, on clusters and on asynchronous copies. QuACK
//               keeps long rows in clusters too; the posts are those of mailbox.
// Needs: CUDA 12.6
#include "softmax_cluster.cuh"
#include "step.h"

#define HOLD true // packs of long rows in registers; false: all in shared memory

// The contract's launcher: see softmax_cluster.cuh.
template <typename T>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (!cluster_softmax::available()) {
        return cudaErrorNotSupported;
    }
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (cols == 0) {
        return cudaSuccess;
    }
    return cluster_softmax::launch((const T *)d_in, (T *)d_out, rows, cols, stream, HOLD);
}

extern "C" const step_t step = {
    .summary = "softmax: a row stays in the shared memory of a cluster of blocks",
    .softmax = {launch<float>, NULL, NULL, launch<half>},
};
