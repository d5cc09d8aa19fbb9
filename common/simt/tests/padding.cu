// SPDX-License-Identifier: MIT
//
// padding.cu - values of variables that have padding behind an array of records: see padding.c of
// the driver. Any of these makes g++ 12 and 13 lose values of it.
#include <array>

#include "check.h"

struct row {
    float v[12];
};
struct point {
    float x, y, z;
};

struct late {
    double *out;
    int n;
    row rows[2];
};
struct early {
    point points[7];
    double d;
};
template <class T>
struct pack {
    std::array<T, 7> all;
    double d;
};

static __host__ __device__ __noinline__ row make_row(float from)
{
    row r;
    for (float &v : r.v)
        v = from++;
    return r;
}

static __host__ __device__ __noinline__ point make(float from)
{
    return point{from, from + 1, from + 2};
}

static __host__ __device__ bool is_right(const late &s)
{
    return s.n == 3 && s.rows[0].v[0] == 5 && s.rows[0].v[11] == 16 && s.rows[1].v[0] == 50;
}

static __host__ __device__ bool is_right(const point *p)
{
    bool right = true;
    for (int i = 0; i < 7; i++)
        right = right && p[i].x == i + 1 && p[i].y == i + 2 && p[i].z == i + 3;
    return right;
}

#define POINTS make(1), make(2), make(3), make(4), make(5), make(6), make(7)

__global__ void take(late s, bool *right)
{
    *right = is_right(s);
}

__global__ void make_here(bool *right)
{
    const early s = early{{POINTS}, 3.0};
    *right = is_right(late{nullptr, 3, {make_row(5), make_row(50)}}) && is_right(s.points);
}

template <class F>
static __noinline__ bool call(F f)
{
    return f();
}

static bool *result()
{
    static bool *right;
    if (!right)
        CHECK(cudaMallocManaged(&right, sizeof *right));
    CHECK(cudaDeviceSynchronize());
    return right;
}

int main()
{
    bool *right = result();
    take<<<1, 1>>>(late{nullptr, 3, {make_row(5), make_row(50)}}, right);
    EXPECT(*result());
    make_here<<<1, 1>>>(right);
    EXPECT(*result());
    EXPECT(is_right(late{nullptr, 3, {make_row(5), make_row(50)}}));
    EXPECT(is_right(early{{POINTS}, 3.0}.points));
    EXPECT(is_right(pack<point>{{{POINTS}}, 3.0}.all.data()));
    const point points[] = {POINTS};
    const double d = 3;
    EXPECT(call([points, d] { return is_right(points) && d == 3; }));
    CHECK(cudaFree(right));
    return 0;
}
