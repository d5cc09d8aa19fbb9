// SPDX-License-Identifier: MIT
//
// atomics.cu - one atomic of one warp in each kernel: in global and in shared memory, with its
// result used (atom) and unused (red), at addresses that lanes share or not. Run under Nsight
// Compute by record.sh, and in the emulator by tests/calibrate.sh, which compares them.
//
// The kernel's name says what it does: shared_red_add_float adds floats in shared memory.
#include <cstdio>

enum { LANES = 32 };

struct places_t {
    unsigned active;       // bit l: lane l takes part
    unsigned index[LANES]; // of the word that lane l changes
};

// Four kernels for one kind of atomic. `call` is the atomic, done at the address `at`.
#define ATOMIC(name, type, call)                                                                   \
    __global__ void global_red_##name(places_t p, type *d_data, unsigned *)                        \
    {                                                                                              \
        const unsigned lane = threadIdx.x;                                                         \
        type *at = d_data + p.index[lane];                                                         \
        if (p.active >> lane & 1)                                                                  \
            call;                                                                                  \
    }                                                                                              \
    __global__ void global_atom_##name(places_t p, type *d_data, unsigned *d_old)                  \
    {                                                                                              \
        const unsigned lane = threadIdx.x;                                                         \
        type *at = d_data + p.index[lane];                                                         \
        if (p.active >> lane & 1)                                                                  \
            d_old[lane] = (unsigned)call;                                                          \
    }                                                                                              \
    __global__ void shared_red_##name(places_t p, type *d_data, unsigned *)                        \
    {                                                                                              \
        __shared__ type s_data[LANES];                                                             \
        const unsigned lane = threadIdx.x;                                                         \
        type *at = s_data + p.index[lane];                                                         \
        s_data[lane] = 0;                                                                          \
        __syncwarp();                                                                              \
        if (p.active >> lane & 1)                                                                  \
            call;                                                                                  \
        __syncwarp();                                                                              \
        d_data[lane] = s_data[lane];                                                               \
    }                                                                                              \
    __global__ void shared_atom_##name(places_t p, type *d_data, unsigned *d_old)                  \
    {                                                                                              \
        __shared__ type s_data[LANES];                                                             \
        const unsigned lane = threadIdx.x;                                                         \
        type *at = s_data + p.index[lane];                                                         \
        s_data[lane] = 0;                                                                          \
        __syncwarp();                                                                              \
        if (p.active >> lane & 1)                                                                  \
            d_old[lane] = (unsigned)call;                                                          \
        __syncwarp();                                                                              \
        d_data[lane] = s_data[lane];                                                               \
    }

ATOMIC(add_int, int, atomicAdd(at, (int)lane))
ATOMIC(add_long, unsigned long long, atomicAdd(at, lane))
ATOMIC(add_float, float, atomicAdd(at, (float)lane))
ATOMIC(add_double, double, atomicAdd(at, (double)lane))
ATOMIC(max_int, int, atomicMax(at, (int)lane))
ATOMIC(or_unsigned, unsigned, atomicOr(at, lane))
ATOMIC(inc_unsigned, unsigned, atomicInc(at, 1000))
ATOMIC(exchange_int, int, atomicExch(at, (int)lane))
ATOMIC(cas_int, int, atomicCAS(at, 0, (int)lane))

// One address that the compiler knows to be the same for all lanes.
__global__ void global_red_one(int *d_data)
{
    atomicAdd(d_data, 1);
}
__global__ void global_atom_one(int *d_data, int *d_old)
{
    d_old[threadIdx.x] = atomicAdd(d_data, 1);
}

// All lanes on one word; each on its own word; pairs; every other lane; one lane; words in reverse.
static void set_places(places_t &p, int pattern)
{
    p = {0xffffffffu, {0}};
    for (unsigned lane = 0; lane < LANES; lane++) {
        p.index[lane] = pattern == 0 ? 7 : pattern == 2 ? lane / 2 : lane;
        if (pattern == 5)
            p.index[lane] = LANES - 1 - lane;
    }
    if (pattern == 3)
        p.active = 0x55555555u;
    if (pattern == 4)
        p.active = 1u << 9;
}

static void *d_data;
static unsigned *d_old;

template <typename T>
static void run(void (*kernel)(places_t, T *, unsigned *))
{
    for (int pattern = 0; pattern < 6; pattern++) {
        places_t places;
        set_places(places, pattern);
        cudaMemset(d_data, 0, LANES * sizeof(T));
        kernel<<<1, LANES>>>(places, (T *)d_data, d_old);
    }
}

#define RUN(name)                                                                                  \
    run(global_red_##name), run(global_atom_##name), run(shared_red_##name), run(shared_atom_##name)

int main()
{
    cudaMalloc(&d_data, LANES * sizeof(double));
    cudaMalloc(&d_old, LANES * sizeof(unsigned));
    RUN(add_int);
    RUN(add_long);
    RUN(add_float);
    RUN(add_double);
    RUN(max_int);
    RUN(or_unsigned);
    RUN(inc_unsigned);
    RUN(exchange_int);
    RUN(cas_int);
    cudaMemset(d_data, 0, sizeof(int));
    global_red_one<<<1, LANES>>>((int *)d_data);
    global_atom_one<<<1, LANES>>>((int *)d_data, (int *)d_old);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "atomics: %s\n", cudaGetErrorString(error));
        return 1;
    }
    return 0;
}
