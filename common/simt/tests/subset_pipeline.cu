// SPDX-License-Identifier: MIT
//
// subset_pipeline.cu - stages of asynchronous copies: the primitives, a pipeline of one thread, one
// of a block whose threads all do both, and one where half of the threads copies for the others.
#include "device_check.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

enum { THREADS = 64, ROUNDS = 5, STAGES = 3 };

// While one half of s_data is read, the other one is filled. The last element of a round is 0.
__global__ void halves_kernel(const int *in, int *out)
{
    __shared__ int s_data[2][THREADS];
    const int tid = (int)threadIdx.x;
    const size_t zeros = tid == THREADS - 1 ? sizeof(int) : 0;
    __pipeline_memcpy_async(&s_data[0][tid], &in[tid], sizeof(int), zeros);
    __pipeline_commit();
    for (int i = 0; i < ROUNDS; i++) {
        if (i + 1 < ROUNDS)
            __pipeline_memcpy_async(&s_data[(i + 1) % 2][tid], &in[(i + 1) * THREADS + tid],
                                    sizeof(int), zeros);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[i * THREADS + tid] = s_data[i % 2][THREADS - 1 - tid];
        __syncthreads();
    }
}

// The next round's copy is in flight while a round is used; a block may exit with the last one
// pending.
__global__ void thread_kernel(const int *in, int *out)
{
    __shared__ int s_data[2][THREADS];
    const int tid = (int)threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const auto size = cuda::aligned_size_t<4>(sizeof(int));
    for (int i = 0; i <= ROUNDS; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s_data[i % 2][tid], &in[i % ROUNDS * THREADS + tid], size, pipe);
        pipe.producer_commit();
        if (i == 0)
            continue;
        pipe.consumer_wait();
        __syncthreads();
        out[(i - 1) * THREADS + tid] = s_data[(i - 1) % 2][THREADS - 1 - tid];
        __syncthreads();
        pipe.consumer_release();
    }
}

__global__ void block_kernel(const int *in, int *out)
{
    __shared__ int s_data[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> s_state;
    const cg::thread_block block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &s_state);
    for (int i = 0, asked = 0; i < ROUNDS; i++) {
        for (; asked < ROUNDS && asked < i + STAGES; asked++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s_data[asked % STAGES], in + asked * THREADS,
                               THREADS * sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[i * THREADS + threadIdx.x] = s_data[i % STAGES][THREADS - 1 - threadIdx.x];
        pipe.consumer_release();
    }
}

__global__ void roles_kernel(const int *in, int *out)
{
    __shared__ int s_data[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, STAGES> s_state;
    const cg::thread_block block = cg::this_thread_block();
    const bool producer = threadIdx.x >= THREADS;
    const int tid = (int)threadIdx.x % THREADS;
    auto pipe = cuda::make_pipeline(
        block, &s_state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int i = 0; i < ROUNDS; i++)
        if (producer) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s_data[i % STAGES][tid], &in[i * THREADS + tid], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[i * THREADS + tid] = s_data[i % STAGES][THREADS - 1 - tid];
            pipe.consumer_release();
        }
}

int main()
{
    enum { N = THREADS * ROUNDS };
    int *in = managed<int>(N), *out = managed<int>(N);
    for (int i = 0; i < N; i++)
        in[i] = i;
    for (int kind = 0; kind < 4; kind++) {
        CHECK(cudaMemset(out, 0xff, N * sizeof *out));
        if (kind == 0)
            halves_kernel<<<1, THREADS>>>(in, out);
        else if (kind == 1)
            thread_kernel<<<1, THREADS>>>(in, out);
        else if (kind == 2)
            block_kernel<<<1, THREADS>>>(in, out);
        else
            roles_kernel<<<1, 2 * THREADS>>>(in, out);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < N; i++) {
            const int from = i / THREADS * THREADS + THREADS - 1 - i % THREADS;
            EXPECT(out[i] == (kind == 0 && i % THREADS == 0 ? 0 : from));
        }
    }
    return 0;
}
