// SPDX-License-Identifier: MIT
//
// block_load_store.cuh - BlockLoad and BlockStore: thread t has the items t * ITEMS and on, or with
// a striped algorithm t, t + THREADS and on. Each thread loads and stores its own items, whatever
// the algorithm: the results are those of CUB, the counts are not.
#ifndef SIMT_CUB_BLOCK_LOAD_STORE_CUH
#define SIMT_CUB_BLOCK_LOAD_STORE_CUH

#include "../simt_ops.cuh"

namespace cub
{

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <typename T, int X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
struct BlockLoad {
    static constexpr bool STRIPED = ALGORITHM == BLOCK_LOAD_STRIPED;
    struct TempStorage {
        int unused;
    };
    __device__ explicit BlockLoad(TempStorage &) {}

    template <typename Iterator>
    __device__ void Load(Iterator from, T (&items)[ITEMS])
    {
        for (int i = 0; i < ITEMS; i++)
            items[i] = from[simt_detail::item_of<STRIPED, X * Y * Z, ITEMS>(i)];
    }
    template <typename Iterator>
    __device__ void Load(Iterator from, T (&items)[ITEMS], int count)
    {
        for (int i = 0; i < ITEMS; i++)
            if (simt_detail::item_of<STRIPED, X * Y * Z, ITEMS>(i) < count)
                items[i] = from[simt_detail::item_of<STRIPED, X * Y * Z, ITEMS>(i)];
    }
    template <typename Iterator, typename Other>
    __device__ void Load(Iterator from, T (&items)[ITEMS], int count, Other other)
    {
        for (int i = 0; i < ITEMS; i++)
            items[i] = other;
        Load(from, items, count);
    }
};

template <typename T, int X, int ITEMS, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT,
          int Y = 1, int Z = 1>
struct BlockStore {
    static constexpr bool STRIPED = ALGORITHM == BLOCK_STORE_STRIPED;
    struct TempStorage {
        int unused;
    };
    __device__ explicit BlockStore(TempStorage &) {}

    template <typename Iterator>
    __device__ void Store(Iterator to, T (&items)[ITEMS])
    {
        for (int i = 0; i < ITEMS; i++)
            to[simt_detail::item_of<STRIPED, X * Y * Z, ITEMS>(i)] = items[i];
    }
    template <typename Iterator>
    __device__ void Store(Iterator to, T (&items)[ITEMS], int count)
    {
        for (int i = 0; i < ITEMS; i++)
            if (simt_detail::item_of<STRIPED, X * Y * Z, ITEMS>(i) < count)
                to[simt_detail::item_of<STRIPED, X * Y * Z, ITEMS>(i)] = items[i];
    }
};

} // namespace cub

#endif
