// SPDX-License-Identifier: MIT
// OPTIONS --expt-relaxed-constexpr
//
// Structs that functions take and return by value, and copies by memcpy() and its like: each way is
// an access like any other. One warp; `wide` is 5 words, `vec` is 3, and a copy moves word by word.
//
// COUNTS 1 shared_st_requests 24 (returned: 3 wide, 3 vec)
// COUNTS 1 shared_ld_requests 8
// COUNTS 2 shared_st_requests 8 (a wide and a vec, for what comes)
// COUNTS 2 shared_ld_requests 24 (taken: 3 wide, 3 vec)
// COUNTS 3 shared_st_requests 14 (2 vec, 2 by the swap, an entry of 16 bytes, 1 word)
// COUNTS 3 shared_ld_requests 12 (2 vec by the swap, 1 by the copy, 3 words)
// COUNTS 4 shared_st_requests 16 (memset, memcpy and memmove: 5 words each; 1 word)
// COUNTS 4 shared_ld_requests 22 (memcpy, memmove, memcmp: 5, 5, 10; 2 words)
// COUNTS 5 global_ld_requests 20 (bytes: 4 at an odd address, 16 of a pack)
// COUNTS 5 shared_st_requests 5 (a pack to an array of int and to one of packs)
#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

struct wide {
    int v[5];
};
struct vec {
    float x, y, z;
};
struct entry {
    int key;
    vec value;
};

__device__ __noinline__ wide make_wide(int i)
{
    wide w;
    for (int k = 0; k < 5; k++)
        w.v[k] = i + k;
    return w;
}
__device__ __noinline__ vec make_vec(int i)
{
    return vec{i + 0.0f, i + 1.0f, i + 2.0f};
}
__device__ wide deeper(int i, int depth)
{
    return depth > 0 ? deeper(i + 1, depth - 1) : make_wide(i);
}

struct shape {
    __device__ virtual wide widen(int i) const { return make_wide(i); }
    __device__ virtual vec at(int i) const { return make_vec(i); }
    __device__ virtual int first(wide w) const { return w.v[0]; }
};
struct moved : shape {
    __device__ wide widen(int i) const override { return make_wide(i + 10); }
    __device__ vec at(int i) const override { return make_vec(i + 10); }
    __device__ int first(wide w) const override { return w.v[1]; }
};

__global__ void returned(int *out, bool flag)
{
    __shared__ wide s_wide[32];
    __shared__ vec s_vec[32];
    const int i = threadIdx.x;
    vec (*function)(int) = flag ? make_vec : nullptr;
    const moved m;
    const shape &s = m;
    s_wide[i] = make_wide(i);
    s_wide[i] = deeper(i, 3); // a recursion is not inlined
    s_wide[i] = s.widen(i);
    s_vec[i] = make_vec(i);
    s_vec[i] = function(i);
    s_vec[i] = s.at(i);
    const wide w = s_wide[i];
    const vec v = s_vec[i];
    out[i] = w.v[4] + (int)v.z; // 2 i + 26
}

__device__ __noinline__ int last(wide w)
{
    return w.v[4];
}
__device__ __noinline__ int sum(char, vec v, int n)
{
    return (int)(v.x + v.y + v.z) + n;
}

__global__ void taken(int *out)
{
    __shared__ wide s_wide[32];
    __shared__ vec s_vec[32];
    const int i = threadIdx.x;
    const moved m;
    const shape &s = m;
    s_wide[i] = make_wide(i);
    s_vec[i] = make_vec(i);
    const auto z = [](vec v) { return (int)v.z; };
    int n = last(s_wide[i]);
    n += last(std::move(s_wide[i]));
    n += s.first(s_wide[i]);
    n += sum('x', s_vec[i], 1);
    n += sum('y', true ? s_vec[i] : vec{}, 1);
    n += z(s_vec[i]);
    out[i] = n; // 3 i + 9, 6 i + 8, i + 2
}

__global__ void library(int *out)
{
    __shared__ vec s_vec[2][32];
    __shared__ entry s_entry[32];
    const int i = threadIdx.x;
    s_vec[0][i] = make_vec(i);
    s_vec[1][i] = make_vec(-i);
    std::swap(s_vec[0][i], s_vec[1][i]);
    float xyz[3];
    std::copy(&s_vec[0][i].x, &s_vec[0][i].x + 3, xyz);
    s_entry[i] = entry{i, make_vec(i)};
    s_vec[0][i].x = xyz[2];
    __syncthreads();
    out[i] = (int)s_vec[0][i].x + s_entry[i].key + (int)s_entry[i].value.y; // 2 - i, i, i + 1
}

__global__ void bytes(int *out, size_t n)
{
    __shared__ wide s_a[32], s_b[32];
    const int i = threadIdx.x;
    memset(&s_a[i], 0, n);
    std::memcpy(&s_b[i], &s_a[i], sizeof(wide));
    s_a[i].v[4] = i;
    memmove(&s_b[i], &s_a[i], n);
    int b;
    memcpy(&b, &s_b[i].v[4], sizeof b);
    float f = 1.0f; // no access
    int bits;
    memcpy(&bits, &f, sizeof f);
    out[i] = b + (memcmp(&s_a[i], &s_b[i], n) == 0) + (bits == 0x3f800000) + s_b[i].v[0];
}

__global__ void odd(int *out, const char *in)
{
    __shared__ int s_word[4 * 32];
    __shared__ int4 s_pack[32];
    int v;
    int4 four;
    memcpy(&v, in + 4 * threadIdx.x + 1, sizeof v);
    memcpy(&four, (const int4 *)in + threadIdx.x / 4, sizeof four);
    memcpy(s_word + 4 * threadIdx.x, &four, sizeof four);
    memcpy(s_pack + threadIdx.x, &four, sizeof four);
    out[threadIdx.x] = v;
}

int main()
{
    int *out, host[33];
    assert(cudaMalloc(&out, sizeof host) == cudaSuccess);
    const auto check = [&](auto right) {
        assert(cudaMemcpy(host, out, 32 * sizeof *host, cudaMemcpyDeviceToHost) == cudaSuccess);
        for (int i = 0; i < 32; i++)
            assert(host[i] == right(i));
    };
    returned<<<1, 32>>>(out, true);
    check([](int i) { return 2 * i + 26; });
    taken<<<1, 32>>>(out);
    check([](int i) { return 10 * i + 19; });
    library<<<1, 32>>>(out);
    check([](int i) { return i + 3; });
    bytes<<<1, 32>>>(out, sizeof(wide));
    check([](int i) { return i + 2; });
    char *in;
    assert(cudaMalloc(&in, 129) == cudaSuccess && cudaMemset(in, 1, 129) == cudaSuccess);
    odd<<<1, 32>>>(out, in);
    check([](int) { return 0x01010101; });
}
