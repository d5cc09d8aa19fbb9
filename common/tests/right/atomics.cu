// SPDX-License-Identifier: MIT
//
// Group: right
// Case: atomics - no partials. Thread 0 of each block puts the block's result into *d_out by
// compare and swap; an earlier launch has put the identity there. The order of a float sum changes
// from run to run, and with it the last bits.
// Run: $BUILD/right/atomics --check --quick
// Full: $BUILD/right/atomics --check
#include "right.cuh"

template <typename T>
struct bits_t {
    using type = unsigned;
};
template <>
struct bits_t<double> {
    using type = unsigned long long;
};

// Like atomicAdd, for any operator: repeats until no other thread came between the read and the
// write.
template <typename T, typename Op>
__device__ void atomic_op(T *d_out, T value)
{
    using word_t = typename bits_t<T>::type;
    union both_t {
        T value;
        word_t word;
    } seen, next;

    seen.word = atomicAdd((word_t *)d_out, (word_t)0); // a read that no write tears
    for (;;) {
        next.value = Op()(seen.value, value);
        const word_t before = atomicCAS((word_t *)d_out, seen.word, next.word);
        if (before == seen.word) {
            return;
        }
        seen.word = before;
    }
}

template <typename T, typename Op>
__global__ void clear_kernel(T *d_out)
{
    *d_out = Op::identity();
}

template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const T value = block_tree<T, Op, BLOCK_SIZE>(share<T, Op>(d_in, n));
    if (threadIdx.x == 0) {
        atomic_op<T, Op>(d_out, value);
    }
}

template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    clear_kernel<T, Op><<<1, 1, 0, stream>>>((T *)d_out);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        return error;
    }
    reduce_kernel<T, Op><<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, n);
    return cudaGetLastError();
}

STEP("atomics", launch);
