// SPDX-License-Identifier: MIT
//
// patterns.cu - random access patterns of one warp, one kernel launch each. Run under Nsight
// Compute on a GPU and under simtcc without one, it shows whether both count the same.
//
//   patterns [FIRST [COUNT [SEED]]]    patterns FIRST to FIRST + COUNT - 1; default 0 640 1
//
// Pattern i depends on i and the seed alone. Its kernel names space, direction and width:
// shared_load<4> moves 4 bytes a lane. stdout: index,kernel,width,kind,active (a mask).
#include <cstdio>
#include <cstdlib>

#define LANES 32
#define WINDOW 16384 // bytes that a pattern can reach, in shared and in global memory

// ---- one access of each kind; only the addresses matter ----

template <int BYTES>
struct unit_t {
    unsigned char byte;
};
template <>
struct alignas(2) unit_t<2> {
    unsigned short half_word;
};
template <>
struct alignas(4) unit_t<4> {
    unsigned word;
};
template <>
struct alignas(8) unit_t<8> {
    uint2 words;
};
template <>
struct alignas(16) unit_t<16> {
    uint4 words;
};

struct pattern_t {
    unsigned active;       // bit l: lane l takes part
    unsigned index[LANES]; // in units of the access width
};

// The second half of the buffer gets the loaded values: this keeps the loads alive.
template <int BYTES>
__device__ unit_t<BYTES> *kept(void *d_data)
{
    return (unit_t<BYTES> *)((char *)d_data + WINDOW);
}

// Fills shared memory with stores only, so that the loads that follow read written memory.
__device__ void fill(uint4 *s_raw)
{
    for (unsigned i = threadIdx.x; i < WINDOW / sizeof(uint4); i += LANES) {
        s_raw[i] = make_uint4(i, i + 1, i + 2, i + 3);
    }
    __syncwarp();
}

template <int BYTES>
__global__ void shared_load(pattern_t p, void *d_data)
{
    extern __shared__ uint4 s_raw[];
    const unsigned lane = threadIdx.x;
    fill(s_raw);
    if (p.active >> lane & 1) {
        kept<BYTES>(d_data)[lane] = ((unit_t<BYTES> *)s_raw)[p.index[lane]];
    }
}

template <int BYTES>
__global__ void shared_store(pattern_t p, void *d_data)
{
    extern __shared__ uint4 s_raw[];
    const unsigned lane = threadIdx.x;
    if (p.active >> lane & 1) {
        ((unit_t<BYTES> *)s_raw)[p.index[lane]] = ((unit_t<BYTES> *)d_data)[lane];
    }
    __syncwarp(); // the loads below keep the store alive
    if (p.active >> lane & 1) {
        kept<BYTES>(d_data)[lane] = ((unit_t<BYTES> *)s_raw)[p.index[lane]];
    }
}

template <int BYTES>
__global__ void global_load(pattern_t p, void *d_data)
{
    const unsigned lane = threadIdx.x;
    if (p.active >> lane & 1) {
        kept<BYTES>(d_data)[lane] = ((unit_t<BYTES> *)d_data)[p.index[lane]];
    }
}

template <int BYTES>
__global__ void global_store(pattern_t p, void *d_data)
{
    const unsigned lane = threadIdx.x;
    unit_t<BYTES> value; // one value for all lanes: two stores to one address are no race
    unsigned char *byte = (unsigned char *)&value;
    for (int k = 0; k < BYTES; k++) {
        byte[k] = (unsigned char)k;
    }
    if (p.active >> lane & 1) {
        ((unit_t<BYTES> *)d_data)[p.index[lane]] = value;
    }
}

// ---- the generator ----

static unsigned long long state;

static unsigned draw(unsigned below) // splitmix64, by S. Vigna
{
    unsigned long long z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (unsigned)((z ^ (z >> 31)) % below);
}

static const char *const kinds[] = {"stride", "random", "few",      "same",
                                    "groups", "xor",    "one bank", "shuffle"};

// The index of one lane. `units` is how many units the window holds.
static unsigned index_of(unsigned kind, unsigned lane, unsigned a, unsigned b, unsigned units)
{
    switch (kind) {
    case 0: // every a-th unit
        return (lane * (a % 34) + b) % units;
    case 1: // anywhere
        return draw(units);
    case 2: // a few places, so that lanes share them
        return (draw(1 + a % 48) + b) % units;
    case 3: // all lanes read one place
        return b % units;
    case 4: // groups of 2, 4, 8 or 16 lanes share a place
        return ((lane >> (1 + a % 4)) * (1 + b % 40)) % units;
    case 5: // a permutation by exclusive or
        return lane ^ (a % 32);
    case 6: // 128 bytes apart or near it: few banks
        return (lane * (units / 128) + (draw(3) == 0 ? draw(4) : 0) + b) % units;
    default: // neighbours in random order
        return (lane * (2 * (a % 16) + 1) + b) % 32;
    }
}

// 32 bits. One statement for each draw: the order of two draws in one expression is not fixed.
static unsigned draw_word(void)
{
    const unsigned high = draw(65536);
    const unsigned low = draw(65536);
    return high << 16 | low;
}

static unsigned active_lanes(void)
{
    const unsigned any = draw_word();
    unsigned mask;
    switch (draw(6)) {
    case 0:
        return any | 1;
    case 1:
        return 1u << draw(32);
    case 2:
        return 0xffffffffu >> draw(32);
    case 3:
        mask = any & draw_word();
        return mask | 1u << draw(32);
    default:
        return 0xffffffffu;
    }
}

// ---- the runs ----

using kernel_fn = void (*)(pattern_t, void *);

static const struct {
    const char *name;
    int bytes;
    kernel_fn kernel;
} kernels[] = {
    {"shared_load", 1, shared_load<1>},   {"shared_load", 2, shared_load<2>},
    {"shared_load", 4, shared_load<4>},   {"shared_load", 8, shared_load<8>},
    {"shared_load", 16, shared_load<16>}, {"shared_store", 1, shared_store<1>},
    {"shared_store", 2, shared_store<2>}, {"shared_store", 4, shared_store<4>},
    {"shared_store", 8, shared_store<8>}, {"shared_store", 16, shared_store<16>},
    {"global_load", 1, global_load<1>},   {"global_load", 2, global_load<2>},
    {"global_load", 4, global_load<4>},   {"global_load", 8, global_load<8>},
    {"global_load", 16, global_load<16>}, {"global_store", 1, global_store<1>},
    {"global_store", 2, global_store<2>}, {"global_store", 4, global_store<4>},
    {"global_store", 8, global_store<8>}, {"global_store", 16, global_store<16>},
    {"shared_load", 8, shared_load<8>},   {"shared_load", 16, shared_load<16>},
    {"shared_load", 8, shared_load<8>},   {"shared_load", 16, shared_load<16>},
    {"shared_store", 8, shared_store<8>}, {"shared_store", 16, shared_store<16>},
};

int main(int argc, char **argv)
{
    const unsigned first = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    const unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 640;
    const unsigned seed = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
    void *d_data;
    cudaError_t error = cudaMalloc(&d_data, 2 * WINDOW);
    if (error == cudaSuccess) {
        error = cudaMemset(d_data, 0, 2 * WINDOW);
    }
    for (unsigned i = first; i < first + count && error == cudaSuccess; i++) {
        state = (unsigned long long)seed << 32 | i;
        const auto &k = kernels[i % (sizeof kernels / sizeof *kernels)];
        const unsigned kind = draw(sizeof kinds / sizeof *kinds);
        const unsigned a = draw(1 << 20), b = draw(1 << 20);
        pattern_t p;
        p.active = active_lanes();
        for (unsigned lane = 0; lane < LANES; lane++) {
            p.index[lane] = index_of(kind, lane, a, b, WINDOW / (unsigned)k.bytes);
        }
        k.kernel<<<1, LANES, WINDOW>>>(p, d_data);
        error = cudaDeviceSynchronize();
        printf("%u,%s,%d,%s,%08x\n", i, k.name, k.bytes, kinds[kind], p.active);
    }
    if (error != cudaSuccess) {
        fprintf(stderr, "patterns: %s\n", cudaGetErrorString(error));
        return 1;
    }
    return 0;
}
