// SPDX-License-Identifier: MIT
//
// ops.cuh - the operators of the reductions. Each one has an identity, the value that changes
// nothing: it fills in where a block has no element. 0 is right for a sum, wrong for a product and
// for a maximum of negative numbers, so each operator has its own. The harness knows an operator by
// reduce_op_t in step.h and its name in harness/problem.c: start there to add one.
#ifndef OPS_CUH
#define OPS_CUH

#include <limits>

template <typename T>
struct sum_op {
    static __host__ __device__ T identity() { return T(0); }
    __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

// Signed overflow is undefined in C++; unsigned addition wraps, and so does our i32 sum.
template <>
struct sum_op<int> {
    static __host__ __device__ int identity() { return 0; }
    __host__ __device__ int operator()(int a, int b) const
    {
        return (int)((unsigned)a + (unsigned)b);
    }
};

template <typename T>
struct prod_op {
    static __host__ __device__ T identity() { return T(1); }
    __host__ __device__ T operator()(T a, T b) const { return a * b; }
};

// It wraps as well: modulo 2^32 the product of two numbers has the same bits, signed or not.
template <>
struct prod_op<int> {
    static __host__ __device__ int identity() { return 1; }
    __host__ __device__ int operator()(int a, int b) const
    {
        return (int)((unsigned)a * (unsigned)b);
    }
};

// The lowest and the highest value of a type: infinities if it has them.
template <typename T>
struct range {
    using limits = std::numeric_limits<T>;
    static constexpr bool inf = limits::has_infinity;
    static constexpr T lowest = inf ? -limits::infinity() : limits::lowest();
    static constexpr T highest = inf ? limits::infinity() : limits::max();
};

// < and > are false with a NaN. `a != a` is true only for NaN: it keeps a NaN on the left, and the
// false comparison keeps one on the right.
template <typename T>
struct max_op {
    static __host__ __device__ T identity() { return range<T>::lowest; }
    __host__ __device__ T operator()(T a, T b) const { return a > b || a != a ? a : b; }
};

template <typename T>
struct min_op {
    static __host__ __device__ T identity() { return range<T>::highest; }
    __host__ __device__ T operator()(T a, T b) const { return a < b || a != a ? a : b; }
};

#endif
