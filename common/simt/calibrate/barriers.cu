// SPDX-License-Identifier: MIT
//
// barriers.cu - small patterns, right and wrong ones, of threads that synchronise: at
// __syncthreads, at __syncwarp, in shuffles and votes. `barriers NAME` runs one of them and prints
// the result; `barriers` alone prints their names. record_barriers.sh records what an H200 and
// synccheck say about them, tests/barriers.sh what the emulator says.
//
// Each runs with one block of 64 threads. t is the thread, n is 48 but only known at run time.
#include <cstdio>
#include <cstring>

#define FULL 0xffffffffu

struct pattern {
    const char *name;
    void (*kernel)(int *, int);
    pattern *next;
    pattern(const char *its_name, void (*its_kernel)(int *, int));
};
static pattern *patterns; // all of them
pattern::pattern(const char *its_name, void (*its_kernel)(int *, int))
    : name(its_name), kernel(its_kernel), next(patterns)
{
    patterns = this;
}

#define PATTERN(name)                                                                              \
    __global__ void name(int *out, int n);                                                         \
    static pattern pattern_##name(#name, name);                                                    \
    __global__ void name(int *out, [[maybe_unused]] int n)
#define T const int t = (int)threadIdx.x

__device__ int mix(int v)
{
    return v * 3 + 1;
}

// ---- __syncthreads ----

PATTERN(all_come)
{
    T;
    out[t] = n;
    __syncthreads();
    out[t] += 1;
}

PATTERN(if_of_the_block)
{
    T;
    if (n == 48) {
        out[t] = t;
        __syncthreads();
    }
    out[t] += 1;
}

PATTERN(return_lanes)
{
    T;
    if (t >= n)
        return;
    out[t] = t;
    __syncthreads();
    out[t] += 1;
}

PATTERN(return_warp)
{
    T;
    if (t >= n - 16)
        return;
    out[t] = t;
    __syncthreads();
    out[t] += 1;
}

PATTERN(return_in_loop)
{
    T;
    for (int i = 0; i < 4; i++) {
        out[t] = i;
        __syncthreads();
        if (t / 16 == i)
            return;
        out[t] += 1;
    }
}

// Each thread arrives once, but after its own number of rounds.
PATTERN(leaves_loop_by_it)
{
    T;
    for (int i = t % 4;; i--) {
        out[t] = mix(i);
        if (i == 0) {
            __syncthreads();
            break;
        }
    }
    out[t] += 1;
}

PATTERN(if_lanes)
{
    T;
    if (t < n) {
        out[t] = t;
        __syncthreads();
    }
    out[t] += 1;
}

PATTERN(if_warp)
{
    T;
    if (t < n - 16) {
        out[t] = t;
        __syncthreads();
    }
    out[t] += 1;
}

// Nothing follows the if: the others leave the kernel.
PATTERN(if_lanes_to_the_end)
{
    T;
    if (t < n) {
        out[t] = t;
        __syncthreads();
        out[t] += 1;
    }
}

PATTERN(if_warp_to_the_end)
{
    T;
    if (t < n - 16) {
        out[t] = t;
        __syncthreads();
        out[t] += 1;
    }
}

PATTERN(skip_then_return)
{
    T;
    if (t < n) {
        out[t] = t;
        __syncthreads();
    }
    out[t] += 1;
    if (t >= n)
        return;
    out[t] += out[t];
}

PATTERN(arms_lanes)
{
    T;
    if (t % 2) {
        __syncthreads();
        out[t] = 1;
    } else {
        out[t] = 2;
        __syncthreads();
        out[t] += 3;
    }
    out[t] += 1;
}

PATTERN(arms_warp)
{
    T;
    if (t < n - 16) {
        __syncthreads();
        out[t] = 1;
    } else {
        out[t] = 2;
        __syncthreads();
        out[t] += 3;
    }
    out[t] += 1;
}

// clang-format off
PATTERN(arms_one_line)
{
    T;
    if (t % 2) { __syncthreads(); out[t] = 1; } else { out[t] = 2; __syncthreads(); out[t] += 3; }
    out[t] += 1;
}
// clang-format on

__device__ __noinline__ void meet(int *out, int v)
{
    out[threadIdx.x] = v;
    __syncthreads();
    out[threadIdx.x] += 1;
}

PATTERN(arms_by_function)
{
    T;
    if (t % 2)
        meet(out, 1); // HERE
    else
        meet(out, n);
}

PATTERN(and_of_conditions)
{
    T;
    if (t < n && __syncthreads_or(t == 5))
        out[t] = 1;
    out[t] += 1;
}

// As in NVIDIA's sample for synccheck: the last 16 threads have one round fewer.
PATTERN(loop_last_round)
{
    T;
    __shared__ int s_sum[64];
    s_sum[t] = 0;
    __syncthreads();
    for (int i = t; i < 3 * 64 + n; i += 64) {
        s_sum[t] += i;
        __syncthreads(); // HERE
    }
    if (t == 0)
        out[0] = s_sum[0] + s_sum[63];
}

PATTERN(loop_if_inside)
{
    T;
    for (int i = 0; i < 4; i++)
        if (64 * i + t < 3 * 64 + n) {
            out[t] += i;
            __syncthreads();
        }
    out[t] += 1;
}

PATTERN(loop_break)
{
    T;
    for (int i = 0; i < 4; i++) {
        out[t] += i;
        if (i == 2 && t >= n)
            break;
        __syncthreads();
    }
    out[t] += 1;
}

PATTERN(loop_continue)
{
    T;
    for (int i = 0; i < 4; i++) {
        out[t] += i;
        if (i == 2 && t >= n)
            continue;
        __syncthreads();
        out[t] += 1;
    }
}

// All arrive twice, one half in rounds 0 and 2, the other half in rounds 1 and 3.
PATTERN(loop_other_rounds)
{
    T;
    for (int i = 0; i < 4; i++) {
        if ((i + t) % 2)
            __syncthreads();
        out[t] += i;
    }
}

PATTERN(loop_other_rounds_warp)
{
    T;
    for (int i = 0; i < 4; i++) {
        if ((i + t / 32) % 2)
            __syncthreads();
        out[t] += i;
    }
}

// ---- __syncwarp, shuffles, votes ----

PATTERN(syncwarp_all)
{
    T;
    out[t] = n;
    __syncwarp();
    out[t] += 1;
}

PATTERN(syncwarp_masked)
{
    T;
    if (t % 32 < 16) {
        out[t] = n;
        __syncwarp(0xffffu);
    }
    out[t] += 1;
}

PATTERN(syncwarp_return)
{
    T;
    if (t >= n)
        return;
    out[t] = t;
    __syncwarp();
    out[t] += 1;
}

PATTERN(syncwarp_arms)
{
    T;
    if (t % 2) {
        __syncwarp();
        out[t] = 1;
    } else {
        out[t] = 2;
        __syncwarp();
        out[t] += 3;
    }
}

PATTERN(syncwarp_if)
{
    T;
    if (t % 32 < 16) {
        out[t] = n;
        __syncwarp();
    }
    out[t] += 1;
}

PATTERN(syncwarp_loop)
{
    T;
    for (int i = t; i < 3 * 64 + n; i += 64) {
        out[t] += i;
        __syncwarp();
    }
    out[t] += 1;
}

PATTERN(syncwarp_masks_differ)
{
    T;
    out[t] = n;
    __syncwarp(t % 32 < 16 ? 0xffffu : FULL);
    out[t] += 1;
}

PATTERN(syncwarp_not_in_mask)
{
    T;
    out[t] = n;
    __syncwarp(0xffffu);
    out[t] += 1;
}

PATTERN(shuffle_masked)
{
    T;
    int v = t;
    if (t % 32 < 16)
        v += __shfl_down_sync(0xffffu, v, 8, 16);
    out[t] = v;
}

PATTERN(shuffle_if)
{
    T;
    int v = t;
    if (t % 32 < 16)
        v += __shfl_down_sync(FULL, v, 8, 16);
    out[t] = v;
}

PATTERN(shuffle_return)
{
    T;
    if (t >= n)
        return;
    out[t] = __shfl_down_sync(FULL, t, 8);
}

// The remaining lanes read only from each other.
PATTERN(shuffle_return_unread)
{
    T;
    if (t >= n)
        return;
    out[t] = __shfl_down_sync(FULL, t, 8, 16);
}

PATTERN(shuffle_arms)
{
    T;
    if (t % 2) {
        out[t] = __shfl_xor_sync(FULL, t, 1);
    } else {
        out[t] = 1;
        out[t] += __shfl_xor_sync(FULL, mix(t), 1);
    }
}

PATTERN(shuffle_arms_unread)
{
    T;
    if (t % 2) {
        out[t] = __shfl_xor_sync(FULL, t, 2);
    } else {
        out[t] = 1;
        out[t] += __shfl_xor_sync(FULL, mix(t), 2);
    }
}

PATTERN(shuffle_two_kinds)
{
    T;
    if (t % 2) {
        out[t] = __shfl_up_sync(FULL, t, 1);
    } else {
        out[t] = 1;
        out[t] += __shfl_down_sync(FULL, mix(t), 1);
    }
}

PATTERN(shuffle_loop)
{
    T;
    int v = 0;
    for (int i = t; i < 3 * 64 + n; i += 64)
        v += __shfl_xor_sync(FULL, i, 1);
    out[t] = v;
}

PATTERN(shuffle_not_in_mask)
{
    T;
    out[t] = __shfl_xor_sync(0xffffu, t, 1);
}

PATTERN(shuffle_meets_syncwarp)
{
    T;
    if (t % 32 < 16)
        out[t] = __shfl_xor_sync(FULL, t, 1);
    else
        __syncwarp();
    out[t] += 1;
}

PATTERN(shuffle_meets_barrier)
{
    T;
    if (t % 32 < 16)
        out[t] = __shfl_xor_sync(FULL, t, 1);
    __syncthreads();
    out[t] += 1;
}

PATTERN(vote_return)
{
    T;
    if (t >= n)
        return;
    out[t] = (int)__ballot_sync(FULL, t % 3 == 0);
}

PATTERN(vote_if)
{
    T;
    if (t % 32 < 16)
        out[t] = (int)__ballot_sync(FULL, t % 3 == 0);
    out[t] += 1;
}

PATTERN(vote_arms)
{
    T;
    if (t % 2) {
        out[t] = (int)__ballot_sync(FULL, t % 3 == 0);
    } else {
        out[t] = 1;
        out[t] += (int)__ballot_sync(FULL, t % 5 == 0);
    }
}

PATTERN(vote_activemask)
{
    T;
    if (t % 32 < 16)
        out[t] = (int)__ballot_sync(__activemask(), t % 3 == 0);
    out[t] += 1;
}

PATTERN(reduce_if)
{
    T;
#if __CUDA_ARCH__ >= 800 || defined(SIMT)
    if (t % 32 < 16)
        out[t] = __reduce_add_sync(FULL, t);
#endif
    out[t] += 1;
}

PATTERN(match_if)
{
    T;
    if (t % 32 < 16)
        out[t] = (int)__match_any_sync(FULL, t % 4);
    out[t] += 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *d_out, out[64];
    for (const pattern *p = patterns; p; p = p->next)
        if (argc < 2) {
            printf("%s\n", p->name);
        } else if (strcmp(p->name, name) == 0) {
            cudaMalloc(&d_out, sizeof out);
            cudaMemset(d_out, 0, sizeof out);
            p->kernel<<<1, 64>>>(d_out, 48);
            const cudaError_t error = cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
            printf("%s", cudaGetErrorName(error));
            for (int i = 0; error == cudaSuccess && i < 64; i++)
                printf(" %x", (unsigned)out[i]);
            printf("\n");
        }
    return 0;
}
