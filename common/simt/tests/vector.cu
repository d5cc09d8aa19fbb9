// SPDX-License-Identifier: MIT
//
// vector.cu - loads and stores of 16 bytes, packs, and the kinds of shared memory.
#include "check.h"
#include "simt/inspect.h"

template <typename T, int N>
struct alignas(N * sizeof(T)) pack {
    T elem[N];
};

// A file-scope name for the same dynamic shared memory, and a static array of vectors.
extern __shared__ unsigned char s_raw[];

template <typename T, int N>
__global__ void twice(pack<T, N> *data)
{
    static __shared__ float4 s_vec[32];
    pack<T, N> *s_pack = reinterpret_cast<pack<T, N> *>(s_raw);
    const unsigned tid = threadIdx.x;
    const pack<T, N> v = data[tid];
    pack<T, N> w;
    for (int i = 0; i < N; i++)
        w.elem[i] = T(v.elem[i] * 2);
    s_pack[tid] = w;
    s_vec[tid] = make_float4(1, 2, 3, (float)tid);
    __syncthreads();
    data[31 - tid] = s_pack[tid];
    const float4 f = s_vec[31 - tid];
    if (f.w != (float)(31 - tid))
        data[0].elem[0] = T(-1);
}

template <typename T, int N>
static void test_twice()
{
    pack<T, N> h_data[32], *d_data;
    for (int i = 0; i < 32; i++)
        for (int k = 0; k < N; k++)
            h_data[i].elem[k] = T(i + k);
    CHECK(cudaMalloc(&d_data, sizeof h_data));
    CHECK(cudaMemcpy(d_data, h_data, sizeof h_data, cudaMemcpyHostToDevice));
    twice<T, N><<<1, 32, sizeof h_data>>>(d_data);
    CHECK(cudaMemcpy(h_data, d_data, sizeof h_data, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        for (int k = 0; k < N; k++)
            EXPECT(h_data[31 - i].elem[k] == T(2 * (i + k)));
    CHECK(cudaFree(d_data));
}

// Members of a pack in memory: one request where nvcc (-arch=sm_90) makes one of them; of four
// floats without alignas four. The numbers are the requests of one warp.
struct alignas(16) aligned_four {
    float a, b, c, d;
};
struct four {
    float a, b, c, d;
};
__device__ float dot4(const float4 &a, const float4 &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__global__ void by_reference(const float4 *p, float *sum)
{
    *sum += dot4(p[threadIdx.x], p[threadIdx.x + 32]);
}
__global__ void by_cast(const float *p, float *sum)
{
    *sum += reinterpret_cast<const float4 *>(p)[threadIdx.x].z +
            reinterpret_cast<const float4 *>(p)[threadIdx.x].w;
}
template <typename T>
__global__ void by_pointer(const T *p, float *sum)
{
    const T *q = p + threadIdx.x;
    *sum += q->a + q->b + q->c + q->d;
}
__global__ void by_index(const float *p, float *sum)
{
    p += 4 * threadIdx.x;
    *sum += p[0] + p[1] + p[2] + p[3];
}
__global__ void stored(float4 *p, float *)
{
    p[threadIdx.x].x = p[threadIdx.x + 32].x;
    p[threadIdx.x].y = p[threadIdx.x + 32].y;
}
__global__ void parted(const float4 *p, float *sum)
{
    const float x = p[threadIdx.x].x;
    __syncthreads();
    *sum += x + p[threadIdx.x].y;
}

// 16 bytes that are aligned to 8 are no float4: they may be at any multiple of 8. (With clang the
// emulator cannot distinguish the two.)
struct value_index {
    float value;
    unsigned long long index;
};
struct behind_eight {
    double before;
    value_index at;
};
__global__ void moved(const value_index *d_in, value_index *d_out)
{
    __shared__ behind_eight s_data[32];
    s_data[threadIdx.x].at = d_in[threadIdx.x];
    __syncthreads();
    d_out[threadIdx.x] = s_data[threadIdx.x ^ 1].at;
}

static void test_moved([[maybe_unused]] float *d_data)
{
#ifndef __clang__
    value_index h_data[64] = {}, *d_at = (value_index *)(d_data + 2);
    for (unsigned i = 0; i < 32; i++)
        h_data[i] = {(float)i, i};
    CHECK(cudaMemcpy(d_at, h_data, sizeof h_data, cudaMemcpyHostToDevice));
    moved<<<1, 32>>>(d_at, d_at + 32);
    CHECK(cudaMemcpy(h_data, d_at, sizeof h_data, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 32; i++)
        EXPECT(h_data[32 + i].index == (i ^ 1) && h_data[32 + i].value == (float)(i ^ 1));
#endif
}

template <typename T>
static void test_pack(void (*kernel)(T *, float *), float *d_in, float *d_sum, size_t loads,
                      size_t stores)
{
    const size_t load = simt_counted("global_ld_requests");
    const size_t store = simt_counted("global_st_requests");
    kernel<<<1, 1>>>((T *)d_in, d_sum);
    EXPECT(simt_counted("global_ld_requests") - load == loads);
    EXPECT(simt_counted("global_st_requests") - store == stores);
}

// Packs after a head: `in + head` is aligned and `in` is not. Each way to access them is right.
struct alignas(16) four_floats {
    float elem[4];
    __device__ float first() const { return elem[0]; }
    __device__ float &operator[](int i) { return elem[i]; }
};
__device__ float last(const four_floats &v)
{
    return v.elem[3];
}
__global__ void behind_head(float *in, size_t head, float *out)
{
    const unsigned p = threadIdx.x;
    const four_floats copy = ((const four_floats *)(in + head))[p];
    four_floats assigned;
    assigned = ((const four_floats *)(in + head))[p];
    float sum = copy.elem[1] + assigned.elem[2];
    sum += ((const four_floats *)(in + head))[p].first();
    sum += last(((const four_floats *)(in + head))[p]) + last(*(const four_floats *)(in + 3));
    sum += ((four_floats *)(in + head))[p][1] + ((four_floats *)(in + 3))[1].elem[0];
    sum += ((const float4 *)(in + head))[p].y + ((const float4 *)(in + 3))[0].z;
    const float4 v = ((const float4 *)(in + head))[p], w = ((const float4 *)(in + 3))[1];
    __syncthreads();
    ((four_floats *)(in + head))[p] = assigned;
    *(four_floats *)(in + 3 + 4 * p) = copy;
    ((four_floats *)(in + head))[p].elem[0] = sum;
    ((float4 *)(in + head))[p].x = v.x;
    ((float4 *)(in + 3))[p] = v;
    out[p] = sum + v.w + w.w;
}

// No member of a packed struct is misaligned: its bytes are read one by one.
struct __attribute__((packed)) packed {
    char c;
    float f;
    short s;
};
__global__ void by_bytes(const packed *p, float *sum)
{
    *sum += p->f + p->s;
}

int main()
{
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, 1024 * sizeof *d_in));
    CHECK(cudaMalloc(&d_out, sizeof *d_out));
    CHECK(cudaMemset(d_in, 0, 1024 * sizeof *d_in));
    CHECK(cudaMemset(d_out, 0, sizeof *d_out));
    test_twice<unsigned short, 8>();
    test_twice<float, 4>();
    test_twice<double, 2>();
    test_twice<int, 2>();
    test_pack(by_reference, d_in, d_out, 2 + 1, 1);
    test_pack(by_cast, d_in, d_out, 1 + 1, 1);
    test_pack(by_pointer<aligned_four>, d_in, d_out, 1 + 1, 1);
    test_pack(by_pointer<four>, d_in, d_out, 4 + 1, 1);
    test_pack(by_index, d_in, d_out, 4 + 1, 1);
    test_pack(stored, d_in, d_out, 1, 1);
    test_pack(parted, d_in, d_out, 2 + 1, 1);
    test_pack(by_bytes, d_in, d_out, 4 + 2 + 1, 1);
    behind_head<<<1, 2>>>(d_in + 1, 3, d_in + 12);
    CHECK(cudaDeviceSynchronize());
    test_moved(d_in);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return 0;
}
