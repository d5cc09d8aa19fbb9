// SPDX-License-Identifier: MIT
//
// subset_atomic.cu - all atomics, of all types, on shared and global memory.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { THREADS = 64 };

struct totals {
    int add, sub, exch, min, max, both, either, differ, cas;
    unsigned inc, dec, block, system, subu, bothu, eitheru;
    unsigned long long add64, max64, min64, or64, cas64;
    long long smin64;
    float addf;
    double addd;
    __half2 addh2;
    __half addh;
    __nv_bfloat162 addb2;
};

__device__ void use_all(totals *t, int i)
{
    atomicAdd(&t->add, i);
    atomicSub(&t->sub, 2);
    atomicExch(&t->exch, 5);
    atomicMin(&t->min, -i);
    atomicMax(&t->max, i);
    atomicAnd(&t->both, ~(1 << i % 8));
    atomicOr(&t->either, 1 << i % 8);
    atomicXor(&t->differ, i);
    atomicSub(&t->subu, 1u);
    atomicAnd(&t->bothu, ~(1u << i % 31));
    atomicOr(&t->eitheru, 1u << i % 32);
    atomicInc(&t->inc, 9u);
    atomicDec(&t->dec, 9u);
    atomicAdd_block(&t->block, 1u);
    atomicMax_system(&t->system, (unsigned)i);
    atomicAdd(&t->add64, 1ull << 33);
    atomicMax(&t->max64, (unsigned long long)i << 40);
    atomicMin(&t->min64, ~(unsigned long long)i);
    atomicOr(&t->or64, 1ull << i);
    atomicMin(&t->smin64, -((long long)i << 40));
    atomicAdd(&t->addf, 0.5f);
    atomicAdd(&t->addd, 0.25);
    atomicAdd(&t->addh2, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(&t->addh, __float2half(0.5f));
    atomicAdd(&t->addb2, __floats2bfloat162_rn(1.0f, 2.0f));
    int seen = t->cas, old;
    do {
        old = seen;
        seen = atomicCAS(&t->cas, old, old + 3);
    } while (seen != old);
    if (i == 7)
        atomicCAS(&t->cas64, 0ull, 1ull << 50);
}

__device__ void set_zero(totals *t)
{
    *t = totals{};
    t->min64 = ~0ull;
    t->both = 0xff;
    t->subu = 1000;
    t->bothu = ~0u;
}

__global__ void global_kernel(totals *t)
{
    if (threadIdx.x == 0)
        set_zero(t);
    __syncthreads();
    use_all(t, (int)threadIdx.x);
}

__global__ void shared_kernel(totals *t)
{
    __shared__ totals s_totals;
    if (threadIdx.x == 0)
        set_zero(&s_totals);
    __syncthreads();
    use_all(&s_totals, (int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        *t = s_totals;
}

static void check(const totals *d_totals)
{
    totals t;
    CHECK(cudaMemcpy(&t, d_totals, sizeof t, cudaMemcpyDeviceToHost));
    EXPECT(t.add == 2016 && t.sub == -128 && t.exch == 5 && t.min == -63 && t.max == 63);
    EXPECT(t.both == 0 && t.either == 0xff && t.differ == 0 && t.cas == 192);
    EXPECT(t.subu == 1000 - 64 && t.bothu == 1u << 31 && t.eitheru == ~0u);
    EXPECT(t.inc == 4 && t.dec == 6 && t.block == 64 && t.system == 63);
    EXPECT(t.add64 == 64ull << 33 && t.max64 == 63ull << 40 && t.min64 == ~63ull);
    EXPECT(t.or64 == ~0ull && t.cas64 == 1ull << 50 && t.smin64 == -(63ll << 40));
    EXPECT(t.addf == 32.0f && t.addd == 16.0 && __half2float(t.addh) == 32.0f);
    EXPECT(__low2float(t.addh2) == 64.0f && __high2float(t.addh2) == 128.0f);
    EXPECT(__low2float(t.addb2) == 64.0f && __high2float(t.addb2) == 128.0f);
}

int main()
{
    totals *d_totals;
    CHECK(cudaMalloc(&d_totals, sizeof *d_totals));
    global_kernel<<<1, THREADS>>>(d_totals);
    check(d_totals);
    shared_kernel<<<1, THREADS>>>(d_totals);
    check(d_totals);
    CHECK(cudaFree(d_totals));
    return 0;
}
