// SPDX-License-Identifier: MIT
//
// 06 not guaranteed: CUB's sum in any order, by atomics. What does the fixed order cost?
//
// Idea          An environment is CUB's newer way to ask for things: here a stream, memory, and
//               that the order of additions may differ from run to run. Each block then adds its
//               partial to the result with an atomic: one launch, after one that sets it to 0.
// What changes  Against 06: no partials. The bits may change from run to run.
// Needs: nvcc's CUB
// Needs: CUB 3.4
// Source        CUB documentation, cub::DeviceReduce, on determinism.
#include <cub/cub.cuh>
#include <cuda/execution.require.h>
#include <cuda/std/functional>

#include "step.h"

// CUB takes its scratch from here. Without any, it only says how much it needs, as always.
struct scratch_t {
    void *d_work;
    size_t *work_bytes;

    void *allocate(cuda::stream_ref, size_t bytes, size_t = 256)
    {
        *work_bytes = d_work == NULL ? bytes : *work_bytes;
        return d_work;
    }
    void deallocate(cuda::stream_ref, void *, size_t, size_t = 256) {}
    void *allocate_sync(size_t bytes, size_t = 256) { return allocate({cudaStream_t{}}, bytes); }
    void deallocate_sync(void *, size_t, size_t = 256) {}
    bool operator==(const scratch_t &other) const { return d_work == other.d_work; }
    bool operator!=(const scratch_t &other) const { return d_work != other.d_work; }
    friend void get_property(const scratch_t &, cuda::mr::device_accessible) {}
};

template <typename T>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const auto any_order = cuda::execution::require(cuda::execution::determinism::not_guaranteed);
    const scratch_t scratch = {d_work, work_bytes};
    const auto memory = cuda::std::execution::prop{cuda::mr::get_memory_resource_t{}, scratch};
    const auto env = cuda::std::execution::env{cuda::stream_ref{stream}, memory, any_order};
    return cub::DeviceReduce::Sum((const T *)d_in, (T *)d_out, n, env);
}

extern "C" const step_t step = {
    .summary = "cub::DeviceReduce, any order: the bits may change from run to run",
    .reduce = {{launch<float>}, {launch<double>}, {launch<int>}},
};
