// SPDX-License-Identifier: MIT
//
// 05 bulk copy: the hardware fetches into shared memory, the threads only add. For the largest n.
//
// Idea          One thread asks for 64 KiB at a time: a bulk copy from global to shared memory.
//               Three such stages are in flight in a ring. A barrier in shared memory counts the
//               bytes that have arrived; then all threads add up what is there.
// What was slow We do not know: see README. A plain load takes registers as soon as it starts, and
//               a stage none until it is read, by loads as well. But registers were enough.
// Limit         The ring must fill first, so small n gain nothing. Not every GPU with bulk copies
//               has 192 KiB of shared memory for a block.
// Source        NVIDIA, CUDA C++ Programming Guide, on asynchronous bulk copies.
// Needs: CUDA 12.6
#include <cstdint>
#include <cstring>
#include <ctime>
#include <cuda/ptx>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define STAGES 3
#define STAGE_BYTES 65536
#define STAGE_PACKS (STAGE_BYTES / 16)

namespace ptx = cuda::ptx;

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// The blocks combine through mailboxes: see mailbox.cu.
struct alignas(16) mail_t {
    uint64_t value; // the bytes of a T
    uint64_t tag;   // 0: none
};

// All 16 bytes in one step.
__device__ void store(mail_t *d_box, mail_t mail)
{
    asm volatile("{ .reg .b128 word;\n\t"
                 "mov.b128 word, {%1, %2};\n\t"
                 "st.relaxed.gpu.global.b128 [%0], word; }" ::"l"(d_box),
                 "l"(mail.value), "l"(mail.tag)
                 : "memory");
}

__device__ mail_t load(mail_t *d_box)
{
    mail_t mail;
    asm volatile("{ .reg .b128 word;\n\t"
                 "ld.relaxed.gpu.global.b128 word, [%2];\n\t"
                 "mov.b128 {%0, %1}, word; }"
                 : "=l"(mail.value), "=l"(mail.tag)
                 : "l"(d_box)
                 : "memory");
    return mail;
}

template <typename T>
__device__ void post(mail_t *d_box, T value, uint64_t tag)
{
    mail_t mail = {0, tag};
    memcpy(&mail.value, &value, sizeof(T));
    store(d_box, mail);
}

template <typename T>
__device__ T collect(mail_t *d_box, uint64_t tag)
{
    T value;
    mail_t mail;
    do {
        mail = load(d_box);
    } while (mail.tag != tag);
    store(d_box, {0, 0});
    memcpy(&value, &mail.value, sizeof(T));
    return value;
}

static uint64_t tag_of_launch(const void *d_work)
{
    timespec now;
    timespec_get(&now, TIME_UTC);
    uint64_t bits = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    bits += (uint64_t)d_work * 0x9e3779b97f4a7c15;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return (bits ^ bits >> 31) | 1; // not 0
}

template <typename T, typename Op>
__device__ T warp_reduce(T value)
{
    const Op op;
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_down_sync(0xffffffff, value, offset)); // mask: all 32 lanes
    }
    return value;
}

// Reduces the values of a block; thread 0 gets the result. All threads must call it. Between two
// calls there must be a barrier.
template <typename T, typename Op>
__device__ T block_reduce(T value)
{
    __shared__ T s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const unsigned warp = threadIdx.x / WARP_SIZE;

    value = warp_reduce<T, Op>(value);
    if (lane == 0) {
        s_warp[warp] = value;
    }
    __syncthreads(); // the results of all warps are in place
    if (warp == 0) {
        value = lane < WARPS ? s_warp[lane] : Op::identity();
        value = warp_reduce<T, Op>(value);
    }
    return value;
}

// Launch: BLOCK_SIZE threads a block, one block an SM, STAGES * STAGE_BYTES of dynamic shared
// memory. d_mail: a box for each block, holding anything.
template <typename T, typename Op>
__global__ void __launch_bounds__(BLOCK_SIZE)
    reduce_kernel(const T *d_in, T *d_out, mail_t *d_mail, uint64_t tag, size_t n)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char s_stage[];
    __shared__ uint64_t s_full[STAGES]; // barriers that count the bytes that have arrived
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t pack_size = 16 / sizeof(T);
    const size_t to_boundary = (16 - (size_t)d_in % 16) % 16 / sizeof(T);
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / pack_size;
    const size_t tail = head + packs * pack_size;
    const pack_t<T> *d_packs = (const pack_t<T> *)(d_in + head);
    // The blocks take stages in turn, so all of them read one region of memory at a time.
    const size_t first = (size_t)blockIdx.x * STAGE_PACKS;
    const size_t stride = (size_t)gridDim.x * STAGE_PACKS;

    // Thread 0 says how many bytes the barrier is to wait for, and starts the copy.
    const auto fetch = [&](size_t p, unsigned slot) {
        if (tid == 0 && p < packs) {
            const unsigned bytes = 16 * (unsigned)min(packs - p, (size_t)STAGE_PACKS);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &s_full[slot], bytes);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s_stage + slot * STAGE_BYTES,
                               d_packs + p, bytes, &s_full[slot]);
        }
    };
    if (tid == 0) {
        for (unsigned slot = 0; slot < STAGES; slot++) {
            ptx::mbarrier_init(&s_full[slot], 1);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster); // copies see them, too
    }
    __syncthreads(); // all barriers are set up
    for (unsigned slot = 0; slot < STAGES; slot++) {
        fetch(first + slot * stride, slot);
    }

    T value = Op::identity();
    unsigned slot = 0, round = 0;
    for (size_t p = first; p < packs; p += stride) {
        while (!ptx::mbarrier_try_wait_parity(&s_full[slot], round % 2)) {
        }
        const pack_t<T> *s_packs = (const pack_t<T> *)(s_stage + slot * STAGE_BYTES);
        const unsigned count = (unsigned)min(packs - p, (size_t)STAGE_PACKS);
        for (unsigned q = tid; q < count; q += BLOCK_SIZE) {
            const pack_t<T> pack = s_packs[q];
            for (unsigned k = 0; k < pack_size; k++) {
                value = op(value, pack.elem[k]);
            }
        }
        // A copy goes another way than loads and stores: only a fence puts the next one after what
        // this thread has read here (PTX ISA, "Async Proxy").
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads(); // all have read this slot
        fetch(p + STAGES * stride, slot);
        slot = (slot + 1) % STAGES;
        round += slot == 0;
    }
    if (i < head) {
        value = op(value, d_in[i]);
    }
    if (i < n - tail) {
        value = op(value, d_in[tail + i]);
    }

    value = block_reduce<T, Op>(value);
    if (tid == 0) {
        post(&d_mail[blockIdx.x], value, tag);
    }
    if (blockIdx.x < gridDim.x - 1) {
        return;
    }
    value = Op::identity();
    for (unsigned b = tid; b < gridDim.x; b += BLOCK_SIZE) {
        value = op(value, collect<T>(&d_mail[b], tag));
    }
    __syncthreads(); // the first call has been read to its end
    value = block_reduce<T, Op>(value);
    if (tid == 0) {
        d_out[0] = value;
    }
#endif
}

// One launch. Scratch: a box of 16 bytes a block. Same bits every run, as in 05.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const int shared_bytes = STAGES * STAGE_BYTES;
    int device = 0, sms = 0, major = 0, most_shared = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const bool fits = most_shared >= shared_bytes + 1024; // 1024: s_full and s_warp, at most
    if (major < 9 || !fits) {
        return cudaErrorNotSupported;
    }
    if (d_work == NULL) {
        *work_bytes = sms * sizeof(mail_t);
        return cudaSuccess;
    }
    const auto kernel = reduce_kernel<T, Op>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
    kernel<<<sms, BLOCK_SIZE, shared_bytes, stream>>>((const T *)d_in, (T *)d_out, (mail_t *)d_work,
                                                      tag_of_launch(d_work), n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "bulk copies into a ring of 3 stages of 64 KiB",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
