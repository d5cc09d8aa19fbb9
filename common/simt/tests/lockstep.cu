// SPDX-License-Identifier: MIT
//
// lockstep.cu - lanes of a warp execute together, diverge at a branch and reconverge after it.
#include "check.h"

// Every lane reads its neighbour before any lane writes: only lockstep gives a clean rotation.
// A GPU does not guarantee it, so this is a race.
__global__ void rotate(int *data)
{
    const unsigned lane = threadIdx.x;
    data[lane] = data[(lane + 1) % 32];
}

__device__ __noinline__ unsigned here()
{
    return __activemask();
}

// A function that is called from both arms of an if is two instructions, not one.
__global__ void both_arms(unsigned *mask)
{
    const unsigned lane = threadIdx.x;
    unsigned m;
    if (lane % 2 == 0)
        m = here();
    else
        m = here() | 0u;
    mask[lane] = m;
    mask[32 + lane] = here();
}

// Lanes leave the loop one by one and wait after it for the others.
__global__ void uneven_loop(unsigned *mask, const int *zero)
{
    const unsigned lane = threadIdx.x;
    int sum = 0;
    for (unsigned i = 0; i < lane; i++)
        sum += zero[i];
    mask[lane] = here() + (unsigned)sum;
}

// Lanes that have nothing more to do in an iteration wait for the others before the next one, in a
// loop of any kind. Each iteration stores the lanes that begin it together.
__device__ void put(int *out, int value)
{
    if (threadIdx.x == 0)
        *out = value;
}

__global__ void for_loop(unsigned *mask, int *out)
{
    for (int i = 0; i < 2; i++) {
        mask[i * 32 + threadIdx.x] = here();
        put(out, i);
    }
}

__global__ void while_loop(unsigned *mask, int *out)
{
    int i = 0;
    while (i < 2) {
        mask[i * 32 + threadIdx.x] = here();
        if (i++, threadIdx.x % 4 != 0)
            continue;
        *out = i;
    }
}

// Loops of all kinds may be in a constant expression, and without braces.
__host__ __device__ constexpr int root(int n)
{
    int down[2] = {n, 0};
    do
        down[0]--;
    while (down[0] * down[0] > n);
    for (int k = 0; k < 3; k++)
        if (k > 1)
            down[1]++;
    while (down[1] > 1)
        if (down[1]-- == 0)
            break;
    return down[0] * down[1];
}
static_assert(root(17) == 4, "");

__global__ void do_loop(unsigned *mask, int *out)
{
    int i = 0;
    do {
        mask[i * 32 + threadIdx.x] = here();
        if (threadIdx.x > 7)
            *out = i;
    } while (++i < 2);
}

// No `return` is missing after a loop that has no end.
constexpr __device__ int beyond(int limit)
{
    int n = 1;
    do {
        if (n > limit)
            return n;
        n *= 2;
    } while (/* also with a blank */ true);
}
static_assert(beyond(9) == 16, "");

__global__ void endless_loop(unsigned *mask, int *out)
{
    int i = 0;
    do {
        mask[i * 32 + threadIdx.x] = here();
        if (threadIdx.x > 7)
            *out = i;
        if (++i == 2)
            return;
    } while (true);
}

__global__ void range_loop(unsigned *mask, int *out)
{
    const int range[] = {0, 1};
    for (const int i : range) {
        mask[i * 32 + threadIdx.x] = here();
        if (threadIdx.x % 4 != 0)
            continue;
        *out = i;
    }
}

__global__ void list_loop(unsigned *mask, int *out)
{
    if (out == nullptr)
        for (const unsigned i : {0, 1})
            put(out, i);
    else
        for (const unsigned i : {blockIdx.x, 1u}) {
            mask[i * 32 + threadIdx.x] = here();
            put(out, (int)i);
        }
}

// A range is what C++ says: a class, also one whose functions are beside it, also a temporary.
namespace beside
{
struct span {
    int *first, *last;
};

__device__ int *begin(const span &s)
{
    return s.first;
}

__device__ int *end(const span &s)
{
    return s.last;
}
} // namespace beside

// Every 32nd number below 64.
struct steps {
    unsigned at, step;

    __device__ steps begin() const { return *this; }

    __device__ unsigned end() const { return 64; }

    __device__ unsigned operator*() const { return at; }

    __device__ steps &operator++()
    {
        at += step;
        return *this;
    }

    __device__ bool operator!=(unsigned limit) const { return at < limit; }
};

__global__ void class_loop(unsigned *mask, int *out)
{
    for (unsigned i : steps{threadIdx.x, 32}) {
        mask[i] = here();
        put(out, (int)i);
    }
    for (int &x : beside::span{out, out + 1})
        if (threadIdx.x == 0)
            x++;
}

// A lane that skips two iterations is not with those that have skipped one.
__global__ void every_other(unsigned *mask, int *)
{
    for (unsigned i = 0; i < 2; i++)
        if (threadIdx.x % 2 == i % 2)
            mask[i * 32 + threadIdx.x] = here();
}

// Nor are lanes together in an inner loop whose outer iterations differ.
__global__ void inner_loop(unsigned *mask, int *)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < (threadIdx.x + i) % 2; k++)
            mask[i * 32 + threadIdx.x] = here();
}

// The lane that has the lock is still in its iteration when the others try again.
__global__ void lock(unsigned *count, int *held)
{
    for (bool done = false; !done;)
        if (atomicCAS(held, 0, 1) == 0) {
            atomicAdd(count, 1);
            atomicExch(held, 0);
            done = true;
        }
}

// Lane i waits for lane i - 1, which is past the loop.
__global__ void chain(unsigned *next, volatile int *flag)
{
    while (atomicAdd(next, 0) != threadIdx.x)
        ;
    const unsigned half = threadIdx.x / 16 * 16;
    *flag = (int)threadIdx.x;
    atomicExch(next, threadIdx.x + 1);
    while (*flag < (int)half + 15)
        ;
}

// Threads that return early do not block the barrier.
__global__ void early_exit(int *out, int n)
{
    __shared__ int s_data[128];
    const int tid = (int)threadIdx.x;
    if (tid >= n)
        return;
    s_data[tid] = tid;
    __syncthreads();
    out[tid] = s_data[n - 1 - tid];
}

// The lanes of each of two iterations were together.
static void check_loop(void (*kernel)(unsigned *, int *), unsigned first, unsigned second)
{
    unsigned *d_mask;
    int *d_out;
    CHECK(cudaMalloc(&d_mask, 64 * sizeof *d_mask));
    CHECK(cudaMalloc(&d_out, sizeof *d_out));
    setenv("SIMT_CHECK", "0", 1); // several lanes write to *d_out
    kernel<<<1, 32>>>(d_mask, d_out);
    unsetenv("SIMT_CHECK");
    for (unsigned i = 0; i < 64; i++) {
        const unsigned lanes = i < 32 ? first : second;
        EXPECT(!(lanes >> i % 32 & 1) || at(d_mask, i) == lanes);
    }
    CHECK(cudaFree(d_mask));
    CHECK(cudaFree(d_out));
}

int main()
{
    int *d_data;
    unsigned *d_mask;
    CHECK(cudaMalloc(&d_data, 128 * sizeof *d_data));
    CHECK(cudaMalloc(&d_mask, 64 * sizeof *d_mask));
    for (int i = 0; i < 32; i++)
        CHECK(cudaMemcpy(d_data + i, &i, sizeof i, cudaMemcpyHostToDevice));
    setenv("SIMT_CHECK", "0", 1); // the race is intended
    rotate<<<1, 32>>>(d_data);
    unsetenv("SIMT_CHECK");
    for (int i = 0; i < 32; i++)
        EXPECT(at(d_data, i) == (i + 1) % 32);

    both_arms<<<1, 32>>>(d_mask);
    for (int i = 0; i < 32; i++) {
        EXPECT(at(d_mask, i) == (i % 2 == 0 ? 0x55555555u : 0xaaaaaaaau));
        EXPECT(at(d_mask, 32 + i) == 0xffffffffu);
    }

    CHECK(cudaMemset(d_data, 0, 128 * sizeof *d_data));
    uneven_loop<<<1, 32>>>(d_mask, d_data);
    for (int i = 0; i < 32; i++)
        EXPECT(at(d_mask, i) == 0xffffffffu);

    const unsigned all = 0xffffffff, even = 0x55555555, odd = 0xaaaaaaaa;
    check_loop(for_loop, all, all);
    check_loop(while_loop, all, all);
    check_loop(do_loop, all, all);
    check_loop(endless_loop, all, all);
    check_loop(range_loop, all, all);
    check_loop(list_loop, all, all);
    check_loop(class_loop, all, all);
    check_loop(every_other, even, odd);
    check_loop(inner_loop, odd, even);
    CHECK(cudaMemset(d_data, 0, sizeof *d_data));
    CHECK(cudaMemset(d_mask, 0, sizeof *d_mask));
    lock<<<1, 32>>>(d_mask, d_data);
    EXPECT(at(d_mask, 0) == 32);

    CHECK(cudaMemset(d_mask, 0, sizeof *d_mask));
    setenv("SIMT_CHECK", "0", 1); // the volatile flag is a race
    chain<<<1, 32>>>(d_mask, d_data);
    unsetenv("SIMT_CHECK");
    EXPECT(at(d_mask, 0) == 32);

    early_exit<<<1, 128>>>(d_data, 70);
    for (int i = 0; i < 70; i++)
        EXPECT(at(d_data, i) == 69 - i);

    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_mask));
    return 0;
}
